"""The reader of a federation's list of licences: its columns, days and series, and the lines that it leaves out."""

import datetime as dt

import pytest

from clubs.licences import LicencesRefused, read_licences
from clubs.uploads.spreadsheet import read_sheets
from outgoing.sheets.files import CellKind, SheetColumn, SheetTable, write_workbook
from wording.table import write_cells

HEADING = ["Licence", "Nom", "Prénom", "Série", "Fin"]


def read(*rows, heading=HEADING):
    return read_licences(write_cells([heading, *rows]))


def values(file):
    """Return licence, names, series, last day and category of each person."""
    names = ("licence", "last_name", "first_name", "series", "until", "category")
    return [tuple(getattr(each, name) for name in names) for each in file.lines]


def test_line_of_a_federation_is_read_with_small_letters():
    file = read(["12 345", "DE LA TOUR", "Marie-Ange", "2e série", "31/08/2027"])
    assert values(file) == [("12345", "De La Tour", "Marie-Ange", "2", dt.date(2027, 8, 31), "")]
    assert (file.wrong, file.unclear) == ([], [])


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        (["N° licence", "Nom", "Prénom", "Catégorie", "Série"], ["0012345", "LE GOFF", "Anaïs", "Sénior", "2"]),
        (["N° licence", "Nom", "Prénom", "Série", "Catégorie"], ["0012345", "LE GOFF", "Anaïs", "2", "Sénior"]),
        (
            ["Club", "NOM", "Prénom", "Classement", "Num. Licence", "Cat."],
            ["", "LE GOFF", "Anaïs", "2", "0012345", "S"],
        ),
    ],
    ids=["category first", "series first", "other order"],
)
def test_series_and_category_are_told_apart(heading, row):
    assert values(read(row, heading=heading)) == [("0012345", "Le Goff", "Anaïs", "2", None, "senior")]


@pytest.mark.parametrize(
    ("heading", "cell", "until"),
    [
        ("Fin", "2027-08-31", dt.date(2027, 8, 31)),
        ("Date de fin", "31.08.2027", dt.date(2027, 8, 31)),
        ("Échéance", "31/08/27", dt.date(2027, 8, 31)),
        ("Licence jusqu’au", "31/08/2027", dt.date(2027, 8, 31)),
        ("Saison", "2026-2027", dt.date(2027, 8, 31)),
        ("Saison", "2026/27", dt.date(2027, 8, 31)),
        ("Saison", "26-27", dt.date(2027, 8, 31)),
        ("Season", "2027", dt.date(2027, 12, 31)),
        ("Fin", "31.08.27", dt.date(2027, 8, 31)),
        ("Fin", "31 août 2027", dt.date(2027, 8, 31)),
        ("Fin", "Mardi 31 août 2027", dt.date(2027, 8, 31)),
        ("Fin", "31-aug-27", dt.date(2027, 8, 31)),
        ("Fin", "August 31st, 2027", dt.date(2027, 8, 31)),
        ("Fin", "jusqu’au 5 sept. 2027", dt.date(2027, 9, 5)),
        ("Fin", "2027-08-31T23:59:00Z", dt.date(2027, 8, 31)),
        ("Fin", "du 1er septembre 2026 au 31 août 2027", dt.date(2027, 8, 31)),
        ("Saison", "Saison 2026-2027", dt.date(2027, 8, 31)),
        ("Fin", "31/08", None),
        ("Fin", "août 2027", None),
        ("Fin", "2026-2027", dt.date(2027, 8, 31)),
        ("Fin", "", None),
    ],
)
def test_last_day_is_told_by_a_day_or_a_season(heading, cell, until):
    file = read(["1", "Un", "Zoé", cell], heading=["N° Licence", "NOM", "Prénom", heading])
    assert [line.until for line in file.lines] == [until]


@pytest.mark.parametrize("said", ["Licence", "N° de licence", "LICENSE", "numéro de licence", "N° adhérent", "N° FFT"])
def test_column_of_the_licence_has_many_names(said):
    assert [line.licence for line in read(["7", "Un"], heading=[said, "Nom de famille"]).lines] == ["7"]


def test_whole_name_is_read_in_the_order_that_the_heading_says():
    assert values(read(["7", "LE GOFF Anaïs"], heading=["Licence", "Nom Prénom"]))[0][1:3] == ("Le Goff", "Anaïs")
    assert values(read(["7", "Anaïs Legoff"], heading=["Licence", "Prénom et nom"]))[0][1:3] == ("Legoff", "Anaïs")


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (["", "Un", "Zoé", "", ""], "licences_none"),
        (["1", "", "", "2", ""], "roster_no_name"),
        (["1" * 21, "Un", "Zoé", "", ""], "licences_number"),
        (["1,23457E+11", "Un", "Zoé", "", ""], "licences_number"),
        (["1", "U" * 81, "Zoé", "", ""], "roster_too_long"),
        (["1", "Un\u202eeux", "Zoé", "", ""], "roster_hidden"),
    ],
)
def test_line_that_cannot_be_read_is_left_out_with_its_reason(row, code):
    file = read(row, ["2", "Deux", "Zoé", "", ""])
    assert [(note.number, note.reason.code) for note in file.wrong] == [(2, code)]
    assert [line.licence for line in file.lines] == ["2"]


@pytest.mark.parametrize(("series", "day"), [("NC", ""), ("", "demain"), ("", "31/02/2027")])
def test_cell_that_is_not_understood_is_told_and_the_line_is_read(series, day):
    file = read(["1", "Un", "Zoé", series, day])
    assert values(file) == [("1", "Un", "Zoé", "", None, "")]
    assert [(note.number, note.reason.params["text"]) for note in file.unclear] == [(2, series or day)]


def test_licence_that_stands_twice_counts_once():
    file = read(["1", "Un"], ["2", "Deux"], ["01", "Autre"], heading=["Licence", "Nom"])
    assert [line.last_name for line in file.lines] == ["Un", "Deux"]
    assert [(note.number, note.reason.params["line"]) for note in file.wrong] == [(4, 2)]


def test_columns_that_are_not_read_are_told():
    file = read(["1", "Un", "Zoé", "Brest"], heading=["Licence", "Nom", "Prénom", "Ville"])
    columns = [(column.heading, column.kind) for column in file.pasted.columns]
    assert columns == [("Licence", "licence"), ("Nom", "last"), ("Prénom", "first"), ("Ville", None)]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "licences_empty"),
        ([["", ""]], "licences_empty"),
        ([["Licence", "Nom"]], "licences_empty"),
        ([["Licence", "Nom"], ["", ""]], "licences_empty"),
        ([["12345", "Dupont"], ["12346", "Martin"]], "licences_heading"),
        ([["Licence", "Club"], ["1", "x"]], "licences_heading"),
        ([["Licence", "Nom"], *[[str(n), "Un"] for n in range(25_001)]], "licences_too_many"),
        ([["Licence", "Nom"], ["", "Un"], ["", "Deux"]], "licences_none"),
    ],
)
def test_file_that_is_no_list_is_refused_as_a_whole(rows, code):
    with pytest.raises(LicencesRefused) as refused:
        read_licences(write_cells(rows))
    assert refused.value.code == code


def test_days_and_zeros_of_a_workbook_are_read():
    columns = [SheetColumn("l", "Licence"), SheetColumn("n", "Nom"), SheetColumn("f", "Fin", CellKind.DAY)]
    data = write_workbook([SheetTable("t", "t", columns, [["007", "Un", dt.date(2027, 8, 31)]])])
    file = read_licences(write_cells(read_sheets(data).rows))
    assert values(file) == [("007", "Un", "", "", dt.date(2027, 8, 31), "")]
