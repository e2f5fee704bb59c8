"""The number of queries of an evening of donnes libres: in a hall, pages and services take as many as at two tables."""

from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plans.free.people import FromDeal, leave_games, undo_people
from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.standings.computing import refresh
from pages.doors import session_url
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import enter, enter_all, make_club, make_director
from tests.free_evenings import make_free_tournament, plausible_deal, start_free_session
from tests.pages.browsing import browser_of
from tests.pages.test_budgets import count
from tournaments.models import Session

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

SIZES = (8, 120)  # players
PAGES = {"session": 16, "progress": 12, "sheets": 13, "standings": 12, "games": 20, "log": 12}


def play_half(people, name):
    """Return an evening with one game entered. In the next one, each table has entered one deal and begun another.

    A deal was annulled, and another one decided by the arbiter. A result waits for its check at each table.
    """
    club = make_club(name)
    session = start_free_session(people, games=3, seating="fixed", tournament=make_free_tournament(club))
    by, now = make_director(club, name), timezone.now()
    plays = session.plays.select_related("etui", "table").order_by("etui__number", "table__number")
    enter_all(session, by=by, plays=plays.filter(position=1), choose=plausible_deal)
    Session.objects.filter(pk=session.pk).update(position=2, check_by=Session.Check.SAME)
    phones = {number: Phone(token) for number, token in tokens_of(session).items()}
    for play in plays.filter(position=2, etui__number__in=(5, 6)):
        sent = [command("start", play=play)]
        if play.etui.number == 5:
            sent = [command("join"), *sent, command("enter", play=play, seat="N", entry=plausible_deal(play))]
        phones[play.table.number].post(*sent)
    first, second = plays.filter(position=1)[:2]
    annul_play(play_id=first.pk, reason="Maldonne", by=by, now=now)
    adjust_play(play_id=second.pk, marks={"N": 30, "E": -10, "S": -10, "W": -10}, reason="Maldonne", by=by, now=now)
    assert refresh(session.pk, now=now)
    return Session.objects.select_related("tournament__club").get(pk=session.pk), by


@pytest.fixture(scope="module")
def evenings(rows_of_the_file):
    return [play_half(people, f"club-{people}") for people in SIZES]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("name", PAGES)
def test_page_takes_as_many_queries_in_a_hall(evenings, name):
    counts = []
    for session, by in evenings:
        ask = partial(browser_of(by).get, session_url(name, session))
        counts.append(count(ask))
    assert counts[0] == counts[1]
    assert counts[0] <= PAGES[name]


def count_queries(act):
    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def leave_and_come_back(people, name, deal):
    """Return the queries of a leaving from this deal of the first game on, and of its undoing, with all games known."""
    session = start_free_session(
        people, games=3, seating="fixed", tournament=make_free_tournament(make_club(f"depart-{name}"))
    )
    told = {"session_id": session.pk, "by": None, "now": timezone.now()}
    leave = count_queries(lambda: leave_games(number=1, moment=FromDeal(1, deal), **told))
    return leave, count_queries(lambda: undo_people(**told))


@pytest.mark.nightly("crawl")
def test_a_leaving_takes_as_many_queries_in_a_hall():
    small, large = (leave_and_come_back(people, f"club-{people}", 2) for people in SIZES)
    assert small == large


@pytest.mark.nightly("crawl")
def test_a_leaving_asks_once_whether_deals_have_begun():
    """Compare a change of three deals with a change of one: only what each deal's standings need may differ."""
    one, three = (leave_and_come_back(8, f"club-{deal}", deal) for deal in (4, 2))
    assert [more - less for more, less in zip(three, one, strict=True)] == [2, 2]


def test_a_result_takes_as_many_queries_in_a_hall(evenings):
    counts = []
    for session, by in evenings:
        play = session.plays.select_related("etui", "table").filter(position=3).first()
        counts.append(count_queries(lambda play=play, by=by: enter(play, plausible_deal(play), by=by)))
    assert counts[0] == counts[1]
    assert counts[0] <= 20
