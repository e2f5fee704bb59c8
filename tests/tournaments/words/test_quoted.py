"""A text that somebody typed, as a message shows it: short, on one line, in quotation marks of the language."""

import pytest
from django.utils.translation import override

from deals.domain.reading import ExchangeError, TextPlace, shorten
from tournaments.words.messages import say
from wording import quote


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "Line 1, column 9: “X” is"), ("fr", "Ligne 1, colonne 9 : « X » n’est")],
)
def test_what_was_typed_stands_in_the_quotation_marks_of_the_language(language, shown):
    error = ExchangeError("seat", place=TextPlace(1, 9), found="X", seats="N, E, S, W")
    with override(language):
        assert " ".join(say(error).split()).startswith(shown)
    assert "“X” is" in str(error)


def test_what_was_typed_is_shortened_to_one_line():
    assert shorten("a" * 30) == quote("a" * 20 + "…")
    assert shorten("a\nb") == "“a\\nb”"
    assert quote("X").typed == "X"
