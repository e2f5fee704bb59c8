"""The queries whose SQL is built once: they find what querysets find."""

from functools import partial

import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.models import FilteredRelation
from django.http import Http404
from django.utils import timezone

from clubs.roles import DIRECTOR
from evenings.glance import SessionGlance, get_session_at
from evenings.sessions.setup import create_session
from evenings.standings import computing
from evenings.standings.etuis import ALL_ROWS, list_scoring_rows
from tests.factories import DATE, enter_all, make_director, make_tournament, started_session
from tournaments import prepared
from tournaments.models import Play, ResultEntry, Ruling, Session
from tournaments.permissions import Can, find_session
from tournaments.prepared import JoinedRelation, PreparedJoined, PreparedRows, PreparedValues, among, hang

pytestmark = pytest.mark.django_db
FIRST = PreparedRows(lambda table, session: Play.objects.filter(session=session, table=table, position=1))


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
    assert ALL_ROWS(session.pk) == list(list_scoring_rows(plays))
    asked = PreparedValues(lambda session: plays_told(Play.objects.filter(session=session)))
    assert asked(session.pk) == list(plays_told(plays))
    assert asked(0) == []


def plays_told(plays):
    """Return values of types that SQLite does not have: a boolean, a moment, a date of another table."""
    return plays.order_by("pk").values_list("pk", "is_replay", "started_at", "session__date", "table__number")


def columns(row):
    """Return the values of the row's columns, without what only the bar of a page needs."""
    return {name: value for name, value in vars(row).items() if name not in {"_state", "standing", "published"}}


def test_rows_that_hang_on_their_owners_are_what_these_have_without_asking(session, django_assert_num_queries):
    plays, entries = list(session.plays.all()), list(ResultEntry.objects.exclude(play=session.plays.first()))
    hang("entries", entries, plays, by="play_id")
    with django_assert_num_queries(0):
        assert [list(play.entries.all()) for play in plays] == [[], *([row] for row in entries)]


def test_pairs_are_rows_beside_what_is_joined_to_them_by_a_list_of_ids(session):
    play = session.plays.first()
    Ruling.objects.create(play=play, kind="later", ruled_at=timezone.now(), device="Table 1")
    Ruling.objects.create(play=play, kind="not_played", ruled_at=timezone.now(), device="Table 1")
    tables = [play.table_id, session.tables.last().pk]
    told = [(columns(one), kind and kind.kind) for one, kind in BESIDE_RULINGS(tables)]
    wanted = session.plays.filter(table__in=tables).order_by("pk")
    assert told == [
        (columns(one), kind) for one in wanted for kind in (["later", "not_played"] if one == play else [None])
    ]
    assert BESIDE_RULINGS([]) == []


BESIDE_RULINGS = PreparedJoined(
    lambda tables: (
        Play.objects.filter(among("table_id", tables))
        .annotate(ruling=FilteredRelation("rulings"))
        .order_by("pk", "ruling__pk")
    ),
    JoinedRelation("ruling", Ruling, without=frozenset({"reason"})),
)


def test_session_of_a_page_comes_with_all_that_pages_read_as_a_queryset_reads_it(session, django_assert_num_queries):
    computing.refresh(session.pk, now=timezone.now())
    wanted = parts_of(Session.objects.select_related("tournament__club__house", "deal_set", "standings").get())
    glance = SessionGlance(session.pk, 1, 1, 1, 1, 1, None, None, False, DIRECTOR)
    tournament = session.tournament
    place = {"tournament__club__slug": tournament.club.slug, "tournament__slug": tournament.slug, "number": 1}
    finders = (lambda: get_session_at(glance, Can.DIRECT), partial(find_session, **place))
    for find in finders:
        with django_assert_num_queries(1):
            found = find()
            read = parts_of(found)
            assert found.standings.session is found
        assert read[0].deal_set is not None
        assert list(map(columns, read)) == list(map(columns, wanted))
        assert (found.standing, found.published) == (None, None)


def test_session_without_standings_and_set_has_neither(django_assert_num_queries):
    bare = create_session(tournament=make_tournament(), date=DATE, positions=2, etuis_per_position=2)
    with django_assert_num_queries(1):
        found = find_session(pk=bare.pk)
        assert (found.deal_set, hasattr(found, "standings")) == (None, False)


@pytest.mark.parametrize(
    "where", [{"pk": 0}, {"pk": 2**70}, {"number": 2**70}, {"number": 2}, {"tournament__slug": "x"}]
)
def test_session_that_does_not_exist_is_not_found(session, where):
    tournament = session.tournament
    place = {"tournament__club__slug": tournament.club.slug, "tournament__slug": tournament.slug, "number": 1}
    with pytest.raises(Http404):
        find_session(**(where if "pk" in where else place | where))


def parts_of(session):
    club, standings = session.tournament.club, session.standings
    for deferred in ("data", "sums"):
        vars(standings).pop(deferred, None)
    return [
        session,
        session.tournament,
        club,
        *([club.house] if hasattr(club, "house") else []),
        session.deal_set,
        standings,
    ]


def test_list_of_ids_is_one_that_sqlite_can_read(monkeypatch):
    laptop = DatabaseWrapper({"NAME": ":memory:", "OPTIONS": {}, "TIME_ZONE": None})
    sql, params = (
        Play.objects.filter(prepared.among("table_id", -1)).values("pk").query.get_compiler(connection=laptop).as_sql()
    )
    assert ('"table_id" IN (SELECT value FROM json_each(%s))' in sql, params) == (True, (-1,))
    monkeypatch.setattr(prepared, "connection", laptop)
    assert (prepared.as_param(3), prepared.as_param((3, 4))) == (3, "[3, 4]")
