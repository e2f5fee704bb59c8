"""Prints the ranking of a CSV file of plays. Knows the command line; reading and ranking are `scoring.sheets`.

Needs no database.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.ranking import INDIVIDUAL, RANKING_RULES, ranking_rules_named
from scoring.sheets import PLAY_COLUMNS, SheetError, standings_csv
from tournaments.management.commands.score import read_text


class Command(BaseCommand):
    help = f"Print the ranking of a CSV of plays (columns {', '.join(PLAY_COLUMNS)}). Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="UTF-8, a header line, one play a line; - for stdin")
        parser.add_argument(
            "--rules", choices=list(RANKING_RULES), default=INDIVIDUAL.name, help="how plays are compared (%(default)s)"
        )

    def handle(self, *args: Any, file: str, rules: str, **options: Any) -> None:
        try:
            self.stdout.write(standings_csv(read_text(file), ranking_rules_named(rules)), ending="")
        except SheetError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError("the file has wrong lines; nothing was ranked.") from error
