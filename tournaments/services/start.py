"""The start of a session: étuis are sealed and every play of the plan is laid out; and a start taken back."""

import datetime as dt

from django.db import transaction
from django.db.models import F

from deals.models import Line
from deals.services import seal_deal_set
from tournaments.domain.planning import Plan
from tournaments.errors import Refused
from tournaments.models import Etui, Play, ResultEntry, Ruling, Session, SessionStandings, Table, Tournament
from tournaments.plans import Evening
from tournaments.queue import queue_standings
from tournaments.services.deal_sets import known_etuis
from tournaments.services.planning import plan_to_play


@transaction.atomic
def start_session(*, session_id: int, now: dt.datetime) -> Session:
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
    etuis = etuis_for(session, needed=etuis_of(plan))
    assert session.deal_set is not None
    seal_deal_set(deal_set=session.deal_set, now=now)
    tables = Table.objects.bulk_create(Table(session=session, number=n + 1) for n in range(plan.tables))
    lay_out(Evening(session, plan), {table.number: table.pk for table in tables}, etuis)
    session.positions = plan.positions
    session.status, session.started_at = Session.Status.RUNNING, now
    session.position, session.clock_ends_at, session.clock_left = 0, None, None
    session.results_version += 1
    session.save()
    # Just behind the results, so that a job of an earlier start can no longer write here.
    behind = session.results_version - 1
    SessionStandings.objects.create(session=session, results_version=behind, computed_at=now, data={})
    queue_standings(session.pk)
    return session


@transaction.atomic
def unstart_session(*, session_id: int) -> Session:
    """Takes a start back while nothing has been entered: the plan goes, players and étuis stay (and stay sealed)."""
    list(Play.objects.select_for_update().filter(session_id=session_id).order_by("pk").values_list("pk"))
    session = Session.objects.select_for_update(of=("self",)).get(pk=session_id)
    if session.status == Session.Status.DRAFT:
        return session
    if (
        ResultEntry.objects.filter(play__session=session).exists()
        or Ruling.objects.filter(play__session=session).exists()
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


def etuis_for(session: Session, *, needed: int) -> dict[int, int]:
    """Ids of the étuis of the session's set that it plays, by their place in the movement, from 1."""
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
    return {etui.number - first + 1: etui.pk for etui in etuis}


def lay_out(evening: Evening, tables: dict[int, int], etuis: dict[int, int], *, after: int = 0) -> list[Play]:
    """The plays of the positions beyond `after`: a table that lacks somebody plays none.

    `tables` are ids by number, `etuis` ids by their place in the plan.
    """
    return Play.objects.bulk_create(
        Play(
            session=evening.session,
            position=planned.position,
            table_id=tables[planned.table],
            etui_id=etuis[etui],
            **evening.seats(planned),
        )
        for planned in evening.plan.plays
        if planned.complete and planned.position > after
        for etui in planned.etuis
    )
