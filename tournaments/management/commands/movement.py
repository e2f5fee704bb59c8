"""`manage.py movement`: the plan of an evening in starting numbers, to read or as JSON. Needs no database."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.domain.movements import LINES, Movement, MovementError, Shifts, cyclic


class Command(BaseCommand):
    help = "Prints who sits where, with which étuis, in each position of the cyclic movement."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", default="", metavar="N", help="tables of four players")
        parser.add_argument("--positions", default=None, metavar="R", help="all of them, if not given")
        parser.add_argument("--etuis", default="4", metavar="K", help="étuis a table plays in each position")
        parser.add_argument("--json", action="store_true", help="one object with every play")

    def handle(self, *, tables: str | int, positions: str | int | None, etuis: str | int, **options: Any) -> None:
        wanted = None if positions is None else number("--positions", positions)
        try:
            movement = cyclic(number("--tables", tables), wanted, number("--etuis", etuis))
        except MovementError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(as_data(movement)) if options["json"] else as_text(movement))


def number(option: str, value: str | int) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise CommandError(f"{option} {value!r}: write a whole number.") from error


def as_data(movement: Movement) -> dict[str, Any]:
    return {
        "tables": movement.tables,
        "positions": movement.positions,
        "plays": [
            {"position": play.position, "table": play.table, "etuis": list(play.etuis)}
            | dict(zip(LINES, play.players, strict=True))
            for play in movement.plays
        ],
    }


def as_text(movement: Movement) -> str:
    lines = [
        f"Tables: {movement.tables}. Positions: {movement.positions}. Étuis a position: {movement.etuis_per_position}.",
        *([announcement(movement.shifts)] if movement.shifts else []),
    ]
    for play in movement.plays:
        if play.table == 1:
            lines += ["", f"Position {play.position}", "table    N    E    S    W  étuis"]
        seats = "".join(f"{player:5}" for player in play.players)
        first, last = play.etuis[0], play.etuis[-1]
        lines.append(f"{play.table:5}{seats}  {first}-{last}" if last > first else f"{play.table:5}{seats}  {first}")
    return "\n".join(lines)


def announcement(shifts: Shifts) -> str:
    def move(shift: int) -> str:
        return f"{shift:+d}".replace("-", "−") if shift else "stays"

    names = ("North", "East", "South", "West", "étuis")
    moves = ", ".join(f"{name} {move(shift)}" for name, shift in zip(names, shifts, strict=True))
    return f"After each position, in tables: {moves}."
