"""The reader of a federation's list of licences: its columns, days and series, and the lines that it leaves out."""

import datetime as dt

import pytest

from clubs.licences.reading import LicenceFileRefused, LicenceLine, read_licences, split_table
from clubs.uploads.spreadsheet import read_sheets
from tournaments.sheets.table import CellKind, SheetColumn, SheetTable
from tournaments.sheets.write_xlsx import write_workbook

HEADING = ["Licence", "Nom", "Prénom", "Série", "Fin"]


def read(*rows, heading=HEADING):
    return read_licences([heading, *rows])


def test_line_of_a_federation_is_read_with_small_letters():
    file = read(["12 345", "DE LA TOUR", "Marie-Ange", "2e série", "31/08/2027"])
    assert file.lines == [LicenceLine(2, "12345", "De La Tour", "Marie-Ange", "2", dt.date(2027, 8, 31))]
    assert file.wrong == []


@pytest.mark.parametrize(
    ("heading", "cell", "until"),
    [
        ("Fin", "2027-08-31", dt.date(2027, 8, 31)),
        ("Date de fin", "31.08.2027", dt.date(2027, 8, 31)),
        ("Échéance", "31/08/27", dt.date(2027, 8, 31)),
        ("Saison", "2026-2027", dt.date(2027, 8, 31)),
        ("Saison", "2026/27", dt.date(2027, 8, 31)),
        ("Season", "2027", dt.date(2027, 12, 31)),
        ("Fin", "2026-2027", dt.date(2027, 8, 31)),
        ("Fin", "", None),
    ],
)
def test_last_day_is_told_by_a_day_or_a_season(heading, cell, until):
    file = read(["1", "Un", cell], heading=["N° Licence", "NOM", heading])
    assert [line.until for line in file.lines] == [until]


@pytest.mark.parametrize("said", ["Licence", "N° de licence", "LICENSE", "numéro de licence", " Licence : "])
def test_column_of_the_licence_has_many_names(said):
    assert [line.licence for line in read(["7", "Un"], heading=[said, "Nom de famille"]).lines] == ["7"]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (["", "Un", "", "", ""], "licences_none"),
        (["1", "", "Zoé", "", ""], "licences_nameless"),
        (["1" * 21, "Un", "", "", ""], "licences_long"),
        (["1", "U" * 81, "", "", ""], "licences_long"),
        (["1", "Un\u202eeux", "", "", ""], "licences_hidden"),
        (["1", "Un", "", "9e", ""], "licences_series"),
        (["1", "Un", "", "", "demain"], "licences_day"),
        (["1", "Un", "", "", "31/02/2027"], "licences_day"),
    ],
)
def test_line_that_cannot_be_read_is_left_out_with_its_reason(row, code):
    file = read(row, ["2", "Deux", "", "", ""])
    assert [(line.number, line.reason.code) for line in file.wrong] == [(2, code)]
    assert [line.licence for line in file.lines] == ["2"]


def test_licence_that_stands_twice_counts_once():
    file = read(["1", "Un"], ["2", "Deux"], ["1", "Autre"], heading=["Licence", "Nom"])
    assert [line.last_name for line in file.lines] == ["Un", "Deux"]
    assert [(line.number, line.reason.params["line"]) for line in file.wrong] == [(4, 2)]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "licences_empty"),
        ([["", ""]], "licences_empty"),
        ([["Licence", "Nom"]], "licences_empty"),
        ([["Licence", "Nom"], ["", ""]], "licences_empty"),
        ([["12345", "Dupont"], ["12346", "Martin"]], "licences_heading"),
        ([["Licence", "Club"], ["1", "x"]], "licences_heading"),
        ([["Licence", "Nom"], *[[str(n), "Un"] for n in range(10_000)]], "licences_too_many"),
    ],
)
def test_file_that_is_no_list_is_refused_as_a_whole(rows, code):
    with pytest.raises(LicenceFileRefused) as refused:
        read_licences(rows)
    assert refused.value.code == code


def test_csv_is_split_at_its_delimiter_and_freed_of_apostrophes():
    assert split_table('Licence;Nom\r\n\'007;"Le; Grand"\r\n') == [["Licence", "Nom"], ["007", "Le; Grand"]]
    assert split_table("Dupont\nMartin") == []


def test_days_of_a_workbook_are_read():
    columns = [SheetColumn("l", "Licence"), SheetColumn("n", "Nom"), SheetColumn("f", "Fin", CellKind.DAY)]
    data = write_workbook([SheetTable("t", "t", columns, [["007", "Un", dt.date(2027, 8, 31)]])])
    assert read_licences(read_sheets(data).rows).lines == [LicenceLine(2, "007", "Un", until=dt.date(2027, 8, 31))]
