"""The command `manage.py score`: add the scores to a CSV file of deal results and print it. It needs no database.

This module reads the command line; `scoring.files.sheets` reads the file and computes the scores.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.files.sheets import SCORE_COLUMNS, SheetError, score_csv


class Command(BaseCommand):
    help = f"Print a CSV of deal results with the columns {', '.join(SCORE_COLUMNS)} added. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", help="UTF-8, a header line, one result a line; - for stdin")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            self.stdout.write(score_csv(read_text_file(file)), ending="")
        except SheetError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError("the file has wrong lines; nothing was scored.") from error


def read_text_file(file: str) -> str:
    """Return the text of a file; `-` is the standard input.

    Raise `CommandError` if it cannot be read or is not UTF-8.
    """
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"cannot read {file}: {error.strerror}; check the path.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 (byte {error.start + 1}); save it as CSV UTF-8.") from error
