"""The rules that are written once, although several rooms could repeat them.

Where no package may ask the other, the test here compares the two.
"""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

from deals.domain.cards import LINES, seats
from scoring.ranking import Line
from tests.law.packages import MODULES, PROJECT, ROOTS
from tournaments.models.seats import SEAT_COLUMNS, SEAT_FIELDS
from wording.figures import decimal_text, write_decimal
from wording.table import find_delimiter

KINDS = ("js", "typ", "html")
SCREEN_WORDS = "pages/static/table/words.js"
# They write and read the columns of a play's places. All others ask `Play.seats`, or functions of `models/seats.py`.
SEAT_CODECS = {
    "archives/archive/numbers.py",
    "tournaments/models/plays.py",
    "evenings/plans/layout.py",
    "evenings/plans/free/laying_again.py",
    "evenings/plays/free.py",
    "evenings/standings/etuis.py",
}
POSTER = "outgoing/paper/typst/poster.typ"  # takes the four apart in the order in which it gets them


def modules_that(pattern: str) -> set[str]:
    """Return the paths of the modules whose source matches, except programs that players run alone."""
    said = re.compile(pattern)
    found = {path.relative_to(PROJECT) for path in MODULES.values() if said.search(path.read_text())}
    return {str(path) for path in found if Path("deals/static") not in path.parents}


def files_that(pattern: str) -> set[str]:
    """Return the paths of the scripts, layouts of prints and templates whose source matches."""
    said = re.compile(pattern)
    paths = (path for root in (*ROOTS, "templates") for kind in KINDS for path in (PROJECT / root).rglob(f"*.{kind}"))
    return {str(path.relative_to(PROJECT)) for path in paths if said.search(path.read_text())}


def test_scoring_and_cards_name_the_same_four_lines_in_the_same_order():
    assert [*map(str, Line)] == [*map(str, LINES)] == [*map(str, seats(4))]


@pytest.mark.nightly("story")
def test_no_third_room_says_what_the_lines_are():
    named = modules_that(r"""\bN = "N"|["']NESW["']|\(["']N["'], ["']E["'], ["']S["']|class (Line|Seat)\b""")
    assert named - {"deals/domain/deal.py"} == {"deals/domain/cards.py", "scoring/plays.py"}  # its docstring shows them
    assert modules_that(r"""["']north(_id)?["'], ["']east""") == {"tournaments/models/seats.py"}


def test_no_script_print_or_page_says_what_the_lines_are():
    """Check that scripts get the seats: the table's screen from its state, prints and pages from their makers."""
    assert files_that(r"""["']N["'],\s*["']E["']|NESW|\bN: .*\bE: |\bnorth["']?,.*\beast\b""") - {POSTER} == set()


@pytest.mark.nightly("story")
def test_only_models_name_the_columns_of_a_place_at_a_table():
    """Check that all other code uses `Play.seats`, `Play.seat_ids`, or the functions of `models/seats.py`."""
    columns = {*SEAT_FIELDS, *SEAT_COLUMNS}

    def named(node: ast.AST) -> str | None:
        match node:
            case ast.Attribute(attr=name) | ast.keyword(arg=name) | ast.Constant(value=name):
                return name if isinstance(name, str) else None
        return None

    found = {
        f"{path.relative_to(PROJECT)}:{node.lineno}"
        for path in MODULES.values()
        if path.relative_to(PROJECT).parts[0] not in ("movements", "deals", "referee", "bots")
        for node in ast.walk(ast.parse(path.read_text()))
        if named(node) in columns
    }
    assert {place.split(":")[0] for place in found} == {"tournaments/models/seats.py"}


@pytest.mark.nightly("story")
def test_only_models_and_codecs_import_the_columns_of_a_place_at_a_table():
    assert modules_that(r"\b(ALL_)?(SEAT_FIELDS|SEAT_COLUMNS)\b") == {"tournaments/models/seats.py", *SEAT_CODECS}


@pytest.mark.parametrize(
    ("heading", "delimiter"),
    [("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a, x;b;c", ";"), ("a;x,b,c", ","), ("a", ""), ("", "")],
)
def test_delimiter_is_the_commonest_sign_of_the_heading(heading, delimiter):
    assert find_delimiter(heading) == delimiter


def test_nobody_else_looks_for_the_delimiter():
    assert modules_that(r"key=\w+\.count|Sniffer") == {"wording/table.py"}


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(175, 2), 1, "87.5"),
        (Fraction(5645, 100), 1, "56.5"),
        (Fraction(-1, 3), 1, "-0.3"),
        (Fraction(-1, 30), 1, "0.0"),
        (Fraction(-5, 100), 1, "-0.1"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(2, 3), 6, "0.666667"),
        (50, 2, "50.00"),
    ],
)
def test_a_figure_is_rounded_half_away_from_0(value, places, text):
    assert decimal_text(value, places) == text


def test_nobody_else_rounds_a_figure_that_is_shown():
    assert modules_that(r"quantize|number_format|Fraction\(1, 2\)") == set()
    elsewhere = r"""toFixed|NumberFormat|toLocaleString|toPrecision|calc\.round|floatformat(?!:"0g")"""
    assert files_that(elsewhere) == set()


def test_nobody_else_writes_a_figure_in_the_signs_of_a_language():
    assert modules_that(r"""replace\(["']\.["'], """) == {"wording/figures.py"}
    assert modules_that(r"write_decimal\(") == {
        "wording/figures.py",
        "tournaments/words/figures.py",
        "deals/exports/pdf.py",
    }
    assert files_that(r"""replace\(["']\.["'], """) == {SCREEN_WORDS}  # a browser test compares it with the site's


@pytest.mark.parametrize(("value", "text"), [(Fraction(175, 2), "87,5"), (Fraction(-1, 3), "−0,3"), (None, "–")])
def test_a_figure_is_written_in_the_signs_of_the_language(value, text):
    assert write_decimal(value, 1, ",") == text


@pytest.mark.nightly("story")
def test_names_are_written_where_the_version_of_the_names_is_raised():
    """Check it, or cached pages would keep the old name. The demonstration makes its own club."""
    written = r"\b(Player|Club)\.objects\.(\w+\(.*\)\.)*(bulk_)?(create|update)\w*\(|\bregister\((Player|Club)\)"
    assert modules_that(written) == {
        "clubs/players.py",
        "clubs/editing.py",
        "clubs/admin.py",
        "clubs/licences.py",
        "clubs/shown.py",  # sets who is rated, and raises the version
        "clubs/accounts/founding.py",  # clubs that no page names yet
        "jobs/demo/club.py",
        "archives/archive/people.py",
        "clubs/persons.py",  # sets the person of a player, which no page shows
        "archives/privacy/erasing.py",  # sets when erasure was requested, which no page shows
        "operations/backup/ledger.py",  # writes the same moment again after a restore
    }
    assert modules_that(r"\braise_names_version\(") == {
        "clubs/editing.py",
        "clubs/admin.py",
        "clubs/licences.py",
        "clubs/shown.py",  # `settle`, after any change of a person
        "clubs/house.py",
        "archives/archive/people.py",
        "archives/privacy/erasing.py",
        "evenings/sessions/ranking_rules.py",  # the tournament's own name
        "evenings/teams/changing.py",  # the names of teams
    }
