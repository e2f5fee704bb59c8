"""The hall and the plan of quadrettes: who attacks where and who defends where, without the badges of triplettes."""

import re

import pytest

from evenings.plans.own_places import find_team_seats
from evenings.plans.places import read_plan_of_places
from evenings.plays.free import OwnSeat
from pages.doors import session_url
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, start
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session

pytestmark = pytest.mark.django_db
COLOURS = (" blue", " white", " red", "badge")


@pytest.fixture
def session():
    draft = prepare(make_quadrettes(4), positions=3)
    line_up(draft, 2, "3124")
    return start(draft)


def test_plan_names_the_players_of_both_teams_by_seat(session):
    plan = read_plan_of_places(session)
    place = next(place for place in plan.positions[0] if place.attacking.team.number == 2)
    parts = {
        line: (entrant.team.number, [(seat, one.place) for seat, one in own]) for line, entrant, own in place.people
    }
    other = parts["defence"][0]
    assert parts == {"attack": (2, [("S", 3)]), "defence": (other, [("N", 2), ("E", 3), ("W", 4)])}
    assert place.badge == 0


def test_change_of_a_line_up_shows_from_its_position_on(session):
    Session.objects.update(position=1)
    session.refresh_from_db()
    line_up(session, 1, "4123", reason="Zoé est malade")
    plan = read_plan_of_places(session)
    attackers = [
        [
            member.place
            for place in places
            if place.attacking.team.number == 1
            for _seat, member in place.members["attack"]
        ]
        for places in plan.positions
    ]
    assert attackers == [[1], [4], [4]]


def test_plan_lists_where_each_team_attacks_and_where_it_defends(session):
    """Read the table of all ways: in each cell two tables, the attacker's and that of the three others."""
    page = browser_of(make_director(session.tournament.club)).get(session_url("session_plan", session))
    rows = words(page).split("Team")
    way = next(way for way in page.context["page"].ways if way.entrant.team.number == 2)
    for stop in way.stops:
        (attacks, first), (defends, second) = stop.groups
        assert (first, second) == ("attack", "defence")
        assert re.search(rf"\b{attacks} A {defends} D\b", " ".join(rows)), stop.groups


def test_own_places_of_a_team_are_its_tables_from_the_present_position_on(session):
    session.position = 2
    team = next(way for way in read_plan_of_places(session).ways if way.entrant.team.number == 2)
    expected = [OwnSeat(stop.position, *group) for stop in team.stops[1:] for group in stop.groups]
    assert find_team_seats(team.entrant, session) == expected
    assert [place.seat for place in expected] == ["attack", "defence"] * 2


@pytest.mark.nightly("story")
@pytest.mark.parametrize("query", ["", "?by=table", "?q=bouts"])
def test_hall_says_where_a_team_attacks_and_where_it_defends(session, query):
    page = words(browser_of().get(session_url("hall", session) + query))
    assert [colour for colour in COLOURS if colour in page.lower()] == []
    own = find_member(2, 3).player.name
    assert (own in page) is bool(query)
    if not query:
        places = {
            line: place.table
            for places in read_plan_of_places(session).positions[:1]
            for place in places
            for line, entrant in place.seats.items()
            if entrant.team.number == 2
        }
        assert f"Les Bouts table {places['attack']} A {places['defence']} D" in page


def test_hall_shows_names_to_readers_only_as_they_are_shown_once_the_evening_is_over(session):
    url = session_url("hall", session) + "?by=table"
    assert find_member(2, 3).player.name in words(browser_of().get(url))
    page = words(browser_of(make_director(session.tournament.club)).get(session_url("session_plan", session)))
    assert [colour for colour in COLOURS if colour in page.lower()] == []
    assert find_member(2, 3).player.name in page


@pytest.mark.nightly("crawl")
def test_plan_takes_as_many_queries_for_more_teams(django_assert_max_num_queries):
    larger = start(prepare(make_quadrettes(8), positions=3))
    with django_assert_max_num_queries(8):
        read_plan_of_places(Session.objects.select_related("tournament").get(pk=larger.pk))
