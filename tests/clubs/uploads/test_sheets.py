"""The reading of spreadsheets: which sheet is the list, its cells as they are shown, and the other sheets."""

import datetime as dt
import io
import zipfile

import pytest
import xlsxwriter

from clubs.uploads.spreadsheet import OtherSheet, SpreadsheetError, read_book

LIST = [["Nom", "Prénom", "Licence"], ["Le Goff", "Anaïs", 12345]]


def make_book(*sheets, format=""):
    """Return an XLSX with these sheets: (name, rows, hidden). Numbers have the format."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        shown = book.add_format({"num_format": format} if format else {})
        for name, rows, hidden in sheets:
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row, shown)
            if hidden:
                sheet.hide()
    return out.getvalue()


def read(*sheets, **how):
    return read_book(make_book(*sheets, **how))


@pytest.mark.parametrize(
    ("format", "licence"),
    [
        ("0000000", "0012345"),
        ("000\\ 0000", "0012345"),
        ("[$-40C]0000000;-0000000", "0012345"),
        ("0", "12345"),
        ("#,##0", "12345"),
        ("", "12345"),
    ],
)
def test_number_keeps_the_zeros_that_its_format_shows(format, licence):
    assert read(("Liste", LIST, False), format=format).rows == [
        ["Nom", "Prénom", "Licence"],
        ["Le Goff", "Anaïs", licence],
    ]


ODS = """<office:document-content
xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="Note"><table:table-row>%(zeros)s</table:table-row></table:table>
<table:table table:name="Liste"><table:table-row>%(heading)s</table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="9"/></table:table-row>
<table:table-row><table:table-cell table:number-columns-repeated="2"/>%(zeros)s%(plain)s</table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>"""
ODS_CELL = "<table:table-cell office:value-type={}><text:p>{}</text:p></table:table-cell>"


def test_number_of_an_ods_keeps_the_zeros_that_it_shows():
    numbers = ('"float" office:value="12345"', "0012345"), ('"float" office:value="7"', "7")
    cells = dict(zip(("zeros", "plain"), (ODS_CELL.format(*each) for each in numbers), strict=True))
    heading = "".join(ODS_CELL.format('"string"', text) for text in ("Nom", "Prénom", "Licence", "Rang"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("META-INF/manifest.xml", "<manifest/>")
        packed.writestr("content.xml", ODS % {**cells, "heading": heading})
    assert read_book(out.getvalue()).rows[3] == ["", "", "0012345", "7"]


def test_first_visible_sheet_with_a_heading_is_read_and_the_others_are_named():
    book = read(
        ("Note", [["À lire"], ["Voir feuille 3"], ["Merci"]], False),
        ("2024", LIST * 2, True),
        ("2025", LIST, False),
        ("Vide", [], False),
        ("2026", LIST, False),
        format="0000000",
    )
    assert book.rows[1] == ["Le Goff", "Anaïs", "0012345"]
    assert book.others == [OtherSheet("Note", False, 3), OtherSheet("2024", True, 4), OtherSheet("2026", False, 2)]


def test_without_a_heading_the_first_visible_sheet_with_two_rows_is_read():
    book = read(("Titre", [["Liste"]], False), ("Noms", [["Dupont Marie"], ["Petit Luc"]], False))
    assert book.rows == [["Dupont Marie"], ["Petit Luc"]]


def test_cells_of_a_sheet_are_its_numbers_days_and_ticks_as_text():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["Nom", "Dame"])
        sheet.write(1, 0, "Le  Goff\nAnaïs")
        sheet.write_boolean(1, 1, True)
        sheet.write_datetime(1, 2, dt.date(2026, 8, 31), book.add_format({"num_format": "dd/mm/yyyy"}))
        sheet.write(1, 3, 1.5)
    assert read_book(out.getvalue()).rows[1] == ["Le Goff Anaïs", "true", "2026-08-31", "1.5"]


@pytest.mark.parametrize(
    ("rows", "code", "told"),
    [
        ([["x"] * 201], "upload_columns", {"most": 200, "found": 201}),
        ([["x"]] * 10_001, "upload_rows", {"most": 10_000}),
    ],
    ids=["columns", "rows"],
)
def test_sheet_that_is_too_large_is_refused_with_its_size(rows, code, told):
    with pytest.raises(SpreadsheetError) as refused:
        read_book(make_book(("Liste", rows, False)))
    assert (refused.value.code, dict(refused.value.params)) == (code, told)
