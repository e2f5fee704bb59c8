"""The plays of a session with all that belongs to them: their record, rulings, entries and checks, in few queries."""

import uuid

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play, correct_result, restore_play
from evenings.plays.session_plays import columns_with_rows, find_plays, plays_at_tables, plays_of, rows_of
from tests.factories import enter, garde, started_session
from tournaments.models import EntryCheck, PlayRecord, Ruling

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def play(session, director):
    """Return a play with a record that counts and two others, two entries, a check for each, and two rulings."""
    play, now = (
        session.plays.select_related("etui").order_by("position", "table__number", "etui").first(),
        timezone.now(),
    )
    said = {"play_id": play.pk, "by": director, "now": now, "reason": "relu"}
    first = enter(play, by=director)
    second = correct_result(entry=garde(play.etui.taker, points=52), seen_version=1, **said)
    for entry in (first, second):
        EntryCheck.objects.create(entry=entry, agrees=True, seat="E", device="x", checked_at=now, author=director)
    annul_play(**said)
    restore_play(**said)
    for version in (1, 2, 3):
        told = {"play": play, "version": version, "current": version == 2, "text": "N", "recorded_at": now}
        PlayRecord.objects.create(**told, key=uuid.uuid4(), contested=version == 3)
    return play


def list_rows(play):
    """Return the versions of a play's records and entries, the kinds of its rulings, and its number of checks."""
    entries = list(play.entries.all())
    return (
        [record.version for record in play.records.all()],
        [entry.version for entry in entries],
        [ruling.kind for ruling in play.rulings.all()],
        sum(len(entry.checks.all()) for entry in entries),
    )


KINDS = Ruling.RulingKind
ALL = ([2], [1, 2], [KINDS.ANNULLED, KINDS.RESTORED], 2)
NOTHING = ([], [], [], 0)


@pytest.mark.parametrize(("people", "queries"), [(False, 2), (True, 3)])
def test_plays_bring_what_belongs_to_them(session, play, django_assert_num_queries, people, queries):
    with django_assert_num_queries(queries):
        plays = rows_of(session, people=people)
    ids = list(session.plays.order_by("position", "table__number", "etui__number").values_list("pk", flat=True))
    assert [each.pk for each in plays] == ids
    with django_assert_num_queries(0):
        found = {each.pk: list_rows(each) for each in plays}
        assert {(each.session.pk, each.session.tournament.pk) for each in plays} == {
            (session.pk, session.tournament_id)
        }
        assert {each.table.number for each in plays} >= {1, 2}
    assert found.pop(play.pk) == ALL
    assert list(found.values()) == [NOTHING] * len(found)


def test_only_with_people_are_players_and_authors_read(session, play, director, django_assert_num_queries):
    (bare,) = rows_of(session, people=False, pk=play.pk)
    (full,) = rows_of(session, people=True, pk=play.pk)
    with django_assert_num_queries(0):
        names = [entrant.name for entrant in full.seats.values()]
        authors = [(entry.author, entry.checks.all()[0].author) for entry in full.entries.all()]
    assert (len(set(names)), authors) == (4, [(director, director)] * 2)
    with django_assert_num_queries(1):
        assert bare.entries.all()[0].author == director


def test_plays_of_tables_have_the_same_rows(session, play):
    ids = [play.table_id, session.plays.exclude(table=play.table_id).first().table_id]
    by_pk = {each.pk: each for each in rows_of(session, people=False)}
    plays = plays_at_tables(ids)
    assert {each.table_id for each in plays} == set(ids)
    assert {each.pk: columns_with_rows(each) for each in plays} == {
        pk: columns_with_rows(each) for pk, each in by_pk.items() if each.table_id in ids
    }
    (here,) = (each for each in plays if each.pk == play.pk)
    assert list_rows(here) == ALL
    # Each row has its values: the play, its record, two rulings, and two entries with a check each.
    assert len(columns_with_rows(here)) == 1 + 1 + 2 + 2 + 2


def test_plays_are_listed_by_position_table_and_etui(session):
    session.tables.filter(number=1).update(number=99)
    ids = list(session.plays.order_by("position", "table__number", "etui__number").values_list("pk", flat=True))
    assert find_plays(session) == [each.play.pk for each in plays_of(session)] == ids
    assert ids != sorted(ids)
