"""The public hour of a simultaneous: from then on étuis, cards and seed are open to everybody, whoever still plays."""

import datetime as dt

from django.db import transaction

from deals.copies import open_to_everybody
from tournaments.locks import lock_session
from tournaments.models import Session, Simultaneous
from tournaments.queue import queue_careers
from tournaments.simultaneous.locking import lock_simultaneous


def open_all_due(now: dt.datetime) -> list[int]:
    """Open each simultaneous whose public hour is over. Return the ids of those that were opened now."""
    due = Simultaneous.objects.filter(public_at__lte=now, deal_set__revealed_at=None).order_by("pk")
    return [pk for pk in due.values_list("pk", flat=True) if open_simultaneous(pk, now=now)]


@transaction.atomic
def open_simultaneous(simultaneous_id: int, *, now: dt.datetime) -> bool:
    """Open the étuis of a simultaneous whose public hour is over. Return whether something was opened.

    A copy that nobody plays is given up. Careers and ratings then get the single deals of the sessions.
    """
    playing = Session.objects.filter(deal_set__master__simultaneous=simultaneous_id).order_by("pk")
    for session_id in playing.values_list("pk", flat=True):  # the locks in the order in which the hours are changed
        lock_session(session_id, no_key=True)
    simultaneous = lock_simultaneous(simultaneous_id)
    master = simultaneous.deal_set
    if simultaneous.public_at > now or master.revealed_at is not None or not master.seed:
        return False
    open_to_everybody(master=master, now=now)
    sessions = list(playing.filter(held_until__isnull=False).values_list("pk", flat=True))
    Session.objects.filter(pk__in=sessions).update(held_until=None)
    for session_id in sessions:
        queue_careers(session_id)
    return True
