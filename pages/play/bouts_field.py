"""The form field for the attack's bouts. They are ticked, or typed as 21, P and E in any order, or as their number."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from tournaments.rules.entry import Bout, Facts
from tournaments.words.messages import say_bouts

NONE = "none"
EIGHT = [frozenset(named) for count in range(4) for named in combinations(Bout, count)]
NAMED = {"2": Bout.TRUMP_21, "p": Bout.PETIT, "e": Bout.EXCUSE}  # first letter → bout
LETTER = r"(?:21|p(?:etit)?|e(?:xcuse)?)"
LETTERS = rf"(?:{LETTER}[\s+,]*)+"
COUNTED = {"1": _("1, not named"), "2": _("2, not named")}


def value_of(bouts: Iterable[Bout]) -> str:
    return "+".join(bout for bout in Bout if bout in bouts) or NONE


def in_words(bouts: frozenset[Bout]) -> str:
    return (
        str(_("all three"))
        if len(bouts) == len(Bout)
        else say_bouts(bouts) or pgettext("which bouts a side has", "none")
    )


lazy_words = lazy(in_words, str)


def read_bouts(text: str) -> str:
    """Return the value of the field for a text that names bouts, for example "21 p". Return any other text unchanged.

    The number 0 names no bout, and 3 names all bouts.
    """
    if text in ("0", "3"):
        return value_of(Bout if text == "3" else ())
    letters = re.findall(LETTER, text.lower()) if re.fullmatch(LETTERS, text.lower()) else []
    bouts = {NAMED[letter[0]] for letter in letters}
    return value_of(bouts) if bouts and len(bouts) == len(letters) else text


class BoutsField(forms.ChoiceField):
    """A form field whose cleaned value is the set of the bouts, or their number if only the number is known.

    The numbers 1 and 2 are accepted, but are not among the choices.
    """

    default_error_messages = {
        "invalid_choice": _("Write the taker’s bouts as 21, P and E, or their number: 0 to 3."),
    }

    def __init__(self, **given: Any) -> None:
        super().__init__(choices=[(value_of(bouts), lazy_words(bouts)) for bouts in EIGHT], **given)

    def to_python(self, value: object) -> str:
        return read_bouts(super().to_python(value).strip())

    def valid_value(self, value: str) -> bool:
        return value in COUNTED or super().valid_value(value)

    def clean(self, value: object) -> frozenset[Bout] | int:
        text = super().clean(value)
        if text in COUNTED:
            return int(text)
        return frozenset(map(Bout, text.split("+"))) if text != NONE else frozenset()


def describe_bouts(entry: Facts) -> str:
    """Return the value of the field for an entry: its bouts, or their number (1 or 2) if they are not named."""
    return read_bouts(str(entry.result.bouts)) if entry.attack_bouts is None else value_of(entry.attack_bouts)
