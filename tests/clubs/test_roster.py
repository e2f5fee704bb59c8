"""The pasted names: how each way of writing is read, and which lines are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.roster import NameOrder, RosterError, RosterLine, read_line

SENTENCE = "From 20:00 to about 00:12: 28 étuis at each table, 9 minutes each."


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
        ("DUPONT, Marie, 69003 Lyon", RosterLine("DUPONT", "Marie")),
        ("DUPONT; Marie; 12 rue Haute; Lyon; 123456", RosterLine("DUPONT", "Marie", "123456")),
        (
            "de La Rochefoucauld-Montmorency, Marie-Françoise",
            RosterLine("de La Rochefoucauld-Montmorency", "Marie-Françoise"),
        ),
    ],
)
def test_line_is_read_as_written(text, expected):
    assert read_line(text) == expected


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("123456", "roster_no_name", {"line": 2, "text": "123456"}),
        (";;", "roster_no_name", {"line": 2, "text": ";;"}),
        ("A" * 81 + " B", "roster_too_long", {"line": 2, "most": 80}),
        (SENTENCE, "roster_no_name", {"line": 2, "text": SENTENCE}),
    ],
)
def test_wrong_line_is_named(text, code, params):
    with pytest.raises(RosterError) as caught:
        read_line(text, 2)
    assert (caught.value.code, caught.value.params) == (code, params)


@given(st.text())
def test_any_text_is_a_name_or_a_named_error(text):
    line, number = None, 7
    try:
        line = read_line(text, 7)
    except RosterError as error:
        number = error.params["line"]
    assert (line is None or bool(line.last_name), number) == (True, 7)


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
