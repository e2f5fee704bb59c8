"""The heading of a session's sheets: all have the same one, made in one place."""

import ast

import pytest

from outgoing.paper.pdf import make_heading
from tests.factories import make_tournament, started_session
from tests.law.packages import MODULES

MAKER = "outgoing.paper.pdf"


@pytest.mark.nightly("print")
def test_no_other_module_makes_a_heading():
    def makes(path):
        calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        return any(getattr(func, "id", getattr(func, "attr", "")) == "SessionHeading" for func in calls)

    assert [module for module, path in MODULES.items() if makes(path)] == [MAKER]


@pytest.mark.parametrize(("auction", "imposed"), [("imposed", True), ("free", False)])
def test_heading_names_the_evening_and_says_whether_contracts_are_written(db, auction, imposed):
    session = started_session(make_tournament(auction=auction, name="Coupe"), tables=5, positions=5)
    heading = make_heading(session)
    assert (heading.club, heading.tournament) == (session.tournament.club.name, "Coupe")
    assert (heading.session, heading.date, heading.imposed) == (session.number, session.date, imposed)
