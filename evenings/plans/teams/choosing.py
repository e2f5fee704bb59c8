"""The choice of the plan of a session that teams play. Each plan is verified before it is stored."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from clubs.models import User
from evenings.plans.storing import pick_proposal, replace_plans, require_same_shape, store_version, write_shape
from evenings.plans.teams.current import team_version
from evenings.teams.lineups import has_line_ups
from movements.teams import (
    MATCH,
    PlanFault,
    TablePlan,
    TeamProposal,
    compute_team_figures,
    find_team_faults,
    propose_matches,
    propose_quadrettes,
    propose_triplettes,
    read_table_plan,
    write_table_plan,
)
from scoring.formats import Format, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.models import PlanVersion, Session


def propose_for_teams(session: Session, teams: int | None = None) -> tuple[TeamProposal, ...]:
    """Return the plans for the session's teams, or for `teams` teams, the best first.

    Raise `PlanError` if no plan fits.
    """
    count = session.entrants.count() if teams is None else teams
    propose = find_proposer(find_format(session.tournament.format))
    found = propose(count, session.positions, session.etuis_per_position)
    if session.barometer:
        found = tuple(each for each in found if each.plan.in_barometer(1)) or found
    return found


def find_proposer(format: Format) -> Callable[[int, int, int], tuple[TeamProposal, ...]]:
    """Return the function that proposes plans in this format of teams."""
    if format.has_matches:
        return propose_matches
    return propose_quadrettes if has_line_ups(format) else propose_triplettes


def team_shape(session: Session, teams: int | None = None) -> str:
    """Return the values that the proposals depend on, as text: teams, positions, étuis per position, barometer."""
    return write_shape(session, session.entrants.count() if teams is None else teams)


@transaction.atomic
def choose_team_plan(*, session_id: int, choice: int, shape: str, by: User | None, now: dt.datetime) -> PlanVersion:
    """Store the proposal with the index `choice` in `propose_for_teams`, and return the new version of the plan.

    `shape` is the text from `team_shape` when the user saw the list. Raise `Conflict` if the teams or the settings have
    changed since.
    """
    session = lock_draft(session_id)
    require_same_shape(shape, team_shape(session))
    return keep_team_choice(session, pick_proposal(propose_for_teams(session), choice), by=by, now=now)


def keep_team_choice(session: Session, chosen: TeamProposal, *, by: User | None, now: dt.datetime) -> PlanVersion:
    """Replace the session's plan by this proposal, and return the new version."""
    operation = replace_plans(session)
    return store_team_plan(
        session, chosen.plan, code=chosen.code, params=chosen.notes, operation=operation, by=by, now=now
    )


def store_team_plan(
    session: Session,
    plan: TablePlan,
    *,
    code: str,
    params: Mapping[str, object],
    operation: Mapping[str, object],
    by: User | None,
    now: dt.datetime,
    accepted: Collection[PlanFault] = (),
    **changed: Any,
) -> PlanVersion:
    """Store and return a new version of the plan. `changed` are other columns of its row.

    Raise `ActionRefused` if the plan has a fault that is not `accepted`. The faults of a mistake that was made at the
    tables are accepted.
    """
    faults = [fault for fault in find_team_faults(plan) if fault not in accepted]
    if faults:
        raise ActionRefused("plan_faulty", "plan", problem=faults[0], count=len(faults))
    return store_version(
        session,
        data=write_table_plan(plan),
        figures=asdict(compute_team_figures(plan)),
        code=code,
        params=params,
        operation=operation,
        by=by,
        now=now,
        **changed,
    )


def chosen_team_plan(session: Session, teams: int) -> PlanVersion | None:
    """Return the chosen plan if it fits this number of teams and the session's present settings, else None."""
    version = team_version(session)
    if version is None:
        return None
    plan = read_table_plan(version.data)
    asked = version.operation.get("positions", plan.positions)
    stands = (
        plan.competitors == teams
        and session.positions in (asked, plan.positions)
        and session.etuis_per_position == plan.etuis_per_position
        and (plan.in_barometer(1) or not session.barometer)
    )
    return version if stands else None


def team_plan_to_play(session: Session, *, now: dt.datetime) -> TablePlan:
    """Return the plan with which the session can start: the chosen one, else the first proposal, which is stored.

    Raise `ActionRefused` if no plan was chosen and the first one repeats meetings or rests teams, so that the director
    has to choose.
    """
    teams = session.entrants.count()
    version = chosen_team_plan(session, teams)
    if version is None:
        first = default_team_proposal(session, teams)
        if first is None:
            raise ActionRefused("team_plan_to_choose", "plan", count=teams)
        version = keep_team_choice(session, first, by=None, now=now)
    return read_table_plan(version.data)


def default_team_proposal(session: Session, teams: int) -> TeamProposal | None:
    """Return the proposal that is used if the director chooses none, or None if the director has to choose.

    In such a proposal nobody rests, no meeting is repeated, and it has the session's number of positions. A match
    always has its four quarters.
    """
    first = next(iter(propose_for_teams(session, teams)), None)
    if first is not None and first.plan.rule == MATCH:
        return first
    if first is None or first.figures.repeated or first.figures.most_rests:
        return None
    return first if first.plan.positions == session.positions else None
