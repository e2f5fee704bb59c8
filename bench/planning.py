"""The time to make and check plans: one large plan, a proposal for each number of players, or a search for shifts.

    python -m bench.planning [--rounds 5] [--at-most 0.2]
    python -m bench.planning --sweep 8-120 [--positions 5]
    python -m bench.planning --search 2x10 --positions 19 [--seed 1] [--tries 1000]

The first command makes a plan of 100 tables and 20 positions. Its exit code is 1 if the best round takes more than
`--at-most` seconds. The sweep prints the first proposal for each number of players. The search prints shifts of N, E,
S, W and the étuis in that group, or ends with exit code 1 if it finds none.
"""

import argparse
import sys
from math import prod
from time import perf_counter

from movements import compute_figures, find_faults, most_perfect, plan_tables, propose_plans, search_shifts


def say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def speed(rounds: int, at_most: float) -> int:
    best = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        plan = plan_tables(100, 20)
        compute_figures(plan)
        faults = find_faults(plan)
        best = min(best, perf_counter() - start)
        if faults:
            say(*map(str, faults))
            return 1
    say(f"100 tables × 20 positions planned, measured and verified: {best * 1000:.0f} ms")
    return int(best > at_most)


def sweep(players: range, positions: int) -> int:
    slowest, wrong = 0.0, 0
    say("players  seconds  repeated  rests     balance  proposal")
    for count in players:
        start = perf_counter()
        offered = propose_plans(count, positions)
        took = perf_counter() - start
        slowest = max(slowest, took)
        wrong += sum(bool(find_faults(one.plan)) for one in offered)
        found = offered[0].figures
        rests = f"{found.least_exempt} to {found.most_exempt}"
        rule = offered[0].plan.rule
        say(f"{count:7}  {took:7.2f}  {found.repeated:8}  {rests:8}  {found.balance:7}  {offered[0]} ({rule})")
    say(f"slowest: {slowest:.2f} s; plans with faults: {wrong}")
    return int(wrong > 0)


def search(moduli: tuple[int, ...], positions: int, seed: int, tries: int) -> int:
    say(f"{prod(moduli)} tables: {most_perfect(prod(moduli))} positions are known here")
    rows = search_shifts(moduli, positions, seed=seed, tries=tries)
    if rows is None:
        say(f"no {positions} positions found in {tries} tries")
        return 1
    say(*(",".join(map(str, row)) for row in rows))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--at-most", type=float, default=float("inf"))
    parser.add_argument("--sweep", metavar="FIRST-LAST")
    parser.add_argument("--search", metavar="GROUP")
    parser.add_argument("--positions", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tries", type=int, default=1000)
    args = parser.parse_args()
    if args.sweep:
        first, last = map(int, args.sweep.split("-"))
        return sweep(range(first, last + 1), args.positions)
    if args.search:
        moduli = tuple(map(int, args.search.split("x")))
        return search(moduli, args.positions, args.seed, args.tries)
    return speed(args.rounds, args.at_most)


if __name__ == "__main__":
    sys.exit(main())
