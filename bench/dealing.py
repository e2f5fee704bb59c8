"""The number of deals a second, beside a plain loop that follows the specification, both on one core.

    python -m bench.dealing [--boards 3000] [--rounds 7] [--at-least 1.5]

The best round of each counts. Rounds of both take turns, so that a busy machine slows down both. The exit code is 1 if
the ratio of the two is below `--at-least`.
"""

import argparse
import sys
from collections.abc import Callable
from hashlib import sha256
from time import perf_counter

from deals.domain.dealing import deal_etui

SEED = bytes(range(32))


def plain_etui(seed: bytes, etui: int) -> tuple[list[list[int]], list[int]]:
    """Return hands and chien for four players, by the plainest code that follows the specification."""
    attempt = 0
    while True:
        head = b"TDG1" + seed + bytes([4]) + etui.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        cards = list(range(78))
        stream, place, block = b"", 0, 0
        for i in range(77, 0, -1):
            limit = 256 - 256 % (i + 1)
            while True:
                if place == len(stream):
                    stream, place = sha256(head + block.to_bytes(4, "big")).digest(), 0
                    block += 1
                byte = stream[place]
                place += 1
                if byte < limit:
                    break
            j = byte % (i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        hands = [cards[s * 18 : s * 18 + 18] for s in range(4)]
        if not any(56 in hand and max(hand) == 56 for hand in hands):
            return hands, cards[72:]
        attempt += 1


def seconds(deal: Callable[[bytes, int], object], etuis: int) -> float:
    start = perf_counter()
    for etui in range(1, etuis + 1):
        deal(SEED, etui)
    return perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--at-least", type=float, default=0.0)
    args = parser.parse_args()

    ways: dict[str, Callable[[bytes, int], object]] = {
        "plain": plain_etui,
        "dealt": deal_etui,
        "dealt, hands asked": lambda seed, etui: deal_etui(seed, etui).deal.hands,
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(args.rounds):
        for name, deal in ways.items():
            best[name] = min(best[name], seconds(deal, args.boards))
    for name, time in best.items():
        sys.stdout.write(f"{name:20}{args.boards / time:10.0f} deals/s   ratio {best['plain'] / time:.2f}\n")
    return int(best["plain"] / best["dealt"] < args.at_least)


if __name__ == "__main__":
    sys.exit(main())
