"""The copies of a master: the sets with which clubs play the étuis of a simultaneous.

A copy has the takers, the dealers and the commitment of its master, but no seed and no cards. From the opening hour on,
the directors of its club read the cards through the master. The callers check whether somebody is such a director.
"""

import datetime as dt

from django.db import transaction

from clubs.models import Club, User
from deals.errors import DealSetRefused
from deals.models import DealSet, Etui
from deals.sets import reveal_deal_set, seal_deal_set


@transaction.atomic
def make_master(*, deal_set: DealSet, opens_at: dt.datetime, held_until: dt.datetime, now: dt.datetime) -> None:
    """Seal the set, and let it be copied with these hours.

    Raise DealSetRefused if it has no seed, waits for its public value, is a copy itself, or is known or played already.
    """
    held = DealSet.objects.select_for_update().get(pk=deal_set.pk)
    if not held.seed or held.master_id is not None:
        raise DealSetRefused("master_without_seed")
    if held.revealed_at is not None:
        raise DealSetRefused("seed_revealed")
    if held.etuis.filter(origin=Etui.Origin.AWAITED).exists():
        raise DealSetRefused("copy_before_value", name=held.value_name)
    same = DealSet.objects.filter(seed_digest=held.seed_digest)
    if same.exclude(pk=held.pk).exists() or same.filter(sessions__isnull=False).exists():
        raise DealSetRefused("master_used")
    if held.sealed_at is None:
        seal_deal_set(deal_set=held, now=now)
    set_hours(held, opens_at=opens_at, held_until=held_until)
    deal_set.refresh_from_db()


def set_hours(master: DealSet, *, opens_at: dt.datetime, held_until: dt.datetime) -> None:
    """Write the opening hour and the public hour of a master and of all its copies."""
    for sets in (DealSet.objects.filter(pk=master.pk), DealSet.objects.filter(master=master)):
        sets.update(opens_at=opens_at, held_until=held_until)


@transaction.atomic
def make_copy(*, master: DealSet, club: Club, name: str, by: User, now: dt.datetime) -> DealSet:
    """Create and return the copy of a master in a club. It has no cards and no seed."""
    master = DealSet.objects.select_for_update().get(pk=master.pk)  # so that no hour changes meanwhile
    copy = DealSet.objects.create(
        club=club,
        name=name,
        players=master.players,
        seed_digest=master.seed_digest,
        commitment=master.commitment,
        profile=master.profile,
        value_name=master.value_name,
        value=master.value,
        created_at=now,
        created_by=by,
        sealed_at=now,
        master=master,
        opens_at=master.opens_at,
        held_until=master.held_until,
    )
    Etui.objects.bulk_create(
        Etui(deal_set=copy, number=etui.number, taker=etui.taker, dealer=etui.dealer, origin=Etui.Origin.AWAITED)
        for etui in master.etuis.all()
    )
    return copy


def may_read_cards(deal_set: DealSet, now: dt.datetime) -> bool:
    """Return whether the cards of a set can be read now.

    Those of a copy can be read from its opening hour on, unless its club has given it up.
    """
    if deal_set.master_id is None:
        return True
    return deal_set.given_up_at is None and deal_set.opens_at is not None and deal_set.opens_at <= now


def read_etuis(deal_set: DealSet, now: dt.datetime) -> list[Etui]:
    """Return the étuis of a set by number. Those of a copy have the cards of its master from the opening hour on.

    The caller logs the look before it shows a card. The rows of a copy must not be saved.
    """
    etuis = list(deal_set.etuis.order_by("number"))
    if deal_set.master_id is not None and may_read_cards(deal_set, now):
        dealt = {etui.number: etui for etui in Etui.objects.filter(deal_set=deal_set.master_id)}
        for etui in etuis:
            etui.cards, etui.origin = dealt[etui.number].cards, dealt[etui.number].origin
    return etuis


@transaction.atomic
def open_to_everybody(*, master: DealSet, now: dt.datetime) -> None:
    """Bring the cards into all copies, give up the copies that nobody plays, and reveal the seed of a master.

    A second call does it for copies that were made meanwhile.
    """
    held = DealSet.objects.select_for_update().get(pk=master.pk)
    dealt = {etui.number: etui for etui in held.etuis.all()}
    bare = list(Etui.objects.filter(deal_set__master=held, cards=""))
    for etui in bare:
        dealt_etui = dealt[etui.number]
        etui.cards, etui.attempt, etui.origin = dealt_etui.cards, dealt_etui.attempt, dealt_etui.origin
    Etui.objects.bulk_update(bare, ["cards", "attempt", "origin"], batch_size=500)
    DealSet.objects.filter(master=held, sessions=None, given_up_at=None).update(given_up_at=now)
    if held.revealed_at is None:
        reveal_deal_set(deal_set=held, now=now)
