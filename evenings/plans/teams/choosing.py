"""The choice of the plan of a session that teams play. Each plan is verified before it is stored."""

import datetime as dt
from collections.abc import Callable, Mapping

from django.db import transaction

from clubs.models import User
from evenings.plans.choosing import choice_of
from evenings.plans.storing import keep_choice, pick_proposal, require_same_shape, write_shape
from movements import Plan, Proposal, read_plan
from movements.teams import MATCH, propose_matches, propose_quadrettes, propose_triplettes
from scoring.formats import QUADRETTES, TEAM_MATCH, TRIPLETTES
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.models import PlanVersion, Session

# By format: the function that proposes plans for a number of teams, of positions and of étuis in a position.
PROPOSERS: Mapping[str, Callable[[int, int, int], tuple[Proposal, ...]]] = {
    TRIPLETTES.name: propose_triplettes,
    QUADRETTES.name: propose_quadrettes,
    TEAM_MATCH.name: propose_matches,
}


def propose_for_teams(session: Session, teams: int | None = None) -> tuple[Proposal, ...]:
    """Return the plans for the session's teams, or for `teams` teams, the best first.

    Raise `PlanError` if no plan fits.
    """
    count = session.entrants.count() if teams is None else teams
    found = PROPOSERS[session.tournament.format](count, session.positions, session.etuis_per_position)
    if session.barometer:
        found = tuple(each for each in found if each.plan.in_barometer(1)) or found
    return found


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
    chosen = pick_proposal(propose_for_teams(session), choice)
    return keep_choice(session, chosen.plan, code=chosen.code, params=chosen.params, by=by, now=now)


def team_plan_to_play(session: Session, *, now: dt.datetime) -> Plan[int]:
    """Return the plan with which the session can start: the chosen one, else the first proposal, which is stored.

    Raise `ActionRefused` if no plan was chosen and the first one repeats meetings or rests teams, so that the director
    has to choose.
    """
    teams = session.entrants.count()
    version = choice_of(session, teams)
    if version is None:
        first = default_team_proposal(session, teams)
        if first is None:
            raise ActionRefused("team_plan_to_choose", "plan", count=teams)
        keep_choice(session, first.plan, code=first.code, params=first.params, by=None, now=now)
        return first.plan
    return read_plan(version.data)


def default_team_proposal(session: Session, teams: int) -> Proposal | None:
    """Return the proposal that is used if the director chooses none, or None if the director has to choose.

    In such a proposal nobody rests, no meeting is repeated, and it has the session's number of positions. A match
    always has its four quarters.
    """
    first = next(iter(propose_for_teams(session, teams)), None)
    if first is not None and first.plan.rule == MATCH:
        return first
    if first is None or first.figures.repeated or first.figures.most_exempt:
        return None
    return first if first.plan.positions == session.positions else None
