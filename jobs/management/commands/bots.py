"""The command `manage.py bots`: it plays a level of the bots against another, or checks that all moves are legal.

It needs no database. The deals follow from the seed, so the same command prints the same figures on every machine.
"""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from bots.levels import BotError, read_level
from bots.matches import MatchDeal, MeanGain, find_mean, play_checked, play_match_deal
from deals.domain.deal import DealError
from deals.domain.dealing import seed_from_hex

SEED = bytes(range(32)).hex()
MOST_DEALS = 1_000_000
CHUNK = 4  # étuis that a process takes at a time


class Command(BaseCommand):
    help = "Play the bots against each other over takeable deals (docs/bots.md)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, parser_class=ArgumentParser)
        match = actions.add_parser("match", help="print what level A gains over level B, attacking and defending")
        match.add_argument("levels", nargs=2, metavar="LEVEL", help="policy, 10, 30 or 100")
        check = actions.add_parser("check", help="play deals from the auction on; a refused move ends the command")
        check.add_argument("levels", nargs=1, metavar="LEVEL", help="policy, 10, 30 or 100")
        for action in (match, check):
            action.add_argument("--deals", default="100", metavar="N", help="étuis 1 to N are played")
            action.add_argument("--seed", default=SEED, metavar="HEX", help="64 hexadecimal digits")
            action.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="all cores, if not given")

    def handle(self, *args: Any, action: str, levels: list[str], deals: str, seed: str, **options: Any) -> None:
        number = int(deals) if str(deals).isascii() and str(deals).isdigit() else 0
        if not 1 <= number <= MOST_DEALS:
            raise CommandError(f"--deals {str(deals)!r}: write a number from 1 to {MOST_DEALS}.")
        if options["processes"] < 1:
            raise CommandError(f"--processes {options['processes']}: write a number from 1.")
        try:
            chosen, deal_seed = [read_level(name) for name in levels], seed_from_hex(seed)
        except (BotError, DealError) as error:
            raise CommandError(str(error)) from error
        if action == "check":
            played = run_over_etuis(partial(play_checked, deal_seed, chosen[0]), number, options["processes"])
            self.stdout.write(f"{number} deals, {sum(played)} moves, all legal")
            return
        play = partial(play_match_deal, deal_seed, levels=(chosen[0], chosen[1]))
        self.stdout.write(describe_match(list(run_over_etuis(play, number, options["processes"])), *levels))


def run_over_etuis(play: partial[Any], number: int, processes: int) -> Iterator[Any]:
    """Yield the result of each étui, in order. Several processes play, and their number changes no result."""
    if processes == 1:
        yield from map(play, range(1, number + 1))
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(play, range(1, number + 1), CHUNK)


def describe_match(played: list[MatchDeal], level: str, other: str) -> str:
    """Return the gains of a match as text, each with its standard error."""
    attack = find_mean(deal.attack_gain for deal in played)
    defence = find_mean(deal.defence_gain for deal in played)
    return "\n".join(
        (
            f"{len(played)} étuis, base score of a garde: mean ± one standard error",
            f"{other} attacks and defends: {find_mean(deal.both for deal in played)}",
            f"{level} gains over {other} attacking: {show_match_gain(attack)}",
            f"{level} gains over {other} defending: {show_match_gain(defence)}",
        )
    )


def show_match_gain(gain: MeanGain) -> str:
    return f"{gain}{'' if gain.is_seen else ' (less than three standard errors: not seen)'}"
