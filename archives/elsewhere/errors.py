"""The refusals of sealed files. The texts are translated where they are shown."""

from typing import ClassVar

from clubs.uploads.child import UploadRefused
from wording import Texts
from wording import gettext_noop as _


class SealedFileError(UploadRefused):
    """A reason why a sealed file of étuis is not read or not opened."""

    messages: ClassVar[Texts] = {
        "sealed_no_zip": _("The file cannot be read as a ZIP: choose the one that the organiser sent."),
        "sealed_other": _("The file is not a sealed file of a simultaneous: choose the one that the organiser sent."),
        "sealed_newer": _("The file has version %(version)s, this site reads version %(ours)s: upgrade it first."),
        "sealed_large": _("The file unpacks to more than %(most)s MB: it is not a sealed file."),
        "sealed_damaged": _("The sealed file is damaged: ask the organiser to send it again."),
        "sealed_set": _("The étuis in the file cannot be read: %(error)s Ask the organiser to send it again."),
        "sealed_players": _("The étuis in the file are for %(players)s players: a simultaneous has four at a table."),
        "sealed_hours": _("The hours in the file are not in order: ask the organiser to send it again."),
        "no_sealed_key": _("This is not a key. A key begins with AGE-SECRET-KEY-1: copy it whole."),
        "other_sealed_key": _("This key opens another file: ask the organiser for the key of this simultaneous."),
        "sealed_over": _("The étuis of this simultaneous are already public: nobody can play them any more."),
        "sealed_own": _("This simultaneous is organised on this site: ask the organiser for the link of invitation."),
        "results_of_none": _("The archive has no session that plays these étuis: ask the club for another one."),
        "results_of_two": _("The archive has several sessions that play these étuis: a club plays them only once."),
        "results_other_etuis": _(
            "Étui %(number)s of the archive is not that of the simultaneous: the results of this club cannot count."
        ),
        "results_counted": _("These results count already, as those of %(club)s: send them again under this name."),
        "results_club_here": _("A club of this site is called %(club)s: invite it, or write where the other club is."),
        "results_club_plays": _("%(club)s takes part on this site: its results count already."),
        "sealed_cards_differ": _(
            "Étui %(number)s of the sealed cards is not the one that was announced: play none of these étuis, and tell "
            "the organiser."
        ),
        "sealed_commitment_differs": _(
            "The sealed cards do not fit the commitment that was announced: play none of these étuis, and tell the "
            "organiser."
        ),
    }
