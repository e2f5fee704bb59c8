"""The plans that take seconds to find: a job looks for them, and the page shows its progress."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import caches

from evenings.plans import proposals
from evenings.plans.choosing import question_of, shape_of
from evenings.plans.proposals import (
    PlanQuestion,
    SearchProgress,
    find_proposals,
    proposals_or_search,
    search,
    take_turn,
)
from movements import MOST_WAYS, PlanError, propose_plans, ways_to_play
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import make_director, make_tournament
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tests.pages.wizard import choose, evening
from tests.services.waiting import wait_until

LOOKING = "Looking for tables and positions…"
OFFERED = "Possible ways to play, the best first"
LONG = PlanQuestion(22, 7, 4, False)


@pytest.fixture(autouse=True)
def nothing_known():
    """Forget what this process remembers from other tests."""
    proposals.answered.clear()


@pytest.fixture(scope="module")
def found():
    return propose_plans(*LONG[:3])


director = shared_evenings.browser_of_tournament_director


@pytest.fixture
def long_evening(tournament):
    return evening(tournament, LONG.players, positions=LONG.positions)


@pytest.fixture
def queued(monkeypatch):
    """Return the questions that jobs were asked to answer. None of them is answered."""
    asked = []
    monkeypatch.setattr("evenings.plans.proposals.queue_search", asked.append)
    return asked


@pytest.mark.parametrize(
    ("players", "positions", "long"),
    [
        (18, 5, False),
        (18, 6, True),
        (15, 12, False),
        (28, 20, False),
        (30, 6, False),
        (38, 8, False),
        (38, 9, True),
        (59, 11, False),
        (62, 12, True),
        (90, 20, True),
        (599, 12, True),
        (601, 12, False),
    ],
)
def test_search_is_long_for_uneven_fields_and_many_positions(players, positions, long):
    assert PlanQuestion(players, positions, 4, False).is_long == long


@pytest.mark.parametrize(("players", "positions"), [(18, 6), (27, 7), (59, 14), (31, 5)])
def test_ways_are_told_one_by_one_and_never_more_than_said(players, positions):
    ways = list(ways_to_play(players, positions))
    assert 1 < len(ways) <= MOST_WAYS
    assert {*map(str, propose_plans(players, positions))} == {*map(str, ways)}


def test_page_tells_progress_while_a_job_searches_and_asks_for_one_only(director, long_evening, queued):
    url = session_url("plan_choose", long_evening)
    first, second = director.get(url), director.get(url)
    for page in (first, second):
        assert read(page).refused == []
        assert LOOKING in words(page)
        assert f"0 of {MOST_WAYS}" in words(page)
        assert OFFERED not in words(page)
    assert queued == [question_of(long_evening)] == [LONG]


@pytest.mark.parametrize(
    ("language", "title", "link"),
    [("fr", "Recherche des tables et positions…", "Recharger la page"), ("en", LOOKING, "Reload the page")],
)
def test_page_says_in_both_languages_what_it_waits_for(director, long_evening, queued, language, title, link):
    page = words(director.get(session_url("plan_choose", long_evening), headers={"accept-language": language}))
    assert title in page
    assert link in page


def test_page_that_asks_for_itself_gets_the_ways_alone(director, long_evening, queued, found):
    url = session_url("plan_choose", long_evening)
    assert 'hx-trigger="every 1s"' in director.get(url).content.decode()
    caches["computed"].set(LONG.key, found)
    part = director.get(url, headers={"hx-request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="ways" ')
    assert "Load a plan from a file" not in part
    assert part.count('value="choose"') == len(found)


def test_progress_is_how_many_ways_are_found(director, long_evening, queued):
    url = session_url("plan_choose", long_evening)
    director.get(url)
    caches["computed"].set(f"{LONG.key}-progress", SearchProgress(2))
    assert f"2 of {MOST_WAYS}" in words(director.get(url))


@pytest.mark.nightly("story")
@pytest.mark.whole_search
def test_what_a_job_found_is_what_the_planner_proposes():
    assert search(LONG) == proposals_or_search(LONG) == find_proposals(LONG) == propose_plans(*LONG[:3])


@pytest.mark.nightly("race")
def test_laptop_searches_in_a_thread(director, long_evening):
    url = session_url("plan_choose", long_evening)
    assert LOOKING in words(director.get(url))
    assert [thread.name for thread in threading.enumerate() if thread.daemon].count("search") <= 1
    wait_until(lambda: OFFERED in words(director.get(url)), what="the offers")


def test_page_searches_itself_where_the_job_was_lost(director, long_evening, queued):
    url = session_url("plan_choose", long_evening)
    director.get(url)
    caches["computed"].delete(f"{LONG.key}-progress")  # as after a long time without progress
    assert OFFERED in words(director.get(url))
    assert len(queued) == 1


def test_page_searches_itself_without_cache_and_broker(redis_server, director, long_evening):
    redis_server.stop()
    assert OFFERED in words(director.get(session_url("plan_choose", long_evening)))


@pytest.mark.nightly("story")
@pytest.mark.parametrize("page", ["plan_choose", "entrants"])
def test_page_waits_for_its_turn_while_another_search_goes_on(director, tournament, page):
    """Check full tables too: their page of players asks for the plan that needs no choice."""
    url = session_url(page, evening(tournament, 28))
    held, ending = threading.Event(), threading.Event()

    def search_elsewhere():
        with take_turn():
            held.set()
            ending.wait(1)
            ending.set()

    other = threading.Thread(target=search_elsewhere)
    other.start()
    held.wait()
    assert director.get(url).status_code == 200
    assert ending.is_set()
    other.join()


def test_searches_that_wait_for_each_other_run_one_by_one_and_the_same_one_once(monkeypatch):
    running, most, asked = [], [], []

    def watched(*question, **how):
        running.append(question)
        most.append(len(running))
        asked.append(question[0])
        try:
            return propose_plans(*question, **how)
        finally:
            running.pop()

    monkeypatch.setattr("evenings.plans.proposals.propose_plans", watched)
    questions = [PlanQuestion(players, 5, 4, False) for players in (21, 22, 21, 22, 23, 23)]
    with ThreadPoolExecutor(len(questions)) as threads:
        found = list(threads.map(find_proposals, questions))
    assert found[0] is found[2]
    assert set(most) == {1}
    assert sorted(asked) == [21, 22, 23]


def test_answers_are_remembered_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("evenings.plans.proposals.REMEMBERED", 2)
    for players in (8, 12, 16):
        find_proposals(PlanQuestion(players, 3, 4, False))
    assert [question.players for question in proposals.answered] == [12, 16]


def test_plan_is_chosen_though_its_search_was_forgotten(director, long_evening):
    choose(director, long_evening, action="choose", choice=0, shape=shape_of(long_evening))
    assert long_evening.plans.count() == 1


def test_plan_chosen_before_stays_on_the_page_while_others_are_looked_for(director, long_evening, queued):
    choose(director, long_evening, action="choose", choice=0, shape=shape_of(long_evening))
    page = words(director.get(session_url("plan_choose", long_evening)))
    assert LOOKING in page
    assert "Cancel this choice" in page


def test_page_costs_the_same_queries_while_it_searches(
    director, long_evening, queued, found, django_assert_num_queries
):
    for known in (False, True):
        with django_assert_num_queries(9):
            page = director.get(session_url("plan_choose", long_evening))
        assert (OFFERED in words(page)) == known
        caches["computed"].set(LONG.key, found)


def test_count_out_of_range_is_refused_at_once(queued):
    with pytest.raises(PlanError):
        proposals_or_search(PlanQuestion(30, 21, 4, False))
    assert queued == []


@pytest.mark.nightly("story")
def test_worker_finds_what_the_page_then_offers(worker):
    tournament = make_tournament()
    director = browser_of(make_director(tournament.club))
    session = evening(tournament, LONG.players, positions=LONG.positions)
    url = session_url("plan_choose", session)
    assert LOOKING in words(director.get(url))
    wait_until(lambda: caches["computed"].get(LONG.key), what="the worker's plans")
    assert not any(thread.name == "search" for thread in threading.enumerate())
    page = director.get(url)
    assert OFFERED in words(page)
    assert caches["computed"].get(f"{LONG.key}-asked") is None
