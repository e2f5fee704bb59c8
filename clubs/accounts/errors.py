"""What is refused to who makes, invites or ends accounts."""

from typing import ClassVar

from wording import Refusal, Texts
from wording import gettext_noop as _


class AccountRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "site_set_up": _("Somebody has set this site up already: log in, or ask for an invitation."),
        "first_key_wrong": _(
            "This is not the key of this site: whoever runs the server prints it with “manage.py first_run”."
        ),
    }
