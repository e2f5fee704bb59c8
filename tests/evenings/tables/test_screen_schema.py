"""The schema of the table's screen: its words are the site's words, and its types are those of the scripts."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from evenings.plays.state import PlayState
from evenings.tables import command, commands
from evenings.tables.words import FILES, SCRIPTS
from scoring.contract import Chelem, Contract, Poignee, Side
from scoring.plays import SEATS
from tests.evenings.tables.phones import Device
from tests.evenings.tables.screen_schema import DEFINITIONS, TYPES, fitting, write_types
from tests.factories import make_tournament, started_session
from tournaments.models import Session, Tournament
from tournaments.rules.entry import FIELDS, Bout

UNREAD = Path(__file__).with_name("unread.cjs")
SESSION, PLAY = DEFINITIONS["Session"]["properties"], DEFINITIONS["Play"]["properties"]


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (DEFINITIONS["Line"], SEATS),
        (DEFINITIONS["Contract"], Contract),
        (DEFINITIONS["Bout"], Bout),
        (DEFINITIONS["Side"], Side),
        (DEFINITIONS["Poignee"], Poignee),
        (DEFINITIONS["Chelem"], Chelem),
        (SESSION["auction"], Tournament.Auction.values),
        (SESSION["shows"], Session.ShownAfter.values),
        (PLAY["check"], Session.Check.values),
        (PLAY["state"], PlayState),
        (DEFINITIONS["Command"]["properties"]["kind"], commands.HANDLERS),
        (
            DEFINITIONS["Receipt"]["properties"]["status"],
            [command.RECEIVED, command.REFUSED, command.CONFLICT, command.QUESTION],
        ),
    ],
    ids=lambda given: "",
)
def test_words_are_those_of_the_site(schema, values):
    assert sorted(schema["enum"]) == sorted(map(str, values))


@pytest.mark.parametrize("kind", FIELDS)
def test_entries_have_the_fields_of_the_site(kind):
    properties = set(DEFINITIONS[kind.capitalize()]["properties"])
    assert properties - {"shown_by", "attacker", "players", "partner"} == {"kind", *FIELDS[kind]}


def test_types_of_the_scripts_are_those_of_the_schema():
    assert TYPES.read_text() == write_types(), "python -m tests.evenings.tables.screen_schema writes them anew"


@pytest.mark.django_db
@pytest.mark.parametrize("auction", Tournament.Auction.values)
def test_state_of_a_table_that_has_not_begun(auction):
    session = started_session(make_tournament(auction=auction))
    assert Device(session.tables.first()).state()["session"]["auction"] == auction


def test_what_is_too_much_or_too_little_does_not_fit():
    going = {"name": "Anne", "line": "N", "table": 2}
    fitting("Going", going)
    for wrong in (going | {"position": 2}, {"name": "Anne", "table": 2}, going | {"table": "4"}, going | {"line": "O"}):
        with pytest.raises(AssertionError, match="not a Going"):
            fitting("Going", wrong)


def test_browsers_keep_every_script_that_the_page_comes_to_import():
    named = {found for script in SCRIPTS.rglob("*.js") for found in imports(script)}
    kept = {name for name in FILES if name.endswith(".js")}
    assert {SCRIPTS.parent / name for name in kept} == named | {SCRIPTS / "app.js"}
    assert [name for name in FILES if not finders.find(name)] == []
    assert {"css/table/screen.css", "img/icon.svg"} < set(FILES)


@pytest.mark.nightly("crawl")
def test_every_property_is_named_by_a_script():
    """Check the names as TypeScript's own compiler finds them; `make system` installs it."""
    typescript = Path(shutil.which("tsc") or "tsc").resolve().parents[1] / "lib" / "typescript.js"
    asked = ["node", str(UNREAD), str(typescript)]
    answer = subprocess.run(asked, cwd=settings.BASE_DIR, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == []


def test_who_knows_and_who_sends_draw_nothing():
    """Check the imports: `state` imports nothing else, `device` imports `state`, and neither imports `views`."""
    for folder, asked in (("state", {"state"}), ("device", {"state", "device", "table"})):
        for script in (SCRIPTS / folder).glob("*.js"):
            assert {found.parent.name for found in imports(script)} <= asked, script


def imports(script):
    """Return the scripts that a script loads when it runs. Imports of types alone are left out."""
    found = re.findall(r'^(?:import .*|} )from "(\.{1,2}/[\w/.-]+\.js)";$', script.read_text(), re.MULTILINE)
    return [(script.parent / name).resolve() for name in found]
