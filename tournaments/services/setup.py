"""Writes before an evening: tournaments, sessions, who plays, with which étuis; the start lays out every play."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Max
from django.utils.text import slugify

from clubs.models import Club, Player, Season, User
from deals.models import DealSet, Etui, Line
from deals.services import create_deal_set, create_set_dealt_at_table, seal_deal_set
from tournaments.domain.movements import Movement, cyclic, playable_counts, verify
from tournaments.errors import Refused
from tournaments.models import Entrant, Play, ResultEntry, Ruling, Session, SessionStandings, Table, Tournament
from tournaments.queue import queue_standings
from tournaments.services.deal_sets import is_revealed, known_etuis

GARDE_PROFILE = "garde-1"
RESERVED_SLUG = "new"  # the address of the page that makes a tournament


class Seat(NamedTuple):
    """Where a player starts: the line kept all evening, and the table of position 1."""

    player_id: int
    line: str
    number: int


def seats_in_order(player_ids: Sequence[int]) -> list[Seat]:
    """Fills table after table: North, East, South, West of table 1, then of table 2 …"""
    lines = list(Line)
    return [Seat(player_id, lines[i % 4].value, i // 4 + 1) for i, player_id in enumerate(player_ids)]


@transaction.atomic
def create_tournament(
    *, club: Club, name: str, auction: str, now: dt.datetime, season: Season | None = None
) -> Tournament:
    Club.objects.select_for_update().get(pk=club.pk)
    base = slugify(name)[:50] or "tournoi"
    taken = {RESERVED_SLUG, *club.tournaments.filter(slug__startswith=base).values_list("slug", flat=True)}
    slug = next(slug for i in range(1, 10_000) if (slug := base if i == 1 else f"{base}-{i}") not in taken)
    return Tournament.objects.create(club=club, season=season, name=name, slug=slug, auction=auction, created_at=now)


@transaction.atomic
def create_session(
    *, tournament: Tournament, date: dt.date, positions: int = 5, etuis_per_position: int = 4
) -> Session:
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    last = tournament.sessions.aggregate(last=Max("number"))["last"] or 0
    return Session.objects.create(
        tournament=tournament,
        number=last + 1,
        date=date,
        positions=positions,
        etuis_per_position=etuis_per_position,
    )


@transaction.atomic
def edit_session(*, session_id: int, **changes: Any) -> Session:
    """Changes date, positions or étuis a position of a session that has not started."""
    session = locked_draft(session_id)
    for field, value in changes.items():
        setattr(session, field, value)
    session.save(update_fields=list(changes))
    return session


@transaction.atomic
def set_entrants(*, session_id: int, seats: Sequence[Seat]) -> list[Entrant]:
    """Replaces who plays and where. Each player and each seat once; the players are of the session's club."""
    session = locked_draft(session_id)
    club_id = session.tournament.club_id
    players = Player.objects.filter(club_id=club_id).in_bulk([seat.player_id for seat in seats])
    for key, code in (("player_id", "player_twice"), ("place", "seat_twice")):
        seen: set[object] = set()
        for seat in seats:
            value = seat.player_id if key == "player_id" else (seat.line, seat.number)
            if seat.player_id not in players:
                raise Refused("player_unknown", "players", player=seat.player_id)
            if value in seen:
                raise Refused(code, "players", name=players[seat.player_id].name, line=seat.line, number=seat.number)
            seen.add(value)
    session.entrants.all().delete()
    return Entrant.objects.bulk_create(
        Entrant(session=session, player_id=seat.player_id, line=seat.line, number=seat.number) for seat in seats
    )


@transaction.atomic
def use_deal_set(*, session_id: int, deal_set: DealSet, first_etui: int = 1) -> Session:
    """The étuis of a session: those of the set from `first_etui` on, as many as the movement needs."""
    session = locked_draft(session_id)
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set.pk)
    if deal_set.club_id != session.tournament.club_id:
        raise Refused("deal_set_unknown", "deal_set")
    if is_revealed(deal_set):
        raise Refused("seed_revealed", "deal_set")
    if deal_set.given_up_at is not None:
        raise Refused("set_given_up", "deal_set")
    if not deal_set.etuis.filter(number=first_etui).exists():
        raise Refused("etui_unknown", "first_etui", number=first_etui)
    session.deal_set, session.first_etui = deal_set, first_etui
    session.save(update_fields=["deal_set", "first_etui"])
    return session


@transaction.atomic
def prepare_deals(
    *, session_id: int, with_cards: bool, count: int, by: User, now: dt.datetime, seed: bytes | None = None
) -> DealSet:
    """Makes a set for this session and uses it: generated from a seed, or numbered étuis dealt at the table.

    Under an imposed Garde every étui's taker gets a hand plainly worth it.
    """
    session = locked_draft(session_id)
    tournament = session.tournament
    name = f"{tournament.name} · {session.number}"[:120]
    if with_cards:
        profile = GARDE_PROFILE if tournament.auction == Tournament.Auction.IMPOSED else ""
        deal_set = create_deal_set(
            club=tournament.club, name=name, count=count, by=by, now=now, seed=seed, profile=profile
        )
    else:
        deal_set = create_set_dealt_at_table(club=tournament.club, name=name, count=count, by=by, now=now)
    use_deal_set(session_id=session_id, deal_set=deal_set)
    return deal_set


@transaction.atomic
def start_session(*, session_id: int, now: dt.datetime) -> Session:
    """Seals the étuis and lays out every play of the movement. A session under way is returned as it is."""
    session = (
        Session.objects.select_for_update(of=("self",)).select_related("tournament", "deal_set").get(pk=session_id)
    )
    if session.status == Session.Status.RUNNING:
        return session
    entrants = seated_entrants(session)
    tables = len(entrants) // 4
    movement = cyclic(tables, session.positions, session.etuis_per_position)
    if problems := verify(movement):
        raise Refused("movement_wrong", problem=problems[0])
    etuis = etuis_for(session, needed=tables * session.etuis_per_position)
    assert session.deal_set is not None
    seal_deal_set(deal_set=session.deal_set, now=now)
    lay_out(session, movement, entrants, etuis)
    session.status, session.started_at = Session.Status.RUNNING, now
    session.results_version += 1
    session.save(update_fields=["status", "started_at", "results_version"])
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
    session.plays.all().delete()
    session.tables.all().delete()
    SessionStandings.objects.filter(session=session).delete()
    session.status, session.started_at = Session.Status.DRAFT, None
    session.save(update_fields=["status", "started_at"])
    Session.objects.filter(pk=session_id).update(results_version=F("results_version") + 1)
    return session


def locked_draft(session_id: int) -> Session:
    session = Session.objects.select_for_update(of=("self",)).select_related("tournament__club").get(pk=session_id)
    if session.status != Session.Status.DRAFT:
        raise Refused("session_started")
    return session


def seated_entrants(session: Session) -> dict[tuple[str, int], Entrant]:
    """Entrants by (line, number): every line full from table 1 on, as a movement needs them."""
    entrants = {(entrant.line, entrant.number): entrant for entrant in session.entrants.all()}
    count = len(entrants)
    if count == 0:
        raise Refused("no_players", "players")
    if count % 4:
        nearest = playable_counts(count, session.positions)
        if len(nearest) == 1:
            raise Refused("too_few_players", "players", count=count, above=nearest[0])
        raise Refused("players_not_by_four", "players", count=count, below=nearest[0], above=nearest[1])
    for number in range(1, count // 4 + 1):
        for line in Line:
            if (line.value, number) not in entrants:
                raise Refused("seat_empty", "players", line=line.value, number=number)
    return entrants


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


def lay_out(
    session: Session, movement: Movement, entrants: dict[tuple[str, int], Entrant], etuis: dict[int, int]
) -> None:
    tables = Table.objects.bulk_create(Table(session=session, number=n + 1) for n in range(movement.tables))
    Play.objects.bulk_create(
        Play(
            session=session,
            position=seating.position,
            table=tables[seating.table - 1],
            etui_id=etuis[etui],
            north=entrants["N", seating.north],
            east=entrants["E", seating.east],
            south=entrants["S", seating.south],
            west=entrants["W", seating.west],
        )
        for seating in movement.plays
        for etui in seating.etuis
    )
