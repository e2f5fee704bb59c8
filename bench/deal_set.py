"""The time to make, store and print the étuis of a director: 36 étuis with a taker profile, printed as diagrams.

    python -m bench.deal_set [--boards 36] [--rounds 3] [--limit 5]

The program prints the seconds, and the ratio to dealing and printing as many étuis without profile and database. Its
database is in a temporary folder. The exit code is 1 if the slowest round takes more than `--limit` seconds.
"""

import argparse
import sys
from time import perf_counter

from bench.site import new_place, set_up


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", type=int, default=36)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=5.0)
    args = parser.parse_args()
    with new_place():
        slowest = measure(args.boards, args.rounds)
    return int(slowest > args.limit)


def measure(count: int, rounds: int) -> float:
    set_up()
    from django.utils import timezone

    from clubs.models import Club
    from deals.domain.deal import loads
    from deals.domain.dealing import deal_etui
    from deals.domain.etui import taker_and_dealer
    from deals.exports import pdf
    from deals.exports.documents import PrintedEtui, SetHeading
    from deals.sets import create_deal_set

    club = Club.objects.create(name="Bench", slug="bench", created_at=timezone.now())
    heading = SetHeading(name="Bench", players=4)

    def store_deal_set(seed: bytes) -> bytes:
        made = create_deal_set(
            club=club, name="Bench", count=count, now=timezone.now(), by=None, seed=seed, profile="garde-1"
        )
        etuis = [PrintedEtui(e.number, *taker_and_dealer(e.number), loads(e.cards)) for e in made.etuis.all()]
        return pdf.diagrams(heading, etuis, language="fr").typeset()

    def plain(seed: bytes) -> bytes:
        etuis = [PrintedEtui(n, *taker_and_dealer(n), deal_etui(seed, n).deal) for n in range(1, count + 1)]
        return pdf.diagrams(heading, etuis, language="fr").typeset()

    times: dict[str, list[float]] = {"stored": [], "plain": []}
    for number in range(rounds):
        for name, way in (("stored", store_deal_set), ("plain", plain)):
            start = perf_counter()
            way(bytes([number]) * 32)
            times[name].append(perf_counter() - start)
    slowest, ratio = max(times["stored"]), min(times["stored"]) / min(times["plain"])
    sys.stdout.write(
        f"{count} étuis made, stored and printed: {slowest:.2f} s at most, {ratio:.2f} of dealt and printed\n"
    )
    return slowest


if __name__ == "__main__":
    sys.exit(main())
