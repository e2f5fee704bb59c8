"""The time to compute the notes of a simultaneous tournament: 36 étuis, each played 5 000 times.

    python -m bench.topage [--etuis 36] [--tables 5000] [--rounds 7]

The time of topage is compared with the time of counting the same scores with one `Counter`. Any comparison needs at
least this work. The best round of each counts, and rounds take turns. Then the ranking of all players is measured, in
seconds and in largest memory. The last ratio is the time for a play in a ranking of 400 tables, compared with 10
tables. The exit code is 1 if a figure is above its limit (see `--help`).
"""

import argparse
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable
from time import process_time

from scoring.notes import topage
from scoring.ranking import Line, ScoringPlay, standings

SCORES = range(-180, 182, 2)  # 181 different scores
LINES = tuple(Line)


def dealt_scores(etuis: int, tables: int) -> list[list[int]]:
    chance = random.Random(1)
    more = max(0, tables - len(SCORES))
    return [[*SCORES[:tables], *chance.choices(SCORES, k=more)] for _ in range(etuis)]


def ratio(etuis: list[list[int]], rounds: int) -> float:
    best: dict[Callable[[list[int]], object], float] = {Counter: float("inf"), topage: float("inf")}
    for _ in range(rounds):
        for way in best:
            start = process_time()
            for scores in etuis:
                way(scores)
            best[way] = min(best[way], process_time() - start)
    return best[topage] / best[Counter]


def growth(rounds: int) -> float:
    """Return how much longer a play takes in the ranking of 400 tables than of 10, as a ratio. There are 20 étuis."""
    few, many = (min(rank(dealt_scores(20, tables))[0] for _ in range(rounds)) / (20 * tables) for tables in (10, 400))
    return many / few


def rank(etuis: list[list[int]]) -> tuple[float, int]:
    """Rank all players. Return the seconds that it takes, and the number of players.

    Four players stay together at each table and take the étuis in turn.
    """
    plays = [
        ScoringPlay(number, tuple(range(4 * table, 4 * table + 4)), LINES[(number + table) % 4], score)
        for number, scores in enumerate(etuis)
        for table, score in enumerate(scores)
    ]
    start = process_time()
    players = standings(plays).players
    return process_time() - start, len(players)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--etuis", type=int, default=36)
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--at-most", type=float, default=3.0)
    parser.add_argument("--within", type=float, default=30.0)
    parser.add_argument("--gigabytes", type=float, default=1.5)
    parser.add_argument("--growth", type=float, default=1.5)
    args = parser.parse_args()
    etuis = dealt_scores(args.etuis, args.tables)
    different = len({score for scores in etuis for score in scores})
    told = ratio(etuis, args.rounds)
    plays = args.etuis * args.tables
    sys.stdout.write(f"{plays} plays, {different} different scores: topage takes {told:.2f} of counting them\n")
    seconds, players = rank(etuis)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    sys.stdout.write(f"{players} players of {plays} plays ranked: {seconds:.1f} s, {gigabytes:.2f} GB at most\n")
    grown = growth(args.rounds)
    sys.stdout.write(f"a play’s share of the ranking of 400 tables, of that of 10: {grown:.2f}\n")
    return int(grown > args.growth or told > args.at_most or seconds > args.within or gigabytes > args.gigabytes)


if __name__ == "__main__":
    sys.exit(main())
