"""The sentences about an evening in preparation: what is refused, and what the log says. Data only."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PREPARATION_REFUSALS: Mapping[str, str | Promise] = {
    "federation_shows_nothing": _("In an event of the federation tables see no result before the publication."),
}
