"""The time to match a thousand pasted names, each with a wrong letter, with a club of a thousand players.

    python -m bench.names [--lines 1000] [--players 1000] [--rounds 3] [--limit 1]

The program prints the seconds of the best round. The exit code is 1 if they are above `--limit`.
"""

import argparse
import random
import sys
from time import perf_counter

from clubs.matching import KnownPlayer, LineState, read_list

SYLLABLES = ("ba", "cho", "dé", "fri", "gou", "lan", "mar", "nel", "pé", "quin", "ro", "sel", "ti", "vau", "zé", "ber")


def make_names(count: int, chance: random.Random) -> list[KnownPlayer]:
    def word(syllables: int) -> str:
        return "".join(chance.choices(SYLLABLES, k=syllables)).capitalize()

    return [KnownPlayer(number, word(3), word(2)) for number in range(1, count + 1)]


def misspell(name: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(name))
    return name[:at] + chance.choice("aeinst") + name[at + 1 :]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=1.0)
    args = parser.parse_args()
    chance = random.Random(1)
    known = make_names(max(args.lines, args.players), chance)
    text = "\n".join(misspell(f"{who.first_name} {who.last_name}", chance) for who in known[: args.lines])
    best = float("inf")
    for _ in range(args.rounds):
        start = perf_counter()
        rows = read_list(text, known[: args.players])
        best = min(best, perf_counter() - start)
    doubts = sum(row.state not in (LineState.SURE, LineState.NEW) for row in rows)
    told = f"{len(rows)} lines against {args.players} players: {best:.2f} s, {doubts} doubts"
    sys.stdout.write(f"{told}   goal ≤ {args.limit:g}\n")
    return int(best > args.limit)


if __name__ == "__main__":
    raise SystemExit(main())
