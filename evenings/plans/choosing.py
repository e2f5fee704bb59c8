"""The choice of a session's plan before the start: one of the site's proposals, or a plan from a file.

Each plan is verified before it is stored.
"""

import datetime as dt
from dataclasses import replace

from django.db import transaction

from clubs.models import User
from evenings.plans.by_format import suits_format, wants_even_attacks
from evenings.plans.current import current_version, member_of, takers_of
from evenings.plans.proposals import PlanQuestion, find_proposals
from evenings.plans.storing import (
    IMPORTED,
    is_for_settings,
    keep_choice,
    pick_proposal,
    require_same_shape,
    write_shape,
)
from movements import (
    LinePlan,
    Proposal,
    Seating,
    Takers,
    compute_figures,
    find_seating,
    is_more_even,
    read_plan,
    with_even_attacks,
    write_figures,
    write_plan,
)
from scoring.formats import find_format
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_draft
from tournaments.models import PlanVersion, Session
from tournaments.rules.formats import require_offered


def question_of(session: Session, players: int | None = None) -> PlanQuestion:
    """Return the planner's question for this session: the numbers of players, positions and étuis, and the options.

    The number of players is that of the session's ranked players, or `players` if given.
    """
    count = session.entrants.filter(ranked=True).count() if players is None else players
    imposed = wants_even_attacks(find_format(session.tournament.format))
    return PlanQuestion(count, session.positions, session.etuis_per_position, session.barometer, imposed)


def proposals_for(session: Session, players: int | None = None) -> tuple[Proposal, ...]:
    """Return the proposed plans for the session's ranked players, or for `players` players if given.

    If no proposals are stored yet, this searches for them, which may take seconds.
    """
    return find_proposals(question_of(session, players))


def default_proposal(session: Session, players: int | None = None) -> Proposal | None:
    """Return the proposal that is used if the director chooses none, or None if the director has to choose.

    In such a proposal all tables are full, nobody rests, and no meeting of players is repeated. It has the session's
    number of positions. It is a barometer exactly if the session is one.
    """
    count = session.entrants.filter(ranked=True).count() if players is None else players
    if count % 4 or not count:
        return None
    first = proposals_for(session, count)[0]
    plain = first.figures.perfect and first.plan.barometer == session.barometer
    return first if plain and first.plan.positions == session.positions else None


def choice_of(session: Session, competitors: int) -> PlanVersion | None:
    """Return the chosen plan if it fits this number of ranked competitors, the format and the settings, else None."""
    version = current_version(session)
    if version is None:
        return None
    plan = read_plan(version.data)
    fits = suits_format(plan, session.tournament.format) and is_for_settings(version, plan, competitors)
    return version if fits else None


def lay_for(session: Session, plan: LinePlan, takers: Takers | None) -> LinePlan:
    """Return the plan with its étuis placed so that the players' numbers of attacks are as equal as possible.

    `takers` has the takers that the étuis of the session name, from `takers_of`. Without them, or if the étuis do not
    decide who takes, return the plan unchanged.
    """
    imposed = wants_even_attacks(find_format(session.tournament.format))
    return with_even_attacks(plan, takers) if takers and imposed else plan


def lay_chosen_plan(session: Session, version: PlanVersion) -> LinePlan:
    """Return the chosen plan. If another place for its étuis makes the attacks more equal, store and return that.

    The étuis of the session may have changed since the choice. A plan from a file never changes. A plan that would not
    become more equal stays as it is, because its guide cards may be printed already.
    """
    plan: LinePlan = read_plan(version.data)
    if version.code == IMPORTED or not wants_even_attacks(find_format(session.tournament.format)):
        return plan
    takers = takers_of(session)
    laid = with_even_attacks(plan, takers)
    if not is_more_even(laid, plan, takers):
        return plan
    version.data, version.figures = write_plan(laid), write_figures(laid.seating, compute_figures(laid))
    version.save(update_fields=["data", "figures"])
    return laid


def require_players(session: Session) -> None:
    """Raise `ActionRefused` if teams play in the session."""
    require_offered(session.tournament.format, ActionRefused("plan_of_teams", "plan"))


def lay_again(session: Session) -> None:
    """Place the étuis of the chosen plan again, if there is one for single players. A plan of teams stays as it is."""
    version = current_version(session)
    if version is not None and find_seating(version.data) is Seating.LINES:
        lay_chosen_plan(session, version)


def choose_plan(*, session_id: int, choice: int, shape: str, by: User | None, now: dt.datetime) -> PlanVersion:
    """Store the proposal with the index `choice` in `proposals_for`, and return the new version of the plan.

    `shape` is the text from `shape_of` when the user saw the list. Raise `Conflict` if the players or the settings have
    changed since. A search for the proposals, which may take seconds, comes before the transaction: it holds no lock.
    """
    before = Session.objects.select_related("tournament").get(pk=session_id)
    require_players(before)
    question = question_of(before)
    offered = find_proposals(question) if shape == shape_of(before) else ()
    with transaction.atomic():
        session = lock_draft(session_id)
        require_same_shape(shape, shape_of(session))
        if question != question_of(session):
            raise Conflict("plan_out_of_date")
        chosen = pick_proposal(offered, choice)
        plan = lay_for(session, chosen.plan, takers_of(session))
        return keep_choice(session, plan, code=chosen.code, params=chosen.params, by=by, now=now)


@transaction.atomic
def import_plan(*, session_id: int, plan: LinePlan, by: User | None, now: dt.datetime) -> PlanVersion:
    """Store a plan from a file, and return the new version of the plan.

    Raise `ActionRefused` if its numbers of players, positions or étuis are not those of the session.
    """
    session = lock_draft(session_id)
    require_players(session)
    plan = fill_as_seated(session, plan)
    version = keep_choice(session, plan, code=IMPORTED, params={}, by=by, now=now)
    # This is checked after the verification, because the error of the verification names the line with a wrong starting
    # number. This check would only say that there is one player too many.
    check_fits(session, plan)
    return version


def fill_as_seated(session: Session, plan: LinePlan) -> LinePlan:
    """Return the plan, with the session's unranked entrants as its fillers if it names no fillers.

    A plan from a CSV file names none. The plan stays as it is if it lacks a seat of an unranked entrant.
    """
    seats = tuple(member_of(entrant) for entrant in session.entrants.filter(ranked=False))
    return plan if plan.fillers or not {*seats} <= {*plan.everybody()} else replace(plan, fillers=seats)


def check_fits(session: Session, plan: LinePlan) -> None:
    """Raise `ActionRefused` if the plan's players, positions or étuis are not as many as those of the session."""
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
        raise ActionRefused("plan_for_others", "plan", tables=plan.tables, **found, **here)
    if session.barometer and not plan.barometer:
        raise ActionRefused("plan_not_barometer", "plan")


@transaction.atomic
def forget_plan(*, session_id: int) -> None:
    """Delete the chosen plan of a session that has not started."""
    lock_draft(session_id).plans.all().delete()


def shape_of(session: Session, players: int | None = None) -> str:
    """Return the values that the proposals depend on, for `players` players if given, else for the ranked ones."""
    return write_shape(session, session.entrants.filter(ranked=True).count() if players is None else players)


def remember_default(session_id: int) -> None:
    """Search for the plan with which a session can start, unless one is chosen, and remember it in this process.

    Call it before the transaction of the start, which then finds the plan in memory: no lock waits for the search.
    """
    session = Session.objects.select_related("tournament").get(pk=session_id)
    players = session.entrants.filter(ranked=True).count()
    if session.status == Session.Status.DRAFT and choice_of(session, players) is None:
        default_proposal(session, players)


def plan_to_play(session: Session, *, now: dt.datetime) -> LinePlan:
    """Return the plan with which the session can start: the chosen one, else the default proposal, which is stored.

    Raise `ActionRefused` if the director has to choose. A plan that was chosen for another number of players is not
    used, and is replaced.
    """
    players = session.entrants.filter(ranked=True).count()
    version = choice_of(session, players)
    if version is not None:
        return lay_chosen_plan(session, version)
    proposal = default_proposal(session, players)
    if proposal is None:
        raise ActionRefused("plan_to_choose", "plan", count=players)
    plan = lay_for(session, proposal.plan, takers_of(session))
    keep_choice(session, plan, code=proposal.code, params=proposal.params, by=None, now=now)
    return plan
