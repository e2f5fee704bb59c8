"""The forms for the reason of a director's decision, and for the article of the regulation if there is one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import validate_name


def read_typed(data: Mapping[str, Any], name: str, most: int = 300) -> str:
    """Return a text of a form without control characters, at most `most` letters. Return "" if it was not sent."""
    return "".join(letter for letter in str(data.get(name, ""))[:most] if letter.isprintable())


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        validators=[validate_name],
        help_text=_("A few words, kept for good next to your name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ArticleForm(ReasonForm):
    """A form for a ruling, which may refer to an article of the regulation."""

    article = forms.CharField(
        label=_("Article of the regulation, if there is one"),
        max_length=60,
        required=False,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order: Sequence[str] = ("reason", "article")
