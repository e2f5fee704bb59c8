"""The template tags of the table's screen: its words, its files, and the version of all that."""

import json

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from tournaments.tables import words

register = template.Library()

register.simple_tag(words.version, name="table_version")


@register.simple_tag
def table_words_script() -> SafeString:
    """Return every message in every language, as data that no browser runs."""
    return json_script(words.catalogue(), "words")


@register.simple_tag
def table_files() -> SafeString:
    """Return the names of the static files that a browser keeps, as JSON."""
    return mark_safe(json.dumps(words.FILES))
