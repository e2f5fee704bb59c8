"""The fields that forms of many pages share: for a figure, and for the reason of a decision.

Every form takes its figures from here, so that “12,5”, “− 52” and “1 044” are read alike on every page. A refusal
quotes what it cannot read. The reason of a director's decision may name an article of the regulation.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import validate_name
from wording.figures import FigureError, read_figure, read_whole_figure

MOST_QUOTED = 40  # letters of what was typed, in a refusal


class FigureField(forms.DecimalField):
    """A field for a figure, with or without decimals. Its value is a `Decimal`, or None if nothing was typed."""

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        text = "" if value is None else str(value).strip()
        try:
            return read_figure(text) if text else None
        except FigureError as error:
            refusal = _("“%(text)s” is not a number: write it in digits, such as 12.5.") % {
                "text": error.text[:MOST_QUOTED]
            }
            raise forms.ValidationError(refusal, code="invalid") from error


class WholeFigureField(forms.IntegerField):
    """A field for a figure without decimals. Its value is an `int`, or None if nothing was typed."""

    def to_python(self, value: Any) -> int | None:
        text = "" if value is None else str(value).strip()
        try:
            return read_whole_figure(text) if text else None
        except FigureError as error:
            refusal = _("“%(text)s” is not a whole number: write it in digits, such as 120.") % {
                "text": error.text[:MOST_QUOTED]
            }
            raise forms.ValidationError(refusal, code="invalid") from error


def read_plain_text(typed: str) -> str:
    """Return a typed figure with a decimal point and the minus sign of a keyboard. Other texts, as “175/2”, stay."""
    try:
        return str(read_figure(typed))
    except FigureError:
        return typed


def read_typed(data: Mapping[str, Any], name: str, most: int = 300) -> str:
    """Return a text of a form without control characters, at most `most` letters. Return "" if it was not sent."""
    return "".join(letter for letter in str(data.get(name, ""))[:most] if letter.isprintable())


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        validators=[validate_name],
        help_text=gettext_lazy("A few words, kept for good next to your name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ArticleForm(ReasonForm):
    """A form for a ruling, which may refer to an article of the regulation."""

    article = forms.CharField(
        label=gettext_lazy("Article of the regulation, if there is one"),
        max_length=60,
        required=False,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order: Sequence[str] = ("reason", "article")
