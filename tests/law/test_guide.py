"""The lists of CONTRIBUTING.md say the truth: what they name is there, and every variable stands in its table."""

import re

import pytest

from clubs.teams import TEAM_SIZES
from pages.format_places import PLACES
from scoring.formats import FORMATS, INDIVIDUAL, MEETING_TEAMS, SUMMING_TEAMS
from tests.law.packages import MODULES, PROJECT
from tournaments.models import Tournament
from tournaments.words.format_cards import CARDS

GUIDE = (PROJECT / "CONTRIBUTING.md").read_text()
LISTS = re.findall(r"^## (I add [^\n]+)\n\n(.+?)\n\n(?=## )", GUIDE, re.MULTILINE | re.DOTALL)
TARGETS = set(re.findall(r"^(\w+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
VARIABLE = re.compile(r"\benv\.\w+\(\s*\"([A-Z_]+)\"")


def test_guide_has_five_lists():
    things = ["a column", "a setting", "a page", "a format", "a text"]
    assert [title for title, _steps in LISTS] == [f"I add {thing}" for thing in things]


@pytest.mark.parametrize(("title", "steps"), LISTS, ids=[title for title, _steps in LISTS])
def test_each_file_test_and_command_of_a_list_is_there(title, steps):
    paths = [name for name in re.findall(r"`([\w/.-]+)`", steps) if "/" in name or name.endswith(".md")]
    assert [path for path in paths if not (PROJECT / path).exists()] == []
    assert [
        path for path in paths if path.startswith("tests/") and "\ndef test_" not in (PROJECT / path).read_text()
    ] == []
    assert set(re.findall(r"`make (\w+)`", steps)) <= TARGETS
    modules = [name.removeprefix("python -m ") for name in re.findall(r"`(python -m [\w.]+)`", steps)]
    assert [name for name in modules if not (PROJECT / name.replace(".", "/") / "__main__.py").exists()] == []
    assert len(re.findall(r"\(`(?:tests/|make )", steps)) >= 1


def test_each_table_of_the_list_of_a_format_has_every_format():
    """Check the tables that a new format must join; elsewhere a format that a table lacks does as most do."""
    script = (PROJECT / "deals" / "static" / "deals" / "topage_standings.py").read_text()
    api, schema = ((PROJECT / "docs" / name).read_text() for name in ("api.md", "archive.schema.json"))
    in_script = {name for name in FORMATS if f'"{name}"' in script}
    assert {*Tournament.FormatName.values} == {*CARDS} == {*PLACES} == {*FORMATS}
    assert {*TEAM_SIZES} == {*MEETING_TEAMS, *SUMMING_TEAMS}
    assert {*FORMATS} - in_script == {INDIVIDUAL.name}
    assert [each.name for each in FORMATS.values() if each.form and f"`{each.name}`" not in api] == []
    assert [name for name in FORMATS if f'"{name}"' not in schema] == []


def test_every_variable_of_the_settings_stands_in_the_table_of_variables():
    sources = [path.read_text() for name, path in MODULES.items() if name.startswith("config")]
    read = {name for source in sources for name in VARIABLE.findall(source)}
    table = (PROJECT / "docs" / "install.md").read_text()
    told = {
        name for row in re.findall(r"^\| (`[A-Z_`, ]+`) \|", table, re.MULTILINE) for name in re.findall(r"\w+", row)
    }
    missing = read - told
    assert len(read) > 40
    assert not missing, f"add to the table of variables in docs/install.md: {missing}"
