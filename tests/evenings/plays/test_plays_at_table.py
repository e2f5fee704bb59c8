"""The plays of a table as the database has them: read in a fixed number of queries, and what the table may change."""

import pytest

from clubs.models import Person, Player
from evenings.plays import table_plays
from evenings.plays.table_plays import last_over, may_correct, may_set_aside, plays_at, stop_of
from tests.evenings.plays.test_table_plays import play_of, visible
from tests.factories import enter_all, publish, started_session
from tournaments.models import Entrant, Session

NONE, SAME = Session.Check.NONE, Session.Check.SAME


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(positions=3).pk


@pytest.fixture
def table(session):
    return session.tables.select_related("session__tournament__club").get(number=1)


def read_all(plays):
    """Read everything that the screen of a table shows of its plays."""
    return [
        (
            one.play.table.number,
            one.play.etui.number,
            one.play.session.date,
            one.record,
            one.withdrawn,
            one.arbiter,
            [entrant.name for entrant in one.play.seats.values()],
        )
        for one in plays
    ]


def test_plays_bring_their_players_rulings_records_and_etuis_with_them(table, director, django_assert_num_queries):
    enter_all(table.session, by=director)
    plays_at(table)  # the data that all tables share is now in the cache
    with django_assert_num_queries(5):
        plays = plays_at(table)
    with django_assert_num_queries(0):
        shown = read_all(plays)
    places = [(one.play.position, one.play.etui.number) for one in plays]
    assert (places, len(shown)) == (sorted(places), table.plays.count())


def test_plan_that_changed_after_the_shared_data_were_read_is_read_anew(session, table):
    plays_at(table)
    first = table.plays.select_related("north__player").order_by("position", "etui__number").first()
    player = Player.objects.create(
        club=session.tournament.club, person=Person.objects.create(), first_name="Zoé", last_name="Neuve"
    )
    newcomer = Entrant.objects.create(session=session, player=player, number=999, line=first.north.line)
    table.plays.filter(pk=first.pk).update(north=newcomer)
    seated = {one.play.pk: one.play.seats["N"] for one in plays_at(table)}
    assert seated.pop(first.pk) == newcomer
    assert newcomer not in seated.values()


def test_stop_of_a_play_asks_for_no_session_again(table, django_assert_num_queries):
    plays_at(table)
    play = table.plays.select_related("table", "session__tournament__club").order_by("-position", "etui").first()
    with django_assert_num_queries(5):
        stop, closed = stop_of(play)
    assert ({one.play.position for one in stop}, play in [one.play for one in stop], closed) == ({3}, True, False)


@pytest.mark.nightly("story")
def test_positions_before_are_over_and_after_a_publication_all(session, director):
    assert [last_over(session, here) for here in (1, 2, 3)] == [0, 1, 2]
    enter_all(session, by=director)
    publish(session, by=director)
    session.refresh_from_db()
    assert [last_over(session, here) for here in (1, 2, 3)] == [3, 3, 3]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "corrected", "set_aside"),
    [
        ([], [], True, True),
        ([visible(check_by=NONE)], [], True, True),
        ([visible(check_by=NONE)], [visible(check_by=NONE)], False, False),
        ([visible(check_by=SAME)], [visible(check_by=NONE)], True, False),
        ([visible(check_by=SAME)], [visible(check_by=SAME)], True, True),
        ([visible(check_by=SAME, checks=[(True, None, 1)])], [], False, True),
    ],
)
def test_table_changes_what_is_open_until_it_could_see_the_others(
    monkeypatch, first, second, corrected, set_aside, closed
):
    """Let the table correct the first play of its stop, or set it aside, with no checks and with checks."""
    stop = [play_of(*rows) for rows in (first, second)]
    stop[0].play.pk = 2
    monkeypatch.setattr(table_plays, "stop_of", lambda play: (stop, closed))
    assert may_correct(stop[0].play) is (corrected and not closed)
    assert may_set_aside(stop[0].play) is (set_aside and not closed)
