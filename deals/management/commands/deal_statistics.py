"""The command `manage.py deal_statistics`: it tests whether the deals of a seed look like fair deals.

It needs no database. The exit code is 1 if a test fails.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deals.domain.deal import Deal, DealError
from deals.domain.dealing import deal_etui, seed_from_hex
from deals.domain.profile import accepts_etui, find_profiled_hand
from deals.domain.statistics import (
    LIMIT,
    DealTally,
    HandCounts,
    UniformityResult,
    count_hands,
    means_by_place,
    petit_sec_rate,
    uniformity,
)

KEPT = 10_000  # the number of étuis that are kept for the means; the tests use all étuis, and keep none


class Command(BaseCommand):
    help = "Test whether a seed's deals are uniform. With a taker profile, show what the takers hold."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", default="", metavar="HEX", help="64 hexadecimal digits")
        parser.add_argument("--deals", default="20000", metavar="N", help="étuis 1 to N are dealt")
        parser.add_argument("--players", default="4", help="3, 4 or 5")
        parser.add_argument("--profile", default="", metavar="NAME", help="a taker profile, such as garde-1")
        parser.add_argument("--json", action="store_true", help="one object")

    def handle(self, *, seed: str, deals: str | int, players: str | int, **options: Any) -> None:
        number = int(deals) if str(deals).isascii() and str(deals).isdigit() else 0
        if not 1000 <= number <= 10_000_000:
            raise CommandError(f"--deals {str(deals)!r}: write a number from 1000 to 10000000.")
        if str(players) not in ("3", "4", "5"):
            raise CommandError(f"--players {str(players)!r}: write 3, 4 or 5.")
        try:
            if options["profile"]:
                data = takers(seed_from_hex(seed), number, int(players), options["profile"])
            else:
                data = fairness(seed_from_hex(seed), number, int(players))
        except DealError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(data) if options["json"] else as_text(data))
        if failed := [test["name"] for test in data.get("tests", []) if not test["passed"]]:
            raise CommandError(f"These deals are not those of a fair shuffle: {', '.join(failed)}.")


def fairness(seed: bytes, number: int, players: int) -> dict[str, Any]:
    tally = DealTally(players)
    kept: list[Deal] = []
    for etui in range(1, number + 1):
        dealt = deal_etui(seed, etui, players)
        tally.add(dealt)
        if etui <= KEPT:
            kept.append(dealt.deal)
    return {
        "deals": number,
        "players": players,
        "petits_secs": tally.attempts - tally.deals,
        "petits_secs_expected": round(float(tally.attempts * petit_sec_rate(players)), 1),
        "tests": [as_data(finding) for finding in uniformity(tally)],
        "places": means(kept),
    }


def takers(seed: bytes, number: int, players: int, profile: str) -> dict[str, Any]:
    hands = []
    kept: list[Deal] = []
    attempts = 0
    for etui in range(1, number + 1):
        deal, attempt = deal_etui(seed, etui, players, accepts_etui(profile, etui))
        hands.append(find_profiled_hand(profile, etui, deal))
        attempts += attempt + 1
        if etui <= KEPT:
            kept.append(deal)
    return {
        "deals": number,
        "players": players,
        "profile": profile,
        "attempts": attempts,
        "takers": distribution(count_hands(hands)),
        "places": means(kept),
    }


def as_data(finding: UniformityResult) -> dict[str, Any]:
    return {"name": finding.name, "z": round(finding.z, 3), "passed": finding.passed}


def means(deals: Iterable[Deal]) -> list[dict[str, Any]]:
    return [
        {key: round(float(value), 3) if isinstance(value, Fraction) else value for key, value in row._asdict().items()}
        for row in means_by_place(list(deals))
    ]


def distribution(found: HandCounts) -> dict[str, dict[int, int]]:
    return {name: dict(sorted(counts.items())) for name, counts in found._asdict().items()}


def as_text(data: dict[str, Any]) -> str:
    lines = [f"{key}: {value}" for key, value in data.items() if not isinstance(value, list | dict)]
    for test in data.get("tests", []):
        lines.append(f"{test['name']:24}z {test['z']:+7.3f}  {'passed' if test['passed'] else 'FAILED'}")
    if "tests" in data:
        lines.append(f"A test passes when z lies between -{LIMIT:g} and {LIMIT:g}.")
    for name, counts in data.get("takers", {}).items():
        lines.append(f"takers' {name}: " + ", ".join(f"{value}: {count}" for value, count in counts.items()))
    lines.append("mean of    trumps   bouts  points  evaluation")
    for row in data["places"]:
        evaluation = "" if row["evaluation"] is None else f"{row['evaluation']:12.3f}"
        lines.append(f"{row['place']:8}{row['trumps']:9.3f}{row['bouts']:8.3f}{row['points']:8.3f}{evaluation}")
    return "\n".join(lines)
