"""The plays of bots for an étui, stored one by one.

A process that is killed loses one play at most. If two processes play the same étui, each play is stored once.
"""

import datetime as dt
from hashlib import sha256
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models import Q

from bots.levels import PLAYERS, VERSION, BotLevel
from bots.spreads import play_of_spread
from deals.domain.cards import Seat
from deals.domain.deal import has_petit_sec
from deals.domain.notation import loads
from deals.models import Etui
from tournaments.locks import raise_records
from tournaments.models import BotSpread, Session

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
