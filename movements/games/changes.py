"""The games after somebody came late or left: a table of four becomes one of three or of five.

Games before the change never change. Within a game the others keep their order of turn: the next dealer stays the
next. If fewer than three people are left at a table, they join other tables from the next game on.
"""

from collections.abc import Collection
from dataclasses import replace
from itertools import count

from movements.games.exchange import Hall, anneal_tables, check_mates, slice_people
from movements.games.plan import (
    FEWEST_AT_TABLE,
    MOST_AT_TABLE,
    MOST_PEOPLE,
    TURNS,
    count_dealt,
    lay_part,
    lay_table,
    lay_tables,
    split_people,
)
from movements.plan.bounds import PlanError
from movements.plan.measures import count_meetings, count_odd_tables, pair
from movements.plan.plan import Plan, PlanStop, Stay

_STEPS = 60_000


def add_person(
    games: Plan[int], game: int, deal: int = 1, *, table: int | None = None, mates: Collection[int] = ()
) -> Plan[int]:
    """Return the games with one more person, whose number is the next one, from this deal of a game on.

    `mates`: the numbers of the others of the person's team. They never meet: if they would in the seated games, these
    are planned again.

    `table`: the table that the person joins in this game. If it is None, they join a table of three, or one of four if
    there is none of three. Among these tables, it is the one where they meet the fewest people again. If `game` is not
    seated yet, they have no table so far. Raise PlanError if no table has a place, or if members of a team must meet.
    """
    number = games.competitors + 1
    if number > MOST_PEOPLE:
        raise PlanError("players", found=number, least=FEWEST_AT_TABLE, most=MOST_PEOPLE)
    stays = (*games.stays, Stay(number, game, games.positions))
    changed = replace(games, competitors=number, stays=stays, mates=_add_mate(games.mates, number, mates))
    if game > games.seated:
        return changed
    if deal > 1:
        if table is None:
            raise PlanError("table_full", found=0)
        found = changed.at(game)
        part = next((part for part in found if part.table == table and part.start <= deal <= part.end), None)
        if part is None or len(part.people) >= MOST_AT_TABLE:
            raise PlanError("table_full", found=table)
        changed = _put_parts(changed, part, _divide_table(changed, part, deal, coming=number))
        _refuse_mates(changed, game, table)
        game, table = game + 1, None
    for later in range(game, games.seated + 1):
        changed = _join(changed, later, number, table)
        if table is not None:
            _refuse_mates(changed, later, table)
        table = None
    return _part_mates(changed, game)


def _add_mate(teams: tuple[tuple[int, ...], ...], number: int, mates: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """Return the teams with one more member, whose mates these numbers are. Without mates, no team changes."""
    own = next((team for team in teams if not {*mates}.isdisjoint(team)), ())
    if not mates:
        return teams
    return (*(team for team in teams if team != own), tuple(sorted({*own, *mates, number})))


def _refuse_mates(games: Plan[int], game: int, table: int) -> None:
    """Raise PlanError if members of a team sit at this table of the game."""
    if any(part.table == table and games.seats_mates(part) for part in games.at(game)):
        raise PlanError("mates_at_table", table=table)


def remove_person(games: Plan[int], number: int, game: int, deal: int = 1) -> Plan[int]:
    """Return the games without a person from this deal of a game on.

    If members of a team would meet in the place of the person, that game and those after it are planned again. Raise
    PlanError if the person is not there in that game.
    """
    if number not in games.present(game):
        raise PlanError("not_there", found=number)
    stay = next((stay for stay in games.stays if stay.competitor == number), Stay(number, 1, games.positions))
    last = game if deal > 1 else game - 1
    stays = (*(other for other in games.stays if other.competitor != number), stay._replace(last=last))
    changed = replace(games, stays=stays)
    whole = game
    if deal > 1:
        part = next((part for part in games.at(game) if number in part.people and part.start <= deal <= part.end), None)
        if part is not None:
            changed = _put_parts(changed, part, _divide_table(changed, part, deal, leaving=number))
        whole = game + 1
    for later in range(whole, games.seated + 1):
        changed = _leave(changed, later, number)
    return _part_mates(changed, whole)


def _part_mates(games: Plan[int], first: int) -> Plan[int]:
    """Return the games in which no members of a team meet from game `first` on.

    If they would, the games are planned again from that one on. Raise PlanError if members of a team must meet.
    """
    game = min((part.position for part in games.stops if part.position >= first and games.seats_mates(part)), default=0)
    if not game:
        return games
    check_people(games, game)
    return replan_games(games, game)


def check_people(games: Plan[int], game: int) -> tuple[int, ...]:
    """Return the sizes of the tables for those who are there in a game.

    Raise PlanError if they cannot be divided into tables, or if members of a team must meet.
    """
    there = games.present(game)
    sizes = split_people(len(there), games.odd)
    teams = [len({*team} & {*there}) for team in games.mates]
    check_mates(sizes, len(there), [members for members in teams if members])
    return sizes


def replan_games(games: Plan[int], game: int) -> Plan[int]:
    """Plan the seated games from this one on again, and return all games.

    The planned games are for the people who are there in game `game`. Earlier games stay, and their meetings count.
    Raise PlanError if the people cannot be divided into tables.
    """
    last = games.seated
    if game > last:
        return games
    people = games.present(game)
    sizes = split_people(len(people), games.odd)
    before = [[list(part.people) for part in games.at(earlier) if part.start == 1] for earlier in range(1, game)]
    planned = []
    for step in range(game, last + 1):
        turned = people[step % len(people) :] + people[: step % len(people)]
        planned.append(slice_people(turned, sizes))
    hall = Hall(before + planned, games.usual, games.mates, after=game - 1)
    anneal_tables(hall, steps=_STEPS)
    seated = [[tuple(table) for table in tables] for tables in hall.seated[game - 1 :]]
    laid = lay_tables(seated, games.etuis_per_position, games.odd, after=game - 1)
    kept = tuple(table for table in games.stops if table.position < game)
    return replace(games, stops=(*kept, *laid), rule="searched")


def _join(games: Plan[int], game: int, number: int, table: int | None = None) -> Plan[int]:
    """Return the games with a person at one more table of a game."""
    meetings = count_meetings(games)
    free = [part for part in games.at(game) if len(part.people) < MOST_AT_TABLE and part.start == 1]
    if table is not None:
        free = [part for part in free if part.table == table]
    if not free:
        raise PlanError("table_full", found=table or 0)
    mates = {other for team in games.mates if number in team for other in team}
    odd = count_odd_tables(games)

    def note(part: PlanStop[int]) -> tuple[int, int, int, int, int]:
        met = sum(meetings[pair(number, other)] for other in part.people)
        together = sum(other in mates for other in part.people)
        becomes_odd = len(part.people) + 1 != games.usual
        often = sum(odd[other] for other in part.people) if becomes_odd else 0
        return together, int(becomes_odd), met, often, -part.table

    part = min(free, key=note)
    return _put_parts(
        games, part, [lay_table(game, part.table, (*part.people, number), games.etuis_per_position, games.odd)]
    )


def _leave(games: Plan[int], game: int, number: int) -> Plan[int]:
    """Return the games without a person in a game. Those of a table that is too small join other tables."""
    part = next((part for part in games.at(game) if number in part.people), None)
    if part is None:
        return games
    rest = _close_ranks(part, number)
    if len(rest) >= FEWEST_AT_TABLE:
        return _put_parts(games, part, [lay_table(game, part.table, rest, games.etuis_per_position, games.odd)])
    changed = _put_parts(games, part, [])
    for other in rest:
        changed = _join(changed, game, other)
    return _number_tables(changed, game)


def _close_ranks(part: PlanStop[int], number: int) -> tuple[int, ...]:
    """Return the others of a table in the order of the seats, so that they keep their order of turn."""
    turn = [part.people[place] for place in TURNS[len(part.people)] if part.people[place] != number]
    return _seat_in_turn(turn) if len(turn) in TURNS else tuple(turn)


def _seat_in_turn(turn: list[int]) -> tuple[int, ...]:
    """Return people in the order of the seats, from their order of turn with the first dealer first."""
    people = [0] * len(turn)
    for place, number in zip(TURNS[len(turn)], turn, strict=True):
        people[place] = number
    return tuple(people)


def _divide_table(
    games: Plan[int], part: PlanStop[int], deal: int, *, leaving: int | None = None, coming: int | None = None
) -> list[PlanStop[int]]:
    """Return the two entries of a table at which somebody leaves or comes before a deal.

    The next dealer stays the next, and a newcomer deals after all others. Only one entry is left if fewer than three
    people stay, or if no deal is left.
    """
    turn = [part.people[place] for place in TURNS[len(part.people)]]
    following = (deal - 1) % len(turn)
    cycle = [number for number in turn[following:] + turn[:following] if number != leaving]
    if coming is not None:
        cycle.append(coming)
    parts = []
    if deal > part.start:
        parts.append(part._replace(etuis=part.etuis[: deal - part.start], rests=part.rests[: deal - part.start]))
    last = count_dealt(len(cycle), games.etuis_per_position, games.odd)
    if len(cycle) < FEWEST_AT_TABLE or last < deal:
        return parts
    shift = (deal - 1) % len(cycle)
    people = _seat_in_turn(cycle[len(cycle) - shift :] + cycle[: len(cycle) - shift])
    return [*parts, lay_part(part.position, part.table, people, range(deal, last + 1), games.odd)]


def _put_parts(games: Plan[int], old: PlanStop[int], new: list[PlanStop[int]]) -> Plan[int]:
    """Return the games with new entries of a table in the place of an old one and of those after it."""
    kept = [
        part
        for part in games.stops
        if (part.position, part.table) != (old.position, old.table) or (part.start < old.start and part != old)
    ]
    return replace(games, stops=tuple(sorted([*kept, *new], key=_place)))


def _number_tables(games: Plan[int], game: int) -> Plan[int]:
    """Return the games with the tables of a game numbered from 1 on, without a gap."""
    numbers = count(1)
    named = {table: next(numbers) for table in sorted({part.table for part in games.at(game)})}
    others = [part for part in games.stops if part.position != game]
    renamed = [part._replace(table=named[part.table]) for part in games.at(game)]
    return replace(games, stops=tuple(sorted([*others, *renamed], key=_place)))


def _place(part: PlanStop[int]) -> tuple[int, int, int]:
    return part.position, part.table, part.start
