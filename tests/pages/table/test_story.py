"""The screen of a table in node, on a stand-in of a browser: stories of a phone that asks the real site."""

import json
import re

import pytest
from django.test import Client

from evenings.tables.words import catalogue
from tests.evenings.tables.phones import tokens_of
from tests.factories import started_session
from tests.node.running import check_story, run, scripts  # noqa: F401  (a fixture)
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.guard("the scripts of a table's screen meet the real site")]
START = """
document.open('<script id="words"></script><div id="head"></div><p id="status"></p><div id="screen"></div>'
  + '<div id="foot"></div><p id="said"></p>');
document.getElementById("words").textContent = JSON.stringify(words);
location.pathname = `/t/${token}/`;
navigator.language = "en-GB";
await import("./table/app.js");
tell(await play(steps, ["head", "status", "screen", "foot", "said"]));
"""


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(cards=True, positions=3, etuis_per_position=2)
    tokens_of(session)
    return session.pk


@pytest.fixture
def site():
    """Answer what the phone asks as the site does."""
    client = Client(headers={"accept-language": "en"}, enforce_csrf_checks=True)

    def answer(asked):
        if asked["method"] == "POST":
            response = client.post(asked["url"], json.loads(asked["body"]), content_type="application/json")
        else:
            response = client.get(asked["url"])
        return {"status": response.status_code, "text": response.content.decode()}

    return answer


def press(*keys):
    return [("press", key) for key in keys]


def points(digits):
    return press(*(f"digit-{digit}" for digit in digits), "next")


@pytest.fixture
def plays(session):
    return list(session.plays.filter(table__number=1).select_related("etui").order_by("position", "etui__number"))


def check(name, scripts, tmp_path, site, plays, steps):  # noqa: F811
    """Play a story at the first table, and compare it to its file. Ids and times differ from run to run."""
    told = run(scripts, START, site=site, words=catalogue(), token=tokens_of(plays[0].session)[1], steps=steps)
    told = [[line for line in lines if is_told(line)] for lines in told]
    numbers = {str(play.pk): f"P{play.position}E{play.etui.number}" for play in plays}

    entries = {}

    def known(line):
        line = re.sub(r"no\. (\d+)", lambda found: f"no. {entries.setdefault(found[1], len(entries) + 1)}", line)
        line = re.sub(r"\b\d\d:\d\d\b", "HH:MM", line)
        return re.sub(r"\b(etui|owed)-(\d+)\b", lambda found: f"{found[1]}-{numbers[found[2]]}", line)

    check_story(name, steps, told, tmp_path, known)


def test_position_is_entered_checked_and_sent_as_its_story_tells(scripts, tmp_path, site, plays):  # noqa: F811
    first, second, third = (f"etui-{play.pk}" for play in plays[:3])
    steps = [
        *press("menu", "back", "write", "menu", "seat-E", "asks", "language", "language", "back", "after", "before"),
        *press("call", "reason-cards", "call", second, "no", second, "yes", "home", first, "petit+excuse"),
        *points("47"),
        *press("petit-defence", "poignee", "N", "double", "next", "chelem", "announced_failed", "chelem", "none"),
        *press("next", "petit-attack", "save", "disagree", "correct", "21+petit", "erase", "digit-5", "next", "next"),
        *press("save", "agree", "home"),
        ("offline", True),
        *press(second, "none", "next"),
        *points("9"),
        *press("petit-attack", "next", "only-fiche", "+", "digit-6", "digit-0", "-", "next", "save", "agree", "home"),
        ("offline", False),
        ("pass", 20000),
        *press("call", first, "home-list", "after", third, "not_played", "undo", "home-list"),
    ]
    check("table_position", scripts, tmp_path, site, plays, steps)


def test_cards_of_an_etui_are_recorded_as_its_story_tells(scripts, tmp_path, site, plays):  # noqa: F811
    Session.objects.update(whole_records=True)
    first = f"etui-{plays[0].pk}"
    steps = [
        *press("write", first, "excuse"),
        *points("47"),
        *press("petit-none", "save", "agree", "card-♠R", "card-♠3", "card-5"),
    ]
    steps += press("undo-card", "card-5", "card-♠2", "card-12", "card-13", "card-1", "card-*", "card-♠4", "card-♠5")
    steps += press("card-♠6", "card-♠7", "really", "claim", "attack", "undo-card", "claim", "defence", "skip", first)
    steps += press("record", "undo-card", "undo-card", "skip", "noted")
    check("table_cards", scripts, tmp_path, site, plays, steps)


def is_told(line):
    """Return False for a card of the deck that nobody has played or denied."""
    return not line.startswith("[card-") or "(off)" in line or "cannot" in line or "♥5" in line
