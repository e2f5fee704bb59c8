"""The check of the games of free deals. It finds every fault, however the games were made.

This module shares no code with those that make games, nor with `figures`: it counts everything again in the plainest
way.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from movements.games.figures import GameFigures
from movements.games.plan import Games, GameTable
from wording import CodedText, Texts
from wording import gettext_noop as _


@dataclass(frozen=True, slots=True)
class GameFault(CodedText):
    """A fault of the games. `params` are the figures of its message."""

    code: str
    params: dict[str, int | str]

    messages: ClassVar[Texts] = {
        "size": _("game %(game)s, table %(table)s: a table has three to five people, not %(found)s"),
        "unknown": _("game %(game)s, table %(table)s: there is no number %(number)s"),
        "twice": _("game %(game)s: number %(number)s sits in two places"),
        "absent": _("game %(game)s, table %(table)s: number %(number)s is not there in this game"),
        "left_out": _("game %(game)s: number %(number)s has no place"),
        "table_twice": _("game %(game)s: table %(table)s is there twice, or its deals do not follow one another"),
        "rests": _("game %(game)s, table %(table)s: not everybody rests equally often, or somebody rests who cannot"),
        "mates": _("game %(game)s, table %(table)s: numbers %(number)s and %(other)s are of one team"),
        "games": _("game %(game)s is not among the %(found)s games, or an earlier one is not seated"),
        "game_figure": _("the figure %(name)s is %(claimed)s, not %(found)s"),
    }


def find_game_faults(games: Games, claimed: GameFigures | None = None) -> list[GameFault]:
    """Return every fault. `claimed`: figures that the games should have; a false figure is a fault.

    Repeated meetings and unequal times at odd tables are not faults, but figures. Somebody who leaves in a game may
    have a place in it, or none.
    """
    faults = [*_find_wrong_numbers(games), *_find_wrong_tables(games)]
    if faults:
        return faults
    faults = [*_find_wrong_places(games), *_find_wrong_rests(games), *_find_mates(games)]
    if claimed is not None and not faults:
        faults += _find_false_figures(games, claimed)
    return faults


def _find_wrong_numbers(games: Games) -> Iterator[GameFault]:
    played = {table.game for table in games.tables}
    for game in sorted(played):
        if not 1 <= game <= games.games or (game > 1 and game - 1 not in played):
            yield GameFault("games", {"game": game, "found": games.games})
    for table in games.tables:
        alike = {"all_threes": 3, "all_fives": 5}.get(games.odd)
        if not 3 <= len(table.people) <= 5 or (alike and len(table.people) != alike):
            yield GameFault("size", {"game": table.game, "table": table.table, "found": len(table.people)})
        for number in table.people:
            if not 1 <= number <= games.people:
                yield GameFault("unknown", {"game": table.game, "table": table.table, "number": number})
            elif table.people.count(number) > 1:
                yield GameFault("twice", {"game": table.game, "number": number})


def _find_wrong_tables(games: Games) -> Iterator[GameFault]:
    parts: dict[tuple[int, int], list[GameTable]] = defaultdict(list)
    for table in games.tables:
        parts[table.game, table.table].append(table)
    for (game, number), tables in parts.items():
        next_deal = 1
        for part in tables:
            if part.first != next_deal or part.last < part.first:
                yield GameFault("table_twice", {"game": game, "table": number})
                break
            next_deal = part.last + 1


def _find_wrong_places(games: Games) -> Iterator[GameFault]:
    stays = {stay.number: stay for stay in games.stays}
    for game in sorted({table.game for table in games.tables}):
        tables: dict[int, set[int]] = defaultdict(set)
        for part in games.tables:
            if part.game == game:
                for number in part.people:
                    tables[number].add(part.table)
        for number in range(1, games.people + 1):
            stay = stays.get(number)
            there = stay is None or stay.first <= game <= stay.last
            if len(tables[number]) > 1:
                yield GameFault("twice", {"game": game, "number": number})
            if tables[number] and not there:
                yield GameFault("absent", {"game": game, "table": min(tables[number]), "number": number})
            if not tables[number] and there and (stay is None or stay.last != game):
                yield GameFault("left_out", {"game": game, "number": number})


def _find_wrong_rests(games: Games) -> Iterator[GameFault]:
    for table in games.tables:
        if not table.rests:
            continue
        times = [table.rests.count(number) for number in table.people]
        wrong = len(table.people) != 5 or len(table.rests) != table.last - table.first + 1
        if wrong or sum(times) != len(table.rests) or max(times) - min(times) > 1:
            yield GameFault("rests", {"game": table.game, "table": table.table})


def _find_mates(games: Games) -> Iterator[GameFault]:
    for table in games.tables:
        for team in games.mates:
            here = [number for number in table.people if number in team]
            if len(here) > 1:
                first, second = here[:2]
                yield GameFault("mates", {"game": table.game, "table": table.table, "number": first, "other": second})


def _find_false_figures(games: Games, claimed: GameFigures) -> Iterator[GameFault]:
    numbers = range(1, games.people + 1)
    shared: dict[tuple[int, int], set[int]] = defaultdict(set)
    odd: dict[int, set[int]] = defaultdict(set)
    rested: dict[int, int] = defaultdict(int)
    for table in games.tables:
        for number in table.people:
            for other in table.people:
                if number < other:
                    shared[number, other].add(table.game)
            if len(table.people) != {"fives": 5, "all_fives": 5, "all_threes": 3}.get(games.odd, 4):
                odd[number].add(table.game)
        for number in table.rests:
            rested[number] += 1
    all_games = [number for number in numbers if number not in {stay.number for stay in games.stays}]
    seated = {number for table in games.tables for number in table.people}
    meetings = sum(len(met) for met in shared.values())
    pairs = sum(1 for number in seated for other in seated if number < other)
    teams = [(one, two) for team in games.mates for one in team for two in team if one < two]
    sizes = sorted({len(table.people) for table in games.tables if table.first == 1})
    found = GameFigures(
        repeated=sum(max(0, len(met) - 1) for met in shared.values()),
        bound=max(0, meetings - pairs),
        most_meetings=max((len(met) for met in shared.values()), default=0),
        sizes=tuple(
            (size, sum(1 for table in games.tables if table.first == 1 and len(table.people) == size)) for size in sizes
        ),
        most_odd=max((len(odd[number]) for number in all_games), default=0),
        least_odd=min((len(odd[number]) for number in all_games), default=0),
        most_rests=max((rested[number] for number in all_games), default=0),
        least_rests=min((rested[number] for number in all_games), default=0),
        mates=sum(len(shared[pair]) for pair in teams),
    )
    for name in GameFigures.__slots__:
        if (here := getattr(found, name)) != (said := getattr(claimed, name)):
            yield GameFault("game_figure", {"name": name, "claimed": str(said), "found": str(here)})
