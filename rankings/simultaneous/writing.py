"""The lock, the refusals and the log of writes about simultaneous tournaments.

Everything about a simultaneous is written under the lock of its row. It is taken after the rows of sessions and before
those of deal sets.
"""

import datetime as dt
from typing import ClassVar

from django.db.models import F

from clubs.log import log_in_clubs
from clubs.models import Club, User
from tournaments.errors import ActionRefused
from tournaments.locks import lock_apart
from tournaments.models import SealedEtuis, Simultaneous
from tournaments.queue import queue_field
from wording import Texts
from wording import gettext_noop as _


class SimultaneousRefused(ActionRefused):
    """An error: a write about a simultaneous was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "simultaneous_closes_first": _("The clubs stop before they begin: correct one of the two hours."),
        "simultaneous_public_first": _(
            "The étuis would be public while clubs still play: choose an hour that is not before the end."
        ),
        "simultaneous_hour_past": _("This hour is over: choose a later one."),
        "simultaneous_is_public": _("The étuis are already public: none of this can change any more."),
        "simultaneous_is_closed": _("The simultaneous is closed: reopen it first."),
        "simultaneous_practice": _("A practice club plays no simultaneous: use the club itself."),
        "simultaneous_set_unknown": _("Choose one of the sets of étuis of your club, or let the site deal new ones."),
        "simultaneous_club_unknown": _("Choose one of the clubs of this site."),
        "simultaneous_club_already": _("%(club)s has its invitation already, or takes part."),
        "simultaneous_declined": _("%(club)s has said no: if its directors change their mind, send them the link."),
        "simultaneous_invited_often": _("%(most)s clubs were invited within a day: invite the others tomorrow."),
        "simultaneous_invited_unanswered": _(
            "%(club)s has not answered your earlier invitations: wait for the answers, or send the link."
        ),
        "simultaneous_club_gone": _("This club is not invited any more, or has left: look at the list again."),
        "simultaneous_elsewhere": _("The organiser on the other site decides this: take in the file that they send."),
        "simultaneous_reason_missing": _("Give the reason: it is kept in the log of the clubs."),
        "simultaneous_link_unknown": _("This link is no longer valid: ask the organiser for the new one."),
        "simultaneous_etui_unknown": _("The simultaneous has no étui %(number)s: choose one from the list."),
        "simultaneous_split_from": _("An étui is altered from the second position on: give its number, 2 or more."),
        "simultaneous_not_ruled": _("Étui %(number)s counts as usual already: nothing can be restored."),
    }


class FieldRefused(ActionRefused):
    """An error: a step of a field's ranking was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "field_nothing_counts": _("No result counts yet: wait for the first club."),
        "field_still_open": _(
            "Results still count: wait until every club has closed its session, or close the simultaneous first."
        ),
        "field_outdated": _(
            "Results have come in since this version: publish the ranking again first, then make that version official."
        ),
    }


def lock_simultaneous(simultaneous_id: int) -> Simultaneous:
    """Lock and return the simultaneous."""
    (found,) = lock_apart(Simultaneous, [simultaneous_id])
    return found


def lock_secret_simultaneous(simultaneous_id: int, now: dt.datetime) -> Simultaneous:
    """Lock and return a simultaneous whose étuis are still secret. Raise `SimultaneousRefused` if they are public."""
    found = lock_simultaneous(simultaneous_id)
    if found.public_at <= now:
        raise SimultaneousRefused("simultaneous_is_public")
    return found


def refuse_received(simultaneous: Simultaneous) -> None:
    """Raise `SimultaneousRefused` if the simultaneous came from another site: its organiser decides there."""
    if SealedEtuis.objects.filter(simultaneous=simultaneous, secret="").exists():
        raise SimultaneousRefused("simultaneous_elsewhere")


def touch_simultaneous(simultaneous: Simultaneous) -> None:
    """Raise the revision of a locked simultaneous, and queue the ranking of its field."""
    Simultaneous.objects.filter(pk=simultaneous.pk).update(revision=F("revision") + 1)
    simultaneous.refresh_from_db(fields=["revision"])
    queue_field(simultaneous.pk)


def tell_clubs(simultaneous: Simultaneous, own: str, theirs: str, *, by: User, now: dt.datetime, **told: str) -> None:
    """Log an action in the organiser's club as `own`, and as `theirs` in the other clubs that take part."""
    taking_part = Club.every.filter(
        simultaneous_elsewhere__simultaneous=simultaneous,
        simultaneous_elsewhere__left_at=None,
        simultaneous_elsewhere__agreed_at__isnull=False,
    )
    clubs = taking_part.exclude(pk=simultaneous.club_id).order_by("pk")
    params = {"simultaneous": simultaneous.title, **told}
    log_in_clubs((simultaneous.club, own, by, params), *((club, theirs, None, params) for club in clubs), now=now)
