"""The head of the desk and the hall screen: what each reader finds there, and what the buttons do."""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.sessions import running
from pages.desk.hall import SOON
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import (
    draft_session,
    enter,
    enter_all,
    make_director,
    make_helper,
    make_tournament,
    publish,
    started_session,
)
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.models import Session

NOBODY = browser_of


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(etuis_per_position=2).pk


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


director = shared_evenings.browser_of_user


@pytest.fixture
def press(session, director):
    """Return a function that presses a button of the head, and returns the session as it is then and the page."""

    def press(name, **form):
        page = director.post(session_url(name, session), form, follow=True)
        assert page.redirect_chain == [(session_url("session", session), 302)]
        return Session.objects.get(pk=session.pk), page

    return press


def hall(session, client=None, **query):
    return (client or NOBODY()).get(session_url("hall", session), query)


def set_clock(session, seconds):
    """Set the clock of the position to so many seconds before its end."""
    Session.objects.filter(pk=session.pk).update(clock_ends_at=timezone.now() + dt.timedelta(seconds=seconds))
    session.refresh_from_db()


def call(session, user, position, *, seconds=600):
    """Call the positions up to this one."""
    session.refresh_from_db()
    for each in range(session.position + 1, position + 1):
        running.call_position(session_id=session.pk, position=each, by=user, now=timezone.now())
    set_clock(session, seconds)


# The head of the desk


@pytest.mark.nightly("story")
def test_position_is_called_moved_on_stopped_and_taken_back_by_buttons(press):
    called, page = press("call_position", position=1)
    assert called.position == 1
    assert "Position 1 of 5" in words(page)
    assert "Call position 2" in words(page)
    seen = str(running.clock_of(called))
    more, _ = press("clock", do="5", seen=seen)
    assert more.clock_ends_at - called.clock_ends_at == dt.timedelta(minutes=5)
    stopped, page = press("clock", do="stop")
    assert (stopped.clock_ends_at, "Resume" in words(page)) == (None, True)
    assert press("clock", do="go")[0].clock_ends_at is not None
    back, page = press("call_position", position=1, back=1)
    assert (back.position, "No position is called yet" in words(page)) == (0, True)


def test_desk_tells_when_the_evening_ends_from_the_clock_and_the_positions_to_come(session, user, director):
    running.call_position(session_id=session.pk, position=1, by=user, now=timezone.now())
    set_clock(session, 600)
    head = director.get(session_url("running_head", session)).context["head"]
    to_come = dt.timedelta(minutes=(session.positions - 1) * 2 * session.minutes_per_etui)
    # the page shows it to the second
    assert abs(head.evening_ends - session.clock_ends_at - to_come) <= dt.timedelta(seconds=1)


def test_what_cannot_be_done_is_told_on_the_desk(press):
    called, page = press("call_position", position=3)
    assert called.position == 0
    assert "Position 3 is not the next one: position 1 is." in words(page)
    assert "No position is called yet: call the first one." in words(press("last_call", position="x")[1])


@pytest.mark.nightly("story")
def test_last_call_of_one_table_is_made_and_taken_back_by_buttons(session, press):
    press("call_position", position=1)
    _, page = press("last_call", position=1, table=2, unstarted="later")
    assert "Last call: table 2" in words(page)
    assert "2 étuis to play later" in words(page)
    assert "Étui 3, position 1, table 2 to be played later" in words(page)
    _, page = press("last_call", position=1, table=2, back=1)
    assert "to play later" not in words(page)
    assert set(session.tables.values_list("last_call", flat=True)) == {0}


def test_desk_tells_who_still_owes_when_the_next_position_is_called(session, user, press):
    enter_all(session, by=user, plays=session.plays.filter(position=1).exclude(table__number=4).select_related("etui"))
    press("call_position", position=1)
    _, page = press("call_position", position=2)
    assert "Position 1: 2 awaited (table 4)" in words(page)
    assert "Position 2: 10 awaited" not in words(page)  # they are being played now
    assert "12 results awaited" in words(page)


def test_clock_counts_the_time_that_goes_over_and_is_paused_never_stopped(session, user, director):
    call(session, user, 1, seconds=-125)
    page = director.get(session_url("session", session))
    head = page.context["head"]
    over = int((head.now - session.clock_ends_at).total_seconds())
    assert over >= 125
    assert head.figure == f"+{over // 60}:{over % 60:02}"
    assert "Time is up" in words(page)
    set_clock(session, 600)
    running.stop_clock(session_id=session.pk, by=user, now=timezone.now())
    text = words(director.get(session_url("session", session)))
    assert "paused" in text
    assert "stopped" not in text
    assert "Clock paused" in words(director.get(session_url("log", session)))


def test_minutes_that_change_are_those_of_the_next_position_not_the_running_clock(session, user, director):
    url, now = session_url("session_edit", session), timezone.now()
    running.call_position(session_id=session.pk, position=1, by=user, now=now)
    ends = Session.objects.get(pk=session.pk).clock_ends_at
    director.post(url, fields(director.get(url)) | {"minutes_per_etui": "4"})
    assert Session.objects.get(pk=session.pk).clock_ends_at == ends
    running.call_position(session_id=session.pk, position=2, by=user, now=now)
    minutes = 4 * session.etuis_per_position
    assert Session.objects.get(pk=session.pk).clock_ends_at == now + dt.timedelta(minutes=minutes)


def test_helper_sees_the_clock_and_no_button(session, user):
    call(session, user, 1)
    page = browser_of(make_helper(session.tournament.club)).get(session_url("running_head", session))
    assert "Position 1 of 5" in words(page)
    assert "<form" not in page.content.decode()


def test_head_is_sent_again_only_when_something_in_it_has_changed(session, user, director):
    call(session, user, 1)
    address = session_url("running_head", session)
    stamp = director.get(address).context["stamp"]
    assert director.get(address, {"seen": stamp}).status_code == 204
    enter(session.plays.select_related("etui").first(), by=user)
    assert director.get(address, {"seen": stamp}).status_code == 200


# The hall


def test_hall_says_to_everybody_who_sits_where_by_family_name(session):
    page = hall(session)
    assert "Take your seats for position 1" in words(page)
    assert "Nom001 Zoé table 1 N Nom002 Zoé table 1 E Nom003 Zoé table 1 S Nom004 Zoé table 1 W" in words(page)
    assert read(page).refused == []


def test_hall_by_table_names_the_four_and_their_etuis(session, user):
    call(session, user, 2)
    place = session.plays.filter(position=2, table__number=1).select_related("north__player").order_by("etui__number")
    page = words(hall(session, by="table"))
    first, last = place[0].etui.number, place[1].etui.number
    assert f"Table 1 étuis {first}–{last} N {place[0].north.name} E" in page


def test_hall_of_a_session_in_preparation_leads_to_the_session(db):
    session = draft_session()
    assert hall(session)["Location"] == session_url("session", session)


@pytest.mark.nightly("story")
def test_hall_shows_the_next_tables_in_the_last_minutes_only(session, user):
    call(session, user, 1, seconds=SOON + 60)
    assert "then table" not in words(hall(session))
    set_clock(session, SOON - 1)
    assert words(hall(session)).count("then table") == 20
    call(session, user, 5, seconds=SOON - 1)
    assert "then table" not in words(hall(session))


@pytest.mark.nightly("story")
def test_hall_tells_which_tables_owe_results_and_none_of_them(session, user):
    enter_all(session, by=user, plays=session.plays.filter(position=1).exclude(table__number=4).select_related("etui"))
    call(session, user, 1)
    assert "Position 1, results expected from tables: 4 " in words(hall(session))
    call(session, user, 2)
    assert "Every table is playing. Position 1, results expected from tables: 4 " in words(hall(session))


def test_hall_says_the_last_call_and_rings_for_each_table_once(session, user):
    call(session, user, 1)
    now = timezone.now()
    running.last_call(session_id=session.pk, position=1, table=2, by=user, now=now)
    page = hall(session)
    assert "Last call at table 2" in words(page)
    assert page.context["screen"].rings == "last-1-2"
    running.last_call(session_id=session.pk, position=1, by=user, now=now)
    assert "Last call: do not start a new étui" in words(hall(session))


@pytest.mark.parametrize("wanted", ["nom013", "zoe NOM013"])
def test_player_finds_his_own_seat_with_his_neighbours_and_what_comes_then(session, user, wanted):
    call(session, user, 1)
    page = words(hall(session, q=wanted))
    mine = page.split("Zoé Nom013")[1]
    assert mine.startswith(" Table 4, North étuis 7–8 E Zoé Nom014 S Zoé Nom015 W Zoé Nom016 Then, position 2: table ")


def test_name_that_nobody_has_is_told_with_what_to_do(session):
    assert "Nobody here is called “Zorro”." in words(hall(session, q="Zorro"))


def test_refresh_of_the_hall_brings_nothing_until_something_changes(session, user):
    call(session, user, 1)
    stamp = hall(session).context["stamp"]

    def status(**query):
        address = session_url("hall", session)
        return NOBODY().get(address, {"seen": stamp} | query, headers={"hx-request": "true"}).status_code

    assert status() == 204
    assert status(q="Nom001") == 200
    enter(session.plays.select_related("etui").first(), by=user)
    assert status() == 200


@pytest.mark.nightly("crawl")
def test_hall_asks_as_many_queries_for_five_tables_as_for_eight(session, user, django_assert_max_num_queries):
    call(session, user, 1)
    other = started_session(make_tournament(session.tournament.club, name="Grand"), tables=8)
    call(other, user, 1)
    for each in (session, other):
        with django_assert_max_num_queries(10):
            hall(each)


def test_hall_by_table_shows_who_comes_there_next_in_the_last_minutes(session, user):
    call(session, user, 1, seconds=SOON + 60)
    assert "→ position 2" not in words(hall(session, by="table"))
    set_clock(session, SOON - 1)
    page = words(hall(session, by="table"))
    assert page.count("→ position 2") == 5
    place = session.plays.filter(position=2, table__number=1).select_related("east__player")[0]
    assert page.index(place.east.name, page.index("→ position 2")) < page.index("Table 2")


@pytest.mark.nightly("story")
@pytest.mark.parametrize("called", [0, 2, 5])
def test_published_session_calls_no_position_and_ends_at_no_time(session, user, director, called):
    enter_all(session, by=user)
    if called:
        call(session, user, called)
    head = words(director.get(session_url("running_head", session)))
    assert "The evening ends about" in head
    assert ("Call position" in head) == (called < 5)
    publish(session, by=user)
    for page in (director.get(session_url("running_head", session)), hall(session), hall(session, by="table")):
        text = words(page)
        assert "The evening is over" in text
        for told in (
            "Call position",
            "The evening ends about",
            "The clock starts with the call",
            "Last call",
            "Take your seats",
        ):
            assert told not in text


def test_session_published_while_it_is_played_goes_on(session, user, director):
    enter_all(session, by=user, plays=session.plays.filter(position=1).select_related("etui"))
    call(session, user, 2)
    publish(session, by=user, allow_missing=True)
    assert "Call position 3" in words(director.get(session_url("running_head", session)))
