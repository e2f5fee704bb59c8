"""The removal of a name from a text: wherever and however it is written, and of nothing else."""

import pytest

from archives.privacy import evenings
from archives.privacy.erasing import Name

NAME = Name([("Élise", "Saint-Jean")], "n° 7")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Élise Saint-Jean a renoncé", "n° 7 a renoncé"),
        ("SAINT JEAN elise, puis Paul", "n° 7, puis Paul"),
        ("E\N{COMBINING ACUTE ACCENT}lise Saint-Jean", "n° 7"),
        ("Marc Petit, Élise Saint-Jean, Léa Roi", "Marc Petit, n° 7, Léa Roi"),
        ("Élise Saint-Jeannet", "Élise Saint-Jeannet"),
        ("Élise Martin et Paul Saint-Jean", "Élise Martin et Paul Saint-Jean"),
        ("", ""),
    ],
)
def test_full_name_becomes_the_number(text, left):
    assert NAME.take_out(text) == left


def test_family_name_alone_where_the_text_is_about_him():
    assert NAME.take_out("Mme Saint-Jean a parlé", alone=True) == "Mme n° 7 a parlé"
    assert Name([("Léa", "Petit")], "n° 7").take_out("Petit au bout oublié", alone=True) == "Petit au bout oublié"
    assert Name([("Léa", "Long")], "n° 7").take_out("un long retard", alone=True) == "un long retard"


def test_name_of_one_word_stands_by_itself():
    name = Name([("", "Cher")], "n° 7")
    assert name.take_out("Zoé, Cher") == "Zoé, n° 7"
    assert name.take_out("Cher Martin") == "Cher Martin"


def test_names_in_plain_data():
    told = {"name": "Élise Saint-Jean", "moves": [["Saint-Jean Élise", 2, None]], "version": 1}
    assert NAME.take_out_of(told) == {"name": "n° 7", "moves": [["n° 7", 2, None]], "version": 1}


def test_code_of_nobody_is_as_long_as_a_code_and_another_each_time():
    codes = {evenings.nobodys_code(None) for _time in range(9)}
    assert {len(code) for code in codes} == {12}
    assert len(codes) == 9
