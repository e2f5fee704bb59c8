"""The refusals of archives. The texts are translated where they are shown."""

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
