"""The plays of étuis by four bots, 50 of each, made by night or asked for by a director.

A process that is killed loses one play at most. If two processes play the same étui, each play is stored once.

An app that lies above, such as `rooms`, registers a source of further étuis.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from bots.levels import PLAYERS, VERSION, BotLevel
from bots.matches import play_of_spread
from clubs.models import real_clubs
from deals.copies import may_read_cards
from deals.domain.cards import Seat
from deals.domain.deal import has_petit_sec, loads
from deals.models import DealSet, Etui
from scoring.formats import FREE_AUCTION, Taker, find_format
from tournaments.locks import raise_records
from tournaments.models import BotSpread, Play, Publication, Session
from tournaments.queue import queue_bots

LEVEL = BotLevel.TEN
PLAYS = 50


def digest_of_deal(cards: str, dealer: str, taker: str) -> str:
    """Return the digest by which pages find the spread of these cards. `taker` is "" for an auction."""
    return sha256(f"{cards}|{dealer}|{taker}".encode()).hexdigest()


def ensure_spread(etui: Etui, *, taker: str, asked_at: dt.datetime | None = None) -> BotSpread | None:
    """Return the row of an étui, and make it if there is none. `asked_at`: a director asks now.

    If another étui has the same cards and its plays are made, they are copied. Return None if bots cannot play the
    étui: its cards are unknown, it is not for four, or a player has the petit sec.
    """
    row = BotSpread.objects.filter(etui=etui, taker=taker).first()
    if row is None:
        deal = loads(etui.cards) if etui.cards else None
        if deal is None or deal.players != PLAYERS or has_petit_sec(deal):
            return None
        row = make_spread(etui, taker=taker, asked_at=asked_at)
    if asked_at is not None and row.asked_at is None:
        BotSpread.objects.filter(pk=row.pk, asked_at=None).update(asked_at=asked_at)
        row.asked_at = asked_at
    return row


def make_spread(etui: Etui, *, taker: str, asked_at: dt.datetime | None) -> BotSpread:
    """Return a new row for an étui, with the plays of an étui with the same cards if there are any."""
    digest = digest_of_deal(etui.cards, etui.dealer, taker)
    values = {"digest": digest, "level": LEVEL, "bots_version": VERSION, "wanted": PLAYS, "asked_at": asked_at}
    same = BotSpread.objects.filter(digest=digest, made_at__isnull=False).order_by("pk").first()
    if same is not None:
        copied = ("level", "bots_version", "wanted", "took", "contract", "plays", "count", "made_at")
        values |= {name: getattr(same, name) for name in copied}
    try:
        with transaction.atomic():
            row = BotSpread.objects.create(etui=etui, taker=taker, **values)
    except IntegrityError:  # another process was faster
        return BotSpread.objects.get(etui=etui, taker=taker)
    if row.made_at is not None:
        refresh_pages(row)
    return row


def play_spread(spread_id: int, *, seconds: float, now: dt.datetime) -> bool:
    """Let bots play an étui until all plays are stored, or this time is over. Return whether all are stored.

    At least one play is made. Each is stored by one UPDATE, if no other process has stored it meanwhile.
    """
    until = monotonic() + seconds
    row = BotSpread.objects.select_related("etui").filter(pk=spread_id).first()
    while row is not None and row.made_at is None:
        store_next_play(row, now=now)
        row.refresh_from_db()
        if monotonic() >= until:
            break
    return row is None or row.made_at is not None


def store_next_play(row: BotSpread, *, now: dt.datetime) -> None:
    """Make the next play of a row and store it. After the last one, the pages of the étui show the figures."""
    etui = row.etui
    taker = Seat(row.taker) if row.taker else None
    deal, level = loads(etui.cards), BotLevel(row.level)
    played = play_of_spread(deal, Seat(etui.dealer), taker, level=level, number=row.count)
    values = {
        "plays": [*row.plays, [played.score, int(played.made)]],
        "count": row.count + 1,
        "took": played.taker,
        "contract": played.contract,
        "made_at": now if row.count + 1 == row.wanted else None,
    }
    with transaction.atomic():
        stored = BotSpread.objects.filter(pk=row.pk, count=row.count, made_at=None).update(**values)
        if stored and values["made_at"] is not None:
            refresh_pages(row)


def refresh_pages(row: BotSpread) -> None:
    """Let the cached pages of the étui be built again in all sessions that play it."""
    playing = Session.objects.filter(Q(deal_set__etuis=row.etui_id) | Q(deal_set__master__etuis=row.etui_id))
    for session_id in playing.order_by("pk").values_list("pk", flat=True).distinct():
        raise_records(session_id)


BEGINS = dt.time(1)  # when the night begins, in the time zone of the site
LATEST = 200  # only so many of the newest sessions are searched
IS_FREE, IS_IMPOSED = Q(taker=""), ~Q(taker="")


class SpreadCandidate(NamedTuple):
    """An étui that bots may play, its taker ("" for an auction), and the moment when its cards became public."""

    since: dt.datetime
    etui: int
    taker: str


Source = Callable[[], SpreadCandidate | None]
sources: list[Source] = []


def register_source(source: Source) -> None:
    """Add a source of étuis. It returns the newest public étui without a spread, or None."""
    if source not in sources:
        sources.append(source)


def is_night(now: dt.datetime) -> bool:
    """Return whether bots may play étuis that nobody asked for. With 0 minutes they never do."""
    zone = timezone.get_default_timezone()
    begin = dt.datetime.combine(timezone.localdate(now, zone), BEGINS, zone)
    return begin <= now < begin + dt.timedelta(minutes=settings.BOT_NIGHT_MINUTES)


def find_next_spread(now: dt.datetime) -> BotSpread | None:
    """Return the row that bots play next, or None if there is nothing to play now.

    Étuis that a director has asked for come first, the oldest request first. Then, by night, come rows that were begun,
    and étuis without a row, the newest first.
    """
    open_rows = BotSpread.objects.filter(made_at=None)
    asked = open_rows.filter(asked_at__isnull=False).order_by("asked_at", "etui__number", "pk").first()
    if asked is not None or not is_night(now):
        return asked
    return open_rows.order_by("-pk").first() or begin_newest()


def begin_newest() -> BotSpread | None:
    """Make the row of the newest public étui that has none, and return it. Return None if there is none."""
    skipped: set[int] = set()
    while True:
        found = [each for source in (lambda: find_in_sessions(skipped), *sources) if (each := source())]
        newest = max(found, default=None)
        if newest is None or newest.etui in skipped:
            return None
        row = ensure_spread(Etui.objects.get(pk=newest.etui), taker=newest.taker)
        if row is not None and row.made_at is None:
            return row
        skipped.add(newest.etui)  # bots cannot play it, or its plays are known


def find_in_sessions(skipped: set[int]) -> SpreadCandidate | None:
    """Return the first étui without a spread of the newest session whose cards everybody may see, or None."""
    sessions = {session.pk: session.newest for session in find_public_sessions()[:LATEST]}
    plays = Play.objects.filter(session__in=sessions, etui__deal_set__players=4).exclude(etui__cards="")
    auction = Q(session__tournament__format=FREE_AUCTION.name)
    has = {taken: Exists(BotSpread.objects.filter(taken, etui=OuterRef("etui"))) for taken in (IS_FREE, IS_IMPOSED)}
    missing = plays.filter((auction & ~has[IS_FREE]) | (~auction & ~has[IS_IMPOSED])).exclude(etui__in=skipped)
    waiting = set(missing.order_by().values_list("session", flat=True).distinct())
    first = next((pk for pk in sessions if pk in waiting), None)
    play = (
        first
        and missing.filter(session=first)
        .select_related("etui", "session__tournament")
        .order_by("etui__number", "pk")
        .first()
    )
    if not first or play is None:
        return None
    taker = find_bot_taker(play.session.tournament.format, play.etui.taker)
    return SpreadCandidate(sessions[first], play.etui_id, taker)


def find_public_sessions() -> QuerySet[Any]:
    """Return the sessions of real clubs whose cards everybody may see, the newest publication first."""
    versions = Publication.objects.filter(session=OuterRef("pk")).order_by("-version")
    shown = Session.objects.filter(shows_cards=True, held_until=None, put_away_at=None)
    real = shown.filter(real_clubs("tournament__club"))
    told = real.annotate(
        newest=Max("publications__published_at"), newest_status=Subquery(versions.values("status")[:1])
    )
    return told.filter(newest__isnull=False).exclude(newest_status="withdrawn").order_by("-newest", "-pk")


def find_bot_taker(format_name: str, taker: str) -> str:
    """Return the seat that plays an imposed garde in this format, or "" for an auction."""
    rule = find_format(format_name).taker
    if rule == Taker.AUCTION:
        return ""
    return taker if rule == Taker.ETUI else str(rule)


@dataclass(frozen=True, slots=True)
class SpreadFigures:
    """The plays of an étui by bots. `took` (a seat) and `contract` are the same in all plays: "" if everybody passed.

    `made`: in how many plays the contract was made. `scores`: the base scores, the lowest first.
    """

    level: int
    count: int
    wanted: int
    took: str
    contract: str
    made: int
    scores: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        return self.count == self.wanted

    @property
    def low(self) -> int:
        return self.scores[0]

    @property
    def high(self) -> int:
        return self.scores[-1]

    @property
    def middle(self) -> int:
        """The median: of an even number of scores the lower one of the middle pair."""
        return self.scores[(len(self.scores) - 1) // 2]


def find_spread_figures(cards: str, dealer: str, taker: str) -> SpreadFigures | None:
    """Return the figures of these cards, or None if the bots have not made all plays. One query.

    `taker` is the seat that plays an imposed garde, "" for an auction.
    """
    if not cards:
        return None
    rows = BotSpread.objects.filter(digest=digest_of_deal(cards, dealer, taker), made_at__isnull=False)
    row = rows.order_by("pk").first()
    return None if row is None else read_spread(row)


def list_spread_figures(etuis: Iterable[int]) -> dict[int, SpreadFigures]:
    """Return the figures so far of these étuis, by their ids. One query."""
    rows = BotSpread.objects.filter(etui__in=list(etuis)).order_by("-asked_at", "pk")
    return {row.etui_id: read_spread(row) for row in rows}


def read_spread(row: BotSpread) -> SpreadFigures:
    """Return the figures of a row."""
    return SpreadFigures(
        level=row.level,
        count=row.count,
        wanted=row.wanted,
        took=row.took,
        contract=row.contract,
        made=sum(made for _score, made in row.plays),
        scores=tuple(sorted(score for score, _made in row.plays)),
    )


def find_dealt(deal_set: DealSet, numbers: Sequence[int], now: dt.datetime) -> list[Etui]:
    """Return these étuis of a set by number, with cards. Those of a copy are the étuis of its master, once it opens."""
    if not may_read_cards(deal_set, now):
        return []
    held = deal_set.master_id or deal_set.pk
    return list(Etui.objects.filter(deal_set=held, number__in=numbers).order_by("number"))


@transaction.atomic
def ask_bots(deal_set: DealSet, numbers: Sequence[int], *, now: dt.datetime) -> None:
    """Queue the plays of bots for these étuis of a set. A second call only asks again for those that are not played.

    The taker that an étui names plays a garde. Without one there is an auction.
    """
    rows = [ensure_spread(etui, taker=etui.taker, asked_at=now) for etui in find_dealt(deal_set, numbers, now)]
    if any(row is not None and row.made_at is None for row in rows):
        queue_bots()


def list_asked(
    deal_set: DealSet, numbers: Sequence[int], *, now: dt.datetime
) -> list[tuple[int, SpreadFigures | None]]:
    """Return these étuis of a set by number, each with the figures so far, or None if bots do not play it."""
    etuis = find_dealt(deal_set, numbers, now)
    figures = list_spread_figures([etui.pk for etui in etuis])
    return [(etui.number, figures.get(etui.pk)) for etui in etuis]
