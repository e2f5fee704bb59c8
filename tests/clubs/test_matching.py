"""Who the lines of a list are: what is sure, what is asked, what is new, and that nobody is taken for somebody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.matching import MOST_LINES, Known, State, Why, read_list
from clubs.roster import Order, RosterError, RosterLine
from tests.clubs.names_as_they_come import written

CLUB = [
    Known(1, "Dupont", "Marie", "123456"),
    Known(2, "Le Goff", "Jean-Pierre"),
    Known(3, "Étienne", "Zoé"),
    Known(4, "Martin", "Paul"),
    Known(5, "Martin", "Paule"),
]


def one(text, known=CLUB):
    (row,) = read_list(text, known)
    return row


def test_names_written_in_twelve_manners_are_recognised_or_offered_first():
    known, lines = written()
    rows = [read_list(text, known)[0] for text, _meant in lines]
    pairs = list(zip(rows, (meant for _text, meant in lines), strict=True))
    of_the_club = [(row, meant) for row, meant in pairs if meant is not None]
    first = [row for row, meant in of_the_club if row.candidates and row.candidates[0].who.id == meant]
    assert len(of_the_club) == 180
    assert len(first) >= 0.98 * len(of_the_club), [
        (row.text, row.candidates) for row, meant in of_the_club if row not in first
    ]
    wrong = [row.text for row, meant in pairs if row.state == State.SURE and row.suggested != meant]
    assert wrong == []
    assert [row.text for row, meant in pairs if meant is None and row.state not in (State.NEW, State.PROBABLE)] == []
    assert [row.text for row, meant in of_the_club if row.suggested not in (None, meant)] == []


@pytest.mark.parametrize(
    ("text", "state", "suggested"),
    [
        ("DUPONT Marie", State.SURE, 1),
        ("marie dupont", State.SURE, 1),
        ("Dupont, Marie", State.SURE, 1),
        ("Marie Dupont 123456", State.SURE, 1),
        ("Dupont; Marie; 999999", State.PROBABLE, None),
        ("Durand; Luc; 123456", State.PROBABLE, None),
        ("Dupond; Marie; 123456", State.PROBABLE, 1),
        ("Dupont Marie", State.PROBABLE, 1),
        ("Zoe Etienne", State.PROBABLE, 3),
        ("Le Goff Jean Pierre", State.PROBABLE, 2),
        ("Jean-Pierre Legoff", State.PROBABLE, 2),
        ("Marie Dupond", State.PROBABLE, None),
        ("M. Dupont", State.PROBABLE, None),
        ("P. Martin", State.PROBABLE, None),
        ("Paul Martin", State.SURE, 4),
        ("Luc Garnier", State.NEW, None),
        ("123", State.NO_NAME, None),
        ("Inscrits de vendredi :", State.NO_NAME, None),
        ("=HYPERLINK(1)", State.WRONG, None),
        ("\u202eZoé", State.WRONG, None),
        ("A" * 81 + " B", State.WRONG, None),
    ],
)
def test_line_is_told_by_what_is_alike(text, state, suggested):
    row = one(text)
    assert (row.state, row.suggested) == (state, suggested)
    assert (row.error is not None) == (state in (State.NO_NAME, State.WRONG))


def test_two_players_of_one_name_are_asked_about_and_never_chosen():
    row = one("Marie Dupont", [*CLUB, Known(6, "Dupont", "Marie", "777777")])
    assert (row.state, row.suggested) == (State.PROBABLE, None)
    assert [candidate.who.id for candidate in row.candidates] == [1, 6]


def test_somebody_new_is_not_offered_under_the_very_name_of_a_player_without_licence():
    assert not one("Zoé Étienne").may_be_new
    assert one("Zoé Étienne 55555").may_be_new
    assert one("Marie Dupont").may_be_new
    assert one("Zoe Etienne").may_be_new


def test_who_stands_on_the_list_twice_is_told_with_the_first_line():
    rows = read_list("Marie Dupont\nLuc Garnier\nDUPONT Marie; 123456\nGARNIER Luc", CLUB)
    assert [row.state for row in rows] == [State.SURE, State.NEW, State.TWICE, State.TWICE]
    assert [row.error.params["first"] for row in rows[2:]] == [1, 2]


def test_line_of_several_people_is_a_line_for_each():
    rows = read_list("Présents :\nMarie Dupont, Zoé Étienne, Luc Garnier", CLUB)
    assert [(row.number, row.state) for row in rows] == [
        (1, State.NO_NAME), (2, State.SURE), (2, State.SURE), (2, State.NEW),
    ]  # fmt: skip


def test_order_of_the_known_names_tells_how_the_new_ones_are_read():
    rows = read_list("Dupont Marie\nÉtienne Zoé\nGarnier Luc", CLUB)
    assert rows[2].line == RosterLine("Garnier", "Luc")
    assert read_list("Marie Dupont\nLuc Garnier", CLUB)[1].line == RosterLine("Garnier", "Luc")


def test_candidates_tell_why_they_are_offered():
    reasons = {
        text: one(text).candidates[0].why for text in ("Dupond; X; 123456", "Marie Dupond", "Zoe Etienne", "Dupont")
    }
    assert list(reasons.values()) == [Why.LICENCE, Why.LETTERS, Why.SPELLING, Why.PART]


def test_list_that_is_too_long_is_refused_with_what_it_may_have():
    with pytest.raises(RosterError) as refused:
        read_list("Zoé Blanc\n" * (MOST_LINES + 1), CLUB)
    assert refused.value.code == "roster_too_many"


@pytest.mark.parametrize("name", ["محمد علي", "שרה כהן", "李 小龙", "Ольга Иванова", "Þór Ægisson", "José 🃏 Peña"])
def test_names_of_every_writing_are_read(name):
    row = one(name)
    assert row.state == State.NEW
    assert row.line.last_name


@given(st.text(), st.sampled_from(Order))
def test_any_text_is_told_line_by_line(text, order):
    rows = read_list(text, CLUB, order)
    assert {row.number for row in rows} <= set(range(1, len(text.splitlines()) + 1))
    assert all((row.line is None) == (row.state in (State.NO_NAME, State.WRONG)) for row in rows)
