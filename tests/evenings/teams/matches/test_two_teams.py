"""The fewest teams of a session: two teams play a match, and every format says why it cannot start with fewer."""

import pytest
from django.utils import timezone

from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import create_tournament
from pages.doors import session_url
from scoring.formats import FORMATS
from tests.api.conftest import Client as Program
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.matches.evening import make_matches, prepare_match, start
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db


def make_tournament_of(format: str, teams: int, members: int = 4) -> Tournament:
    tournament = create_tournament(club=make_club(), name="Hiver", format=format, now=timezone.now())
    make_teams(tournament, teams, places=range(1, members + 1))
    return tournament


def list_missing(session: Session) -> list[str]:
    session.refresh_from_db()
    return [step.name for step in preparation_of(session).steps if not step.ready and step.name != "start"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("members", "etuis"), [(4, 4), (6, 6)])
def test_match_of_two_teams_starts_by_its_page(members, etuis):
    session = prepare_match(make_tournament_of("team_match", 2, members), etuis=etuis)
    director = browser_of(make_director(session.tournament.club))
    assert list_missing(session) == []
    assert session_url("start", session) in director.get(session_url("session", session)).content.decode()
    director.post(session_url("start", session))
    session.refresh_from_db()
    assert (session.status, session.tables.count()) == (Session.Status.RUNNING, 2)


def test_match_of_two_teams_starts_by_the_api():
    session = prepare_match(make_matches(2))
    program = Program(make_director(session.tournament.club))
    assert program("POST", f"sessions/{session.pk}/start/")["status"] == "running"


@pytest.mark.nightly("story")
@pytest.mark.parametrize("pair", [(1, 2), (4, 3)])
def test_day_of_a_league_with_one_match_starts(pair):
    """Start one match of a league of four teams, as when each match has an evening of its own."""
    tournament = make_matches(4)
    sessions = [prepare_match(tournament, pair), prepare_match(tournament, {1, 2, 3, 4} - {*pair})]
    for session in sessions:
        assert list_missing(session) == []
        assert start(session).status == Session.Status.RUNNING


@pytest.mark.parametrize(
    ("format", "teams", "reason"),
    [
        ("triplettes", 3, "3 teams have a number: at least 4 play in this format."),
        ("quadrettes", 3, "3 teams have a number: at least 4 play in this format."),
        ("team_match", 1, "1 team has a number: at least 2 play in this format."),
    ],
)
def test_too_few_teams_cannot_start_and_the_page_says_why(format, teams, reason):
    session = prepare_match(make_tournament_of(format, teams, 3 if format == "triplettes" else 4))
    assert "teams" in list_missing(session)
    page = browser_of(make_director(session.tournament.club)).get(
        session_url("session", session), headers={"accept-language": "en"}
    )
    assert reason in words(page)
    with pytest.raises(ActionRefused, match="teams_lacking"):
        start(session)


def test_every_format_of_teams_has_a_least_number_of_teams():
    assert {name: each.least_teams for name, each in FORMATS.items() if each.is_for_teams} == {
        "triplettes": 4,
        "quadrettes": 4,
        "team_match": 2,
    }
