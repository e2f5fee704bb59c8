"""The writers of tables: each kind of cell in CSV, XLSX and JSON, and texts that must stay texts."""

import csv
import datetime as dt
import io
import json
import zipfile
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from outgoing.sheets.files import (
    CellKind,
    SheetColumn,
    SheetTable,
    name_sheets,
    write_french_csv,
    write_tables_json,
    write_workbook,
)
from scoring.formats import MatchPoints
from wording.table import is_misread, read_inert, write_inert

FORMULAS = ["=1+1", "+33 6 12", "-5", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=cmd|' /C calc'!A0", " =1", "＝1+1"]
MISREAD = [*FORMULAS, "1/2", "1-2", "2024-05-01", "12:30", "1e5", "007", "3,5", "3.5", "12 mars", "1-janv", "mai 2024"]
MISREAD += ["5 %", "10 €", "(5)", "1234567890123456", "1er mai 2026", "9 PM", "12 novembre 2026", "31 Dec 2026"]
KEPT = [
    "Dupont",
    "0",
    "7",
    "123456",
    "Marie 2",
    "L’Étoile",
    "Zoé",
    "A1",
    "N3",
    "mars",
    "x=1",
    "3e table",
    "",
    "12 rue 4",
    f"1{'nove' * 100}x",  # "nove" could be read in two ways, and all of them once took years
]


@pytest.mark.parametrize("text", MISREAD)
def test_text_that_a_spreadsheet_would_misread_gets_an_apostrophe(text):
    written = write_inert(text)
    assert written == "'" + " ".join(text.split())
    assert read_inert(written) == " ".join(text.split())


@pytest.mark.parametrize("text", KEPT)
def test_any_other_text_stays_as_it_is(text):
    assert write_inert(text) == text == read_inert(text)


@given(st.text(max_size=30))
@example("\u2028=1")
@example("\ufeff-1")
def test_no_written_text_begins_like_a_formula_or_breaks_the_line(text):
    written = write_inert(text)
    assert not is_misread(written)
    assert written.splitlines() in ([], [written])
    assert not written.startswith(tuple("=+-@\t\r"))


def table(rows, code="people"):
    kinds = [*CellKind]
    columns = [SheetColumn(kind.value, f"En-tête {kind.value}", kind) for kind in kinds]
    return SheetTable(code, "Joueurs [1/2]", columns, rows)


HALF_PAST_EIGHT = dt.datetime(2026, 11, 19, 20, 30)  # noqa: DTZ001 - a workbook knows no time zone
MOMENT = dt.datetime(2026, 11, 19, 19, 30, tzinfo=dt.UTC)
ROWS = [
    ["=HYPERLINK(1)", -3, Fraction(175, 3), dt.date(2026, 11, 19), MOMENT, MatchPoints(Fraction(12345, 1000))],
    ["1/2", None, Fraction(-1, 3), None, None, MatchPoints(-4)],
    ['a;b\n"c"', 12, None, dt.date(2026, 1, 2), None, None],
]


def test_csv_is_that_of_a_french_spreadsheet():
    with timezone.override(ZoneInfo("Europe/Paris")):
        written = write_french_csv(table(ROWS))
    assert written.startswith(b"\xef\xbb\xbfEn-t\xc3\xaate text;")
    assert written.count(b"\r\n") == 4 == written.count(b"\n")
    read = list(csv.reader(io.StringIO(written.decode("utf-8-sig")), delimiter=";"))
    assert read[1:] == [
        ["'=HYPERLINK(1)", "-3", "58,33", "19/11/2026", "19/11/2026 20:30", "12,345"],
        ["'1/2", "", "-0,33", "", "", "-4,000"],
        ['a;b "c"', "12", "", "02/01/2026", "", ""],
    ]


def test_workbook_has_a_sheet_for_each_table_with_numbers_as_numbers():
    with timezone.override(ZoneInfo("Europe/Paris")):
        written = write_workbook([table(ROWS), table([])])
    book = CalamineWorkbook.from_filelike(io.BytesIO(written))
    assert book.sheet_names == ["Joueurs 1 2", "Joueurs 1 2 2"]
    rows = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    assert rows[0] == [f"En-tête {kind.value}" for kind in CellKind]
    assert rows[1:] == [
        ["=HYPERLINK(1)", -3.0, 58.33, dt.date(2026, 11, 19), HALF_PAST_EIGHT, 12.345],
        ["1/2", "", -0.33, "", "", -4.0],
        ['a;b "c"', 12.0, "", dt.date(2026, 1, 2), "", ""],
    ]


def test_workbook_has_no_formula_and_no_link_and_keeps_its_heading_in_view():
    texts = ["=1+1", "https://example.org/", "mailto:x@example.org", "{=1}", "+1"]
    columns = [SheetColumn("text", "https://example.org/")]
    written = write_workbook([SheetTable("t", "t", columns, [[text] for text in texts])])
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        assert [name for name in archive.namelist() if "rels/sheet" in name] == []
    assert "<f>" not in sheet
    assert "<hyperlink" not in sheet
    assert 'state="frozen"' in sheet
    assert '<col min="1" max="1" width="22' in sheet


def test_the_same_tables_give_the_same_bytes():
    assert write_workbook([table(ROWS)]) == write_workbook([table(ROWS)])


@pytest.mark.parametrize("text", ["\0", "\x0b", "é" * 40_000])
def test_workbook_survives_any_text(text):
    written = write_workbook([SheetTable("t", text, [SheetColumn("t", text)], [[text]])])
    assert CalamineWorkbook.from_filelike(io.BytesIO(written)).sheet_names


def test_sheets_are_named_within_the_limits_of_workbooks():
    named = name_sheets(["a" * 50, "A" * 50, "[]:*?/\\'", "x"])
    assert named == ["a" * 31, "A" * 27 + " 2", "1", "x"]


def test_json_has_rows_by_the_names_of_the_columns():
    with timezone.override(ZoneInfo("Europe/Paris")):
        told = json.loads(write_tables_json([table(ROWS)]))
    assert told["people"][0] == {
        "text": "=HYPERLINK(1)",
        "whole": -3,
        "figure": "58.3333",
        "day": "2026-11-19",
        "moment": "2026-11-19T19:30:00+00:00",
        "points": "12.3450",
    }
