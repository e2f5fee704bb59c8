"""The comparison of the product's referee with the plain one, over ten thousand games from seeds."""

import time

from tests.referee.deals import make_game
from tests.referee.test_two_referees import find_differences

GAMES = 10_000
SECONDS = 60


def test_referees_agree_on_ten_thousand_games_within_a_minute():
    """Play the games in one process, with the time that the process itself takes: the others may be busy."""
    start = time.process_time()
    different = [
        difference
        for number in range(GAMES)
        for difference in find_differences(make_game(100_000 + number // 3, 3 + number % 3))
    ]
    assert different == []
    assert time.process_time() - start < SECONDS
