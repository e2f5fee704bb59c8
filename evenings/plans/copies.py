"""The rules for a session that plays a copy: the set with which its club takes part in a simultaneous."""

import datetime as dt
from typing import ClassVar

from django.db.models import QuerySet

from deals.models import DealSet
from tournaments.errors import ActionRefused
from tournaments.locks import lock_deal_set
from tournaments.models import Session, Simultaneous, SimultaneousClub
from wording import Texts
from wording import gettext_noop as _


class CopyRefused(ActionRefused):
    """An error: a session cannot play the étuis of a simultaneous in this way. Nothing was written."""

    messages: ClassVar[Texts] = {
        "set_is_master": _(
            "This is the organiser’s own set of a simultaneous: play the copy that your club gets when it agrees."
        ),
        "copy_played_once": _(
            "Session %(number)s of %(name)s plays these étuis already, and a club plays a simultaneous once: put that "
            "session away first."
        ),
        "simultaneous_left": _("Your club no longer takes part in this simultaneous: choose other étuis."),
        "simultaneous_not_open": _("The simultaneous has not opened yet: start the session from its opening hour on."),
        "simultaneous_over": _(
            "The étuis of this simultaneous are public, so nobody can play them any more: choose other étuis."
        ),
    }


def take_copy(session: Session, deal_set: DealSet) -> None:
    """Make a locked draft the session of its club in a simultaneous, if the locked set is a copy.

    The session is held until the public hour. If it had another copy before, it gives that one back. Raise
    `CopyRefused` if the set is a master, if the club has left, or if another session of the club plays the copy.
    """
    SimultaneousClub.objects.filter(session=session).exclude(deal_set=deal_set).update(session=None)
    session.held_until = None
    if Simultaneous.objects.filter(deal_set=deal_set).exists():
        raise CopyRefused("set_is_master", "deal_set")
    if deal_set.master_id is None:
        return
    others = sessions_that_count(deal_set.pk).exclude(pk=session.pk)
    if other := others.select_related("tournament").first():
        raise CopyRefused("copy_played_once", "deal_set", name=other.tournament.name, number=other.number)
    if not SimultaneousClub.objects.filter(deal_set=deal_set, left_at=None).update(session=session):
        raise CopyRefused("simultaneous_left", "deal_set")
    session.held_until = deal_set.held_until


def check_hours(session: Session, now: dt.datetime) -> None:
    """Raise `CopyRefused` if a locked session of a copy cannot start now, by the hours or because the club has left.

    The hours are read here, because they may have changed while the session waited for its lock.
    """
    deal_set = session.deal_set
    if deal_set is None or deal_set.master_id is None:
        return
    opens_at, held_until = DealSet.objects.values_list("opens_at", "held_until").get(pk=deal_set.pk)
    assert opens_at is not None
    assert held_until is not None
    if now < opens_at:
        raise CopyRefused("simultaneous_not_open", "deal_set")
    if now >= held_until:
        raise CopyRefused("simultaneous_over", "deal_set")
    if not SimultaneousClub.objects.filter(deal_set=deal_set, left_at=None).exists():
        raise CopyRefused("simultaneous_left", "deal_set")


def bring_copy_back(session: Session) -> None:
    """Let a session that was put away, alone or with its tournament, count in its simultaneous again.

    The set is locked, so that no other session takes it meanwhile. Raise `CopyRefused` if the club plays the copy in
    another session.
    """
    row = SimultaneousClub.objects.filter(deal_set=session.deal_set_id, left_at=None).first()
    if session.deal_set_id is None or row is None:
        return
    lock_deal_set(session.deal_set_id)
    if other := sessions_that_count(session.deal_set_id).exclude(pk=session.pk).first():
        raise CopyRefused("copy_played_once", name=other.tournament.name, number=other.number)
    row.session = session
    row.save(update_fields=["session"])


def sessions_that_count(deal_set_id: int) -> QuerySet[Session]:
    """Return the sessions that play a set and are not put away, by themselves or with their tournament."""
    return Session.objects.filter(deal_set=deal_set_id, put_away_at=None, tournament__put_away_at=None)
