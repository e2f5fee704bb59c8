"""Who has looked at which cards: a row before each look. Whether he may is asked of whoever calls."""

import datetime as dt

from clubs.models import User
from deals.models import DealLook, DealSet


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


def record_seed(deal_set: DealSet, now: dt.datetime) -> None:
    """Whoever brought a seed could have seen every card of it."""
    if deal_set.created_by is not None:
        numbers = deal_set.etuis.values_list("number", flat=True)
        record_look(
            deal_set=deal_set,
            user=deal_set.created_by,
            first=min(numbers),
            last=max(numbers),
            now=now,
            kind=DealLook.Kind.SEED,
        )
