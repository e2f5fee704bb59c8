"""The command `manage.py deal`: it prints the étuis that the algorithm TDG-1 deals from a seed, as text or JSON.

It needs no database.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deals.domain.deal import DealError, dumps, hand_text, places
from deals.domain.dealing import DealtEtui, deal_etui, seed_from_hex
from deals.domain.etui import etui_ranges
from deals.domain.profile import accepts_etui


class Command(BaseCommand):
    help = "Print the deals of a seed, one étui a line."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", default="", metavar="HEX", help="the set's seed, 64 hexadecimal digits")
        parser.add_argument("--boards", default="1", help="étuis, such as 1-36, 7 or 1-4,9")
        parser.add_argument("--players", default="4", help="3, 4 or 5")
        parser.add_argument("--profile", default="", metavar="NAME", help="the set's taker profile, such as garde-1")
        parser.add_argument("--json", action="store_true", help="a list of objects with each hand by itself")

    def handle(self, *, seed: str, boards: str, players: str | int, **options: Any) -> None:
        try:
            if str(players) not in ("3", "4", "5"):
                raise DealError("players", found=players)
            dealt = deal_named_etuis(seed_from_hex(seed), etui_ranges(boards), int(players), options["profile"])
            if options["json"]:
                self.stdout.write(json.dumps(list(map(as_data, dealt)), ensure_ascii=False, indent=1))
            else:
                for number, (deal, _) in dealt:
                    self.stdout.write(f"{number} {dumps(deal)}")
        except DealError as error:
            raise CommandError(str(error)) from error


def deal_named_etuis(
    seed: bytes, etuis: tuple[range, ...], players: int, profile: str
) -> Iterator[tuple[int, DealtEtui]]:
    for number in (number for part in etuis for number in part):
        yield number, deal_etui(seed, number, players, accepts_etui(profile, number) if profile else None)


def as_data(dealt: tuple[int, DealtEtui]) -> dict[str, Any]:
    number, (deal, attempt) = dealt
    hands = {place: hand_text(cards) for place, cards in zip(places(deal.players), deal.piles, strict=True)}
    return {"board": number, "players": deal.players, "attempt": attempt, "deal": dumps(deal), "hands": hands}
