"""The pasted names: how each way of writing is read, and which lines are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.roster import NameOrder, RosterError, RosterLine, read_line, read_roster


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dupont, Marie", RosterLine("Dupont", "Marie")),
        ("Dupont; Marie; 123456", RosterLine("Dupont", "Marie", "123456")),
        ("Dupont\tMarie\t12345-B", RosterLine("Dupont", "Marie", "12345-B")),
        ("DUPONT Marie", RosterLine("DUPONT", "Marie")),
        ("Marie DUPONT 123456", RosterLine("DUPONT", "Marie", "123456")),
        ("Marie Dupont", RosterLine("Dupont", "Marie")),
        ("Anne-Sophie DE LA TOUR", RosterLine("DE LA TOUR", "Anne-Sophie")),
        ("  Élodie   Quéméneur ", RosterLine("Quéméneur", "Élodie")),
        ("Madonna", RosterLine("Madonna", "")),
        (
            "de La Rochefoucauld-Montmorency, Marie-Françoise",
            RosterLine("de La Rochefoucauld-Montmorency", "Marie-Françoise"),
        ),
    ],
)
def test_line_is_read_as_written(text, expected):
    assert read_roster(text) == [expected]


def test_empty_lines_are_passed_over_and_order_is_kept():
    assert read_roster("\nZoé Blanc\n\n   \nAlex Noir\n") == [RosterLine("Blanc", "Zoé"), RosterLine("Noir", "Alex")]


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("Zoé Blanc\n123456", "roster_no_name", {"line": 2, "text": "123456"}),
        ("Zoé Blanc\n;;", "roster_no_name", {"line": 2, "text": ";;"}),
        ("Zoé Blanc\n\nZoé Blanc", "roster_twice", {"line": 3, "first": 1, "name": "Zoé Blanc"}),
        ("A" * 81 + " B", "roster_too_long", {"line": 1, "most": 80}),
    ],
)
def test_wrong_line_is_named(text, code, params):
    with pytest.raises(RosterError) as caught:
        read_roster(text)
    assert (caught.value.code, caught.value.params) == (code, params)


@given(st.text())
def test_any_text_is_a_list_of_names_or_a_named_error(text):
    try:
        lines = read_roster(text)
    except RosterError as error:
        lines, wrong = [], error.params["line"]
    else:
        wrong = None
    assert all(line.last_name for line in lines)
    assert wrong is None or 1 <= wrong <= len(text.splitlines())


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("Dupont Marie Anne", NameOrder.FAMILY_FIRST, RosterLine("Dupont", "Marie Anne")),
        ("de la Tour Marie", NameOrder.FAMILY_FIRST, RosterLine("de la Tour", "Marie")),
        ("DUPONT MARIE", NameOrder.FAMILY_FIRST, RosterLine("DUPONT", "MARIE")),
        ("Marie Dupont Durand", NameOrder.FIRST_NAME_FIRST, RosterLine("Dupont Durand", "Marie")),
        ("Marie; Dupont; 12345", NameOrder.FIRST_NAME_FIRST, RosterLine("Dupont", "Marie", "12345")),
        ("Dupont; Marie", NameOrder.FAMILY_FIRST, RosterLine("Dupont", "Marie")),
        ("Marie DUPONT", NameOrder.FAMILY_FIRST, RosterLine("DUPONT", "Marie")),
        ("Madonna", NameOrder.FAMILY_FIRST, RosterLine("Madonna", "")),
    ],
)
def test_line_is_read_in_the_order_that_the_list_is_said_to_have(text, order, expected):
    assert read_line(text, order=order) == expected
