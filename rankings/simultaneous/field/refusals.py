"""The refusals of steps of a simultaneous' ranking, with their texts."""

from typing import ClassVar

from tournaments.errors import ActionRefused
from wording import Texts
from wording import gettext_noop as _


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
