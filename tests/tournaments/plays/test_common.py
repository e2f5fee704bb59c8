"""The data that all tables of a session share, without a database."""

import pytest

from tournaments.models import Entrant, Etui, Play
from tournaments.plays.common import Common

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
