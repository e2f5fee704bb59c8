"""The start of a session: the étuis are sealed, and a row is made for every play of the plan. A start can be undone."""

import datetime as dt
from collections.abc import Callable, Mapping

from django.db import transaction
from django.db.models import F

from clubs.models import User
from deals.domain.cards import LINES
from deals.models import DealSet
from deals.sets import seal_deal_set
from evenings.plans.by_format import PLAYERS_WITH_ETUIS, find_players_of_set
from evenings.plans.choosing import plan_to_play, remember_default
from evenings.plans.copies import check_hours
from evenings.plans.deal_sets import find_known_etuis
from evenings.plans.free.laying import find_stride
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.free.starting import lay_free_deals, lay_free_start
from evenings.plans.laying import write_new_rows, write_rows
from evenings.plans.plays_after import lay_plays_again, read_before
from evenings.plans.sections import check_own_sections
from evenings.plans.teams.badges import lock_tournament_of_teams
from evenings.plans.teams.choosing import team_plan_to_play
from evenings.plans.teams.laying import lay_team_start
from evenings.plans.teams.seating import check_teams
from evenings.tables.devices import open_tables
from evenings.teams.common import order_teams_of
from movements import LinePlan, Plan
from scoring.formats import FREE_DEALS, IN_GAMES, MEETING_TEAMS, Taker, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan_to_remove, lock_session
from tournaments.log import log_action
from tournaments.models import Etui, ResultEntry, Ruling, Session, SessionStandings
from tournaments.queue import queue_standings


def start_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Start the session: seal its étuis, and make a row for every play of its plan. Return the session.

    The call is idempotent. Raise `ActionRefused` if players, étuis or the plan are missing or do not fit together.
    """
    session = Session.objects.select_related("tournament").get(pk=session_id)
    if session.tournament.format not in STARTS:
        remember_default(session_id)
    return start_locked(session_id, by=by, now=now)


@transaction.atomic
def start_locked(session_id: int, *, by: User | None, now: dt.datetime) -> Session:
    """Start the session in one transaction, and return it."""
    lock_tournament_of_teams(session_id)
    session = lock_session(session_id, "tournament", "deal_set")
    if session.status == Session.Status.RUNNING:
        return session
    if not session.entrants.exists():
        raise ActionRefused("no_players", "players")
    positions = write_table_plan(session, by=by, now=now)
    open_tables(session, now=now)
    if session.positions != positions:  # the hour of the end changes, which calendars show
        session.told_version, session.told_at = session.told_version + 1, now
    session.positions = positions
    session.status, session.started_at = Session.Status.RUNNING, now
    session.position, session.clock_ends_at, session.clock_left = 0, None, None
    session.results_version += 1
    session.save()
    # The version is one lower than that of the results. So a job of an earlier start that still runs cannot replace
    # this row.
    behind = session.results_version - 1
    SessionStandings.objects.create(session=session, results_version=behind, data={})
    log_action(session, "started", now=now, by=by)
    queue_standings(session.pk)
    return session


def write_table_plan(session: Session, *, by: User | None, now: dt.datetime) -> int:
    """Write the plays of the session's plan, and return the number of its positions."""
    write = STARTS.get(session.tournament.format)
    plan = write(session, by=by, now=now) if write else write_start(session, now=now)
    return plan.positions


def write_start(session: Session, *, now: dt.datetime) -> LinePlan:
    """Check and seal the étuis of a session of single players, write its plays, and return its plan."""
    plan = plan_to_play(session, now=now)
    check_seats(session, plan)
    seal_etuis(session, needed=plan.count_etuis(), now=now)
    before = read_before(session)
    write_rows(session, before.rows, lay_plays_again(before, plan, after=0, people=list(session.entrants.all())).rows)
    return plan


def write_games_start(session: Session, *, by: User | None, now: dt.datetime) -> Plan[int]:
    """Check and seal the étuis for three or five players, write their plays, and return the games."""
    seal_etuis(session, needed=session.positions * find_stride(session), now=now)
    return lay_free_start(session, by=by, now=now)


def write_team_start(session: Session, *, by: User | None, now: dt.datetime) -> Plan[int]:
    """Check and seal the étuis of a session of teams, write its plays, and return its plan."""
    check_teams(session)
    order_teams_of(session)
    plan = team_plan_to_play(session, now=now)
    seal_etuis(session, needed=plan.count_etuis(), now=now)
    write_new_rows(session, lay_team_start(session, plan, by=by, now=now))
    return plan


# By format: how a session starts, if its plan is not one of four lines.
STARTS: Mapping[str, Callable[..., Plan[int]]] = {
    **dict.fromkeys(MEETING_TEAMS, write_team_start),
    **dict.fromkeys(IN_GAMES, write_games_start),
    FREE_DEALS.name: lay_free_deals,
}


def seal_etuis(session: Session, *, needed: int, now: dt.datetime) -> None:
    """Seal the deal set of the session. Raise `ActionRefused` if its étuis do not fit the session and its sections."""
    check_hours(session, now)
    check_etuis(session, needed=needed)
    check_own_sections(session)
    assert session.deal_set is not None
    seal_deal_set(deal_set=session.deal_set, now=now)


@transaction.atomic
def unstart_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Undo the start of a session without results: delete its plays and tables. Return the session.

    The call is idempotent. Its players and étuis stay, and the étuis stay sealed. Raise `ActionRefused` if there are
    results, rulings, penalties, or changes of the plan since the start.
    """
    session = lock_plan_to_remove(session_id)
    if session.status == Session.Status.DRAFT:
        return session
    if (
        ResultEntry.objects.filter(play__session=session).exists()
        or Ruling.objects.filter(play__session=session).exists()
        or session.penalties.exists()
    ):
        raise ActionRefused("results_depend_on_start")
    if session.plans.filter(undone_at=None).exclude(operation__kind="choice").exists():
        raise ActionRefused("changes_depend_on_start")
    session.plays.all().delete()
    session.tables.all().delete()
    session.plans.exclude(operation__kind="choice").delete()
    SessionStandings.objects.filter(session=session).delete()
    session.changed_etuis.all().delete()
    session.status, session.started_at, session.position = Session.Status.DRAFT, None, 0
    session.save(update_fields=["status", "started_at", "position"])
    Session.objects.filter(pk=session_id).update(results_version=F("results_version") + 1)
    log_action(session, "start_taken_back", now=now, by=by)
    return session


def check_seats(session: Session, plan: LinePlan) -> None:
    """Raise `ActionRefused` if a seat of the plan is empty, or a player sits where the plan has no such seat.

    A seat for a filler needs an unranked player, and each other seat needs a ranked one.
    """
    seated = {(entrant.line, entrant.number): entrant for entrant in session.entrants.select_related("player")}
    fillers = set(plan.fillers)
    for member in sorted(plan.everybody(), key=lambda member: (member.number, member.line)):
        line: str = LINES[member.line]
        entrant = seated.pop((line, member.number), None)
        if entrant is None and member in fillers:
            raise ActionRefused("filler_missing", "players", line=line, number=member.number)
        if entrant is None:
            raise ActionRefused("seat_empty", "players", line=line, number=member.number)
        told = {"name": entrant.own_name, "line": line, "number": member.number}
        if entrant.ranked and member in fillers:
            raise ActionRefused("filler_wanted", "players", **told)
        if not entrant.ranked and member not in fillers:
            raise ActionRefused("filler_misplaced", "players", **told)
    for (line, number), entrant in seated.items():
        raise ActionRefused("seat_beyond_plan", "players", name=entrant.own_name, line=line, number=number)


def check_etuis(session: Session, *, needed: int) -> None:
    """Raise `ActionRefused` if the session cannot play `needed` étuis of its deal set, from its first étui on."""
    if session.deal_set is None:
        raise ActionRefused("no_deal_set", "deal_set", needed=needed)
    first = session.first_etui
    etuis = list(session.deal_set.etuis.filter(number__range=(first, first + needed - 1)))
    check_players_of(session, session.deal_set)
    if len(etuis) < needed:
        raise ActionRefused("too_few_etuis", "deal_set", needed=needed, count=len(etuis))
    known = find_known_etuis(session.deal_set).intersection(etui.number for etui in etuis)
    if known and not session.public_etuis_reason:
        raise ActionRefused("etuis_known", "deal_set", number=min(known))
    without = [etui.number for etui in etuis if not etui.taker]
    if without and find_format(session.tournament.format).taker is Taker.ETUI:
        raise ActionRefused("etui_without_taker", "deal_set", number=without[0])
    if session.deal_set.master_id is None and any(etui.origin == Etui.Origin.AWAITED for etui in etuis):
        raise ActionRefused("value_awaited", "deal_set", name=session.deal_set.value_name)


def check_players_of(session: Session, deal_set: DealSet) -> None:
    """Raise `ActionRefused` if the étuis of the set are for another number of players than the session's tables."""
    wanted = find_players_of_set(find_format(session.tournament.format))
    if deal_set.players == wanted:
        return
    if wanted == PLAYERS_WITH_ETUIS:
        raise ActionRefused("etuis_not_for_four", "deal_set", players=deal_set.players)
    raise GamesRefused("etuis_of_other_size", "deal_set", players=deal_set.players, size=wanted)
