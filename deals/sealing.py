"""What a commitment promises: a sealed set never changes, the value named deals it, the seed is revealed at last.

Knows nothing of sessions: whether a seed may be revealed is asked of whoever calls.
"""

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from deals.domain.dealing import mix_seed
from deals.errors import DealSetRefused
from deals.models import DealSet
from deals.sets import deal


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
    deal(deal_set, mix_seed(bytes.fromhex(deal_set.seed), value))
    return deal_set


@transaction.atomic
def reveal_deal_set(*, deal_set: DealSet, now: dt.datetime) -> None:
    """Shows everybody the seed, for every copy of the set at once. The caller knows that nobody plays it any more."""
    if not deal_set.seed:
        raise DealSetRefused("no_seed")
    if deal_set.sealed_at is None:
        raise DealSetRefused("set_not_sealed")
    DealSet.objects.filter(seed=deal_set.seed, revealed_at=None, sealed_at__isnull=False).update(revealed_at=now)
    deal_set.refresh_from_db(fields=["revealed_at"])


def find_sealed(commitment: str) -> QuerySet[DealSet]:
    """The sealed sets of a commitment, one a club that has it, the first sealed first; none of them for practice."""
    sets = DealSet.objects.filter(club__practice_of=None, commitment=commitment, sealed_at__isnull=False)
    return sets.select_related("club").order_by("sealed_at", "pk")


def list_commitments() -> QuerySet[DealSet, Any]:
    """Each `commitment` that a club has sealed, when it first was (`sealed`) and when it was revealed (`revealed_at`),
    newest first."""
    return (
        DealSet.objects.filter(club__practice_of=None)
        .exclude(commitment="")
        .filter(sealed_at__isnull=False)
        .values("commitment", "revealed_at")
        .annotate(sealed=Min("sealed_at"))
        .order_by("-sealed")
    )
