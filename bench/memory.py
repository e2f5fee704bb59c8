"""The memory that deals take, beside plain lists of the same cards.

    python -m bench.memory [--boards 10000] [--at-most 0.5]

The bytes that Python allocates for the deals are counted. The exit code is 1 if the ratio is above `--at-most`.
"""

import argparse
import sys
import tracemalloc
from collections.abc import Callable

from deals.domain.dealing import deal_etui

SEED = bytes(range(32))


def deals(etuis: int) -> list[object]:
    return [deal_etui(SEED, etui).deal for etui in range(1, etuis + 1)]


def plain_lists(etuis: int) -> list[object]:
    """Return the same deals as lists of five lists of small integers."""
    return [[list(pile) for pile in deal_etui(SEED, etui).deal.piles] for etui in range(1, etuis + 1)]


def kept_bytes(make: Callable[[int], list[object]], etuis: int) -> int:
    tracemalloc.start()
    kept = make(etuis)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == etuis
    return size


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    args = parser.parse_args()
    deals(10)  # first allocate what Python needs only once
    ways = {"deals": deals, "plain lists": plain_lists}
    sizes = {name: kept_bytes(make, args.boards) for name, make in ways.items()}
    ratio = sizes["deals"] / sizes["plain lists"]
    sys.stdout.write(f"{args.boards} étuis for 4 players\n")
    sys.stdout.writelines(f"{name}: {size} bytes\n" for name, size in sizes.items())
    sys.stdout.write(f"{sizes['deals'] / args.boards:.0f} bytes an étui, {ratio:.2f} of the plain lists\n")
    return int(ratio > args.at_most)


if __name__ == "__main__":
    sys.exit(main())
