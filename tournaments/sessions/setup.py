"""Writes before an evening: tournaments, sessions, who plays, with which étuis."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from clubs.house import settings_of
from clubs.models import Club, Player, Season, User
from deals.domain.cards import LINES
from deals.models import DealSet
from deals.sets import MAX_ETUIS, create_deal_set, create_set_dealt_at_table
from tournaments.errors import Refused
from tournaments.locks import (
    lock_club,
    lock_deal_set,
    lock_draft,
    lock_session,
    lock_tournament,
    raise_told,
    raise_tournament,
)
from tournaments.log import log
from tournaments.models import Entrant, Session, Tournament
from tournaments.plans.choosing import lay_again
from tournaments.plans.current import current_version
from tournaments.plans.deal_sets import find_known_etuis, is_revealed
from tournaments.plans.sections import check_own_sections
from tournaments.queue import queue_tournament

GARDE_PROFILE = "garde-1"
RESERVED_SLUG = "new"  # the address of the page that makes a tournament
# What may change while the session is under way: entries keep the check and the showing that they came under.
WEIGHT = frozenset({"coefficient", "stage"})  # what a session is in the ranking of its tournament
YEARS = range(2000, 2100)  # of evenings: a day has hours in every zone, and a typing error ends no calendar
IN_CALENDARS = frozenset({"date", "starts_at", "positions", "etuis_per_position", "minutes_per_etui"})
WHILE_UNDER_WAY = WEIGHT | {"check_by", "shows_after", "hidden_positions", "minutes_per_etui"}


class SeatGiven(NamedTuple):
    """Where a player starts: the line kept all evening and the starting number. Who is not ranked completes a table."""

    player_id: int
    line: str
    number: int
    ranked: bool = True


class Insists(NamedTuple):
    """Who has étuis played although their cards are public, why and when."""

    reason: str
    by: User
    now: dt.datetime


def seats_in_order(player_ids: Sequence[int]) -> list[SeatGiven]:
    """Fills table after table: North, East, South, West of table 1, then of table 2 …"""
    return [SeatGiven(player_id, LINES[i % 4], i // 4 + 1) for i, player_id in enumerate(player_ids)]


@transaction.atomic
def create_tournament(
    *,
    club: Club,
    name: str,
    auction: str,
    now: dt.datetime,
    season: Season | None = None,
    federation: bool = False,
) -> Tournament:
    lock_club(club.pk)
    base = slugify(name)[:50] or "tournoi"
    taken = {RESERVED_SLUG, *club.tournaments.filter(slug__startswith=base).values_list("slug", flat=True)}
    slug = next(slug for i in range(1, 10_000) if (slug := base if i == 1 else f"{base}-{i}") not in taken)
    return Tournament.objects.create(
        club=club,
        season=season,
        name=name,
        slug=slug,
        auction=auction,
        federation=federation,
        created_at=now,
        window_hours=settings_of(club).window_hours,
    )


@transaction.atomic
def create_session(*, tournament: Tournament, date: dt.date, **settings: Any) -> Session:
    """`settings`: the session's fields for its shape, its hours and its tables; those left out have their defaults."""
    lock_tournament(tournament.pk)
    last = tournament.sessions.aggregate(last=Max("number"))["last"] or 0
    session = Session(tournament=tournament, number=last + 1, date=date, **settings)
    check_settings(session)
    session.save()
    return session


@transaction.atomic
def edit_session(*, session_id: int, by: User | None = None, now: dt.datetime, **changes: Any) -> Session:
    """Changes date, shape, hours or what concerns the tables; of a session under way only what the plan does not
    hang on, for entries and positions to come. What a section weighs in its tournament all sections of it do."""
    draft_only = changes.keys() - WHILE_UNDER_WAY
    weight = {field: changes[field] for field in WEIGHT & changes.keys()}
    if weight:
        raise_tournament(session_id)
    session = lock_draft(session_id) if draft_only else lock_session(session_id, "tournament__club")
    told_before = [getattr(session, field) for field in IN_CALENDARS]
    for field, value in changes.items():
        before = getattr(session, field)
        if value != before:
            setattr(session, field, value)
            log(session, "edited", now=now, by=by, setting=field, before=str(before), after=str(value))
    check_settings(session)
    session.save(update_fields=list(changes))
    if told_before != [getattr(session, field) for field in IN_CALENDARS]:
        raise_told(now, pk=session_id)
    if weight:
        if session.group_id is not None:
            Session.objects.filter(group=session.group_id).update(**weight)
        queue_tournament(session.tournament_id)
    return session


def check_settings(session: Session) -> None:
    """A day of which calendars can tell; and in an event of the federation no table sees any result before the
    publication."""
    if session.date.year not in YEARS:
        raise Refused("session_year", "date", first=YEARS[0], last=YEARS[-1])
    if session.tournament.federation and session.shows_after != Session.Shown.NOTHING:
        raise Refused("federation_shows_nothing", "shows_after")


@transaction.atomic
def set_entrants(*, session_id: int, seats: Sequence[SeatGiven]) -> list[Entrant]:
    """Replaces who plays and where. Each player and each seat once; the players are of the session's club."""
    session = lock_draft(session_id)
    club_id = session.tournament.club_id
    players = Player.objects.real().filter(club_id=club_id).in_bulk([seat.player_id for seat in seats])
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
        Entrant(session=session, player_id=seat.player_id, line=seat.line, number=seat.number, ranked=seat.ranked)
        for seat in seats
    )


@transaction.atomic
def use_deal_set(
    *,
    session_id: int,
    deal_set: DealSet,
    first_etui: int = 1,
    needed: int = 0,
    insists: Insists | None = None,
) -> Session:
    """The étuis of a session: those of the set from `first_etui` on, as many as the movement needs (0: not known yet).

    Étuis whose cards readers have been shown are refused unless the director insists with a reason, which is logged.
    """
    session = lock_draft(session_id)
    deal_set = lock_deal_set(deal_set.pk)
    if deal_set.club_id != session.tournament.club_id:
        raise Refused("deal_set_unknown", "deal_set")
    if is_revealed(deal_set):
        raise Refused("seed_revealed", "deal_set")
    if deal_set.given_up_at is not None:
        raise Refused("set_given_up", "deal_set")
    if not deal_set.etuis.filter(number=first_etui).exists():
        raise Refused("etui_unknown", "first_etui", number=first_etui)
    last = first_etui + needed if needed else MAX_ETUIS + 1
    known = find_known_etuis(deal_set).intersection(range(first_etui, last))
    if known and (insists is None or not insists.reason.strip()):
        raise Refused("etuis_public", "reason", number=min(known))
    session.deal_set, session.first_etui, session.public_etuis_reason = deal_set, first_etui, ""
    check_own_sections(session)
    if known and insists is not None:
        session.public_etuis_reason = insists.reason.strip()[:300]
        log(
            session,
            "public_etuis",
            now=insists.now,
            by=insists.by,
            words=deal_set.name,
            name=deal_set.name,
            number=min(known),
            reason=session.public_etuis_reason,
        )
    session.save(update_fields=["deal_set", "first_etui", "public_etuis_reason"])
    if (version := current_version(session)) is not None:
        lay_again(session, version)
    return session


@transaction.atomic
def prepare_deals(
    *, session_id: int, with_cards: bool, count: int, by: User, now: dt.datetime, given: bytes = b""
) -> DealSet:
    """Makes a set for this session and uses it: generated from a seed that is drawn now, `given` bytes mixed in, or
    numbered étuis dealt at the table.

    Under an imposed Garde every étui's taker gets a hand plainly worth it.
    """
    session = lock_draft(session_id)
    tournament = session.tournament
    name = f"{tournament.name} · {session.number}"[:120]
    if with_cards:
        profile = GARDE_PROFILE if tournament.auction == Tournament.Auction.IMPOSED else ""
        deal_set = create_deal_set(
            club=tournament.club, name=name, count=count, by=by, now=now, given=given, profile=profile
        )
    else:
        deal_set = create_set_dealt_at_table(club=tournament.club, name=name, count=count, by=by, now=now)
    use_deal_set(session_id=session_id, deal_set=deal_set)
    return deal_set
