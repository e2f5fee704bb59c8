"""The command `manage.py referee`: read whole games, one JSON object a line, and print the result of each. No database.

This module reads the command line; `referee.games` judges each game.
"""

import gzip
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from referee.games import LONGEST, judge_line, judge_text


class Command(BaseCommand):
    help = "Print the legal cards, the winners and the score of each game of a file of JSON lines. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.jsonl", help="one game a line, .gz may be compressed; - for stdin")
        parser.add_argument("--check", action="store_true", help="compare legal, winner and expected where they stand")
        parser.add_argument(
            "--records", action="store_true", help="read records (docs/records.md), with an empty line between"
        )

    def handle(self, *args: Any, file: str, check: bool, records: bool, **options: Any) -> None:
        count = wrong = 0
        told_of_each = map(judge_text, read_records(file)) if records else judge_lines(file, check)
        for verdict in told_of_each:
            count += 1
            wrong += bool("error" in verdict or verdict.get("differences") or verdict.get("faults"))
            self.stdout.write(json.dumps(verdict, ensure_ascii=False))
        if wrong:
            raise CommandError(f"{wrong} of {count} games have an error, a difference or a fault; the lines say where.")


def judge_lines(file: str, check: bool) -> Iterator[dict[str, Any]]:
    """Yield the result of each game in a file of JSON lines."""
    for line in read_lines(file):
        if line.strip():
            yield judge_line(line, check=check)


def read_records(file: str) -> Iterator[bytes]:
    """Yield the text of each record of a file. An empty line ends a record."""
    lines: list[bytes] = []
    for line in read_lines(file):
        if line.strip():
            lines.append(line)
        elif lines:
            yield b"".join(lines)
            lines = []
    if lines:
        yield b"".join(lines)


def read_lines(file: str) -> Iterator[bytes]:
    """Yield the lines of a file. A line that is too long is cut.

    Raise `CommandError` if the file cannot be read.
    """
    try:
        with closing(open_file(file)) as lines:
            while line := lines.readline(LONGEST + 1):
                rest = line
                while len(rest) > LONGEST and not rest.endswith(b"\n"):
                    rest = lines.readline(LONGEST + 1)
                yield line.removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"cannot read {file}: {reason}; check the path.") from error


def open_file(file: str) -> BinaryIO:
    """Return the opened file; `-` is the standard input."""
    if file == "-":
        return sys.stdin.buffer
    return gzip.open(file, "rb") if file.endswith(".gz") else open(file, "rb")  # type: ignore[return-value]
