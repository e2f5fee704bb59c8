"""The two vetoes of the bots: what they cost in points and in time, and whether a bot of level 10 obeys them.

    python -m bench.vetoes [--deals 480] [--views 600] [--processes 2]

Four bots of level 10 play each takeable étui three times: without vetoes, with vetoes for the taker, and for the
defenders. Then all of them have vetoes, and each lead or gift of the Petit against a veto is counted. The same
decisions are timed with and without vetoes, in turns, by processor time.

There are three goals. Each difference of strength is below three standard errors. No Petit is lost against a veto. A
decision takes at most 3 % more, and 12 ms. A missed goal is marked, and the exit code is then 1.
"""

import argparse
import os
import sys
from multiprocessing import get_context
from statistics import median
from time import process_time

from bots.choosing import choose_card
from bots.levels import PLAYERS, BotLevel, Character
from bots.matches import find_mean, find_next_move, start_takeable
from bots.moves import CardMove
from bots.policy import deciding
from bots.secrets import bot_secret
from deals.domain.cards import PETIT
from deals.domain.etui import taker_and_dealer
from referee.rules import player_at, seat_of
from referee.terms import DealPhase
from referee.views import SeatView, view
from scoring.contract import score_deal

SEED = bytes(range(32))
TEN = Character(BotLevel.TEN)
VETOES = deciding.VETOES
EXTRA, MOST_MS, ROUNDS = 0.03, 12.0, 5


def play(etui: int, obeying: set[int]) -> tuple[int, int, list[SeatView]]:
    """Return the base score of an étui, how often the Petit was lost against a veto, and the views of all cards.

    `obeying`: the players who have vetoes.
    """
    state, lost, views = start_takeable(SEED, etui), 0, []
    while state.phase != DealPhase.OVER:
        deciding.VETOES = VETOES if state.turn in obeying else ()
        player, move = find_next_move(state, dict.fromkeys(range(PLAYERS), BotLevel.TEN), bot_secret(SEED, etui))
        deciding.VETOES = VETOES
        if isinstance(move, CardMove):
            seen = view(state, seat_of(player, PLAYERS))
            views.append(seen)
            lost += move.card == PETIT and deciding.forbid_the_petit(seen) is not seen
        state = move.make(state, seat_of(player, PLAYERS))
    assert state.result is not None
    return score_deal(state.result).base_score, lost, views


def compare(etui: int) -> tuple[int, int, int, int]:
    """Return what vetoes gain for the attack and for the defence of an étui, and the Petits lost without and with."""
    taker = player_at(taker_and_dealer(etui)[0], PLAYERS)
    everybody = set(range(PLAYERS))
    without, lost, _views = play(etui, set())
    attacked, defended = play(etui, {taker})[0], play(etui, everybody - {taker})[0]
    return attacked - without, without - defended, lost, play(etui, everybody)[1]


def time_decisions(count: int) -> tuple[float, float]:
    """Return the mean milliseconds of a decision without and with vetoes: medians of rounds on the same views."""
    views: list[SeatView] = []
    etui = 0
    while len(views) < count:
        etui += 1
        views += play(etui, set())[2]
    times: dict[bool, list[float]] = {False: [], True: []}
    for _round in range(ROUNDS):
        for has_vetoes, taken in times.items():
            deciding.VETOES = VETOES if has_vetoes else ()
            start = process_time()
            for seen in views:
                choose_card(seen, TEN, SEED)
            taken.append(1000 * (process_time() - start) / len(views))
    deciding.VETOES = VETOES
    return median(times[False]), median(times[True])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=480)
    parser.add_argument("--views", type=int, default=600)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    with get_context("spawn").Pool(args.processes) as pool:
        attack, defence, lost, kept = zip(*pool.map(compare, range(1, args.deals + 1), chunksize=4), strict=True)
    without, with_vetoes = time_decisions(args.views)
    missed = 0
    for name, gain in (("attack", find_mean(attack)), ("defence", find_mean(defence))):
        is_seen = gain.mean != 0 and gain.is_seen
        missed += is_seen
        sys.stdout.write(f"{name} gains {gain} points by vetoes{'   missed' if is_seen else ''}\n")
    is_lost, is_slow = sum(kept) > 0, with_vetoes > min(MOST_MS, (1 + EXTRA) * without)
    missed += is_lost + is_slow
    sys.stdout.write(
        f"Petits lost against a veto: {sum(lost)} without, {sum(kept)} with{'   missed' if is_lost else ''}\n"
    )
    told = f"a decision: {without:.2f} ms without, {with_vetoes:.2f} ms with ({with_vetoes / without - 1:+.1%})"
    sys.stdout.write(f"{told}{'   missed' if is_slow else ''}\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
