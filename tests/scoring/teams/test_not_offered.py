"""The forms of teams are pure so far: no tournament, club, file or page can choose one."""

import ast
from dataclasses import fields

import pytest

from scoring.errors import ScoringError
from scoring.formats import BY_AUCTION, FORMATS, find_format, find_format_by_auction
from scoring.teams import TEAM_FORMATS
from tests.law.rooms import MODULES
from tournaments.management.commands.standings import Command
from tournaments.models import Tournament

PURE_ROOMS = ("scoring.teams", "movements.teams", "clubs.teams")


def list_imports(path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_no_code_outside_the_pure_rooms_asks_for_teams():
    asking = {
        (module, name)
        for module, path in MODULES.items()
        if not module.startswith(PURE_ROOMS)
        for name in list_imports(path)
        if name.startswith(PURE_ROOMS)
    }
    assert asking == set()


def test_list_of_formats_has_no_form_of_teams():
    assert [*FORMATS] == ["individual", "free_auction"]
    assert [*BY_AUCTION] == ["imposed", "free"]
    assert {*FORMATS} & {*TEAM_FORMATS} == set()


@pytest.mark.parametrize("name", TEAM_FORMATS)
@pytest.mark.parametrize("look_up", [find_format, find_format_by_auction])
def test_name_of_a_form_of_teams_is_no_format_of_the_site(look_up, name):
    with pytest.raises(ScoringError) as caught:
        look_up(name)
    assert caught.value.code == "unknown_value"


def test_no_tournament_may_have_a_form_of_teams():
    """Check the choices. A club's settings get their format from a word of the form, which `find_format` looks up."""
    choices = {value for value, _label in Tournament._meta.get_field("format").choices}
    assert choices == {"individual", "free_auction"}
    assert {str(choice) for choice in Tournament.Auction} == {"imposed", "free"}


def test_command_that_ranks_files_offers_no_form_of_teams():
    parser = Command().create_parser("manage.py", "standings")
    (rules,) = (action for action in parser._actions if action.dest == "rules")
    assert [*rules.choices] == ["individual", "free_auction"]


def test_field_that_teams_needed_changes_no_format_of_the_site():
    added = {field.name: field.default for field in fields(find_format("individual"))}
    assert added["barred"] == ()
    assert {each.barred for each in FORMATS.values()} == {()}
