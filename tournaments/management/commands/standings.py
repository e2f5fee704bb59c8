"""Prints the ranking of a CSV file of plays. Knows the command line; reading and ranking are `scoring.standings_file`.

Needs no database.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.ranking import RANKING_RULES
from scoring.sheets import SheetError
from scoring.standings_file import PLAY_COLUMNS, standings_csv
from scoring.ties import TieBreak
from tournaments.management.commands.score import read_text

BY_FILE = [tie.value for tie in TieBreak if tie is not TieBreak.DRAW]  # no file holds lots, but what they came to


class Command(BaseCommand):
    help = (
        "Print the ranking of a standings file, as a published session offers it (docs/standings-file.md), or of a CSV"
        f" of plays alone (columns {', '.join(PLAY_COLUMNS)}). Needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="UTF-8, a header line, one play a line; - for stdin")
        parser.add_argument(
            "--rules", choices=list(RANKING_RULES), help="how plays are compared (as the file says, or individual)"
        )
        parser.add_argument(
            "--ties", default="", help=f"what tells equals apart, in order, with commas: {', '.join(BY_FILE)}"
        )
        parser.add_argument(
            "--at-least",
            type=int,
            choices=range(101),
            default=0,
            metavar="PER_CENT",
            help="the share of the deals of whoever has most, below which a player is unranked",
        )
        parser.add_argument("--exact", action="store_true", help="percentages as fractions")

    def handle(self, *args: Any, file: str, rules: str | None, exact: bool, **options: Any) -> None:
        ties = [tie for tie in options["ties"].split(",") if tie]
        if unknown := set(ties) - set(BY_FILE):
            raise CommandError(f"--ties: unknown: {', '.join(sorted(unknown))}; there are: {', '.join(BY_FILE)}.")
        told = {"exact": exact, "ties": list(map(TieBreak, ties)), "least_share": options["at_least"]}
        try:
            chosen = RANKING_RULES[rules] if rules else None
            self.stdout.write(standings_csv(read_text(file), chosen, **told), ending="")
        except SheetError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError("the file has wrong lines; nothing was ranked.") from error
