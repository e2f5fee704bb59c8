"""The matching of lines with players: which are sure, which are asked about, which are new."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.matching import MOST_LINES, KnownPlayer, Likeness, LineState, read_list
from clubs.roster import NameOrder, RosterError, RosterLine
from tests.clubs.names_as_they_come import written

CLUB = [
    KnownPlayer(1, "Dupont", "Marie", "123456"),
    KnownPlayer(2, "Le Goff", "Jean-Pierre"),
    KnownPlayer(3, "Étienne", "Zoé"),
    KnownPlayer(4, "Martin", "Paul"),
    KnownPlayer(5, "Martin", "Paule"),
]


def one(text, known=CLUB):
    (row,) = read_list(text, known)
    return row


@pytest.mark.nightly("statistics")
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
    wrong = [row.text for row, meant in pairs if row.state == LineState.SURE and row.suggested != meant]
    assert wrong == []
    assert [
        row.text for row, meant in pairs if meant is None and row.state not in (LineState.NEW, LineState.PROBABLE)
    ] == []
    assert [row.text for row, meant in of_the_club if row.suggested not in (None, meant)] == []


@pytest.mark.parametrize(
    ("text", "state", "suggested"),
    [
        ("DUPONT Marie", LineState.SURE, 1),
        ("marie dupont", LineState.SURE, 1),
        ("Dupont, Marie", LineState.SURE, 1),
        ("Marie Dupont 123456", LineState.SURE, 1),
        ("Dupont; Marie; 999999", LineState.PROBABLE, None),
        ("Durand; Luc; 123456", LineState.PROBABLE, None),
        ("Dupond; Marie; 123456", LineState.PROBABLE, 1),
        ("Dupont Marie", LineState.PROBABLE, 1),
        ("Zoe Etienne", LineState.PROBABLE, 3),
        ("Le Goff Jean Pierre", LineState.PROBABLE, 2),
        ("Jean-Pierre Legoff", LineState.PROBABLE, 2),
        ("Marie Dupond", LineState.PROBABLE, None),
        ("M. Dupont", LineState.PROBABLE, None),
        ("P. Martin", LineState.PROBABLE, None),
        ("Paul Martin", LineState.SURE, 4),
        ("Luc Garnier", LineState.NEW, None),
        ("123", LineState.NO_NAME, None),
        ("Inscrits de vendredi :", LineState.NO_NAME, None),
        ("=HYPERLINK(1)", LineState.WRONG, None),
        ("\u202eZoé", LineState.WRONG, None),
        ("A" * 81 + " B", LineState.WRONG, None),
    ],
)
def test_line_is_told_by_what_is_alike(text, state, suggested):
    row = one(text)
    assert (row.state, row.suggested) == (state, suggested)
    assert (row.error is not None) == (state in (LineState.NO_NAME, LineState.WRONG))


def test_two_players_of_one_name_are_asked_about_and_never_chosen():
    row = one("Marie Dupont", [*CLUB, KnownPlayer(6, "Dupont", "Marie", "777777")])
    assert (row.state, row.suggested) == (LineState.PROBABLE, None)
    assert [candidate.who.id for candidate in row.candidates] == [1, 6]


def test_somebody_new_is_not_offered_under_the_very_name_of_a_player_without_licence():
    assert not one("Zoé Étienne").may_be_new
    assert one("Zoé Étienne 55555").may_be_new
    assert one("Marie Dupont").may_be_new
    assert one("Zoe Etienne").may_be_new


def test_who_stands_on_the_list_twice_is_told_with_the_first_line():
    rows = read_list("Marie Dupont\nLuc Garnier\nDUPONT Marie; 123456\nGARNIER Luc", CLUB)
    assert [row.state for row in rows] == [LineState.SURE, LineState.NEW, LineState.TWICE, LineState.TWICE]
    assert [row.error.params["first"] for row in rows[2:]] == [1, 2]


def test_line_of_several_people_is_a_line_for_each():
    rows = read_list("Présents :\nMarie Dupont, Zoé Étienne, Luc Garnier", CLUB)
    assert [(row.number, row.state) for row in rows] == [
        (1, LineState.NO_NAME), (2, LineState.SURE), (2, LineState.SURE), (2, LineState.NEW),
    ]  # fmt: skip


def test_order_of_the_known_names_tells_how_the_new_ones_are_read():
    rows = read_list("Dupont Marie\nÉtienne Zoé\nGarnier Luc", CLUB)
    assert rows[2].line == RosterLine("Garnier", "Luc")
    assert read_list("Marie Dupont\nLuc Garnier", CLUB)[1].line == RosterLine("Garnier", "Luc")


def test_candidates_tell_why_they_are_offered():
    reasons = {
        text: one(text).candidates[0].why for text in ("Dupond; X; 123456", "Marie Dupond", "Zoe Etienne", "Dupont")
    }
    assert list(reasons.values()) == [Likeness.LICENCE, Likeness.LETTERS, Likeness.SPELLING, Likeness.PART]


def test_all_ten_players_of_one_family_are_offered():
    firsts = ["Anouk", "Basile", "Clémence", "Driss", "Élodie", "Fabrice", "Gaëlle", "Hugo", "Irène", "Joël"]
    (row,) = read_list("Arnaud", [KnownPlayer(number, "Arnaud", first) for number, first in enumerate(firsts)])
    assert [each.who.first_name for each in row.candidates] == firsts


def test_players_with_a_part_of_the_name_are_offered_in_the_order_of_the_list():
    known = [KnownPlayer(pk, "Arnaud", name) for pk, name in enumerate(("Irène", "Driss", "Élodie", "Anouk"), start=1)]
    known = [KnownPlayer(9, "Zola", "Émile"), *known] + [KnownPlayer(pk, "Petit", "Zoé") for pk in range(10, 40)]
    assert [each.who.first_name for each in one("ARNAUD", known).candidates] == ["Anouk", "Driss", "Élodie", "Irène"]


@pytest.mark.parametrize(("name", "offered"), [("Ana", []), ("Anna", [Likeness.LETTERS])])
def test_short_name_is_near_no_other(name, offered):
    """Check that one wrong letter in three is too much. Otherwise nearly every short name would be offered."""
    known = [KnownPlayer(6, "Ano", ""), KnownPlayer(7, "Anne", "")]
    assert [candidate.why for candidate in one(name, known).candidates] == offered


def test_list_that_is_too_long_is_refused_with_what_it_may_have():
    with pytest.raises(RosterError) as refused:
        read_list("Zoé Blanc\n" * (MOST_LINES + 1), CLUB)
    assert refused.value.code == "roster_too_many"


@pytest.mark.parametrize("name", ["محمد علي", "שרה כהן", "李 小龙", "Ольга Иванова", "Þór Ægisson", "José 🃏 Peña"])
def test_names_of_every_writing_are_read(name):
    row = one(name)
    assert row.state == LineState.NEW
    assert row.line.last_name


@given(st.text(), st.sampled_from(NameOrder))
def test_any_text_is_told_line_by_line(text, order):
    rows = read_list(text, CLUB, order)
    assert {row.number for row in rows} <= set(range(1, len(text.splitlines()) + 1))
    assert all((row.line is None) == (row.state in (LineState.NO_NAME, LineState.WRONG)) for row in rows)
