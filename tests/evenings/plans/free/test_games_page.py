"""The page of the games of an evening of donnes libres."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import start_session
from evenings.sessions.checklist import preparation_of
from evenings.teams.making import WantedTeam, make_teams
from pages.doors import session_url
from pages.games.page import write_tables
from tests.factories import draft_session, make_director
from tests.free_evenings import draft_free_session, seats_in, start_free_session
from tournaments.models import Session

pytestmark = pytest.mark.django_db

LEAVES = {"do": "leave", "number": "3", "game": "2", "deal": "1", "sure": "1"}


def log_in(client, session):
    client.force_login(make_director(session.tournament.club))
    return session_url("games", Session.objects.select_related("tournament__club").get(pk=session.pk))


def test_settings_are_changed_before_the_start(client):
    session = draft_free_session(13)
    url = log_in(client, session)
    assert client.get(url).status_code == 200
    told = {"seating": "fixed", "odd_tables": "mort", "fits_deals": "", "three_weight": "1.22", "five_weight": "1.37"}
    assert client.post(url, told).status_code == 302
    session.refresh_from_db()
    assert (session.seating, session.odd_tables, str(session.three_weight)) == ("fixed", "mort", "1.22")
    wrong = client.post(url, told | {"five_weight": "0"})
    assert wrong.status_code == 200
    assert 'value="1.22"' in wrong.content.decode()


@pytest.mark.nightly("story")
def test_the_checklist_leads_to_the_tables_and_can_start(client):
    session = draft_free_session(13)
    url = log_in(client, session)
    text = client.get(session_url("session", session)).content.decode()
    assert url in text
    assert client.post(session_url("start", session)).status_code == 302
    session.refresh_from_db()
    assert session.status == Session.Status.RUNNING


@pytest.mark.nightly("story")
def test_a_game_is_changed_by_hand_taken_and_undone(client):
    session = start_free_session(13)
    url = log_in(client, session)
    page = client.get(url)
    tables = [list(people) for people in page.context["proposal"].tables]
    one, other = tables[0][0], tables[1][0]
    told = {"tables": write_tables(tables), "game": "2", "one": str(one), "other": str(other)}
    changed = client.post(url, told | {"do": "exchange"})
    tables[0][0], tables[1][0] = other, one
    assert changed.context["text"] == write_tables(tables)
    assert session.plays.filter(position=2).count() == 0
    assert client.post(url, {"tables": changed.context["text"], "game": "2", "do": "take"}).status_code == 302
    assert seats_in(session, 2)[1] == tuple(tables[0])
    client.post(url, {"game": "2", "do": "undo"})
    assert session.plays.filter(position=2).count() == 0


@pytest.mark.nightly("story")
def test_somebody_leaves_and_somebody_comes_between_two_games(client):
    session = start_free_session(13)
    url = log_in(client, session)
    late = add_players(club=session.tournament.club, lines=[RosterLine("Tard", "Léa")])[0]
    client.post(url, LEAVES)
    client.post(url, LEAVES)
    client.post(url, {"do": "come", "player": str(late.pk), "game": "2", "deal": "1", "sure": "1"})
    client.post(url, {"do": "come", "player": str(late.pk), "game": "2", "deal": "1", "sure": "1"})
    proposed = sorted(number for people in client.get(url).context["proposal"].tables for number in people)
    assert proposed == [1, 2, *range(4, 15)]
    client.post(url, {"do": "back"})
    client.post(url, {"do": "back"})
    client.post(url, {"do": "back"})
    proposed = sorted(number for people in client.get(url).context["proposal"].tables for number in people)
    assert proposed == list(range(1, 14))
    assert session.entrants.filter(last_position=None).count() == 13
    client.post(url, LEAVES)
    client.post(url, {"game": "2", "do": "take"})
    assert sorted(map(len, seats_in(session, 2).values())) == [4, 4, 4]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("action", [None, "exchange"])
def test_players_who_cannot_be_seated_are_brought_back(client, action):
    session = start_free_session(12, odd_tables="mort")
    url = log_in(client, session)
    client.post(url, LEAVES)  # eleven cannot sit in fours and fives
    page = client.post(url, {"do": action}) if action else client.get(url)
    assert page.status_code == 200
    assert page.context["proposal"] is None
    assert "11" in page.context["problem"]
    assert {number for number, _name in page.context["people"]} == {*range(1, 13)} - {3}
    assert client.post(url, {"do": "take", "game": "2"}, follow=True).status_code == 200
    client.post(url, {"do": "back"})
    assert client.get(url).context["proposal"].game == 2


def draft_teams(people, size, **shape):
    """Return a session in preparation whose players are in teams of this size."""
    session = draft_free_session(people, **shape)
    ids = list(session.entrants.order_by("pk").values_list("player_id", flat=True))
    wanted = [WantedTeam(ids[first : first + size]) for first in range(0, people, size)]
    by = make_director(session.tournament.club, "teams")
    make_teams(tournament_id=session.tournament_id, wanted=wanted, by=by, now=timezone.now())
    return session


@pytest.mark.nightly("story")
def test_tables_by_hand_with_mates_are_refused_before_they_are_taken(client):
    session = draft_teams(8, 2, seating="strict")
    start_session(session_id=session.pk, now=timezone.now())
    url = log_in(client, session)
    page = client.get(url)
    assert (page.context["refusal"], b'value="take"' in page.content) == ("", True)
    games = page.context["proposal"].games
    tables = [list(people) for people in page.context["proposal"].tables]
    mate = next(other for team in games.mates for other in team if tables[0][0] in team and other != tables[0][0])
    told = {"tables": write_tables(tables), "game": "2", "do": "exchange", "one": str(tables[0][1]), "other": str(mate)}
    page = client.post(url, told)
    assert (page.context["refusal"] != "", b'value="take"' in page.content) == (True, False)
    assert f"{tables[0][0]}" in page.context["refusal"]


@pytest.mark.parametrize(("size", "ready"), [(4, False), (2, True)])
def test_the_checklist_says_whether_mates_would_meet(size, ready):
    players, games, start = preparation_of(draft_teams(8, size)).steps
    assert (players.ready, games.ready, start.ready) == (True, ready, ready)
    assert ("équipiers" in games.text) is not ready


@pytest.mark.nightly("story")
def test_wrong_tables_are_refused_with_a_message(client):
    session = start_free_session(13)
    url = log_in(client, session)
    answer = client.post(url, {"tables": "1 2 3", "game": "2", "do": "take"}, follow=True)
    assert answer.status_code == 200
    assert session.plays.filter(position=2).count() == 0


def test_an_evening_with_etuis_has_no_such_page(client):
    session = draft_session()
    url = log_in(client, session)
    assert client.get(url).status_code == 302


def test_the_page_takes_few_queries(client, django_assert_max_num_queries):
    session = start_free_session(61)
    url = log_in(client, session)
    with django_assert_max_num_queries(40):
        client.get(url)
