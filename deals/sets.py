"""The changes of deal sets: create, import or copy a set, deal étuis, type cards, and its steps with a commitment.

The callers check whether the user may see them.

A set is sealed, then dealt from its public value if one was named, then revealed. A sealed set never changes. The
callers decide whether a seed may be revealed: this module knows no sessions.
"""

import datetime as dt
import secrets
from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from clubs.models import Club, User, real_clubs
from clubs.roles import directed_by
from deals.domain.deal import Deal, dumps
from deals.domain.dealing import commitment, deal_etui, draw_seed, mix_seed, seed_commitment
from deals.domain.exchange import EtuiSet
from deals.domain.profile import accepts_etui, get_profile, name_profile_seats
from deals.errors import DealSetRefused
from deals.models import DealLook, DealSet, Etui


def record_look(
    *,
    deal_set: DealSet,
    user: User,
    first: int,
    last: int,
    now: dt.datetime,
    kind: str = DealLook.LookKind.SEEN,
    document: str = "",
) -> DealLook:
    """Log that a user sees or gets the cards of étuis `first` to `last`. `kind` says in which way.

    The caller does this before any card is shown.
    """
    return DealLook.objects.create(
        deal_set=deal_set, user=user, first_etui=first, last_etui=last, kind=kind, document=document, looked_at=now
    )


def record_seed(deal_set: DealSet, now: dt.datetime) -> None:
    """Log that the author of a set brought its seed from outside. That person can know every card of the set."""
    if deal_set.created_by is not None:
        numbers = deal_set.etuis.values_list("number", flat=True)
        record_look(
            deal_set=deal_set,
            user=deal_set.created_by,
            first=min(numbers),
            last=max(numbers),
            now=now,
            kind=DealLook.LookKind.SEED,
        )


MAX_ETUIS = 999


@transaction.atomic
def create_deal_set(
    *,
    club: Club | None,
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
    """Create a set with the étuis 1 … `count` and a new seed, deal it, and return it.

    The user's bytes `given` are mixed into the seed. If a `value_name` is given, the set is dealt later, when the
    public value with that name is known. If a `profile` is named, the taker of each étui gets a hand that the profile
    accepts. If a `seed` is given, the set gets a mark that stays, because somebody knew its seed before. Only the set
    of a room has no club.
    """
    drawn = seed if seed is not None else draw_seed(secrets.token_bytes(32), given)
    deal_set = DealSet.objects.create(
        club=club,
        name=name,
        players=players,
        seed=drawn.hex(),
        seed_digest=seed_commitment(drawn),
        seed_imported=seed is not None,
        commitment=commitment(drawn, players, profile, value_name),
        profile=profile,
        value_name=value_name,
        created_at=now,
        created_by=by,
    )
    create_etui_rows(deal_set, range(1, count + 1), Etui.Origin.AWAITED)
    if not value_name:
        deal_awaited_etuis(deal_set, drawn)
    if seed is not None:
        record_seed(deal_set, now)
    return deal_set


@transaction.atomic
def create_set_dealt_at_table(
    *,
    club: Club,
    name: str,
    count: int,
    now: dt.datetime,
    by: User | None,
    players: int = 4,
    taker: str | None = None,
) -> DealSet:
    """Create and return a set of numbered étuis without seed, commitment and cards: the tables deal.

    `taker` is the seat that takes every étui. If it is None, the number of an étui says who takes.
    """
    deal_set = DealSet.objects.create(club=club, name=name, players=players, created_at=now, created_by=by)
    create_etui_rows(deal_set, range(1, count + 1), Etui.Origin.NONE, always=taker)
    return deal_set


@transaction.atomic
def create_free_set(*, club: Club, name: str, count: int, now: dt.datetime, by: User | None) -> DealSet:
    """Create and return the free set of a session: the numbers of its deals, without dealer and taker."""
    deal_set = DealSet.objects.create(club=club, name=name, free=True, created_at=now, created_by=by)
    Etui.objects.bulk_create(Etui(deal_set=deal_set, number=number) for number in range(1, count + 1))
    return deal_set


@transaction.atomic
def import_deal_set(*, club: Club, name: str, etui_set: EtuiSet, now: dt.datetime, by: User | None) -> DealSet:
    """Create and return a set with the étuis of a file, with their cards if the file has them.

    If the file has a seed, every card must be as the seed deals it. The set then gets a mark that stays, because nobody
    can tell who knew the seed before. Raise DealSetRefused if an étui cannot be imported.
    """
    if len(etui_set.etuis) > MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "boards", most=MAX_ETUIS)
    if (last := etui_set.etuis[-1].number) > MAX_ETUIS:
        raise DealSetRefused("number_too_high", "boards", number=last, most=MAX_ETUIS)
    if etui_set.seed:
        return import_seeded(club=club, name=name, etui_set=etui_set, now=now, by=by)
    deal_set = DealSet.objects.create(club=club, name=name, players=etui_set.players, created_at=now, created_by=by)
    Etui.objects.bulk_create(
        Etui(
            deal_set=deal_set,
            number=etui.number,
            taker=etui.taker or "",
            dealer=etui.dealer,
            cards=dumps(etui.deal) if etui.deal else "",
            origin=Etui.Origin.IMPORTED if etui.deal else Etui.Origin.NONE,
        )
        for etui in etui_set.etuis
    )
    return deal_set


def import_seeded(*, club: Club, name: str, etui_set: EtuiSet, now: dt.datetime, by: User | None) -> DealSet:
    """Create and return a set from the seed in a file, by dealing its étuis again.

    Raise DealSetRefused if the file has other cards.
    """
    if etui_set.value and not etui_set.value_name:
        raise DealSetRefused("no_value_named", "boards")
    if etui_set.profile and etui_set.players != 4:
        raise DealSetRefused("profile_players", "boards", found=etui_set.players)
    always = get_profile(etui_set.profile).taker if etui_set.profile else None
    for etui in etui_set.etuis:
        if always and etui.taker != always:
            raise DealSetRefused("taker_not_of_profile", "boards", number=etui.number, profile=etui_set.profile)
    seed = bytes.fromhex(etui_set.seed)
    deal_set = DealSet.objects.create(
        club=club,
        name=name,
        players=etui_set.players,
        seed=seed.hex(),
        seed_digest=seed_commitment(seed),
        seed_imported=True,
        commitment=etui_set.commitment or commitment(seed, etui_set.players, etui_set.profile, etui_set.value_name),
        profile=etui_set.profile,
        value_name=etui_set.value_name,
        value=etui_set.value,
        created_at=now,
        created_by=by,
    )
    Etui.objects.bulk_create(
        Etui(
            deal_set=deal_set,
            number=etui.number,
            taker=etui.taker or "",
            dealer=etui.dealer,
            origin=Etui.Origin.AWAITED,
        )
        for etui in etui_set.etuis
    )
    if not etui_set.value_name or etui_set.value:
        deal_awaited_etuis(deal_set, mix_seed(seed, etui_set.value) if etui_set.value else seed)
    dealt = dict(deal_set.etuis.values_list("number", "cards"))
    for etui in etui_set.etuis:
        if etui.deal is not None and dumps(etui.deal) != dealt[etui.number]:
            raise DealSetRefused("cards_not_of_seed", "boards", number=etui.number)
    record_seed(deal_set, now)
    return deal_set


def create_etui_rows(deal_set: DealSet, numbers: range, origin: Etui.Origin, *, always: str | None = None) -> None:
    if not numbers or numbers[-1] > MAX_ETUIS:
        raise DealSetRefused("too_many_etuis", "count", most=MAX_ETUIS)
    Etui.objects.bulk_create(
        Etui(deal_set=deal_set, number=number, taker=always or taker or "", dealer=dealer, origin=origin)
        for number in numbers
        for taker, dealer in [name_profile_seats(deal_set.profile, number, deal_set.players)]
    )


@transaction.atomic
def add_etuis(*, deal_set_id: int, last: int, taker: str | None = None) -> range:
    """Add étuis up to number `last` to the set. Return the numbers that were added.

    They are dealt from the seed of the set, whose commitment is already known. If the tables deal, they only get
    numbers, and `taker` is the seat that takes every new one, as in `create_set_dealt_at_table`.
    Étuis that exist stay as they are. A second call adds none.
    """
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set_id)
    if deal_set.revealed_at is not None:
        raise DealSetRefused("seed_revealed")
    if deal_set.opens_at is not None:
        raise DealSetRefused("copy_of_master")
    added = range(max(deal_set.etuis.values_list("number", flat=True)) + 1, last + 1)
    if not added:
        return added
    if deal_set.commitment and not deal_set.seed:
        raise DealSetRefused("seed_elsewhere")
    if deal_set.seed:
        create_etui_rows(deal_set, added, Etui.Origin.AWAITED)
    else:
        create_etui_rows(deal_set, added, Etui.Origin.NONE, always=taker)
    if deal_set.seed and (deal_set.value or not deal_set.value_name):
        seed = bytes.fromhex(deal_set.seed)
        deal_awaited_etuis(deal_set, mix_seed(seed, deal_set.value) if deal_set.value else seed)
    return added


def deal_awaited_etuis(deal_set: DealSet, seed: bytes) -> None:
    etuis = list(deal_set.etuis.filter(origin=Etui.Origin.AWAITED))
    for etui in etuis:
        accept = accepts_etui(deal_set.profile, etui.number) if deal_set.profile else None
        dealt = deal_etui(seed, etui.number, deal_set.players, accept)
        etui.cards, etui.attempt, etui.origin = dumps(dealt.deal), dealt.attempt, Etui.Origin.GENERATED
    Etui.objects.bulk_update(etuis, ["cards", "attempt", "origin"])


@transaction.atomic
def type_cards(*, deal_set_id: int, number: int, cards: Deal) -> Etui:
    """Save the cards of an étui that was dealt at the table. Return the étui.

    Cards that are saved are never changed: raise DealSetRefused if the étui already has other cards.
    """
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
    """Copy a set for the simultaneous tournament of another club: same étuis, seed, commitment and cards.

    The site recognises copies by their common seed, and keeps the cards secret until every copy is played. Return the
    copy.
    """
    etuis = list(deal_set.etuis.all())
    if deal_set.revealed_at is not None:
        raise DealSetRefused("seed_revealed")
    if not deal_set.seed:
        raise DealSetRefused("copy_without_seed")
    if deal_set.opens_at is not None:
        raise DealSetRefused("copy_of_master")
    if any(etui.origin == Etui.Origin.AWAITED for etui in etuis):
        raise DealSetRefused("copy_before_value", name=deal_set.value_name)
    copy = DealSet.objects.get(pk=deal_set.pk)
    copy.pk, copy.club, copy.created_at, copy.created_by, copy._state.adding = None, club, now, by, True
    copy.played_on = None  # the other club enters this date for its own copy
    copy.save(force_insert=True)
    for etui in etuis:
        etui.pk, etui.deal_set, etui._state.adding = None, copy, True
    Etui.objects.bulk_create(etuis)
    return copy


def find_clubs_to_copy_to(deal_set: DealSet, user: User) -> QuerySet[Club]:
    """Return the clubs that the user directs and that have no copy of this set yet."""
    same = DealSet.objects.filter(seed_digest=deal_set.seed_digest).values("club")
    return Club.objects.filter(pk__in=directed_by(user)).exclude(pk__in=same)


@transaction.atomic
def seal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """Seal the set: from now on it cannot change. A second call changes nothing."""
    DealSet.objects.filter(pk=deal_set.pk, sealed_at=None).update(sealed_at=now)
    deal_set.refresh_from_db(fields=["sealed_at"])


@transaction.atomic
def deal_from_public_value(*, deal_set_id: int, value: str) -> DealSet:
    """Deal a sealed set from its seed and the public value that was named when the set was made.

    A second call with the same value changes nothing. Raise DealSetRefused if the value is missing, or if another value
    was entered before. Raise it also if the set has no named value or is not sealed.
    """
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
    if not deal_set.seed:
        raise DealSetRefused("seed_elsewhere")
    deal_set.value = value
    deal_set.save(update_fields=["value"])
    deal_awaited_etuis(deal_set, mix_seed(bytes.fromhex(deal_set.seed), value))
    return deal_set


@transaction.atomic
def reveal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """Reveal the seed to everybody, in every sealed copy of the set that has it at once.

    The caller makes sure that no club plays the set any more. Raise DealSetRefused if the set has no seed or is not
    sealed.
    """
    if not deal_set.seed:
        raise DealSetRefused("no_seed")
    if deal_set.sealed_at is None:
        raise DealSetRefused("set_not_sealed")
    copies = DealSet.objects.filter(seed_digest=deal_set.seed_digest, revealed_at=None, sealed_at__isnull=False)
    # Another simultaneous with these étuis may have a later public hour.
    copies.exclude(held_until__gt=now).exclude(seed="").update(revealed_at=now)
    deal_set.refresh_from_db(fields=["revealed_at"])


def find_sealed(commitment: str) -> QuerySet[DealSet]:
    """Return the sealed sets with this commitment, one for each club that has a copy, the first sealed one first.

    Sets of practice clubs, and sets that belong to no club, are left out.
    """
    sets = DealSet.objects.filter(
        real_clubs("club"), club__isnull=False, commitment=commitment, sealed_at__isnull=False
    )
    return sets.select_related("club").order_by("sealed_at", "pk")


def list_commitments() -> QuerySet[DealSet, Any]:
    """Return each commitment that a club has sealed, newest first, as one dict each.

    A dict has the `commitment`, the moment of the first sealing (`sealed`) and of the reveal (`revealed_at`).
    """
    return (
        DealSet.objects.filter(real_clubs("club"), club__isnull=False, master=None)
        .exclude(commitment="")
        .filter(sealed_at__isnull=False)
        .values("commitment", "revealed_at")
        .annotate(sealed=Min("sealed_at"))
        .order_by("-sealed")
    )
