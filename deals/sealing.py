"""The steps of a deal set with a commitment.

A set is sealed, then dealt from its public value if one was named, then revealed. A sealed set never changes. The
callers decide whether a seed may be revealed: this module knows no sessions.
"""

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from clubs.models import real_clubs
from deals.domain.dealing import mix_seed
from deals.errors import DealSetRefused
from deals.models import DealSet
from deals.sets import deal_awaited_etuis


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
