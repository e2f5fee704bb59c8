"""The rooms for four: the halls of the day, which are always open, and rooms of one's own by link.

A hall has new étuis each day. The day of a hall begins at 4 in the morning, when hardly anybody plays.
"""

import datetime as dt
import secrets
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.guard import Count
from clubs.guard.counting import DAY as ONE_DAY
from rooms.errors import RoomRefused
from rooms.models import ClassicTerms, Room, RoomKind
from rooms.opening import Departure, store_room

OPENS = dt.time(4)  # by the clock of the site's time zone
DAY = dt.timedelta(days=1)
HALLS = (1, 2)
SHARED_ETUIS, NEW_ETUIS = 60, 240  # in a room with duplicate deals, and in one in which no étui is played twice
LINK_BYTES = 9
OWN_ROOMS_A_DAY = 40  # from one network address, which a whole club may share


class TermsAsked(NamedTuple):
    """The terms that somebody chooses for a room of one's own. They are explained in `ClassicTerms`."""

    is_duplicate: bool = True
    deals: int = 0
    score: int = 0
    clock: int = 45
    takes_over: bool = False
    wait: int = 30


# What may be chosen. 0 is no end, or no clock.
DEALS, SCORES, CLOCKS, WAITS = (0, 4, 8, 12, 16, 24), (0, 200, 500, 1000, 2000), (0, 20, 45, 90), (10, 30, 60, 120)
# Hall no. 1 has duplicate deals, hall no. 2 new ones.
TERMS_OF_HALLS = {1: TermsAsked(is_duplicate=True), 2: TermsAsked(is_duplicate=False)}


def find_halls(now: dt.datetime) -> list[Room]:
    """Return the halls that are open now, with their terms. The first call of a day makes them."""
    if not settings.ROOM_TABLES:
        return []
    day = find_day(now)
    rooms = Room.objects.filter(terms__day=day, terms__hall__in=HALLS).select_related("terms", "deal_set")
    kept = {room.terms.hall: room for room in rooms}
    return [kept.get(hall) or make_hall(hall, day, now=now) for hall in HALLS]


def find_day(now: dt.datetime) -> dt.date:
    """Return the day of the halls that are open now: the day before until the clock shows 4."""
    local = timezone.localtime(now, timezone.get_default_timezone())
    return local.date() if local.time() >= OPENS else local.date() - DAY


def make_hall(hall: int, day: dt.date, *, now: dt.datetime) -> Room:
    """Return a hall of a day, made now unless another process was faster."""
    opens = dt.datetime.combine(day, OPENS, timezone.get_default_timezone()).astimezone(dt.UTC)
    closes = dt.datetime.combine(day + DAY, OPENS, timezone.get_default_timezone()).astimezone(dt.UTC)
    terms = ClassicTerms(hall=hall, day=day, **TERMS_OF_HALLS[hall]._asdict())
    try:
        return make_classic_room(terms, opens, closes, now=now)
    except IntegrityError:
        return Room.objects.select_related("terms", "deal_set").get(terms__hall=hall, terms__day=day)


def count_own_rooms(address: str | None) -> Count:
    """Return the counter of the rooms of one's own that a network address makes in a day."""
    return Count("own-rooms", f"address {address}", OWN_ROOMS_A_DAY, ONE_DAY)


def make_own_room(asked: TermsAsked, *, now: dt.datetime) -> Room:
    """Make a room of one's own, which is open for a day, and return it. Everybody who has its link may come in.

    Raise RoomRefused if the site has no tables for four, or if the terms cannot be chosen.
    """
    if not settings.ROOM_TABLES:
        raise RoomRefused("room_unknown")
    choices = ((asked.deals, DEALS), (asked.score, SCORES), (asked.clock, CLOCKS), (asked.wait, WAITS))
    if any(value not in allowed for value, allowed in choices):
        raise RoomRefused("terms_wrong")
    terms = ClassicTerms(link=secrets.token_urlsafe(LINK_BYTES), **asked._asdict())
    return make_classic_room(terms, now, now + DAY, now=now)


@transaction.atomic
def make_classic_room(terms: ClassicTerms, opens_at: dt.datetime, closes_at: dt.datetime, *, now: dt.datetime) -> Room:
    """Store a room with its terms and a sealed deal set of no club."""
    count = SHARED_ETUIS if terms.is_duplicate else NEW_ETUIS
    name = f"{RoomKind.CLASSIC} {terms.hall or ''} {opens_at:%Y-%m-%d %H:%M}"
    terms.room = store_room(Departure(RoomKind.CLASSIC, opens_at, closes_at, count), name, now=now)
    terms.save(force_insert=True)
    return terms.room
