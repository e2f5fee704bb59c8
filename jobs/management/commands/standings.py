"""The command `manage.py standings`: print the ranking of a session or tournament from CSV files of plays.

A tournament is ranked from its own file, or from the files of its sessions. The command needs no database. This module
reads the command line; `scoring.files.standings_file` and `scoring.files.tournament_file` read the files and rank the
players.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from jobs.management.commands.score import read_text_file
from scoring.files.sheets import SheetError, six_decimals
from scoring.files.standings_file import PLAY_COLUMNS, exact_cell, read_standings_file, standings_csv
from scoring.files.tournament_file import is_tournament, rank_tournament_file, ranking_csv, results_of
from scoring.formats import OFFERED
from scoring.ties import TieBreak
from scoring.tournament import ResultCounting, Round, TournamentRules

BY_FILE = [tie.value for tie in TieBreak if tie is not TieBreak.DRAW]  # a file has no lots
COUNTED = {"coefficients": None, "mean": False, "best_of": None, "least_sessions": 1}


class Command(BaseCommand):
    help = (
        "Print the ranking of a standings file, as a published session or tournament offers it"
        " (docs/standings-file.md), or of a CSV"
        f" of plays alone (columns {', '.join(PLAY_COLUMNS)}); of several files, that of the tournament whose sessions"
        " they are. Needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE.csv", help="UTF-8, a header line, one play a line; - for stdin"
        )
        parser.add_argument(
            "--rules", choices=list(OFFERED), help="how plays are compared (as the file says, or individual)"
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
            help="a player with less than this share of the highest number of deals has no rank",
        )
        parser.add_argument("--exact", action="store_true", help="percentages as fractions")
        several = parser.add_argument_group("a tournament of several files")
        several.add_argument("--coefficients", metavar="1,3/2,2", help="of each file in turn (1 each)")
        several.add_argument("--mean", action="store_true", help="the mean of the sessions played, not the sum")
        several.add_argument("--best-of", type=int, metavar="N", help="only the best N sessions count")
        several.add_argument(
            "--least-sessions", type=int, default=1, metavar="N", help="players with fewer sessions have no rank (1)"
        )

    def handle(self, *args: Any, files: list[str], rules: str | None, exact: bool, **options: Any) -> None:
        ties = [tie for tie in options["ties"].split(",") if tie]
        if unknown := set(ties) - set(BY_FILE):
            raise CommandError(f"--ties: unknown: {', '.join(sorted(unknown))}; there are: {', '.join(BY_FILE)}.")
        criteria = list(map(TieBreak, ties))
        try:
            texts = [read_text_file(file) for file in files]
            if len(texts) > 1:
                weights = read_coefficients(options, len(texts))
                ranking = rank_files(texts, weights, read_rules(options, criteria), exact=exact)
            else:
                settings = {"exact": exact, "ties": criteria, "least_share": options["at_least"]}
                rank = rank_tournament_file if is_tournament(texts[0]) else standings_csv
                if rank is rank_tournament_file and any(options[name] != default for name, default in COUNTED.items()):
                    raise CommandError("the file of a tournament says itself how its sessions count.")
                ranking = rank(texts[0], OFFERED[rules] if rules else None, **settings)
            self.stdout.write(ranking, ending="")
        except SheetError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError("the file has wrong lines; nothing was ranked.") from error


def read_coefficients(options: dict[str, Any], count: int) -> list[Fraction]:
    """Return the coefficient of each file, from the option `--coefficients`.

    Raise `CommandError` if the option has another number of coefficients, or one that is not a number above 0.
    """
    written = (options["coefficients"] or ",".join("1" * count)).split(",")
    try:
        coefficients = [Fraction(text) for text in written]
    except (ValueError, ZeroDivisionError) as error:
        raise CommandError("coefficients are numbers above 0, as 1,3/2,2.") from error
    if len(coefficients) != count or any(coefficient <= 0 for coefficient in coefficients):
        raise CommandError(f"give a coefficient above 0 for each of the {count} files.")
    return coefficients


def read_rules(options: dict[str, Any], ties: Sequence[TieBreak]) -> TournamentRules:
    """Return the rules for the ranking of a tournament, from the options. Raise `CommandError` for numbers below 1."""
    if options["best_of"] == 0 or min(options["best_of"] or 1, options["least_sessions"]) < 1:
        raise CommandError("--best-of and --least-sessions are 1 or more.")
    counting = ResultCounting.MEAN if options["mean"] else ResultCounting.SUM
    return TournamentRules(counting, options["best_of"], options["least_sessions"], ties=ties)


def rank_files(
    texts: Sequence[str], coefficients: Sequence[Fraction], rules: TournamentRules, *, exact: bool = False
) -> str:
    """Return the ranking of a tournament, from the texts of its sessions' files, in the form of `ranking_csv`.

    Players with equal names count as one player. `coefficients` has one coefficient for each file, in the same order.
    Raise `SheetError` if a file has wrong lines.
    """
    files = [read_standings_file(text) for text in texts]
    rounds = [
        Round(results_of(file.rank().players), coefficient)
        for file, coefficient in zip(files, coefficients, strict=True)
    ]
    return ranking_csv(files[0].sheet, rounds, rules, exact_cell if exact else six_decimals)
