"""The reading of a pasted list of teams: names and players that stand on it twice, answers, and errors."""

import pytest

from clubs.roster import RosterError
from clubs.teams import MOST_TEAMS, TEAM_SIZES, TWO, read_teams, require_teams

THREE, SIX = TEAM_SIZES["triplettes"], TEAM_SIZES["team_match"]
LIST = "Les As: Ada Dupont, Bob Martin, Cyd Petit\n\nLes Rois: Dan Durand, Eve Leroy, Fab Moreau\n"


def read(text, size=THREE, **answers):
    return read_teams(text, size, answers=answers.get("answers"))


def codes(text, size=THREE):
    return [row.error.code if row.error else "" for row in read(text, size)]


def refused(rows):
    with pytest.raises(RosterError) as caught:
        require_teams(rows)
    return caught.value


def test_each_line_that_is_not_empty_is_a_team_in_the_order_of_the_list():
    rows = require_teams(read(LIST))
    assert [(row.number, row.name, [each.last_name for each in row.people]) for row in rows] == [
        (1, "Les As", ["Dupont", "Martin", "Petit"]),
        (3, "Les Rois", ["Durand", "Leroy", "Moreau"]),
    ]
    assert all(row.settled for row in rows)


def test_wrong_lines_are_shown_beside_right_ones_and_the_first_is_raised():
    text = LIST + "Ada Simon, Bob Laurent\nGil Roux, Hal Blanc, Ida Garnier\n"
    rows = read(text)
    assert [row.error.code if row.error else "" for row in rows] == ["", "", "team_size", ""]
    assert refused(rows).params == {"line": 4, "found": 2, "least": 3, "most": 3}
    wrong = rows[2]
    assert wrong.text == "Ada Simon, Bob Laurent"  # what was typed is kept
    assert (wrong.people, wrong.readings, wrong.alike, wrong.asks, wrong.doubtful) == ((), (), (), False, False)


@pytest.mark.parametrize("other", ["Ada Dupont", "Dupont Ada", "ADA DUPONT", "Àda Düpont", "DUPONT Ada", "Ada-Dupont"])
def test_player_in_two_teams_by_two_spellings_is_refused(other):
    rows = read(f"Ada Dupont, Bob Martin, Cyd Petit\nDan Durand, {other}, Fab Moreau")
    error = refused(rows)
    assert (error.code, error.params["line"], error.params["first"]) == ("team_player_twice", 2, 1)
    assert error.params["other"] == "Ada Dupont"


def test_player_twice_in_one_team_is_refused():
    error = refused(read("Jérôme Petit, Bob Martin, PETIT Jerome"))
    assert (error.code, error.params["line"]) == ("team_player_again", 1)


def test_one_licence_in_two_teams_is_refused_whatever_the_names():
    error = refused(read("Ada Dupont 12345, Bob Martin, Cyd Petit\nDan Durand, Zoé Roux 12345, Fab Moreau"))
    assert (error.code, error.params["name"], error.params["other"]) == ("team_player_twice", "Zoé Roux", "Ada Dupont")


def test_two_players_of_one_name_are_two_if_their_licences_differ():
    rows = read("Ada Dupont 12345, Bob Martin, Cyd Petit\nDan Durand, Ada Dupont 54321, Fab Moreau")
    assert [row.settled for row in rows] == [True, True]


def test_two_players_of_one_name_are_one_unless_both_have_a_licence():
    error = refused(read("Ada Dupont 12345, Bob Martin, Cyd Petit\nDan Durand, Ada Dupont, Fab Moreau"))
    assert error.code == "team_player_twice"


@pytest.mark.parametrize(
    ("licences", "settled"), [(("", ""), False), (("12345", ""), False), (("12345", "54321"), True)]
)
def test_nearly_equal_names_with_two_licences_are_not_asked_about(licences, settled):
    rows = read(f"Ada Dupont {licences[0]}, Bob Martin, Cyd Petit\nDan Durand, Ada Dupond {licences[1]}, Fab Moreau")
    assert rows[1].settled == settled


@pytest.mark.parametrize("other", ["Ada Dupond", "A. Dupont", "Dupont"])
def test_player_who_is_nearly_one_of_another_team_is_asked_about(other):
    text = f"Ada Dupont, Bob Martin, Cyd Petit\nDan Durand, {other}, Fab Moreau"
    rows = read(text)
    assert [row.settled for row in rows] == [True, False]
    (alike,) = rows[1].alike
    assert (alike.other, alike.first) == ("Ada Dupont", 1)
    error = refused(rows)
    assert (error.code, error.params["key"], error.params["line"]) == ("team_player_alike", alike.key, 2)
    answered = read(text, answers={alike.key: TWO})
    assert all(row.settled for row in answered)
    assert not read(text, answers={alike.key: "one"})[1].settled


def test_team_name_that_an_earlier_line_has_is_refused():
    rows = read(LIST + "LES ÀS: Gil Roux, Hal Blanc, Ida Garnier")
    error = refused(rows)
    assert (error.code, error.params) == ("team_name_twice", {"line": 4, "first": 1, "name": "LES ÀS"})
    assert codes("★: Ada Dupont, Bob Martin, Cyd Petit\n★: Gil Roux, Hal Blanc, Ida Garnier") == ["", "team_name_twice"]
    assert codes("★: Ada Dupont, Bob Martin, Cyd Petit\n♥: Gil Roux, Hal Blanc, Ida Garnier") == ["", ""]


def test_teams_without_a_name_do_not_clash():
    assert codes("Ada Dupont, Bob Martin, Cyd Petit\nGil Roux, Hal Blanc, Ida Garnier") == ["", ""]


def test_line_with_several_readings_is_asked_about_and_takes_the_answer():
    text = "Dupont, Marie, Martin, Paul Petit"
    (row,) = read(text)
    assert (row.asks, row.settled, row.people) == (True, False, row.readings[0])
    error = refused([row])
    assert (error.code, error.params["key"], error.params["text"]) == ("team_unclear", row.key, text)
    (answered,) = read(text, answers={row.key: "1"})
    assert (answered.settled, answered.people) == (True, row.readings[1])


@pytest.mark.parametrize("given", ["7", "-1", "yes", "", "²"])
def test_answer_that_is_no_reading_leaves_the_question(given):
    text = "Dupont, Marie, Martin, Paul Petit"
    (row,) = read(text)
    assert read(text, answers={row.key: given})[0].asks


def test_answer_stays_with_its_line_if_other_lines_change():
    text = "Dupont, Marie, Martin, Paul Petit"
    (row,) = read(text)
    rows = read(f"Gil Roux, Hal Blanc, Ida Garnier\n{text}", answers={row.key: "1"})
    assert [each.settled for each in rows] == [True, True]


def test_same_line_twice_is_two_rows_with_two_keys():
    rows = read("Ada Dupont, Bob Martin, Cyd Petit\nAda Dupont, Bob Martin, Cyd Petit")
    assert [row.key[-2:] for row in rows] == ["-1", "-2"]
    assert rows[0].key[:-1] == rows[1].key[:-1]
    assert [row.error.code if row.error else "" for row in rows] == ["", "team_player_twice"]


def test_players_are_compared_by_the_reading_that_was_chosen():
    text = "Marie Dupont, Eve Leroy, Fab Moreau\nDupont, Marie, Martin, Paul Petit"
    _first, second = read(text)
    assert second.error is not None  # the likeliest reading has Marie Dupont again
    chosen = read(text, answers={second.key: "1"})
    assert chosen[1].error is None


def test_seventh_player_of_a_match_team_is_refused():
    text = "A Dupont, B Martin, C Petit, D Durand, E Leroy, F Moreau, G Simon"
    assert codes(text, SIX) == ["team_size_range"]
    assert codes(text.rpartition(",")[0], SIX) == [""]


@pytest.mark.nightly("story")
def test_too_many_teams_are_refused_with_their_number():
    text = "\n".join(f"Ada Dupont{n}, Bob Martin{n}, Cyd Petit{n}" for n in range(MOST_TEAMS + 1))
    with pytest.raises(RosterError) as caught:
        read(text)
    assert (caught.value.code, caught.value.params) == ("team_too_many", {"most": 300, "found": 301})
    assert len(read(text.rpartition("\n")[0])) == MOST_TEAMS


def test_empty_text_has_no_teams():
    assert require_teams(read(" \n\n")) == []
