"""The data that all tables of a session share, without a database."""

import pytest

from clubs.models import Club
from evenings.plays import common
from evenings.plays.common import Common
from tournaments.models import Entrant, Etui, Play, Session, Tournament

COMMON = Common(
    people={pk: Entrant(pk=pk) for pk in (1, 2, 3, 4)}, etuis={7: Etui(pk=7)}, rulings={}, seats={}, outcome=None
)


def make_play(etui=7, north=1):
    return Play(etui_id=etui, north_id=north, east_id=2, south_id=3, west_id=4)


@pytest.mark.parametrize(
    ("plays", "known"),
    [([], True), ([make_play()], True), ([make_play(8)], False), ([make_play(north=5)], False)],
    ids=["no play", "known", "another étui", "another player"],
)
def test_data_knows_the_etuis_and_players_that_it_has(plays, known):
    assert COMMON.knows(plays) is known


def test_one_unknown_play_is_enough():
    assert not COMMON.knows([make_play(), make_play(8)])


def test_play_without_all_its_players_needs_only_those_who_are_there():
    assert Common({1: Entrant(pk=1)}, {7: Etui(pk=7)}, {}, {}, None).knows([Play(etui_id=7, north_id=1)])


def test_single_players_have_no_members_no_line_ups_and_no_parted_positions():
    assert (COMMON.members, COMMON.line_ups, COMMON.parted) == ((), {}, ())


def test_data_is_read_again_for_a_new_revision_or_new_names(monkeypatch):
    read = []
    monkeypatch.setattr(common, "read_common", lambda session: read.append(session) or COMMON)
    common.kept_common.cache_clear()
    club = Club()
    session = Session(pk=9, revision=1, tournament=Tournament(club=club))
    for revision, names in ((1, 0), (1, 0), (2, 0), (2, 1), (2, 1)):
        session.revision, club.names_version = revision, names
        assert common.common_of(session) is COMMON
    assert read == [9, 9, 9]
    common.kept_common.cache_clear()
