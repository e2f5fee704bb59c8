"""Memory that deals take, as a ratio to plain lists of the same cards, both measured in the same run.

    python -m bench.memory [--boards 10000] [--at-most 0.5]

Counts what Python allocates for the deals alone. Ends with 1 when the ratio is above `--at-most`.
"""

import argparse
import sys
import tracemalloc
from collections.abc import Callable

from deals.domain.dealing import deal_board

SEED = bytes(range(32))


def deals(boards: int) -> list[object]:
    return [deal_board(SEED, board).deal for board in range(1, boards + 1)]


def plain_lists(boards: int) -> list[object]:
    """The same deals as a list of five lists of small integers each."""
    return [[list(pile) for pile in deal_board(SEED, board).deal.piles] for board in range(1, boards + 1)]


def kept_bytes(make: Callable[[int], list[object]], boards: int) -> int:
    tracemalloc.start()
    kept = make(boards)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(kept) == boards
    return size


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    args = parser.parse_args()
    deals(10)  # what is allocated once only is no deal's
    ways = {"deals": deals, "plain lists": plain_lists}
    sizes = {name: kept_bytes(make, args.boards) for name, make in ways.items()}
    ratio = sizes["deals"] / sizes["plain lists"]
    sys.stdout.write(f"{args.boards} boards for 4 players\n")
    sys.stdout.writelines(f"{name}: {size} bytes\n" for name, size in sizes.items())
    sys.stdout.write(f"{sizes['deals'] / args.boards:.0f} bytes a board, {ratio:.2f} of the plain lists\n")
    return int(ratio > args.at_most)


if __name__ == "__main__":
    sys.exit(main())
