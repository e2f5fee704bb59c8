"""The readers of players and of rulings on étuis: which rows they read, and which ruling counts."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays.rulings_given import is_altered_before, newest_by_etui
from tests.factories import make_tournament, started_session
from tournaments.models import EtuiRuling, Play
from tournaments.models.plays import seat_people

pytestmark = pytest.mark.django_db
SPLIT, ANNULLED, RESTORED = (
    EtuiRuling.EtuiRulingKind.SPLIT, EtuiRuling.EtuiRulingKind.ANNULLED, EtuiRuling.EtuiRulingKind.RESTORED,
)  # fmt: skip


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def rule(session, director):
    """Return a function that writes a ruling on an étui, by its number."""

    def rule(kind, number=1, **how):
        etui = session.plays.filter(etui__number=number).first().etui
        told = {"session": session, "etui": etui, "kind": kind, "reason": "x", "author": director}
        return EtuiRuling.objects.create(**told, ruled_at=timezone.now(), **how)

    return rule


def test_only_the_players_of_these_plays_are_read(session):
    started_session(make_tournament(session.tournament.club, name="Autre"))
    plays = session.plays.filter(table__number=1, position=1)
    with CaptureQueriesContext(connection) as asked:
        seated = seat_people(plays)
    ids = sorted(plays[0].seat_ids.values())
    assert len(asked) == 2
    wanted = re.search(r"IN \(([0-9, ]+)\)", asked[1]["sql"])[1]
    assert sorted(map(int, wanted.split(", "))) == ids
    assert sorted({who.pk for play in seated for who in play.seats.values()}) == ids


def test_newest_ruling_on_each_etui_counts(session, rule):
    rule(ANNULLED)
    split, other = rule(SPLIT, from_position=3), rule(ANNULLED, number=2)
    assert newest_by_etui(session.pk) == {split.etui_id: split, other.etui_id: other}
    assert newest_by_etui(session.pk, [other.etui_id]) == {other.etui_id: other}
    assert newest_by_etui(session.pk, [split.etui_id]) == {split.etui_id: split}
    assert newest_by_etui(session.pk, []) == {}


def altered(session):
    """Return the positions before which the cards of étui 1 were altered."""
    plays = Play.objects.filter(session=session, etui__number=1).select_related("table", "etui")
    return {play.position for play in plays if is_altered_before(play)}


def test_cards_are_known_up_to_the_position_in_which_they_were_altered(session, rule):
    assert altered(session) == set()
    rule(SPLIT, from_position=3)
    assert altered(session) == {3, 4, 5}
    rule(SPLIT, number=2, from_position=2)
    assert altered(session) == {3, 4, 5}
    rule(RESTORED)
    assert altered(session) == set()
