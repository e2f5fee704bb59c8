"""Writes to deal sets: making them, sealing them, and the log of who looked at their cards."""

import datetime as dt
import secrets

from django.db import transaction

from clubs.models import Club, User
from deals.domain.board import taker_and_dealer
from deals.domain.dealing import commitment, deal_board
from deals.domain.notation import dumps
from deals.models import DealLook, DealSet, Etui

MAX_ETUIS = 999


@transaction.atomic
def create_deal_set(
    *, club: Club, name: str, count: int, now: dt.datetime, by: User | None, seed: bytes | None = None
) -> DealSet:
    """A set of étuis 1 … count for four players, its cards generated from `seed` (drawn here where none is given)."""
    seed = seed if seed is not None else secrets.token_bytes(32)
    deal_set = DealSet.objects.create(
        club=club, name=name, seed=seed.hex(), commitment=commitment(seed), created_at=now, created_by=by
    )
    cards = [dumps(deal_board(seed, number).deal) for number in range(1, count + 1)]
    lay_out_etuis(deal_set, cards, Etui.Origin.GENERATED)
    return deal_set


@transaction.atomic
def create_set_dealt_at_table(*, club: Club, name: str, count: int, now: dt.datetime, by: User | None) -> DealSet:
    """A set of numbered étuis whose cards the tables deal: no seed, no commitment, no cards."""
    deal_set = DealSet.objects.create(club=club, name=name, created_at=now, created_by=by)
    lay_out_etuis(deal_set, [""] * count, Etui.Origin.NONE)
    return deal_set


def lay_out_etuis(deal_set: DealSet, cards: list[str], origin: Etui.Origin) -> None:
    Etui.objects.bulk_create(
        Etui(deal_set=deal_set, number=number, taker=taker, dealer=dealer, cards=text, origin=origin)
        for number, text in enumerate(cards, start=1)
        for taker, dealer in [taker_and_dealer(number)]
    )


def seal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """From now on the set never changes; sealing it again keeps the first moment."""
    DealSet.objects.filter(pk=deal_set.pk, sealed_at=None).update(sealed_at=now)
    deal_set.refresh_from_db(fields=["sealed_at"])


def record_look(*, deal_set: DealSet, user: User, first: int, last: int, now: dt.datetime) -> DealLook:
    """Notes who looks at which étuis, before a single card is shown."""
    return DealLook.objects.create(deal_set=deal_set, user=user, first_etui=first, last_etui=last, looked_at=now)
