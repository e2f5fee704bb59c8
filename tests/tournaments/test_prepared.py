"""Questions that are written down once find what querysets find."""

import pytest

from tests.factories import enter_all, make_director, started_session
from tournaments.models import Play, ResultEntry
from tournaments.prepared import Prepared, PreparedValues, hang
from tournaments.standings.etuis import ALL_ROWS, rows_of

pytestmark = pytest.mark.django_db
FIRST = Prepared(lambda table, session: Play.objects.filter(session=session, table=table, position=1))


@pytest.fixture
def session():
    session = started_session(positions=2, etuis_per_position=2)
    enter_all(session, by=make_director(session.tournament.club))
    return session


def test_rows_are_those_of_the_queryset_whatever_the_order_of_its_ids(session):
    for table in session.tables.all():
        wanted = session.plays.filter(position=1, table=table)
        assert [columns(row) for row in FIRST(table.pk, session.pk)] == [columns(row) for row in wanted]
    assert FIRST(0, session.pk) == FIRST(session.pk, 0) == []


def test_values_are_those_of_the_queryset_with_what_is_joined_and_worked_out(session):
    plays = Play.objects.filter(session=session)
    assert ALL_ROWS(session.pk) == list(rows_of(plays))
    asked = PreparedValues(lambda session: plays_told(Play.objects.filter(session=session)))
    assert asked(session.pk) == list(plays_told(plays))
    assert asked(0) == []


def plays_told(plays):
    """With types that SQLite has not: a truth, a moment, a date of another table."""
    return plays.order_by("pk").values_list("pk", "is_replay", "started_at", "session__date", "table__number")


def columns(row):
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_rows_that_hang_on_their_owners_are_what_these_have_without_asking(session, django_assert_num_queries):
    plays, entries = list(session.plays.all()), list(ResultEntry.objects.exclude(play=session.plays.first()))
    hang("entries", entries, plays, by="play_id")
    with django_assert_num_queries(0):
        assert [list(play.entries.all()) for play in plays] == [[], *([row] for row in entries)]
