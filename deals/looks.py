"""The log of looks at cards: a row is written before somebody sees cards. The callers check whether the user may."""

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
    kind: str = DealLook.LookKind.SEEN,
    document: str = "",
) -> DealLook:
    """Log that a user sees or gets the cards of étuis `first` to `last`. `kind` says how, for example as a document.

    The caller does this before any card is shown.
    """
    return DealLook.objects.create(
        deal_set=deal_set, user=user, first_etui=first, last_etui=last, kind=kind, document=document, looked_at=now
    )


def record_seed(deal_set: DealSet, now: dt.datetime) -> None:
    """Log the author of a set whose seed came from outside: that person could have seen every card of it."""
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
