"""`manage.py deal`: the boards of a seed by TDG-1, as text or JSON. Needs no database."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deals.domain.board import board_ranges
from deals.domain.deal import DealError, places
from deals.domain.dealing import deal_board, seed_from_hex
from deals.domain.notation import dumps, hand_text


class Command(BaseCommand):
    help = "Prints the deals of a seed, one board a line."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", default="", metavar="HEX", help="the set's seed, 64 hexadecimal digits")
        parser.add_argument("--boards", default="1", help="boards, such as 1-36, 7 or 1-4,9")
        parser.add_argument("--players", default="4", help="3, 4 or 5")
        parser.add_argument("--json", action="store_true", help="a list of objects with each hand by itself")

    def handle(self, *, seed: str, boards: str, players: str | int, **options: Any) -> None:
        try:
            if str(players) not in ("3", "4", "5"):
                raise DealError("players", found=players)
            self.write(seed_from_hex(seed), board_ranges(boards), int(players), options["json"])
        except DealError as error:
            raise CommandError(str(error)) from error

    def write(self, seed: bytes, boards: tuple[range, ...], players: int, as_json: bool) -> None:
        numbers = (number for part in boards for number in part)
        if not as_json:
            for number in numbers:
                self.stdout.write(f"{number} {dumps(deal_board(seed, number, players).deal)}")
            return
        rows = []
        for number in numbers:
            deal, attempt = deal_board(seed, number, players)
            hands = {place: hand_text(cards) for place, cards in zip(places(players), deal.piles, strict=True)}
            rows.append({"board": number, "players": players, "attempt": attempt, "deal": dumps(deal), "hands": hands})
        self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1))
