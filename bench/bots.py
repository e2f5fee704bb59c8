"""The processor time of a bot's decision at each level, and the playouts a second beside those of the plain referee.

    python -m bench.bots [--deals 12] [--ten 12] [--levels policy 10 30 100]

The decisions are those of deals that four bots of one level play. The mean of level 10 has a goal in milliseconds, so
it is measured on a quiet core. A missed goal is marked, and the exit code is then 1.
"""

import argparse
import random
import sys
from time import process_time

from bench.referee import play_plainly, start_deal
from bots.choosing import choose_move
from bots.levels import PLAYERS, BotLevel, read_level
from bots.matches import start_takeable
from bots.sampling.playing_out import play_to_the_end
from bots.secrets import bot_secret
from referee.state import Playout
from referee.terms import DealPhase
from referee.views import view

SEED = bytes(range(32))
EARLY = 3  # tricks
ROUNDS = 200


def time_decisions(level: BotLevel, etui: int) -> list[tuple[int, float]]:
    """Return the trick, counted from 0, and the seconds of each card of a deal that bots of one level play."""
    state, secret, times = start_takeable(SEED, etui), bot_secret(SEED, etui), []
    while state.phase != DealPhase.OVER:
        seen, trick = view(state, state.seat), len(state.tricks)
        start = process_time()
        move = choose_move(seen, level, secret)
        if state.phase == DealPhase.PLAY:
            times.append((trick, process_time() - start))
        assert move is not None
        state = move.make(state, state.seat)
    return times


def mean_ms(times: list[float]) -> float:
    return 1000 * sum(times) / len(times)


def count_playouts() -> tuple[float, float]:
    """Return the playouts a second of the short policy, and of random cards by the plain referee."""
    states = [start_deal(number) for number in range(1, ROUNDS + 1)]
    start = process_time()
    for state in states:
        play_to_the_end(Playout(state))
    short = process_time() - start
    start = process_time()
    for number, state in enumerate(states):
        play_plainly(state, random.Random(number))
    return ROUNDS / short, ROUNDS / (process_time() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--ten", type=float, default=12)
    parser.add_argument("--levels", nargs="+", type=read_level, default=list(BotLevel), metavar="LEVEL")
    args = parser.parse_args()
    missed = False
    for level in args.levels:
        deals = max(1, args.deals // (1 if level < BotLevel.THIRTY else PLAYERS))
        times = [each for etui in range(1, deals + 1) for each in time_decisions(level, etui)]
        mean = mean_ms([seconds for _, seconds in times])
        early = mean_ms([seconds for trick, seconds in times if trick < EARLY])
        miss = level == BotLevel.TEN and mean > args.ten
        missed |= miss
        goal = f"   goal ≤ {args.ten:g}{' missed' if miss else ''}" if level == BotLevel.TEN else ""
        name = f"level {level.title}"
        sys.stdout.write(f"{name:14}{mean:8.2f} ms a decision   first {EARLY} tricks {early:8.2f} ms{goal}\n")
    short, plain = count_playouts()
    sys.stdout.write(f"playouts a second: short policy {short:.0f}, plain referee with random cards {plain:.0f}\n")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
