"""The public hour of a simultaneous: étuis, cards and seed are then open to everybody, even if a club still plays."""

import datetime as dt
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from deals.copies import open_to_everybody
from deals.models import Etui
from rankings.kinds import do_for_each
from rankings.simultaneous.writing import lock_simultaneous
from tournaments.locks import lock_session
from tournaments.models import Session, Simultaneous
from tournaments.queue import queue_careers


def open_all_due(now: dt.datetime) -> list[int]:
    """Open each simultaneous whose public hour is over. Return the ids of those that were opened now.

    One that cannot be opened is logged, and does not stop the others.
    """
    return do_for_each(find_due(now), partial(open_simultaneous, now=now), failed="simultaneous %s cannot be opened")


def find_due(now: dt.datetime) -> list[int]:
    """Return the ids of the simultaneous tournaments in which something is closed after the public hour."""
    held = Session.objects.filter(held_until__lte=now, deal_set__commitment=OuterRef("deal_set__commitment"))
    bare = Etui.objects.filter(deal_set__master=OuterRef("deal_set"), cards="")
    closed = Q(deal_set__revealed_at=None) | Exists(bare)
    due = Simultaneous.objects.filter(Exists(held) | Q(~Q(deal_set__seed=""), closed), public_at__lte=now)
    return list(due.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def open_simultaneous(simultaneous_id: int, *, now: dt.datetime) -> bool:
    """Open the étuis of a simultaneous whose public hour is over. Return whether something was opened.

    A club's copy of the set that no session plays is marked as given up. From now on, careers and ratings use the
    single deals of the sessions. The sessions open even if this site lacks the cards, because nobody typed the key that
    another site gave.
    """
    commitment = Simultaneous.objects.values_list("deal_set__commitment", flat=True).get(pk=simultaneous_id)
    playing = Session.objects.filter(deal_set__commitment=commitment, held_until__lte=now).order_by("pk")
    for session_id in playing.values_list("pk", flat=True):  # the same order of locks as in a change of hours
        lock_session(session_id, no_key=True)
    simultaneous = lock_simultaneous(simultaneous_id)
    if simultaneous.public_at > now:
        return False
    if simultaneous.deal_set.seed:
        open_to_everybody(master=simultaneous.deal_set, now=now)
    sessions = list(playing.values_list("pk", flat=True))
    Session.objects.filter(pk__in=sessions).update(held_until=None)
    for session_id in sessions:
        queue_careers(session_id)
    return True
