"""The command `manage.py movement`: print the plan of a session in starting numbers, as text or JSON.

It plans for full tables, proposes plans for a number of players, or verifies a plan from a file. It writes English and
needs no database.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from evenings.plans.data import plan_data, proposal_data, read_plan_text
from evenings.plans.proposals import PlanQuestion, find_proposals
from jobs.management.commands.score import read_text_file
from movements import (
    LinePlan,
    Member,
    PlanError,
    PlanStop,
    Proposal,
    compute_figures,
    find_faults,
    most_perfect,
    plan_tables,
)
from movements.plan.bounds import check_counts
from movements.plan.notation import write_seat
from tournaments.words.messages import say_faults, say_worth

POSITIONS = 5  # positions of proposals for a number of players, if not given


class Command(BaseCommand):
    help = "Print who sits where, with which étuis, in each position."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--tables", default="", metavar="N", help="full tables of four players")
        what.add_argument("--players", default=None, metavar="P", help="propose for any number of players")
        what.add_argument(
            "--import", dest="file", default=None, metavar="FILE", help="verify a plan: JSON or CSV, or -"
        )
        parser.add_argument(
            "--positions",
            default=None,
            metavar="R",
            help="the number of positions (as many as stay perfect; 5 with --players)",
        )
        parser.add_argument("--etuis", default="4", metavar="K", help="étuis a table plays in each position")
        parser.add_argument("--barometer", action="store_true", help="all tables play the position's étuis")
        parser.add_argument("--json", action="store_true", help="one object with every play")

    def handle(
        self, *, tables: str | int, players: str | int | None, file: str | None, json: bool, **options: Any
    ) -> None:
        with override("en"):
            try:
                if file is not None:
                    answer = self.import_plan(file, json)
                elif players is not None:
                    answer = show_proposals(number("--players", players), json, **settings(options))
                else:
                    answer = show_plan(number("--tables", tables), json, **settings(options))
            except PlanError as error:
                raise CommandError(str(error)) from error
        self.stdout.write(answer)

    def import_plan(self, file: str, as_json: bool) -> str:
        """Return a plan from a file as text or JSON. Print its faults and raise `CommandError` if it has any."""
        plan = read_plan_text(read_text_file(file))
        faults = find_faults(plan)
        for _fault, sentence in say_faults(faults):
            self.stderr.write(f"{sentence}.")
        if faults:
            raise CommandError(f"{file} holds no plan that can be played; faults: {len(faults)}.")
        return dump(plan_data(plan)) if as_json else "\n".join([write_heading(plan), *worth(plan)])


def number(option: str, value: str | int) -> int:
    """Return the option's value as a whole number. Raise `CommandError` if it is none."""
    try:
        return int(value)
    except ValueError as error:
        raise CommandError(f"{option} {value!r}: write a whole number.") from error


def settings(options: dict[str, Any]) -> dict[str, Any]:
    positions = options["positions"]
    return {
        "positions": None if positions is None else number("--positions", positions),
        "etuis": number("--etuis", options["etuis"]),
        "barometer": options["barometer"],
    }


def show_plan(tables: int, as_json: bool, *, positions: int | None, etuis: int, barometer: bool) -> str:
    """Return the plan for full tables as text or JSON."""
    plan = full(tables, positions, etuis, barometer)
    if as_json:
        return dump(plan_data(plan))
    return as_text(plan, *worth(plan))


def full(tables: int, positions: int | None, etuis: int, barometer: bool) -> LinePlan:
    """Return the plan for full tables, made by the simplest rule that allows `positions` positions.

    Without `positions`, use as many positions as possible so that nobody meets twice.
    """
    if positions is None:
        check_counts(tables=tables, positions=1, etuis_per_position=etuis)
        positions = most_perfect(tables, barometer=barometer)
    return plan_tables(tables, positions, etuis, barometer=barometer)


def show_proposals(players: int, as_json: bool, *, positions: int | None, etuis: int, barometer: bool) -> str:
    """Return proposals for a number of players, as text or JSON. Only the first one has its whole plan."""
    offered = find_proposals(PlanQuestion(players, POSITIONS if positions is None else positions, etuis, barometer))
    first, *others = offered
    if as_json:
        alternatives = [proposal_data(other) for other in others]
        return dump(plan_data(first.plan) | proposal_data(first) | {"alternatives": alternatives})
    return "\n".join([*choices(offered), "", as_text(first.plan)])


def choices(offered: tuple[Proposal, ...]) -> Iterator[str]:
    for place, proposal in enumerate(offered, start=1):
        data = proposal_data(proposal)
        yield f"{place}. {data['text']}"
        yield from (f"   {line}." for line in data["worth"])


def dump(data: dict[str, Any]) -> str:
    return json.dumps(data)


def worth(plan: LinePlan) -> list[str]:
    return [f"{line}." for line in say_worth(plan, compute_figures(plan))]


def write_heading(plan: LinePlan) -> str:
    return f"Tables: {plan.tables}. Positions: {plan.positions}. Étuis per position: {plan.etuis_per_position}."


def as_text(plan: LinePlan, *notes: str) -> str:
    """Return a plan as text: heading, notes, announcement, then the tables of each position."""
    lines = [write_heading(plan), *notes, *announcement(plan)]
    for (position, plays), resting in zip(
        groupby(plan.stops, key=lambda play: play.position), plan.list_resting(), strict=True
    ):
        lines += ["", f"Position {position}", "table    N    E    S    W  étuis"]
        for play in plays:
            seats = "".join(f"{seat_text(seat, member):>5}" for seat, member in enumerate(play.seats))
            lines.append(f"{play.table:5}{seats}  {etuis_of(play)}")
        if resting:
            lines.append(f"rest: {', '.join(member.name for member in resting)}")
    return "\n".join(lines)


def seat_text(seat: int, member: Member | None) -> str:
    """Return a seat as text: a starting number, a rover with line and number ("N8"), or "-" for nobody."""
    return "-" if member is None else str(write_seat(seat, member))


def etuis_of(play: PlanStop[Member]) -> str:
    """Return the étuis of a play as text: "1-4", or "1 3" if they do not follow each other."""
    first, last = play.etuis[0], play.etuis[-1]
    if play.etuis != tuple(range(first, last + 1)):
        return " ".join(map(str, play.etuis))
    return f"{first}-{last}" if last > first else f"{first}"


def announcement(plan: LinePlan) -> Iterator[str]:
    """Yield the moves that the arbiter can announce, if the plan has simple ones."""
    if plan.shifts is not None:
        moves = ", ".join(
            f"{name} {f'{shift:+d}'.replace('-', '−') if shift else 'stays'}"
            for name, shift in zip(("North", "East", "South", "West", "étuis"), plan.shifts, strict=True)
            if name != "étuis" or not plan.barometer
        )
        yield f"After each position, in tables: {moves}."
