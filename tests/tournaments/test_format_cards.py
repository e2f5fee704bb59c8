"""The cards of the forms of play: each form has one, with a line that fits it, and a table of its players."""

import pytest
from django.utils import translation

from scoring.formats import FORMATS, OFFERED
from tournaments.words.format_cards import CARDS, list_format_choices


def test_each_form_of_play_has_a_card_and_five_are_shown_at_once():
    assert set(CARDS) == set(FORMATS)
    assert {word for word, _card in list_format_choices()} == {each.word for each in OFFERED.values()}
    assert [card.rare for _word, card in list_format_choices()] == [False] * 5 + [True] * 4


@pytest.mark.parametrize("language", ["fr", "en"])
def test_line_of_a_card_has_at_most_60_letters(language):
    with translation.override(language):
        assert {name: len(str(card.line)) for name, card in CARDS.items() if len(str(card.line)) > 60} == {}


@pytest.mark.parametrize("name", CARDS)
def test_drawing_of_a_card_has_the_players_of_its_form(name):
    least, most = FORMATS[name].people
    assert least <= len(CARDS[name].dots) <= most
    assert CARDS[name].dealt == FORMATS[name].has_free_deals
    assert any(dot.takes for dot in CARDS[name].dots) == FORMATS[name].is_imposed
