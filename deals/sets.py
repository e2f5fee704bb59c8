"""Deal sets come to be: made, imported, copied; étuis are added, dealt from the seed, their cards typed in."""

import datetime as dt
import secrets

from django.db import transaction
from django.db.models import QuerySet

from clubs.accounts.roles import directed_by
from clubs.models import Club, User
from deals.domain.board import name_seats
from deals.domain.boards import BoardSet
from deals.domain.deal import Deal
from deals.domain.dealing import commitment, deal_board, draw_seed, mix_seed
from deals.domain.notation import dumps
from deals.domain.profile import accepts_board
from deals.errors import DealSetRefused
from deals.looks import record_seed
from deals.models import DealSet, Etui

MAX_ETUIS = 999


@transaction.atomic
def create_deal_set(
    *,
    club: Club,
    name: str,
    count: int,
    now: dt.datetime,
    by: User | None,
    seed: bytes | None = None,
    given: bytes = b"",
    players: int = 4,
    profile: str = "",
    value_name: str = "",
) -> DealSet:
    """A set of étuis 1 … count whose cards follow from a seed that is drawn here, `given` bytes mixed in.

    With a `value_name` the cards wait for the public value of that name (`draw`). Each étui's taker has a hand that
    `profile` finds fit to take, where one is named. A `seed` from elsewhere marks the set for good: somebody knew it.
    """
    drawn = seed if seed is not None else draw_seed(secrets.token_bytes(32), given)
    deal_set = DealSet.objects.create(
        club=club,
        name=name,
        players=players,
        seed=drawn.hex(),
        seed_imported=seed is not None,
        commitment=commitment(drawn, players, profile, value_name),
        profile=profile,
        value_name=value_name,
        created_at=now,
        created_by=by,
    )
    lay_out(deal_set, range(1, count + 1), Etui.Origin.AWAITED)
    if not value_name:
        deal(deal_set, drawn)
    if seed is not None:
        record_seed(deal_set, now)
    return deal_set


@transaction.atomic
def create_set_dealt_at_table(
    *, club: Club, name: str, count: int, now: dt.datetime, by: User | None, players: int = 4
) -> DealSet:
    """A set of numbered étuis whose cards the tables deal: no seed, no commitment, no cards."""
    deal_set = DealSet.objects.create(club=club, name=name, players=players, created_at=now, created_by=by)
    lay_out(deal_set, range(1, count + 1), Etui.Origin.NONE)
    return deal_set


@transaction.atomic
def import_deal_set(*, club: Club, name: str, boards: BoardSet, now: dt.datetime, by: User | None) -> DealSet:
    """A set of the given étuis, with their cards where they are known.

    With a seed, every card must follow from it, and the set is marked for good: nobody here can tell when that seed was
    chosen, or who knows it.
    """
    if len(boards.boards) > MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "boards", most=MAX_ETUIS)
    if (last := boards.boards[-1].number) > MAX_ETUIS:
        raise DealSetRefused("number_too_high", "boards", number=last, most=MAX_ETUIS)
    if boards.seed:
        return import_seeded(club=club, name=name, boards=boards, now=now, by=by)
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


def import_seeded(*, club: Club, name: str, boards: BoardSet, now: dt.datetime, by: User | None) -> DealSet:
    """Deals the étuis of the file's seed again, and refuses a file whose cards are others."""
    if boards.value and not boards.value_name:
        raise DealSetRefused("no_value_named", "boards")
    if boards.profile and boards.players != 4:
        raise DealSetRefused("profile_players", "boards", found=boards.players)
    seed = bytes.fromhex(boards.seed)
    deal_set = DealSet.objects.create(
        club=club,
        name=name,
        players=boards.players,
        seed=seed.hex(),
        seed_imported=True,
        commitment=boards.commitment or commitment(seed, boards.players, boards.profile, boards.value_name),
        profile=boards.profile,
        value_name=boards.value_name,
        value=boards.value,
        created_at=now,
        created_by=by,
    )
    Etui.objects.bulk_create(
        Etui(
            deal_set=deal_set,
            number=board.number,
            taker=board.taker or "",
            dealer=board.dealer,
            origin=Etui.Origin.AWAITED,
        )
        for board in boards.boards
    )
    if not boards.value_name or boards.value:
        deal(deal_set, mix_seed(seed, boards.value) if boards.value else seed)
    dealt = dict(deal_set.etuis.values_list("number", "cards"))
    for board in boards.boards:
        if board.deal is not None and dumps(board.deal) != dealt[board.number]:
            raise DealSetRefused("cards_not_of_seed", "boards", number=board.number)
    record_seed(deal_set, now)
    return deal_set


def lay_out(deal_set: DealSet, numbers: range, origin: Etui.Origin) -> None:
    if not numbers or numbers[-1] > MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "count", most=MAX_ETUIS)
    Etui.objects.bulk_create(
        Etui(deal_set=deal_set, number=number, taker=taker or "", dealer=dealer, origin=origin)
        for number in numbers
        for taker, dealer in [name_seats(number, deal_set.players)]
    )


@transaction.atomic
def add_etuis(*, deal_set_id: int, last: int) -> range:
    """The étuis up to number `last` that the set has not yet: dealt from its own seed, to which it has committed long
    since, or numbered ones that the tables deal. Those that are there stay as they are; asked again, none is added."""
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set_id)
    if deal_set.revealed_at is not None:
        raise DealSetRefused("seed_revealed")
    added = range(max(deal_set.etuis.values_list("number", flat=True)) + 1, last + 1)
    if not added:
        return added
    lay_out(deal_set, added, Etui.Origin.AWAITED if deal_set.seed else Etui.Origin.NONE)
    if deal_set.seed and (deal_set.value or not deal_set.value_name):
        seed = bytes.fromhex(deal_set.seed)
        deal(deal_set, mix_seed(seed, deal_set.value) if deal_set.value else seed)
    return added


def deal(deal_set: DealSet, seed: bytes) -> None:
    etuis = list(deal_set.etuis.filter(origin=Etui.Origin.AWAITED))
    for etui in etuis:
        accept = accepts_board(deal_set.profile, etui.number) if deal_set.profile else None
        dealt = deal_board(seed, etui.number, deal_set.players, accept)
        etui.cards, etui.attempt, etui.origin = dumps(dealt.deal), dealt.attempt, Etui.Origin.GENERATED
    Etui.objects.bulk_update(etuis, ["cards", "attempt", "origin"])


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

    By its seed one copy is known from the other, which keeps the cards secret until both are played.
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
    copy.played_on = None  # it is the other club that says so of its copy
    copy.save(force_insert=True)
    for etui in etuis:
        etui.pk, etui.deal_set, etui._state.adding = None, copy, True
    Etui.objects.bulk_create(etuis)
    return copy


def find_clubs_to_copy_to(deal_set: DealSet, user: User) -> QuerySet[Club]:
    """Return the other clubs that the same person directs, and that have no copy yet."""
    same = DealSet.objects.filter(seed=deal_set.seed).values("club")
    return Club.objects.filter(pk__in=directed_by(user)).exclude(pk__in=same)
