"""Deal sets as sessions use them: when a set's cards and its seed may be shown to everybody."""

import datetime as dt

from django.db import transaction
from django.db.models import Q, QuerySet

from deals.models import DealSet
from deals.services import reveal_deal_set
from tournaments.errors import Refused
from tournaments.models import Session


@transaction.atomic
def reveal_seed(*, deal_set_id: int, now: dt.datetime) -> DealSet:
    """Shows everybody the seed, once every session with these deals, in every club, is published to the end."""
    deal_set = DealSet.objects.select_for_update().get(pk=deal_set_id)
    if deal_set.revealed_at is not None:
        return deal_set
    if waiting := sessions_to_wait_for(deal_set).count():
        raise Refused("sessions_still_to_play", waiting=waiting)
    if not sessions_with(deal_set).exists():
        raise Refused("set_not_played")
    reveal_deal_set(deal_set=deal_set, now=now)
    return deal_set


def sessions_with(deal_set: DealSet) -> QuerySet[Session]:
    """The sessions that play these deals, here or with a copy of the set in another club."""
    same = Q(deal_set=deal_set)
    if deal_set.commitment:
        same |= Q(deal_set__commitment=deal_set.commitment)
    return Session.objects.filter(same)


def sessions_to_wait_for(deal_set: DealSet) -> QuerySet[Session]:
    """Those whose players may still meet the deals: not published, or published with results missing."""
    through = Q(publications__data__counts__missing=0)
    return sessions_with(deal_set).exclude(pk__in=Session.objects.filter(through).values("pk"))
