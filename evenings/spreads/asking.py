"""The étuis of a set that bots play for a director. The caller checks the permission and logs the look before."""

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from deals.copies import may_read_cards
from deals.models import DealSet, Etui
from evenings.spreads.playing import ensure_spread
from evenings.spreads.reading import SpreadFigures, list_spread_figures
from tournaments.queue import queue_bots


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
