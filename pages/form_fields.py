"""The fields that forms of many pages share: for a figure, a line, an address, a day, and the reason of a decision.

Every form takes its figures from here, so that “12,5”, “− 52” and “1 044” are read alike on every page. A refusal
quotes what it cannot read. The reason of a director's decision may name an article of the regulation.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import validate_name
from clubs.session_settings import YEARS
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


class ShortTextField(forms.CharField):
    """A field for a line that somebody types: a name, a reason. Browsers fill in what `autocomplete` says."""

    def __init__(self, label: Any, most: int, *, autocomplete: str = "off", **options: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": autocomplete})
        super().__init__(label=label, max_length=most, validators=[validate_name], widget=widget, **options)


class MailField(forms.EmailField):
    """A field for an e-mail address. Browsers fill in that of the reader, or what `autocomplete` says."""

    def __init__(self, label: Any, *, autocomplete: str = "email", **options: Any) -> None:
        super().__init__(label=label, widget=forms.EmailInput(attrs={"autocomplete": autocomplete}), **options)


class DayField(forms.DateField):
    """A field for a day, with the browser's own calendar."""

    def __init__(self, label: Any, **options: Any) -> None:
        super().__init__(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), **options)


class SeasonDayField(DayField):
    """A field for a day of a season or of a championship, in a year that the site knows."""

    default_validators = [MinValueValidator(dt.date(YEARS[0], 1, 1)), MaxValueValidator(dt.date(YEARS[-1], 12, 31))]


class ReasonForm(forms.Form):
    reason = ShortTextField(
        gettext_lazy("Reason"), 300, help_text=gettext_lazy("A few words, kept for good next to your name.")
    )


class ArticleForm(ReasonForm):
    """A form for a ruling, which may refer to an article of the regulation."""

    article = ShortTextField(gettext_lazy("Article of the regulation, if there is one"), 60, required=False)
    field_order: Sequence[str] = ("reason", "article")
