"""The refusals of writes about webhooks."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


class WebhookRefused(ActionRefused):
    """An error: a write about a webhook was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "webhook_address": _("Type an https address with the name of a server, like %(example)s."),
        "webhook_address_long": _("The address is longer than %(most)s letters: choose a shorter one."),
        "webhook_without_event": _("Choose at least one event."),
        "webhook_twice": _("The club has a webhook with this address already: change that one."),
        "too_many_webhooks": _("The club has %(most)s webhooks already: remove one that no program uses."),
        "webhook_gone": _("This webhook does not exist, or no longer exists: look at the list again."),
        "webhook_too_many_trials": _("That is more than %(most)s trials in an hour: wait a little."),
    }
