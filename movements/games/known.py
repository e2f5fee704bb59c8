"""The games of an evening of which all are known beforehand, so that players can follow guide cards.

From five tables on, the tables follow a perfect rule of the plans with étuis, in which nobody meets twice. With tables
of three, some numbers of one line stay empty. With tables of five, the étui sets of the rule are the fifth line.
Smaller fields were searched once and are stored (`small_fields.py`).
"""

from collections.abc import Sequence
from dataclasses import replace

from movements.games.exchange import (
    Hall,
    Seated,
    anneal_tables,
    check_mates,
    even_odd_tables,
    group_numbers,
    slice_people,
)
from movements.games.plan import check_games, lay_tables, split_people, start_games
from movements.games.small_fields import FIELDS, STORED_GAMES
from movements.plan.bounds import PlanError
from movements.plan.plan import USUAL, OddTables, Plan
from movements.search.rules import lay_out, most_perfect, rule_for

FEWEST_BY_RULE = 5  # tables
_STEPS = 60_000  # the steps of a search for a field that is not stored
_STEPS_OF_TEAMS = 120_000
_OFTEN_ODD = 2  # if somebody sits at an odd table more often, a search tries to even it out
_FEWEST_TO_EVEN = 7  # with fewer tables, each exchange of two people adds a repeated meeting
_GENTLE_HEAT = 6.0


def plan_games(
    people: int, games: int, deals: int, odd: OddTables = OddTables.THREES, *, teams: Sequence[int] = ()
) -> Plan[int]:
    """Return the games of an evening with as few repeated meetings as possible.

    `deals`: how many each player plays in a game. `teams`: the sizes of the teams. Their members get numbers that never
    meet; `mates` of the result says which. The same input gives the same games. Raise PlanError if a figure is out of
    range, or if the people cannot be divided into such tables. Also raise it if members of a team have to meet.
    """
    check_games(people, games, deals)
    sizes = split_people(people, odd)
    check_mates(sizes, people, teams)
    seated, rule = _seat_all(people, games, odd, sizes)
    mates: tuple[tuple[int, ...], ...] = ()
    if teams:
        found = group_numbers(people, teams, seated)
        if found is None:
            mates = tuple(map(tuple, slice_people(range(1, people + 1), teams)))
            seated, rule = _search_apart(seated, usual=USUAL[odd], mates=mates), "searched"
        else:
            mates = found
    empty = start_games(people, games, deals, odd, mates=mates)
    return replace(empty, stops=tuple(lay_tables(_fix(seated), deals, odd)), rule=rule)


def _seat_all(people: int, games: int, odd: OddTables, sizes: Sequence[int]) -> tuple[Seated, str]:
    """Return the people of each table in each game, and the name of the method that found them."""
    tables = len(sizes)
    if tables == 1:
        return [[list(range(1, people + 1))] for _ in range(games)], "one table"
    stored = FIELDS.get(tuple(sizes))
    if stored and games == STORED_GAMES:
        return read_field(stored), "stored"
    if tables < FEWEST_BY_RULE:
        start = read_field(stored)[:games] if stored else []
        start += [slice_people(range(1, people + 1), sizes) for _ in range(games - len(start))]
        return _search(start, USUAL[odd]), "searched"
    return _follow_rule(people, games, odd, sizes)


def read_field(text: str) -> Seated:
    """Return the games of a stored field: a line for each game, with the people of each table as letters from A on."""
    return [[[ord(letter) - 64 for letter in table] for table in line.split()] for line in text.strip().splitlines()]


def _search(seated: Seated, usual: int, after: int = 0) -> Seated:
    hall = Hall(seated, usual, after=after)
    anneal_tables(hall, steps=_STEPS)
    return hall.seated


def _search_apart(seated: Seated, usual: int, mates: Sequence[Sequence[int]]) -> Seated:
    hall = Hall([[table[:] for table in game] for game in seated], usual, mates)
    anneal_tables(hall, steps=_STEPS_OF_TEAMS)
    if hall.count_mates():
        most = max(map(len, mates))
        raise PlanError("mates_meet", size=most, tables=min(map(len, seated)))
    return hall.seated


def _follow_rule(people: int, games: int, odd: OddTables, sizes: Sequence[int]) -> tuple[Seated, str]:
    """Return games by a rule, as many as are perfect, with games from a search after these, and the method's name."""
    tables = len(sizes)
    fifths = people - 4 * tables
    moving = fifths > 0
    reach = most_perfect(tables, barometer=not moving)
    if moving and reach < games <= most_perfect(tables, barometer=True):
        moving, reach = False, most_perfect(tables, barometer=True)
    plan = lay_out(rule_for(tables, min(games, reach), barometer=not moving), 1)
    seated: Seated = [[] for _ in range(games)]
    for play in plan.stops:
        # the members of line k have the numbers k · tables + 1 and so on, as far as there are people
        here = [tables * member.line + member.number for member in play.people]
        fifth = 4 * tables + (play.etuis[0] if moving else (play.table - play.position) % tables + 1)
        seated[play.position - 1].append([number for number in (*here, fifth) if number <= people])
    for game in range(min(games, reach), games):
        seated[game] = [table[:] for table in seated[game % reach]]
    hall = Hall(seated, USUAL[odd], after=0)
    if hall.count_repeated():
        hall.after = 0 if not moving and fifths > 0 else min(reach, games)
        anneal_tables(hall, steps=_STEPS, heat=0)
        hall.after = 0
    even_odd_tables(hall)
    if max(hall.odd) > _OFTEN_ODD and tables >= _FEWEST_TO_EVEN:
        other = Hall([[table[:] for table in game] for game in hall.seated], hall.usual)
        anneal_tables(other, steps=_STEPS, heat=_GENTLE_HEAT)
        even_odd_tables(other)
        if (other.count_repeated(), max(other.odd)) < (hall.count_repeated(), max(hall.odd)):
            return other.seated, "searched"
    return hall.seated, plan.rule


def _fix(seated: Seated) -> list[list[tuple[int, ...]]]:
    return [[tuple(table) for table in game] for game in seated]
