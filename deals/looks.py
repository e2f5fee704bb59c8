"""The log of cards that somebody sees. A row is written before the cards are shown.

The callers check whether the user may see them.
"""

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
