"""The field for the attack's bouts, ticked or typed: 21, P and E in any order, or only their number, as on a fiche."""

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
NAMED = {"2": Bout.TRUMP_21, "p": Bout.PETIT, "e": Bout.EXCUSE}  # by their first letter
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
    """Return the field value for the bouts named in the text, or the text itself if it names none.

    The numbers 0 and 3 count as names: no bout, and all three.
    """
    if text in ("0", "3"):
        return value_of(Bout if text == "3" else ())
    letters = re.findall(LETTER, text.lower()) if re.fullmatch(LETTERS, text.lower()) else []
    bouts = {NAMED[letter[0]] for letter in letters}
    return value_of(bouts) if bouts and len(bouts) == len(letters) else text


class BoutsField(forms.ChoiceField):
    """A field that cleans to the set of the bouts, or to their number if only the number is known.

    A mere number of 1 or 2 is accepted, but not offered as a choice.
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
    """Return the field value for an entry: its bouts, or their number if they are not named.

    The numbers 0 and 3 become bouts: none, and all three.
    """
    return read_bouts(str(entry.result.bouts)) if entry.attack_bouts is None else value_of(entry.attack_bouts)
