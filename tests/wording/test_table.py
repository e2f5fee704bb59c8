"""The reading of tables from texts, with every delimiter, quote and encoding that spreadsheets write."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.lists import count_columns
from wording.table import decode_text, flatten, split_rows, write_cells

HEADING = ["Nom", "Prénom", "Licence"]


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_file_is_decoded(code):
    assert decode_text("Zoé;Blanc".encode(code)) == "Zoé;Blanc"


def test_file_that_is_no_text_is_refused():
    with pytest.raises(ValueError, match="no text"):
        decode_text(b"\0\1")
    with pytest.raises(ValueError, match="utf-16"):
        decode_text(codecs.BOM_UTF16_LE + b"\0")


@pytest.mark.parametrize("sign", [";", "\t", ",", "|"])
@pytest.mark.parametrize("start", ["", "sep={}\n", "sep={}\r\n", "Tournoi\n"])
def test_table_is_split_at_its_own_delimiter(sign, start):
    text = start.format(sign) + f'Nom{sign}Prénom\n"Blanc{sign} dite ""Neige"""{sign}Zoé\nNoir{sign}Al\n'
    assert split_rows(text, count_columns)[-3:] == [
        ["Nom", "Prénom"],
        [f'Blanc{sign} dite "Neige"'.replace("\t ", " "), "Zoé"],
        ["Noir", "Al"],
    ]


def test_named_delimiter_is_an_empty_row_and_may_be_any_sign():
    assert split_rows("sep=:\nNom:Prénom\nBlanc:Zoé", count_columns) == [[], ["Nom", "Prénom"], ["Blanc", "Zoé"]]


@pytest.mark.parametrize(
    "text", ["Blanc, Zoé\nNoir, Al", '"Luc" Petit; x', "Nom, prénom\nZoé Blanc\nAl Noir\nTom Brun", "", "\n\n"]
)
def test_text_without_a_table_is_kept_line_by_line(text):
    assert split_rows(text, count_columns) == [[line] for line in text.splitlines()]


def test_quote_that_is_never_closed_ends_with_its_line():
    assert split_rows('Nom;Prénom\n"Blanc;Zoé\nNoir;Al', count_columns) == [
        ["Nom", "Prénom"],
        ["Blanc", "Zoé"],
        ["Noir", "Al"],
    ]


def test_apostrophe_of_our_own_files_is_taken_away():
    assert split_rows("Nom;Licence\nBlanc;'0012\nD'Arc;'x", count_columns)[1:] == [["Blanc", "0012"], ["D'Arc", "'x"]]


def test_cell_longer_than_csv_allows_is_read():
    assert split_rows(f"Nom;Prénom\nBlanc;{'x' * 140_000}", count_columns)[1][0] == "Blanc"


CELLS = st.text(max_size=8) | st.sampled_from(["'=1", "a\tb", 'x"y', "é\n", "", "'", "sep=;", "Nom"])
TABLES = st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=5)


def check_read_back(rows):
    """Check that a table is read back as it was written, cell by cell."""
    table = [HEADING, *([flatten(cell) for cell in row] for row in rows)]
    assert split_rows(write_cells(table), count_columns) == table


@settings(max_examples=40)
@given(TABLES)
def test_written_table_is_read_back(rows):
    check_read_back(rows)


@pytest.mark.nightly("statistics")
@settings(max_examples=5000, deadline=None)
@given(TABLES)
def test_written_table_is_read_back_five_thousand_times(rows):
    check_read_back(rows)


@given(st.text())
def test_any_text_has_no_more_rows_than_lines(text):
    assert len(split_rows(text, count_columns)) <= len(text.splitlines())
