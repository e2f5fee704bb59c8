"""The pages of evenings of single players: they have no trace of teams, and their sentences end as they should."""

import re

import pytest

from clubs.models import Season
from tests.factories import DATE, make_club
from tests.test_access import PAGES, ROLES, outcome, visit
from tests.world import make_world
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
OF_SESSIONS = [
    name
    for name, (method, _need, where) in PAGES.items()
    if method == "GET" and where and where.split()[0] in ("draft", "running", "published", "tournament")
]
OF_TEAMS = re.compile(r"\b(teams?|triplettes?|quadrettes?|badges?|équipes?)\b", re.IGNORECASE)
# Pages for tournaments of teams alone, and those on which a director chooses the form of play.
INLINE = r"a|abbr|b|code|em|i|small|span|strong|time"  # tags that part no words
ABOUT_TEAMS = {"prepare_teams", "tournament_rules", "matches", "line_ups"}


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    world = make_world(make_club(), ROLES)
    season = Season.objects.create(club=world["club"], name="2026", starts_on=DATE, ends_on=DATE)
    Tournament.objects.update(season=season)
    return world


@pytest.fixture(scope="module", params=["en", "fr"])
def pages(world, request):
    """Return what a director reads on each page of a session or tournament of single players, by its name."""
    world["clients"]["director"].defaults["HTTP_ACCEPT_LANGUAGE"] = request.param
    answers = {name: visit(world, name, "director") for name in OF_SESSIONS if name not in ABOUT_TEAMS}
    return {
        name: read_text(answer.content.decode())
        for name, answer in answers.items()
        if outcome(answer) == "open" and answer.get("Content-Type", "").startswith("text/html")
    }


def read_text(html):
    """Return the text of a page as a browser shows it, with a bar between blocks."""
    html = re.sub(rf"</?(?:{INLINE})\b[^>]*>", "", html)
    return " ".join(re.sub(r"(?:\s*<[^>]*>\s*)+", " | ", html).split())


@pytest.mark.nightly("story")
def test_pages_of_single_players_name_no_team(pages):
    assert len(pages) > 40
    assert {name: found[0] for name, text in pages.items() if (found := OF_TEAMS.findall(text))} == {}


@pytest.mark.nightly("story")
def test_no_sentence_has_a_space_before_its_end(pages):
    found = {name: re.findall(r".{20}\w[ \N{NO-BREAK SPACE}][.,](?!\d).{8}", text) for name, text in pages.items()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
