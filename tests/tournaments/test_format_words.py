"""The sentences that differ from one format to another: each is whole, and each is used."""

import re

import pytest
from django.utils import translation

from clubs.session_settings import SETTINGS
from pages.desk.ruling_forms import PenaltyForm
from pages.games.people import ReplacingForm
from pages.prepare.etuis import EtuisForm
from pages.prepare.tournament_rules import RulesForm
from scoring.formats import FORMATS
from tests.law.packages import PROJECT
from tournaments.published import Shows
from tournaments.words.formats import ETUIS, OTHERS, say_word

NAME = re.compile(r"%\((\w+)\)s")
USED = re.compile(r'{% word \S+ "(\w+)"')
WORDS = {  # keys that Python code names
    *("worst_dropped", "all_count", "team_result", "result_of_player", "fiches", "fiches_of_table", "next_position"),
    *("etui_head", "attacker", "attacker_in_turn", "attacked", "attacked_out_of_turn"),
    *("seat_them", "seat_players", "are_seated", "seats_changed", "to_position_only", "replaced_from"),
    *("positions_told", "positions_that_fit", "has_started", "hours", "is_saved"),
    *("by_alterne", "by_general", "by_sections", "note_head"),
}


class ToldNames(dict):
    """The names of a sentence, each with a number. It notes which ones the sentence has."""

    def __missing__(self, name):
        self[name] = 2
        return 2


def list_sentences():
    for format in FORMATS:
        for key in {**ETUIS, **OTHERS.get(format, {})}:
            yield format, key


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_sentence_of_each_format_is_whole(language):
    with translation.override(language):
        for format, key in list_sentences():
            assert not NAME.search(say_word(format, key, ToldNames())), (format, key)


def test_a_sentence_without_one_of_its_names_is_a_fault():
    with pytest.raises(KeyError):
        say_word("individual", "position")


def test_formats_with_other_words_have_the_same_names_in_them():
    for format, key in list_sentences():
        if key in ETUIS:
            first, own = ToldNames(), ToldNames()
            say_word("individual", key, first)
            say_word(format, key, own)
            assert own.keys() <= {*first, "deal", "deals", "games"}, (format, key)


def test_each_key_is_in_the_catalogue_and_used():
    used = {key for path in (PROJECT / "templates").rglob("*.html") for key in USED.findall(path.read_text())}
    known = {*ETUIS, *(key for words in OTHERS.values() for key in words)}
    fields = {key for key in known if "." in key}
    assert used | WORDS == known - fields
    named = {*SETTINGS, *RulesForm.base_fields, *PenaltyForm.base_fields, *ReplacingForm.base_fields, *Shows._fields}
    named |= {*EtuisForm.base_fields}
    assert {key.partition(".")[0] for key in fields} <= named
    assert {key.partition(".")[2] for key in fields} == {"label", "help_text"}
    with pytest.raises(KeyError):
        say_word("individual", "no_such_key")


def test_a_match_says_quarter_and_donnes_libres_say_game():
    formats, names = ("team_match", "donnes_libres", "individual"), {"position": 3}
    with translation.override("en"):
        assert [say_word(format, "position", names) for format in formats] == ["Quarter 3", "Game 3", "Position 3"]
    with translation.override("fr"):
        assert [say_word(format, "position", names) for format in formats] == ["Quart 3", "Partie 3", "Position 3"]


@pytest.mark.parametrize(
    ("format", "numbers", "n", "told"),
    [
        ("individual", "7", 1, "table 3: étui 7"),
        ("individual", "7, 8", 2, "table 3: étuis 7, 8"),
        ("donnes_libres", "1, 2", 2, "table 3: deals 1, 2"),
    ],
)
def test_missing_numbers_of_a_table_have_their_plural(format, numbers, n, told):
    with translation.override("en"):
        assert say_word(format, "table_etuis", {"number": 3, "numbers": numbers, "n": n}) == told
