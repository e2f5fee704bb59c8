"""The command `manage.py profile_figures garde-1 > deals/figures/garde-1.json`: it shows what a profile changes.

It deals the same étuis twice, without and with the profile, and counts the takers' bouts, trumps and evaluations. The
same arguments give the same file.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from deals.domain.dealing import deal_etui
from deals.domain.profile import PROFILES, accepts_etui, find_profiled_hand, get_profile
from deals.domain.statistics import count_hands

SEED = bytes(range(32))  # a published seed, so that anybody can compute the figures again
ETUIS = 20_000


class Command(BaseCommand):
    help = "Count the takers' hands with and without a taker profile, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("profile", choices=list(PROFILES))
        parser.add_argument("--boards", type=int, default=ETUIS)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(figures(options["profile"], options["boards"]), indent=1))


def figures(name: str, etuis: int) -> dict[str, Any]:
    """Return the numbers of takers' hands by bouts, by trumps and by evaluation, without and with the profile.

    `attempts`: how many deals were tried for the étuis.
    """
    profile = get_profile(name)
    counted: dict[str, Any] = {
        "profile": name,
        "minimum": profile.minimum,
        "maximum": profile.maximum,
        "seed": SEED.hex(),
        "boards": etuis,
    }
    for kind in ("unfiltered", "profiled"):
        attempts, hands = 0, []
        for number in range(1, etuis + 1):
            accept = accepts_etui(name, number) if kind == "profiled" else None
            dealt = deal_etui(SEED, number, 4, accept)
            attempts += dealt.attempt + 1
            hands.append(find_profiled_hand(name, number, dealt.deal))
        hand_counts = count_hands(hands)
        counted[kind] = {
            "attempts": attempts,
            "bouts": in_order(hand_counts.bouts),
            "trumps": in_order(hand_counts.trumps),
            "evaluation": in_order(hand_counts.evaluation),
        }
    return counted


def in_order(counts: Counter[int]) -> dict[str, int]:
    return {str(value): counts[value] for value in sorted(counts)}
