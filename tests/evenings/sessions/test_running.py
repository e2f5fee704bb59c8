"""The running of a session: positions called, clock, last calls, plays set aside; refusals, and undoing."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenings.plays.entering import annul_play, not_played, to_be_played
from evenings.plays.ruling import annul_etui
from evenings.plays.session_plays import find_owing, plays_of
from evenings.sessions import running
from evenings.sessions.lists import progress_of
from tests.factories import draft_session, enter, make_director, started_session
from tournaments.errors import ActionRefused
from tournaments.models import Play, Session
from tournaments.rules.clock import Clock

NOW = dt.datetime(2026, 11, 20, 20, 30, tzinfo=dt.UTC)
QUARTER = dt.timedelta(minutes=15)


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(etuis_per_position=2).pk


@pytest.fixture
def ask(session, director):
    """Return a function that calls a service and returns the session as it is afterwards."""

    def ask(service, *, now=NOW, **what):
        service(session_id=session.pk, by=director, now=now, **what)
        return Session.objects.get(pk=session.pk)

    return ask


def refusal(ask, service, **what):
    with pytest.raises(ActionRefused) as caught:
        ask(service, **what)
    return caught.value.code


def states(session, **where):
    return [state.state for state in plays_of(session, **where)]


def actions(session):
    """Return the actions in the log since the start of the evening."""
    return list(session.log.exclude(action__regex="^(plan|started)").order_by("id").values_list("action", flat=True))


# Positions


def test_position_called_sets_the_clock_for_its_etuis(ask):
    called = ask(running.call_position, position=1)
    assert (called.position, called.clock_ends_at, called.clock_left) == (1, NOW + dt.timedelta(minutes=18), None)


def test_position_called_twice_changes_nothing_the_second_time(ask, session):
    first = ask(running.call_position, position=1)
    again = ask(running.call_position, position=1, now=NOW + QUARTER)
    assert (again.position, again.clock_ends_at, actions(session)) == (1, first.clock_ends_at, ["position_called"])


@pytest.mark.parametrize("position", [0, 1, 3, 4])
def test_only_the_next_position_can_be_called(ask, position):
    ask(running.call_position, position=1)
    ask(running.call_position, position=2)
    if position == 3:
        assert ask(running.call_position, position=3).position == 3
    else:
        assert refusal(ask, running.call_position, position=position) == "position_not_next"


def test_no_position_is_called_after_the_last(ask, session):
    for position in range(1, session.positions + 1):
        ask(running.call_position, position=position)
    assert refusal(ask, running.call_position, position=session.positions + 1) == "no_position_left"


def test_nothing_is_called_before_the_start(db):
    session = draft_session()
    director = make_director(session.tournament.club)
    with pytest.raises(ActionRefused) as caught:
        running.call_position(session_id=session.pk, position=1, by=director, now=NOW)
    assert caught.value.code == "session_not_started"


def test_call_taken_back_gives_the_clock_of_the_position_before(ask):
    ask(running.call_position, position=1)
    ask(running.move_clock, minutes=5, seen=str(Clock(NOW + dt.timedelta(minutes=18))))
    ask(running.call_position, position=2, now=NOW + QUARTER)
    back = ask(running.take_back_call, position=2, now=NOW + QUARTER)
    assert (back.position, back.clock_ends_at) == (1, NOW + dt.timedelta(minutes=23))
    assert ask(running.take_back_call, position=2) == back
    assert ask(running.take_back_call, position=1).clock_ends_at is None


def begun_by_result(play, director):
    enter(play, by=director)


def begun_by_start(play, director):
    Play.objects.filter(pk=play.pk).update(started_at=NOW)


def begun_by_ruling(play, director):
    not_played(play_id=play.pk, by=director, now=NOW)


@pytest.mark.parametrize("begin", [begun_by_result, begun_by_start, begun_by_ruling])
def test_call_of_a_position_that_is_begun_is_not_taken_back(ask, session, director, begin):
    ask(running.call_position, position=1)
    begin(session.plays.select_related("etui").first(), director)
    assert refusal(ask, running.take_back_call, position=1) == "position_begun_already"


# The clock


@pytest.mark.parametrize(
    ("minutes", "after", "left"),
    [(5, 0, 23), (-5, 10, 3), (-5, 15, 0), (5, 20, 5), (-5, 20, 0), (60, 0, 78), (-60, 0, 0)],
)
def test_minutes_are_added_and_taken_and_after_the_end_count_from_now(ask, minutes, after, left):
    seen = str(Clock(ask(running.call_position, position=1).clock_ends_at))
    now = NOW + dt.timedelta(minutes=after)
    moved = ask(running.move_clock, minutes=minutes, seen=seen, now=now)
    assert running.clock_of(moved).seconds(now) == 60 * left


def test_clock_that_is_no_longer_the_one_seen_is_not_moved_again(ask, session):
    seen = str(Clock(ask(running.call_position, position=1).clock_ends_at))
    first = ask(running.move_clock, minutes=5, seen=seen)
    assert ask(running.move_clock, minutes=5, seen=seen).clock_ends_at == first.clock_ends_at
    assert actions(session) == ["position_called", "clock_moved"]


@pytest.mark.parametrize("minutes", [0, 61, -61])
def test_clock_is_moved_by_a_sensible_time(ask, minutes):
    ask(running.call_position, position=1)
    assert refusal(ask, running.move_clock, minutes=minutes, seen="") == "clock_minutes"


def test_clock_stopped_keeps_what_is_left_and_goes_on_from_there(ask):
    ask(running.call_position, position=1)
    stopped = ask(running.stop_clock, now=NOW + dt.timedelta(minutes=10))
    assert (stopped.clock_ends_at, stopped.clock_left) == (None, 8 * 60)
    assert ask(running.stop_clock, now=NOW + QUARTER).clock_left == 8 * 60
    resumed = ask(running.resume_clock, now=NOW + QUARTER)
    assert (resumed.clock_ends_at, resumed.clock_left) == (NOW + dt.timedelta(minutes=23), None)
    assert ask(running.resume_clock, now=NOW + 2 * QUARTER) == resumed


def test_there_is_no_clock_before_the_first_position(ask):
    assert refusal(ask, running.stop_clock) == "no_position_called"


clocks = st.one_of(
    st.just(Clock()),
    st.integers(0, 7200).map(lambda left: Clock(left=left)),
    st.integers(-7200, 7200).map(lambda seconds: Clock(ends_at=NOW + dt.timedelta(seconds=seconds))),
)


@given(clocks, st.integers(-60, 60))
def test_clock_is_read_as_written_stops_as_it_stands_and_never_goes_below_nothing(clock, minutes):
    assert Clock.read(str(clock)) == clock
    assert clock.stop(NOW).resume(NOW).seconds(NOW) == clock.seconds(NOW)
    assert clock.move(minutes, NOW).seconds(NOW) == max(0, clock.seconds(NOW) + 60 * minutes)


# Last calls


@pytest.fixture
def called(ask, session, director):
    """Return a session in position 1: table 1 has entered one étui and begun the other, and table 2 has entered one."""
    ask(running.call_position, position=1)
    entered, begun = session.plays.filter(position=1, table__number=1).select_related("etui")
    enter(entered, by=director)
    begun_by_start(begun, director)
    enter(session.plays.filter(position=1, table__number=2).select_related("etui").first(), by=director)
    return session


@pytest.mark.parametrize(("unstarted", "state"), [("not_played", "not_played"), ("later", "later"), ("", "missing")])
def test_last_call_sets_aside_what_no_table_has_begun(ask, called, unstarted, state):
    ask(running.last_call, position=1, unstarted=unstarted)
    assert states(called, position=1) == ["entered", "missing", "entered", state, *[state] * 6]
    assert set(states(called, position=2)) == {"missing"}
    assert set(called.tables.values_list("last_call", flat=True)) == {1}


def test_last_call_at_one_table_leaves_the_others(ask, called):
    ask(running.last_call, position=1, table=2, unstarted="not_played")
    assert states(called, position=1)[:6] == ["entered", "missing", "entered", "not_played", "missing", "missing"]
    assert list(called.tables.values_list("last_call", flat=True)) == [0, 1, 0, 0, 0]


def test_last_call_said_twice_changes_nothing_the_second_time(ask, called):
    first = ask(running.last_call, position=1, unstarted="later")
    again = ask(running.last_call, position=1, unstarted="not_played")
    assert (again.results_version, states(called, position=1)[3]) == (first.results_version, "later")
    assert actions(called).count("last_call") == 1


def test_play_not_played_raises_the_results_version(ask, called):
    before = Session.objects.get(pk=called.pk).results_version
    assert ask(running.last_call, position=1, table=2, unstarted="not_played").results_version == before + 1
    assert ask(running.last_call, position=1, table=3).results_version == before + 1


def test_last_call_taken_back_waits_again_for_what_it_set_aside_alone(ask, called, director):
    own = called.plays.filter(position=1, table__number=3).first()
    not_played(play_id=own.pk, by=director, now=NOW)
    ask(running.last_call, position=1, unstarted="later")
    ask(running.take_back_last_call, position=1, table=2)
    assert states(called, position=1)[2:8] == ["entered", "missing", "not_played", "later", "later", "later"]
    ask(running.take_back_last_call, position=1)
    assert states(called, position=1)[2:8] == ["entered", "missing", "not_played", *["missing"] * 3]
    assert set(called.tables.values_list("last_call", flat=True)) == {0}


def test_last_call_is_for_the_position_called_and_a_table_that_plays(ask, session):
    assert refusal(ask, running.last_call, position=1) == "no_position_called"
    ask(running.call_position, position=1)
    assert refusal(ask, running.last_call, position=2) == "position_not_last_called"
    assert refusal(ask, running.last_call, position=1, table=9) == "table_rests"
    assert refusal(ask, running.last_call, position=1, unstarted="annulled") == "last_call_unknown"


# States


def test_annulment_wins_then_a_result_then_the_newest_ruling(session, director):
    play = session.plays.select_related("etui").first()

    def state():
        return plays_of(session, pk=play.pk)[0].state

    seen = [state()]
    for service in (not_played, to_be_played):
        service(play_id=play.pk, by=director, now=NOW)
        seen.append(state())
    not_played(play_id=play.pk, by=director, now=NOW, later=True)
    seen.append(state())
    enter(play, by=director)
    seen.append(state())
    annul_play(play_id=play.pk, reason="étui altéré", by=director, now=NOW)
    seen.append(state())
    assert seen == ["missing", "not_played", "missing", "later", "entered", "annulled"]


def test_what_is_for_later_is_missing_and_what_is_not_played_is_not(session, director):
    first, second, third, fourth = session.plays.select_related("etui")[:4]
    not_played(play_id=first.pk, by=director, now=NOW)
    not_played(play_id=second.pk, by=director, now=NOW, later=True)
    enter(third, by=director)
    annul_play(play_id=fourth.pk, reason="étui altéré", by=director, now=NOW)
    session = Session.objects.select_related("standings").get(pk=session.pk)
    progress = progress_of(session)
    names = ("plays", "missing", "later", "not_played", "annulled")
    assert [progress[name] for name in names] == [50, 47, 1, 1, 1]
    assert [state.missing for state in plays_of(session)][:5] == [False, True, False, False, True]


def test_what_tables_owe_is_counted_up_to_a_position_without_what_is_annulled(session, director):
    entered = session.plays.filter(position=1, table__number=2).select_related("etui")
    for play in entered:
        enter(play, by=director)
    annul_etui(session_id=session.pk, etui=1, reason="étui altéré", by=director, now=NOW)
    assert find_owing(session, until=1) == {1: {1: 1, 3: 2, 4: 2, 5: 2}}
    assert {position: sum(tables.values()) for position, tables in find_owing(session, until=2).items()} == {1: 7, 2: 9}
    assert states(session, etui__number=1) == ["annulled"] * 5
    assert progress_of(Session.objects.select_related("standings").get(pk=session.pk))["missing"] == 50 - 2 - 5
