"""Writes of the plan before the start: the director's choice, or a plan from a file; verified before it is stored."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction
from django.db.models import Max

from clubs.models import User
from movements import Plan, Proposal, Takers, figures, from_data, is_more_even, to_data, with_even_attacks
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_draft
from tournaments.log import log
from tournaments.models import PlanVersion, ResultEntry, Ruling, Session, Tournament
from tournaments.plans.current import current_version, faults_of, member_of, takers_of
from tournaments.plans.proposals import PlanQuestion, find_proposals

IMPORTED = "imported"  # the code of a plan from a file


def question_of(session: Session, players: int | None = None) -> PlanQuestion:
    """What the planner is asked for the session's ranked players, or for so many."""
    count = session.entrants.filter(ranked=True).count() if players is None else players
    imposed = session.tournament.auction == Tournament.Auction.IMPOSED
    return PlanQuestion(count, session.positions, session.etuis_per_position, session.barometer, imposed)


def proposals_for(session: Session, players: int | None = None) -> tuple[Proposal, ...]:
    """What the session could play with its ranked players, or with so many; searched for here if need be."""
    return find_proposals(question_of(session, players))


def default_proposal(session: Session, players: int | None = None) -> Proposal | None:
    """The one that needs no choice: full tables, nobody meeting anybody twice, nobody resting, sets as asked for."""
    count = session.entrants.filter(ranked=True).count() if players is None else players
    if count % 4 or not count:
        return None
    first = proposals_for(session, count)[0]
    plain = first.figures.perfect and first.plan.barometer == session.barometer
    return first if plain and first.plan.positions == session.positions else None


def choice_of(session: Session, players: int) -> PlanVersion | None:
    """The plan chosen, if it was chosen for so many ranked players and for the session as it is set now."""
    version = current_version(session)
    if version is None:
        return None
    plan = from_data(version.data)
    asked = version.operation.get("positions", plan.positions)
    stands = (
        sum(plan.lines) - len(plan.fillers) == players
        and session.positions in (asked, plan.positions)
        and session.etuis_per_position == plan.etuis_per_position
        and (plan.barometer or not session.barometer)
    )
    return version if stands else None


def lay_for(session: Session, plan: Plan, takers: Takers | None) -> Plan:
    """A proposal with its étuis where the `takers` of those that the session plays attack about as often."""
    imposed = session.tournament.auction == Tournament.Auction.IMPOSED
    return with_even_attacks(plan, takers) if takers and imposed else plan


def lay_again(session: Session, version: PlanVersion) -> Plan:
    """The plan chosen, as it is laid for the étuis that the session plays by now; one from a file stays as it came, and
    so does one that could be no more even: its cards may be printed."""
    plan = from_data(version.data)
    if version.code == IMPORTED or session.tournament.auction != Tournament.Auction.IMPOSED:
        return plan
    takers = takers_of(session)
    laid = with_even_attacks(plan, takers)
    if not is_more_even(laid, plan, takers):
        return plan
    version.data, version.figures = to_data(laid), asdict(figures(laid))
    version.save(update_fields=["data", "figures"])
    return laid


@transaction.atomic
def choose_plan(*, session_id: int, choice: int, shape: str, by: User | None, now: dt.datetime) -> PlanVersion:
    """Keeps the proposal of that place in the list. `shape` is what its reader saw (`shape_of`): a `Conflict` where the
    players or the settings have changed since."""
    session = lock_draft(session_id)
    if shape != shape_of(session):
        raise Conflict("plan_out_of_date")
    offered = proposals_for(session)
    if not 0 <= choice < len(offered):
        raise Refused("plan_unknown", "plan")
    chosen = offered[choice]
    plan = lay_for(session, chosen.plan, takers_of(session))
    return keep_choice(session, plan, code=chosen.code, params=chosen.params, by=by, now=now)


@transaction.atomic
def import_plan(*, session_id: int, plan: Plan, by: User | None, now: dt.datetime) -> PlanVersion:
    """Keeps a plan from a file, `Refused` where it is for other players or another shape than the session's."""
    session = lock_draft(session_id)
    plan = fill_as_seated(session, plan)
    version = keep_choice(session, plan, code=IMPORTED, params={}, by=by, now=now)
    check_fits(session, plan)  # last, since a number written wrongly is a fault of its line rather than a player more
    return version


def fill_as_seated(session: Session, plan: Plan) -> Plan:
    """A file that names no filler, as a CSV cannot, has those who complete a table in this session."""
    seats = tuple(member_of(entrant) for entrant in session.entrants.filter(ranked=False))
    return plan if plan.fillers or not {*seats} <= {*plan.members()} else replace(plan, fillers=seats)


def check_fits(session: Session, plan: Plan) -> None:
    found = {
        "players": sum(plan.lines) - len(plan.fillers),
        "positions": plan.positions,
        "etuis": plan.etuis_per_position,
    }
    there = {
        "players": session.entrants.filter(ranked=True).count(),
        "positions": session.positions,
        "etuis": session.etuis_per_position,
    }
    if found != there:
        here = {f"{name}_here": count for name, count in there.items()}
        raise Refused("plan_for_others", "plan", tables=plan.tables, **found, **here)
    if session.barometer and not plan.barometer:
        raise Refused("plan_not_barometer", "plan")


@transaction.atomic
def forget_plan(*, session_id: int) -> None:
    """Takes the choice back, before the start."""
    lock_draft(session_id).plans.all().delete()


def keep_choice(
    session: Session, plan: Plan, *, code: str, params: Mapping[str, object], by: User | None, now: dt.datetime
) -> PlanVersion:
    session.plans.all().delete()
    operation = {"kind": "choice", "positions": session.positions}
    return store_plan(session, plan, code=code, params=params, operation=operation, by=by, now=now)


def store_plan(
    session: Session,
    plan: Plan,
    *,
    code: str,
    params: Mapping[str, object],
    operation: Mapping[str, object],
    by: User | None,
    now: dt.datetime,
    fixed: int = 0,
    **changed: Any,
) -> PlanVersion:
    """A new version of the plan. `Refused` where the verifier finds a fault in it beyond the positions up to `fixed`,
    or its figures untrue."""
    faults, claimed = faults_of(plan, fixed=fixed)
    if faults or claimed is None:
        raise Refused("plan_faulty", "plan", problem=faults[0], count=len(faults))
    newest = {
        "newest_entry": ResultEntry.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
        "newest_ruling": Ruling.objects.filter(play__session=session).aggregate(last=Max("pk"))["last"] or 0,
    }
    last = session.plans.aggregate(last=Max("number"))["last"] or 0
    version = PlanVersion.objects.create(
        session=session,
        number=last + 1,
        data=to_data(plan),
        figures=asdict(claimed),
        code=code,
        params=dict(params),
        operation=dict(operation),
        author=by,
        made_at=now,
        **newest,
        **changed,
    )
    log(session, f"plan_{operation['kind']}", by=by, now=now, words=str(operation.get("words", "")))
    return version


def shape_of(session: Session, players: int | None = None) -> str:
    """What the proposals depend on, as a short text, for the session's ranked players or for so many."""
    if players is None:
        players = session.entrants.filter(ranked=True).count()
    return f"{players}-{session.positions}-{session.etuis_per_position}-{int(session.barometer)}"


def plan_to_play(session: Session, *, now: dt.datetime) -> Plan:
    """The plan chosen for these players; else the one that needs no choice, kept from now on.

    `Refused` where there is a choice to make. One that was made for others is forgotten.
    """
    players = session.entrants.filter(ranked=True).count()
    version = choice_of(session, players)
    if version is not None:
        return lay_again(session, version)
    proposal = default_proposal(session, players)
    if proposal is None:
        raise Refused("plan_to_choose", "plan", count=players)
    plan = lay_for(session, proposal.plan, takers_of(session))
    keep_choice(session, plan, code=proposal.code, params=proposal.params, by=None, now=now)
    return plan
