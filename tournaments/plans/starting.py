"""The start of a session: étuis are sealed and every play of the plan is laid out. The start can be cancelled."""

import datetime as dt
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import F

from clubs.models import User
from deals.domain.cards import LINES
from deals.sealing import seal_deal_set
from movements import Plan
from scoring.formats import Taker, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan_to_remove, lock_session
from tournaments.log import log_action
from tournaments.models import Etui, Play, ResultEntry, Ruling, Session, SessionStandings, Table
from tournaments.plans.choosing import plan_to_play
from tournaments.plans.current import etuis_of
from tournaments.plans.deal_sets import find_known_etuis
from tournaments.plans.layout import Row
from tournaments.plans.plays_after import lay_plays_again, read_before
from tournaments.plans.sections import check_own_sections
from tournaments.queue import queue_standings
from tournaments.tables.devices import open_tables


@transaction.atomic
def start_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Seal the étuis and lay out every play of the movement. Idempotent."""
    session = lock_session(session_id, "tournament", "deal_set")
    if session.status == Session.Status.RUNNING:
        return session
    if not session.entrants.exists():
        raise ActionRefused("no_players", "players")
    plan = plan_to_play(session, now=now)
    check_seats(session, plan)
    check_etuis(session, needed=etuis_of(plan))
    check_own_sections(session)
    assert session.deal_set is not None
    seal_deal_set(deal_set=session.deal_set, now=now)
    before = read_before(session)
    write_rows(session, before.rows, lay_plays_again(before, plan, after=0, people=list(session.entrants.all())).rows)
    open_tables(session, now=now)
    if session.positions != plan.positions:  # so it ends at another hour
        session.told_version, session.told_at = session.told_version + 1, now
    session.positions = plan.positions
    session.status, session.started_at = Session.Status.RUNNING, now
    session.position, session.clock_ends_at, session.clock_left = 0, None, None
    session.results_version += 1
    session.save()
    # One behind the results, so that a job of an earlier start can no longer write here.
    behind = session.results_version - 1
    SessionStandings.objects.create(session=session, results_version=behind, data={})
    log_action(session, "started", now=now, by=by)
    queue_standings(session.pk)
    return session


@transaction.atomic
def unstart_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Cancel a start while nothing has been entered. The plays are deleted; players and étuis stay, and stay sealed."""
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


def check_seats(session: Session, plan: Plan) -> None:
    """Raise `ActionRefused` unless exactly the plan's seats are taken, with fillers on the seats for fillers."""
    seated = {(entrant.line, entrant.number): entrant for entrant in session.entrants.select_related("player")}
    fillers = set(plan.fillers)
    for member in sorted(plan.members(), key=lambda member: (member.number, member.line)):
        line: str = LINES[member.line]
        entrant = seated.pop((line, member.number), None)
        if entrant is None and member in fillers:
            raise ActionRefused("filler_missing", "players", line=line, number=member.number)
        if entrant is None:
            raise ActionRefused("seat_empty", "players", line=line, number=member.number)
        told = {"name": entrant.player.name, "line": line, "number": member.number}
        if entrant.ranked and member in fillers:
            raise ActionRefused("filler_wanted", "players", **told)
        if not entrant.ranked and member not in fillers:
            raise ActionRefused("filler_misplaced", "players", **told)
    for (line, number), entrant in seated.items():
        raise ActionRefused("seat_beyond_plan", "players", name=entrant.player.name, line=line, number=number)


def check_etuis(session: Session, *, needed: int) -> None:
    """Raise `ActionRefused` unless the session's set has `needed` étuis from its first one on, fit to be played."""
    if session.deal_set is None:
        raise ActionRefused("no_deal_set", "deal_set", needed=needed)
    first = session.first_etui
    etuis = list(session.deal_set.etuis.filter(number__range=(first, first + needed - 1)))
    if session.deal_set.players != 4:
        raise ActionRefused("etuis_not_for_four", "deal_set", players=session.deal_set.players)
    if len(etuis) < needed:
        raise ActionRefused("too_few_etuis", "deal_set", needed=needed, count=len(etuis))
    known = find_known_etuis(session.deal_set).intersection(etui.number for etui in etuis)
    if known and not session.public_etuis_reason:
        raise ActionRefused("etuis_known", "deal_set", number=min(known))
    without = [etui.number for etui in etuis if not etui.taker]
    if without and find_format(session.tournament.format).taker is Taker.ETUI:
        raise ActionRefused("etui_without_taker", "deal_set", number=without[0])
    if any(etui.origin == Etui.Origin.AWAITED for etui in etuis):
        raise ActionRefused("value_awaited", "deal_set", name=session.deal_set.value_name)


def write_rows(session: Session, rows: Mapping[int, Row], wanted: Mapping[int, Row]) -> dict[int, int]:
    """Make the session's plays equal to `wanted`, which has the rows by id. New plays have ids below 0.

    Return the saved ids of the new plays. Tables with ids below 0 are made. A play that is removed loses its rulings,
    but the plan's version keeps them. Unique keys are checked after every statement, foreign keys at the end of the
    transaction. So changed plays are first moved to étuis that do not exist.
    """
    made = make_tables(session, {-row["table_id"] for row in wanted.values() if row["table_id"] < 0})
    wanted = {key: row | {"table_id": made.get(row["table_id"], row["table_id"])} for key, row in wanted.items()}
    gone = list(rows.keys() - wanted.keys())
    Play.objects.filter(pk__in=gone).delete()
    changing = {pk: row for pk, row in wanted.items() if pk in rows and rows[pk] != row}
    for pk in changing:
        Play.objects.filter(pk=pk).update(etui_id=-pk, is_replay=True)
    for pk, row in changing.items():
        Play.objects.filter(pk=pk).update(**row)
    new = {key: row for key, row in wanted.items() if key not in rows}
    plays = [Play(session=session, pk=key if key > 0 else None, **row) for key, row in new.items()]
    return {key: play.pk for key, play in zip(new, Play.objects.bulk_create(plays), strict=True)}


def make_tables(session: Session, numbers: Iterable[int]) -> dict[int, int]:
    """Make the tables and return their ids, by the numbers below 0 that stood for them."""
    tables = [Table(session=session, number=number) for number in sorted(numbers)]
    return {-table.number: table.pk for table in Table.objects.bulk_create(tables)}
