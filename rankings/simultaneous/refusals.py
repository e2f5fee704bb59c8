"""The refusals of writes about simultaneous tournaments."""

from typing import ClassVar

from tournaments.errors import ActionRefused
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
