"""The program LibreOffice, without a window and with French settings: it opens files and tells what each cell shows."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

SPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}
# Semicolons, double quotes, UTF-8, all lines, French. The program looks for special numbers and formulas, as a person
# may let it do. Whatever it could misread, it misreads.
CSV = "--infilter=Text - txt - csv (StarCalc):59,34,76,1,,1036,false,true,false,false,false,0,true"
FRENCH = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>fr-FR</value></prop></item>
</oor:items>
"""
SECONDS = 240


class OpenedCell(NamedTuple):
    """A cell as the program shows it: its text, its kind ("string", "float", "date", ""), and its formula or "".

    `moment` is what a date means, in the ISO form, else "". The program shows the dates of a CSV file with short years.
    """

    text: str
    kind: str
    formula: str
    moment: str


Sheets = dict[str, list[list[OpenedCell]]]


def open_files(paths: Sequence[Path], folder: Path) -> dict[str, Sheets]:
    """Return the sheets of each file, by the file's name. The program starts once for CSV, and once for XLSX."""
    program = shutil.which("soffice")
    if program is None:
        pytest.fail("this test needs LibreOffice: `make nightly` as root installs it (package libreoffice-calc)")
    profile, out = folder / "profile", folder / "opened"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(FRENCH)
    found = {}
    for ending, options in (("csv", [CSV]), ("xlsx", [])):
        names = [str(path) for path in paths if path.suffix == f".{ending}"]
        command = [program, f"-env:UserInstallation=file://{profile}", "--headless", "--norestore", *options]
        command += ["--convert-to", "fods", "--outdir", str(out / ending), *names]
        environment = os.environ | {"HOME": str(folder)}
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=SECONDS)
        for name in names:
            opened = out / ending / Path(name).with_suffix(".fods").name
            assert opened.exists(), f"LibreOffice does not open {name}"
            found[Path(name).name] = read_sheets(opened)
    return found


def read_sheets(path: Path) -> Sheets:
    root = ElementTree.parse(path).getroot()
    sheets = root.findall("office:body/office:spreadsheet/table:table", SPACES)
    return {sheet.get(named("table:name"), ""): read_rows(sheet) for sheet in sheets}


def read_rows(sheet: ElementTree.Element) -> list[list[OpenedCell]]:
    """Return the rows that have a text, each as long as the first one."""
    rows = []
    for row in sheet.iter(named("table:table-row")):
        cells = []
        for cell in row.findall("table:table-cell", SPACES):
            text = "\n".join("".join(line.itertext()) for line in cell.findall("text:p", SPACES))
            told = (cell.get(named(name), "") for name in ("office:value-type", "table:formula", "office:date-value"))
            read = OpenedCell(text, *told)
            again = int(cell.get(named("table:number-columns-repeated"), 1))
            cells += [read] * (again if read.kind else min(again, 50))
        if any(cell.kind for cell in cells):
            rows += [cells] * int(row.get(named("table:number-rows-repeated"), 1))
    empty = OpenedCell("", "", "", "")
    wide = max((place for place, cell in enumerate(rows[0], start=1) if cell.kind), default=0)
    return [[*row, *[empty] * wide][:wide] for row in rows]


def named(name: str) -> str:
    """Return the name of an XML element or attribute with its namespace written out."""
    space, _, local = name.partition(":")
    return f"{{{SPACES[space]}}}{local}"
