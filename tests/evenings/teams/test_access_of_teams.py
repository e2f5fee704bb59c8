"""Every page of a triplettes evening for every role: the table of access, asked about sessions of teams."""

import re

import pytest
from django.utils import timezone

from clubs.models import User, Visibility
from clubs.shown import choose_shown
from evenings.requests.asking import ask_correction
from evenings.sessions.setup import create_session, create_tournament
from tests.evenings.requests.team_world import TwoTeams
from tests.evenings.requests.world import WRONG
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import DATE, enter_all, make_club, publish
from tests.test_access import PAGES, READ, ROLES, outcome, text_of, visit
from tests.world import make_world
from tournaments.models import Play, ResultEntry, TeamMember

pytestmark = pytest.mark.nightly("crawl")

OF_SESSIONS = {
    name: need
    for name, (_method, need, where) in PAGES.items()
    if where and where.split()[0] in ("draft", "running", "published")
}
HIDDEN = "Cachette"
RESULT = re.compile(r"(?<!\d)31[ \u202f\xa0]?234")  # not the seconds of a calendar, such as T131234Z


def make_team_world(format="triplettes", places=(1, 2, 3), positions=3):
    """Return the world of the access tables, with sessions of this format of teams in place of its own."""
    world = make_world(make_club(), ROLES)
    director = User.objects.get(username="director")
    tournament = create_tournament(club=world["club"], name="Équipes", format=format, now=timezone.now())
    tournament.first_badge = 2
    tournament.save()
    make_teams(tournament, 4, places=places)
    player = TeamMember.objects.get(team__tournament=tournament, team__number=2, place=1).player
    player.last_name, player.licence = HIDDEN, "LIC-8714"
    player.save()
    tournament.teams.filter(number=2).update(name=f"Chez {HIDDEN}")
    choose_shown(player=player, shown=Visibility.HIDDEN, way="account", by=None, now=timezone.now())
    running, published = (start(prepare(tournament, positions=positions)) for _time in range(2))
    draft = create_session(tournament=tournament, date=DATE, positions=positions, etuis_per_position=4)
    enter_all(running, by=director)
    facts = {"contract": "", "bouts": None, "half_points": None, "petit_au_bout": "", "chelem": ""}
    ResultEntry.objects.filter(play__session=running).update(kind="fiche", fiche_score=31234, **facts)
    publish(play_all(published, by=director), by=director)
    two = TwoTeams.between(published)
    told = {"play_id": two.play.pk, "text": WRONG, "now": timezone.now()}
    sessions = {"draft": draft, "running": running, "published": published}
    plays = {name: getattr(Play.objects.filter(session=one).first(), "pk", None) for name, one in sessions.items()}
    entrants = {name: getattr(one.entrants.first(), "pk", 1) for name, one in sessions.items()}
    for client in world["clients"].values():
        client.raise_request_exception = False
    asked = ask_correction(link=two.own[0], **told)
    return world | sessions | {"tournament": tournament, "play": plays, "entrant": entrants, "request": asked.pk}


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    return make_team_world()


@pytest.fixture(scope="module")
def crawl(world):
    """Return the answers of every page of a session, by role and name."""
    return {role: {name: visit(world, name, role) for name in OF_SESSIONS} for role in ROLES}


@pytest.mark.parametrize("role", ROLES)
def test_no_page_of_teams_opens_to_who_may_not(crawl, role):
    closed = "login" if role == "anonymous" else "forbidden"
    mine = {name for name, need in OF_SESSIONS.items() if ROLES[role] < need}
    assert {name: outcome(crawl[role][name]) for name in mine} == dict.fromkeys(mine, closed)


@pytest.mark.parametrize("role", ROLES)
def test_page_of_teams_opens_to_who_may_or_is_not_there(crawl, role):
    mine = {name for name, need in OF_SESSIONS.items() if ROLES[role] >= need}
    told = {name: outcome(crawl[role][name]) for name in mine}
    assert {name: how for name, how in told.items() if how not in ("open", 404)} == {}
    assert len([name for name, how in told.items() if how == "open"]) > len(mine) * 0.9


@pytest.mark.parametrize("role", [role for role, power in ROLES.items() if power == READ])
def test_no_result_and_no_hidden_name_is_shown_to_readers(crawl, role):
    texts = {name: text_of(answer) for name, answer in crawl[role].items()}
    assert [name for name, text in texts.items() if RESULT.search(text)] == []
    assert [name for name, text in texts.items() if "LIC-8714" in text] == []
    shown = {name for name, text in texts.items() if HIDDEN in text}
    assert {name for name in shown if PAGES[name][2].startswith("published")} == set()


def test_director_reads_names_and_results(crawl):
    texts = {name: text_of(answer) for name, answer in crawl["director"].items()}
    assert any(HIDDEN in text for text in texts.values())
    assert any(RESULT.search(text) for text in texts.values())
