"""The messages of Django's own form fields and log-in for which the site has its own texts. The module has data only.

No code imports them: they are here so that `make messages` puts them into the site's catalogues. There each message, by
exactly Django's message id, gets a text that replaces Django's own, in French and in English. The English catalogue has
only these messages.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

FIELD_SENTENCES = (
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit in total.",
        "Ensure that there are no more than %(max)s digits in total.",
        "max",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s decimal place.",
        "Ensure that there are no more than %(max)s decimal places.",
        "max",
    ),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
        "max",
    ),
    # The value sent by the form is an internal number. The texts in the catalogues leave it out.
    # xgettext:no-python-format
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("No file was submitted. Check the encoding type on the form."),
    _("The submitted file is empty."),
    _("Please enter a correct %(username)s and password. Note that both fields may be case-sensitive."),
)
