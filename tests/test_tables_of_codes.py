"""The tables of codes in the documents: each has all members of its enumeration in the code, and no other word."""

import re
from pathlib import Path

import pytest

from api.plans.changes import SHAPES
from api.score import ScoreIn
from clubs.models import WebhookCall
from clubs.models.accounts import Scope
from clubs.roster.readings import Doubt
from referee.records.notation import KEYS
from rooms.models import RoomKind
from scoring.series import PointScale
from scoring.ties import TieBreak
from tournaments.rules.difference import RULES

DOCS = Path(__file__).parents[1] / "docs"
TABLES = {
    ("scoring.md", "criterion"): {*TieBreak},
    ("webhooks.md", "`event`"): {*WebhookCall.CallEvent.values},
    ("api.md", "scope"): {*Scope.values},
    ("api.md", "`doubt`"): {*Doubt},
    ("api.md", "field"): {*ScoreIn().fields},
    ("api.md", "`kind`"): {*SHAPES},
    ("difference.md", "rule"): {rule.__name__ for rule in RULES},
    ("records.md", "line"): {"record", "trick", *KEYS},
    ("rooms.md", "kind"): {*RoomKind.values} - {RoomKind.CLASSIC},  # whose tables a chapter of their own describes
    ("series.md", "scale"): {*PointScale},
}


def read_codes(text, head):
    """Return the codes in the first column of the table with this head."""
    (table,) = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [code for row in table.splitlines() for code in re.findall(r"`(\w+)`", row.split("|")[1])]


@pytest.mark.parametrize(("document", "head"), TABLES, ids=lambda part: part.strip("`").removesuffix(".md"))
def test_table_of_a_document_has_the_codes_of_its_enumeration(document, head):
    codes = read_codes((DOCS / document).read_text(), head)
    assert sorted(codes) == sorted(TABLES[document, head])


def test_renamed_criterion_is_noticed():
    text = (DOCS / "scoring.md").read_text().replace("| `draw` |", "| `assign_seats` |")
    assert set(read_codes(text, "criterion")) ^ {*TieBreak} == {"draw", "assign_seats"}
