"""The comparison of the product's referee with the plain one, over ten thousand games from seeds."""

import time
from collections import Counter

import pytest

from referee.errors import GameError
from referee.games import start_game
from tests.referee.deals import KINDS, make_game, make_void_deal
from tests.referee.plain import find_fault
from tests.referee.test_two_referees import find_differences

pytestmark = pytest.mark.nightly("process")

GAMES, VOID = 10_000, 100
SECONDS = 60


def test_referees_agree_on_ten_thousand_games_within_a_minute():
    """Play the games in one process, with the time that the process itself takes: the others may be busy.

    Every kind of game is among them, which has something rare on purpose, and some deals are void.
    """
    start = time.process_time()
    different, kinds = [], Counter()
    for number in range(GAMES):
        game = make_game(100_000 + number // 3, 3 + number % 3)
        different += find_differences(game)
        kinds[game["id"].split(" ", 2)[2]] += 1
    for number in range(VOID):
        hands, chien = make_void_deal(number, 3 + number % 3)
        game = make_game(number, 3 + number % 3) | {"hands": hands, "dog": chien}
        assert find_fault(game) == (None, "petit sec")
        with pytest.raises(GameError, match="void"):
            start_game(game)
    assert different == []
    assert time.process_time() - start < SECONDS
    assert kinds.keys() == KINDS.keys()
    assert min(kinds.values()) > 200
