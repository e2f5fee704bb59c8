"""The refusals of letters about an evening."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class MailRefused(ActionRefused):
    """An error: a letter to the people who signed up was refused, and nobody gets it."""

    messages: ClassVar[Texts] = {
        "mail_no_server": _("This site sends no e-mail: its administrator has set no e-mail server."),
        "mail_of_practice": _("People of a practice evening are invented: nobody gets an e-mail."),
        "mail_session_cancelled": _("This session is cancelled: write only that it will not take place."),
        "mail_without_preview": _("Look at the preview of the e-mail first, and send it from there."),
        "mail_needs_text": _("Write what you want to tell them."),
        "mail_too_long": _("The text has more than %(most)s letters: make it shorter."),
        "mail_nobody": _("Nobody can get this e-mail: nobody concerned has an account with a confirmed address."),
        "mails_of_session": _(
            "%(most)s e-mails about this session were sent within a day: write again tomorrow, or call people."
        ),
        "mails_of_director": _("You have sent %(most)s e-mails within a day: write again tomorrow, or call people."),
    }
