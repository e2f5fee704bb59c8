"""`manage.py profile_figures garde-1 > deals/figures/garde-1.json`: what a taker profile does to the taker's hand.

Deals the same boards twice, without and with the profile, and counts the takers' bouts, trumps and evaluations. The
same numbers give the same file.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from deals.domain.board import taker_and_dealer
from deals.domain.dealing import deal_board
from deals.domain.profile import PROFILES, accepts_board, get_profile
from deals.domain.statistics import spread

SEED = bytes(range(32))  # that of the published vectors, so that anybody can count again
BOARDS = 20_000


class Command(BaseCommand):
    help = "Counts the takers' hands with and without a taker profile, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("profile", choices=list(PROFILES))
        parser.add_argument("--boards", type=int, default=BOARDS)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(figures(options["profile"], options["boards"]), indent=1))


def figures(name: str, boards: int) -> dict[str, Any]:
    """How many takers' hands have each number of bouts and trumps and each evaluation; how many attempts it took."""
    profile = get_profile(name)
    counted: dict[str, Any] = {
        "profile": name,
        "minimum": profile.minimum,
        "maximum": profile.maximum,
        "seed": SEED.hex(),
        "boards": boards,
    }
    for kind in ("unfiltered", "profiled"):
        attempts, hands = 0, []
        for number in range(1, boards + 1):
            accept = accepts_board(name, number) if kind == "profiled" else None
            dealt = deal_board(SEED, number, 4, accept)
            attempts += dealt.attempt + 1
            hands.append(dealt.deal.hand(taker_and_dealer(number)[0]))
        found = spread(hands)
        counted[kind] = {
            "attempts": attempts,
            "bouts": in_order(found.bouts),
            "trumps": in_order(found.trumps),
            "evaluation": in_order(found.evaluation),
        }
    return counted


def in_order(counts: Counter[int]) -> dict[str, int]:
    return {str(value): counts[value] for value in sorted(counts)}
