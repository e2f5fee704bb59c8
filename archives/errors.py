"""The refusals of archives and of sealed files. The texts are translated where they are shown."""

from typing import ClassVar

from clubs.uploads.child import UploadRefused
from wording import Texts
from wording import gettext_noop as _


class ArchiveError(UploadRefused):
    """A reason why no archive is written or read."""

    messages: ClassVar[Texts] = {
        "archive_no_zip": _("The file cannot be read as a ZIP: choose another."),
        "archive_other": _("The file is not an archive of a tournament: its manifest does not say so."),
        "archive_newer": _("The archive has version %(version)s, this site reads version %(ours)s: upgrade it first."),
        "archive_changed": _("The archive is damaged: its files differ from those in its manifest. Make it again."),
        "archive_keyless": _("The manifest of the archive has no key: make the archive again."),
        "archive_path": _("The archive has a file that does not belong there: %(path)s."),
        "archive_large": _("The archive is too large: it unpacks to more than %(most)s MB."),
        "archive_manifest": _("The manifest of the archive is too large: it may have at most %(most)s kB."),
        "archive_frozen": _("The file %(path)s of the archive is too large: it may have at most %(most)s MB."),
        "archive_row_large": _("A row of %(path)s in the archive is too large: it may have at most %(most)s letters."),
        "archive_people": _("The archive has too many rows in %(path)s: at most %(most)s are read."),
        "archive_json": _("The file %(path)s of the archive is not JSON."),
        "archive_files": _("The archive has other files than it should: %(paths)s."),
        "archive_tournaments": _("The archive must have exactly one tournament."),
        "archive_rows": _("The archive has no list of rows in %(path)s."),
        "archive_columns": _("Row %(row)s of %(path)s does not have the columns that it should have."),
        "archive_missing": _("The archive has no file %(path)s."),
        "archive_figures": _("The figures in %(path)s do not fit the digest of the published version."),
        "archive_row_missing": _("The archive names row %(row)s of %(model)s, which is not in it."),
        "archive_no_session": _("The archive mentions rows of a session, but has no session with étuis."),
        "archive_one_player": _(
            "%(one)s and %(other)s of the archive would be one player of the list: %(player)s. Say who they are by"
            " answers for rows %(first)s and %(second)s."
        ),
        "archive_answer": _("The answer for row %(row)s (%(name)s) names nobody on the club’s list."),
        "archive_doubts": _("Say first who these players of the archive are: %(names)s."),
        "results_doubtful": _("Say below who these players are: %(names)s."),
        "archive_refused": _("The archive has rows that this site refuses: %(error)s"),
        "archive_cards": _(
            "Version %(version)s of session %(number)s holds cards that readers do not see, and it cannot change. "
            "Export the tournament with its cards."
        ),
        "archive_playing": _(
            "You still have étuis to play in session %(number)s, and the archive has their results: make it afterwards."
        ),
    }


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
            "The sealed cards do not fit the fingerprint that was announced: play none of these étuis, and tell the "
            "organiser."
        ),
    }
