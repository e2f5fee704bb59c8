"""The readers of tables: one for the lists that people have, and a few for files of programs, each with its reason."""

import ast

import pytest

from tests.law.packages import MODULES
from tests.law.uses import find_uses

READING = {"csv.reader", "csv.DictReader", "csv.Sniffer"}
READERS = {
    "wording.table": "every list that somebody pastes or uploads",
    "scoring.files.sheets": "the results that other programs write, for commands and scripts",
    "movements.plan.csv_text": "a plan of numbers, as clubs write it",
    "deals.static.deals.topage_standings": "a program that people take along, which stands alone",
}


def find_readers(sources):
    """Return the modules that split the rows of a text themselves."""
    return {
        name for name, source in sources.items() if READING & {used for used, _line in find_uses(ast.parse(source))}
    }


def test_one_module_reads_the_lists_of_people():
    assert find_readers({name: path.read_text() for name, path in MODULES.items()}) == set(READERS)


@pytest.mark.parametrize(
    "source",
    ["import csv\nrows = csv.reader(file)", "from csv import DictReader as Rows\nrows = Rows(file)"],
)
def test_planted_reader_is_found(source):
    assert find_readers({"clubs.planted": source, "clubs.other": "import csv\ncsv.writer(file)"}) == {"clubs.planted"}
