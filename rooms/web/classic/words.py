"""The texts of the set phrases and of the terms of a room for four, in the reader's language."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rooms.models import ClassicTerms
from rooms.record.tables import PHRASES

TEXTS: dict[str, Promise] = {
    "hello": gettext_lazy("Hello!"),
    "luck": gettext_lazy("Good luck!"),
    "well_played": gettext_lazy("Well played!"),
    "thanks": gettext_lazy("Thank you!"),
    "sorry": gettext_lazy("Sorry."),
    "moment": gettext_lazy("One moment."),
    "again": gettext_lazy("Another deal?"),
    "bye": gettext_lazy("Goodbye!"),
}
assert tuple(TEXTS) == PHRASES


def say_terms(terms: ClassicTerms) -> list[str]:
    """Return the terms of a room as short texts: its deals, its end, its clock."""
    phrases = [_("duplicate deals") if terms.is_duplicate else _("new deals")]
    if terms.deals:
        phrases.append(ngettext("%(count)s deal", "%(count)s deals", terms.deals) % {"count": terms.deals})
    if terms.score:
        phrases.append(_("until %(score)s points") % {"score": terms.score})
    if not terms.deals and not terms.score:
        phrases.append(_("as many deals as you like"))
    phrases.append(_("%(seconds)s s for a card") % {"seconds": terms.clock} if terms.clock else _("no clock"))
    return phrases
