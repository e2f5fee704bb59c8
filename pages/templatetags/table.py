"""The template tags of the table's screen: its texts, its files, and one version number for both."""

import json

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from evenings.tables import words

register = template.Library()

register.simple_tag(words.version, name="table_version")


@register.simple_tag
def table_words_script() -> SafeString:
    """Return all texts of the screen, in all languages, as a JSON script element."""
    return json_script(words.catalogue(), "words")


@register.simple_tag
def table_files() -> SafeString:
    """Return the names of the static files that the browser stores for use without network, as JSON."""
    return mark_safe(json.dumps(words.FILES))
