"""The start of a session: étuis are sealed and every play of the plan is laid out; and a start taken back."""

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.db.models import F

from clubs.models import User
from deals.models import Line
from deals.services import seal_deal_set
from tournaments.domain.planning import Plan
from tournaments.errors import Refused
from tournaments.models import Entrant, Etui, Play, ResultEntry, Ruling, Session, SessionStandings, Table, Tournament
from tournaments.plans import SEAT_COLUMNS, Evening
from tournaments.queue import queue_standings
from tournaments.services.deal_sets import known_etuis
from tournaments.services.log import log
from tournaments.services.planning import plan_to_play
from tournaments.services.tables import open_tables


@transaction.atomic
def start_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Seals the étuis and lays out every play of the movement. A session under way is returned as it is."""
    session = (
        Session.objects.select_for_update(of=("self",)).select_related("tournament", "deal_set").get(pk=session_id)
    )
    if session.status == Session.Status.RUNNING:
        return session
    if not session.entrants.exists():
        raise Refused("no_players", "players")
    plan = plan_to_play(session, now=now)
    check_seats(session, plan)
    check_etuis(session, needed=etuis_of(plan))
    assert session.deal_set is not None
    seal_deal_set(deal_set=session.deal_set, now=now)
    lay_out(Evening(session, plan))
    open_tables(session, now=now)
    session.positions = plan.positions
    session.status, session.started_at = Session.Status.RUNNING, now
    session.position, session.clock_ends_at, session.clock_left = 0, None, None
    session.results_version += 1
    session.save()
    # Just behind the results, so that a job of an earlier start can no longer write here.
    behind = session.results_version - 1
    SessionStandings.objects.create(session=session, results_version=behind, computed_at=now, data={})
    log(session, "started", now=now, by=by)
    queue_standings(session.pk)
    return session


@transaction.atomic
def unstart_session(*, session_id: int, by: User | None = None, now: dt.datetime) -> Session:
    """Takes a start back while nothing has been entered: the plan goes, players and étuis stay (and stay sealed)."""
    list(Play.objects.select_for_update().filter(session_id=session_id).order_by("pk").values_list("pk"))
    session = Session.objects.select_for_update(of=("self",)).get(pk=session_id)
    if session.status == Session.Status.DRAFT:
        return session
    if (
        ResultEntry.objects.filter(play__session=session).exists()
        or Ruling.objects.filter(play__session=session).exists()
        or session.penalties.exists()
    ):
        raise Refused("results_depend_on_start")
    if session.plans.filter(undone_at=None).exclude(operation__kind="choice").exists():
        raise Refused("changes_depend_on_start")
    session.plays.all().delete()
    session.tables.all().delete()
    session.plans.exclude(operation__kind="choice").delete()
    SessionStandings.objects.filter(session=session).delete()
    session.status, session.started_at, session.position = Session.Status.DRAFT, None, 0
    session.save(update_fields=["status", "started_at", "position"])
    Session.objects.filter(pk=session_id).update(results_version=F("results_version") + 1)
    log(session, "start_taken_back", now=now, by=by)
    return session


def check_seats(session: Session, plan: Plan) -> None:
    """`Refused` unless the seats taken are exactly those of the plan, with fillers on the seats of fillers."""
    seated = {(entrant.line, entrant.number): entrant for entrant in session.entrants.select_related("player")}
    fillers = set(plan.fillers)
    for member in sorted(plan.members(), key=lambda member: (member.number, member.line)):
        line = Line.values[member.line]
        entrant = seated.pop((line, member.number), None)
        if entrant is None and member in fillers:
            raise Refused("filler_missing", "players", line=line, number=member.number)
        if entrant is None:
            raise Refused("seat_empty", "players", line=line, number=member.number)
        told = {"name": entrant.player.name, "line": line, "number": member.number}
        if entrant.ranked and member in fillers:
            raise Refused("filler_wanted", "players", **told)
        if not entrant.ranked and member not in fillers:
            raise Refused("filler_misplaced", "players", **told)
    for (line, number), entrant in seated.items():
        raise Refused("seat_beyond_plan", "players", name=entrant.player.name, line=line, number=number)


def etuis_of(plan: Plan) -> int:
    """How many étuis the plan takes."""
    return max(etui for play in plan.plays for etui in play.etuis)


def check_etuis(session: Session, *, needed: int) -> None:
    """`Refused` unless the session's set has as many étuis from its first one on, fit to be played."""
    if session.deal_set is None:
        raise Refused("no_deal_set", "deal_set", needed=needed)
    first = session.first_etui
    etuis = list(session.deal_set.etuis.filter(number__range=(first, first + needed - 1)))
    if session.deal_set.players != 4:
        raise Refused("etuis_not_for_four", "deal_set", players=session.deal_set.players)
    if len(etuis) < needed:
        raise Refused("too_few_etuis", "deal_set", needed=needed, count=len(etuis))
    if known := known_etuis(session.deal_set).intersection(etui.number for etui in etuis):
        raise Refused("etuis_known", "deal_set", number=min(known))
    without = [etui.number for etui in etuis if not etui.taker]
    if without and session.tournament.auction == Tournament.Auction.IMPOSED:
        raise Refused("etui_without_taker", "deal_set", number=without[0])
    if any(etui.origin == Etui.Origin.AWAITED for etui in etuis):
        raise Refused("value_awaited", "deal_set", name=session.deal_set.value_name)


Row = dict[str, int]
COLUMNS = ("position", "table_id", "etui_id", *SEAT_COLUMNS)


def rows_of(session: Session) -> dict[int, Row]:
    """What is laid out, by the ids of the plays."""
    return {row.pop("pk"): row for row in session.plays.order_by("pk").values("pk", *COLUMNS)}


def lay_out(evening: Evening, *, after: int = 0) -> None:
    """Makes the plays beyond position `after` those of the plan; the ones that are so already keep their rows.

    A table that lacks somebody plays nothing. Tables that are new are made. `Refused` where anybody would meet an étui
    a second time, which happens where what went wrong has left too few.
    """
    rows, planned = rows_of(evening.session), planned_rows(evening, after=after)
    check_replays([*(row for row in rows.values() if row["position"] <= after), *planned])
    wanted = {tuple(row.values()) for row in planned}
    there = {tuple(row.values()): pk for pk, row in rows.items() if row["position"] > after}
    Play.objects.filter(pk__in=[pk for row, pk in there.items() if row not in wanted]).delete()
    Play.objects.bulk_create(
        Play(session=evening.session, **dict(zip(COLUMNS, row, strict=True))) for row in sorted(wanted - there.keys())
    )


def planned_rows(evening: Evening, *, after: int) -> list[Row]:
    """The plan's plays beyond position `after` as rows; makes the tables that are new."""
    session, plan = evening.session, evening.plan
    tables = {table.number: table.pk for table in session.tables.all()}
    lacking = [number for number in range(1, plan.tables + 1) if number not in tables]
    made = Table.objects.bulk_create(Table(session=session, number=number) for number in lacking)
    tables |= {table.number: table.pk for table in made}
    assert session.deal_set is not None
    etuis = {
        etui.number - session.first_etui + 1: etui.pk
        for etui in session.deal_set.etuis.filter(number__gte=session.first_etui)
    }
    return [
        {"position": play.position, "table_id": tables[play.table], "etui_id": etuis[etui], **evening.seats(play)}
        for play in plan.plays
        if play.complete and play.position > after
        for etui in play.etuis
    ]


def check_replays(rows: Iterable[Row]) -> None:
    """Nobody has an étui twice, on whatever line he sat."""
    seen: set[tuple[int, int]] = set()
    for row in rows:
        for column in SEAT_COLUMNS:
            if (row["etui_id"], row[column]) in seen:
                raise_replay(row, column)
            seen.add((row["etui_id"], row[column]))


def raise_replay(row: Row, column: str) -> None:
    entrant = Entrant.objects.select_related("player").get(pk=row[column])
    etui = Etui.objects.get(pk=row["etui_id"])
    raise Refused("would_replay", name=entrant.player.name, number=etui.number, position=row["position"])
