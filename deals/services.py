"""Writes to deal sets: making, sealing, drawing, typing, copying, revealing, and the log of who looked at cards.

Knows nothing of sessions: whether a set may be revealed or looked at is asked of whoever calls.
"""

import datetime as dt
import secrets

from django.db import transaction

from clubs.models import Club, User
from deals.domain.board import named_seats
from deals.domain.boards import BoardSet
from deals.domain.deal import Deal
from deals.domain.dealing import commitment, deal_board, mixed_seed
from deals.domain.notation import dumps
from deals.domain.profile import accepts_board
from deals.models import DealLook, DealSet, Etui

MAX_ETUIS = 999


class DealSetRefused(Exception):
    """Nothing was written. Codes: set_not_sealed, value_given, value_missing, no_value_named, cards_known, no_seed,
    etui_unknown, players_differ, too_many_etuis, number_too_high, copy_without_seed, copy_before_value,
    seed_revealed."""

    def __init__(self, code: str, field: str = "", **params: object) -> None:
        self.code, self.field, self.params = code, field, params
        super().__init__(f"{field}: {code} {params or ''}".strip(": "))


@transaction.atomic
def create_deal_set(
    *,
    club: Club,
    name: str,
    count: int,
    now: dt.datetime,
    by: User | None,
    seed: bytes | None = None,
    players: int = 4,
    profile: str = "",
    value_name: str = "",
) -> DealSet:
    """A set of étuis 1 … count whose cards follow from `seed` (drawn here where none is given).

    With a `value_name` the cards wait for the public value of that name (`draw`). Each étui's taker has a hand that
    `profile` finds fit to take, where one is named.
    """
    seed = seed if seed is not None else secrets.token_bytes(32)
    deal_set = DealSet.objects.create(
        club=club,
        name=name,
        players=players,
        seed=seed.hex(),
        commitment=commitment(seed),
        profile=profile,
        value_name=value_name,
        created_at=now,
        created_by=by,
    )
    lay_out(deal_set, count, Etui.Origin.AWAITED)
    if not value_name:
        deal(deal_set, seed)
    return deal_set


@transaction.atomic
def create_set_dealt_at_table(
    *, club: Club, name: str, count: int, now: dt.datetime, by: User | None, players: int = 4
) -> DealSet:
    """A set of numbered étuis whose cards the tables deal: no seed, no commitment, no cards."""
    deal_set = DealSet.objects.create(club=club, name=name, players=players, created_at=now, created_by=by)
    lay_out(deal_set, count, Etui.Origin.NONE)
    return deal_set


@transaction.atomic
def import_deal_set(*, club: Club, name: str, boards: BoardSet, now: dt.datetime, by: User | None) -> DealSet:
    """A set of the given étuis, with their cards where they are known. It has no seed, whatever the file said of one:
    nobody here can tell when that seed was chosen, or who knows it."""
    if len(boards.boards) > MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "boards", most=MAX_ETUIS)
    if (last := boards.boards[-1].number) > MAX_ETUIS:
        raise DealSetRefused("number_too_high", "boards", number=last, most=MAX_ETUIS)
    deal_set = DealSet.objects.create(club=club, name=name, players=boards.players, created_at=now, created_by=by)
    Etui.objects.bulk_create(
        Etui(
            deal_set=deal_set,
            number=board.number,
            taker=board.taker or "",
            dealer=board.dealer,
            cards=dumps(board.deal) if board.deal else "",
            origin=Etui.Origin.IMPORTED if board.deal else Etui.Origin.NONE,
        )
        for board in boards.boards
    )
    return deal_set


def lay_out(deal_set: DealSet, count: int, origin: Etui.Origin) -> None:
    if not 1 <= count <= MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "count", most=MAX_ETUIS)
    Etui.objects.bulk_create(
        Etui(deal_set=deal_set, number=number, taker=taker or "", dealer=dealer, origin=origin)
        for number in range(1, count + 1)
        for taker, dealer in [named_seats(number, deal_set.players)]
    )


def deal(deal_set: DealSet, seed: bytes) -> None:
    etuis = list(deal_set.etuis.filter(origin=Etui.Origin.AWAITED))
    for etui in etuis:
        accept = accepts_board(deal_set.profile, etui.number) if deal_set.profile else None
        dealt = deal_board(seed, etui.number, deal_set.players, accept)
        etui.cards, etui.attempt, etui.origin = dumps(dealt.deal), dealt.attempt, Etui.Origin.GENERATED
    Etui.objects.bulk_update(etuis, ["cards", "attempt", "origin"])


@transaction.atomic
def seal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """From now on the set never changes; sealing it again keeps the first moment."""
    DealSet.objects.filter(pk=deal_set.pk, sealed_at=None).update(sealed_at=now)
    deal_set.refresh_from_db(fields=["sealed_at"])


@transaction.atomic
def draw(*, deal_set_id: int, value: str) -> DealSet:
    """Deals a sealed set from its seed mixed with the public value that was named in advance. The same value again
    changes nothing."""
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set_id)
    value = value.strip()
    if not deal_set.value_name:
        raise DealSetRefused("no_value_named", "value")
    if deal_set.value == value != "":
        return deal_set
    if deal_set.value:
        raise DealSetRefused("value_given", "value", value=deal_set.value)
    if not value:
        raise DealSetRefused("value_missing", "value", name=deal_set.value_name)
    if deal_set.sealed_at is None:
        raise DealSetRefused("set_not_sealed")
    deal_set.value = value
    deal_set.save(update_fields=["value"])
    deal(deal_set, mixed_seed(bytes.fromhex(deal_set.seed), value))
    return deal_set


@transaction.atomic
def type_cards(*, deal_set_id: int, number: int, cards: Deal) -> Etui:
    """The cards of an étui that was dealt at the table, from its diagrams: once, for the site never overwrites them."""
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set_id)
    etui = deal_set.etuis.filter(number=number).first()
    if etui is None:
        raise DealSetRefused("etui_unknown", "number", number=number)
    if cards.players != deal_set.players:
        raise DealSetRefused("players_differ", "cards", number=number, expected=deal_set.players)
    text = dumps(cards)
    if etui.cards == text:
        return etui
    if etui.origin != Etui.Origin.NONE:
        raise DealSetRefused("cards_known", "cards", number=number)
    etui.cards, etui.origin = text, Etui.Origin.TYPED
    etui.save(update_fields=["cards", "origin"])
    return etui


@transaction.atomic
def copy_deal_set(*, deal_set: DealSet, club: Club, by: User, now: dt.datetime) -> DealSet:
    """The same étuis for another club's simultaneous tournament: same seed, same commitment, same cards.

    By its commitment one copy is known from the other, which keeps the cards secret until both are played.
    """
    etuis = list(deal_set.etuis.all())
    if deal_set.revealed_at is not None:
        raise DealSetRefused("seed_revealed")
    if not deal_set.commitment:
        raise DealSetRefused("copy_without_seed")
    if any(etui.origin == Etui.Origin.AWAITED for etui in etuis):
        raise DealSetRefused("copy_before_value", name=deal_set.value_name)
    copy = DealSet.objects.get(pk=deal_set.pk)
    copy.pk, copy.club, copy.created_at, copy.created_by, copy._state.adding = None, club, now, by, True
    copy.save(force_insert=True)
    for etui in etuis:
        etui.pk, etui.deal_set, etui._state.adding = None, copy, True
    Etui.objects.bulk_create(etuis)
    return copy


@transaction.atomic
def reveal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """Shows everybody the seed, for every copy of the set at once. The caller knows that nobody plays it any more."""
    if not deal_set.seed:
        raise DealSetRefused("no_seed")
    if deal_set.sealed_at is None:
        raise DealSetRefused("set_not_sealed")
    DealSet.objects.filter(commitment=deal_set.commitment, revealed_at=None, sealed_at__isnull=False).update(
        revealed_at=now
    )
    deal_set.refresh_from_db(fields=["revealed_at"])


def record_look(
    *,
    deal_set: DealSet,
    user: User,
    first: int,
    last: int,
    now: dt.datetime,
    kind: str = DealLook.Kind.SEEN,
    document: str = "",
) -> DealLook:
    """Notes who has the cards of which étuis, and how, before a single card is shown."""
    return DealLook.objects.create(
        deal_set=deal_set, user=user, first_etui=first, last_etui=last, kind=kind, document=document, looked_at=now
    )
