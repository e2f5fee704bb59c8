"""The command `manage.py archive`: it writes a tournament to one file, and imports such a file into a club."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from archives.archive.restoring import TournamentImport
from archives.archive.writing import export_snapshot
from archives.errors import ArchiveError
from clubs.models import Club, User
from clubs.roles import directs
from tournaments.models import Tournament
from wording import CodedText


class Command(BaseCommand):
    help = (
        "Write a tournament to a ZIP of JSON files (docs/archive.md), or bring such a file into a club. Not in it:"
        " passwords, links, codes, contacts, devices, and cards that are not public."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, parser_class=ArgumentParser)
        export = actions.add_parser("export", help="write a tournament to FILE")
        export.add_argument("tournament", metavar="TOURNAMENT", help="its address: CLUB/TOURNAMENT")
        export.add_argument("file", metavar="FILE", type=Path)
        export.add_argument(
            "--cards-for",
            metavar="USER",
            help="include cards and seeds that are not public: this director asks, and the look is logged",
        )
        bring = actions.add_parser("import", help="bring the tournament of FILE into a club")
        bring.add_argument("file", metavar="FILE", type=Path)
        bring.add_argument("--club", metavar="SLUG", required=True)
        bring.add_argument("--preview", action="store_true", help="only tell what would happen, as JSON")
        bring.add_argument(
            "--answer",
            metavar="ROW=PLAYER",
            action="append",
            default=[],
            help="who a doubtful player is: the number of a player of the list, or new",
        )

    def handle(self, *args: Any, action: str, file: Path, **options: Any) -> None:
        try:
            if action == "export":
                self.export(options["tournament"], file, options["cards_for"])
            else:
                self.bring(file, options["club"], read_answers(options["answer"]), preview=options["preview"])
        except ArchiveError as refusal:
            raise CommandError(CodedText.__str__(refusal)) from refusal
        except OSError as error:
            raise CommandError(str(error)) from error

    def export(self, place: str, file: Path, cards_for: str | None) -> None:
        club, _slash, slug = place.partition("/")
        tournament = Tournament.objects.filter(club__slug=club, slug=slug).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {place}: write CLUB/TOURNAMENT, as in its address.")
        user = None if cards_for is None else User.objects.filter(username=cards_for).first()
        if cards_for is not None and not (user and directs(user, tournament.club)):
            raise CommandError(f"{cards_for} is no director of this club.")
        packed = export_snapshot(tournament=tournament, now=timezone.now(), cards_for=user)
        file.write_bytes(packed)
        self.stdout.write(f"{file}: {tournament.name}, {len(packed) / 1e6:.1f} MB.")

    def bring(self, file: Path, slug: str, answers: dict[int, int | None], *, preview: bool) -> None:
        club = Club.every.filter(slug=slug).first()
        if club is None:
            raise CommandError(f"There is no club {slug}.")
        with file.open("rb") as archive:
            imported = TournamentImport.read(archive, club, answers)
        if preview:
            self.stdout.write(json.dumps(imported.describe(), indent=1, ensure_ascii=False))
            return
        players = imported.known
        tournament = imported.carry_out(by=None, now=timezone.now())
        done = "is here already, nothing is changed" if players else f"has {len(imported.players)} players"
        self.stdout.write(f"{slug}/{tournament.slug}: {tournament.name} {done}.")


def read_answers(texts: list[str]) -> dict[int, int | None]:
    """Return the answers about doubtful players, by their row. Raise `CommandError` if one cannot be read."""
    answers: dict[int, int | None] = {}
    for text in texts:
        row, _equals, player = text.partition("=")
        try:
            answers[int(row)] = None if player == "new" else int(player)
        except ValueError:
            raise CommandError(f"An answer is ROW=PLAYER or ROW=new: {text!r}") from None
    return answers
