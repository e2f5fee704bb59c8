"""The time to find a member of the federation by two letters, in a list of 20 000 holders.

    python -m bench.licences [--holders 20000] [--players 300] [--rounds 9] [--limit 50]

The program makes a club in an empty database. This is a SQLite file in a temporary folder or, with DATABASE_URL, a
database of PostgreSQL, which it migrates. It searches for texts of two to six letters, prints the milliseconds of each
(the best of the rounds), and undoes what it wrote. The exit code is 1 if one is above `--limit`.
"""

import argparse
import os
import random
import sys
from time import perf_counter

from bench.site import new_place, set_up

SYLLABLES = ("ba", "cho", "dé", "fri", "gou", "lan", "mar", "nel", "pé", "quin", "ro", "sel", "ti", "vau", "zé", "le")
TEXTS = ("ma", "le", "ma le", "marle", "zz", "qu ti", "123")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--holders", type=int, default=20_000)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--limit", type=float, default=50.0)
    args = parser.parse_args()
    with new_place(database=os.environ.get("DATABASE_URL")):
        slowest = measure(args.holders, args.players, args.rounds)
    sys.stdout.write(f"slowest {slowest:.1f} ms   goal ≤ {args.limit:g}\n")
    return int(slowest > args.limit)


def measure(holders: int, players: int, rounds: int) -> float:
    """Fill the database, print the milliseconds of each text, and return those of the slowest one."""
    set_up()
    from django.db import connection, transaction
    from django.utils import timezone

    from clubs.licences import LicenceFile, store_list
    from clubs.lists import PastedList
    from clubs.models import Club, LicenceHolder, User
    from clubs.names import licence_key
    from clubs.players import add_players
    from clubs.roster import RosterLine
    from registration.agenda.search import find_people, read_asked

    chance, slowest = random.Random(1), 0.0

    def word(syllables: int) -> str:
        return "".join(chance.choices(SYLLABLES, k=syllables)).capitalize()

    with transaction.atomic():
        club = Club.objects.create(name="Club", slug="bench")
        user = User.objects.create(username="bench")
        lines = [
            LicenceHolder(
                licence=f"{number:07}",
                key=licence_key(f"{number:07}"),
                last_name=word(3),
                first_name=word(2),
                series="2",
                club_name=word(3),
            )
            for number in range(1, holders + 1)
        ]
        add_players(
            club=club, lines=[RosterLine(each.last_name, each.first_name, each.licence) for each in lines[:players]]
        )
        store_list(
            club=club,
            file=LicenceFile(lines, [], [], PastedList([], [], [])),
            name="bench",
            by=user,
            now=timezone.now(),
        )
        for text in TEXTS:
            times = []
            for _round in range(rounds):
                start = perf_counter()
                found = find_people(club, read_asked(text))
                times.append(1000 * (perf_counter() - start))
            slowest = max(slowest, min(times))
            told = f"{text!r:8} {len(found):2} found, {min(times):6.1f} ms"
            sys.stdout.write(f"{connection.vendor}: {told}\n")
        transaction.set_rollback(True)
    return slowest


if __name__ == "__main__":
    raise SystemExit(main())
