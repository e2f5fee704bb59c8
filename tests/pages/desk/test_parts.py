"""The long pages of a large hall, which come in parts: plan, live standings, ranking. A small hall has whole pages."""

import pytest
from django.urls import reverse

from pages.doors import session_url
from tests.factories import enter_all, make_director, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words

pytestmark = pytest.mark.django_db


def make_hall(tables):
    return started_session(tables=tables, positions=2, etuis_per_position=2)


@pytest.fixture(scope="module")
def hall(rows_of_the_file):
    """Return a hall of 150 tables: its plan has 300 places, its ranking 600 rows."""
    return make_hall(150)


def ask(session, asked=""):
    return browser_of().get(session_url("session_plan", session) + asked)


def headings(page):
    return [position for position in (1, 2) if f"<h2> Position {position} </h2>" in " ".join(page.split())]


def shown(session, asked=""):
    """Return the positions whose tables a plan shows, and its number of rows."""
    page = ask(session, asked)
    return headings(page.content.decode()), len(read(page).rows)


@pytest.mark.nightly("story")
def test_plan_of_a_large_hall_shows_the_position_that_is_reached_or_asked_for(hall):
    assert shown(hall) == ([1], 151)
    type(hall).objects.filter(pk=hall.pk).update(position=2)
    assert shown(hall) == ([2], 151)
    assert shown(hall, "?position=1") == ([1], 151)
    assert shown(hall, "?position=99") == ([2], 151)
    assert shown(hall, "?position=x") == ([2], 151)


@pytest.mark.nightly("story")
def test_plan_of_a_large_hall_leads_to_each_part_and_to_the_whole(hall):
    page = ask(hall)
    address = session_url("session_plan", hall)
    links = read(page).links
    assert {f"{address}?position=1", f"{address}?position=2", f"{address}?all", "#table-26"} <= set(links)
    assert 'id="table-26"' in page.content.decode()
    assert shown(hall, "?all") == ([1, 2], 601 + 2 * 151)


@pytest.mark.nightly("story")
def test_plan_of_a_large_hall_tells_the_way_of_who_is_looked_for(hall):
    way = read(ask(hall, "?q=nom007")).rows
    assert [row[0].split(" ", 2)[2] for row in way[1:]] == ["Zoé Nom007"]
    assert shown(hall, "?q=nom007")[0] == []
    many = ask(hall, "?q=zoe")
    assert len(read(many).rows) == 41
    assert "And 560 more players: type more of the name." in words(many)
    assert "Nobody here is called “Zorro”" in words(ask(hall, "?q=Zorro"))


@pytest.mark.nightly("story")
def test_plan_of_a_small_hall_is_whole():
    session = started_session()
    assert len(read(ask(session)).rows) == 1 + 20 + 5 * 6
    assert f"{session_url('session_plan', session)}?all" not in read(ask(session)).links


def test_page_of_a_large_session_leads_readers_to_the_plans_parts(hall):
    page = browser_of().get(session_url("session", hall))
    assert read(page).rows == []
    assert {f"{session_url('session_plan', hall)}?{part}" for part in ("position=2", "all")} <= set(read(page).links)
    assert len(page.content) < 10_000


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [1, 40, 150])
def test_plan_costs_the_same_queries_however_large_the_hall(tables, django_assert_max_num_queries):
    session = make_hall(tables) if tables > 1 else started_session(tables=1, positions=1, etuis_per_position=2)
    for asked in ("", "?position=1", "?q=nom00", "?all"):
        with django_assert_max_num_queries(6):
            ask(session, asked)


@pytest.fixture
def played(hall):
    director = make_director(hall.tournament.club, "arbitre")
    enter_all(hall, by=director)
    return director


@pytest.mark.nightly("story")
def test_long_ranking_comes_in_parts_to_readers_and_live(hall, played):
    publish(hall, by=played)
    published = reverse("ranking", args=(hall.tournament.club.slug, hall.tournament.slug, hall.number))
    for who, address in ((browser_of(), published), (browser_of(played), session_url("standings", hall))):
        first = who.get(address)
        assert len(read(first).rows) == 201
        assert "1–200" in words(first)
        parts = [read(who.get(f"{address}?by=general&part={part}")).rows[1:] for part in (1, 2, 3)]
        assert [row for part in parts for row in part] == read(who.get(f"{address}?by=general&part=all")).rows[1:]
        assert len(read(who.get(f"{address}?by=line")).rows) == 4 * 51
        assert read(who.get(f"{address}?by=line&part=3")).rows[1][2:] != read(first).rows[1][2:]
        assert len(read(who.get(f"{address}?part=9")).rows) == 201


@pytest.mark.nightly("story")
def test_long_ranking_opens_at_who_is_looked_for(hall, played):
    address = session_url("standings", hall)
    director = browser_of(played)
    last = read(director.get(f"{address}?by=general&part=3")).rows[-1]
    found = director.get(f"{address}?by=general&q={last[2].split()[1]}")
    assert read(found).rows[-1] == last
    assert "rank" in words(found)
    assert len(read(director.get(f"{address}?by=general&q={last[2].split()[1]}&part=1")).rows) == 201
