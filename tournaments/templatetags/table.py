"""The table's screen in its page and its worker: the words it says, what it is made of, and the version of all that."""

import json

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from tournaments.tables import words

register = template.Library()

register.simple_tag(words.version, name="table_version")


@register.simple_tag
def table_words_script() -> SafeString:
    """Every message in every language, as data that no browser runs."""
    return json_script(words.catalogue(), "words")


@register.simple_tag
def table_files() -> SafeString:
    """Names of the static files that a browser keeps."""
    return mark_safe(json.dumps(words.FILES))
