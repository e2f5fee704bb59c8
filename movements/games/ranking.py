"""The seating of the next game: by the ranking, strictly first with second and so on, or by lot.

By ranking, a table takes the next people from the top who have not met. People of near ranks are then exchanged where
somebody would meet again. In a small field a search follows. Odd tables go to those who sat at the fewest of them, then
to the lowest ranks.

In a session with étuis, the marks of a seat are compared with those of the same seat at the other tables. There is one
ranking, so nobody should always be compared with the same people.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum

from deals.domain.dealing import BITS, numbers, shuffle
from movements.games.exchange import check_mates
from movements.games.plan import lay_tables, split_people
from movements.plan.bounds import PlanError
from movements.plan.measures import count_meetings, count_odd_tables, pair
from movements.plan.plan import Plan, PlanStop

SMALL_FIELD = 28  # below this number of people, a search follows
_STEPS = 60_000
_MOST_TO_SEARCH = 100  # up to this number, a search follows only if somebody would meet again
_NEAR = 48  # two people are exchanged only if their ranks differ by at most this number
_MATES, _MET = 100_000, 1_000  # the cost of members of one team at a table, and of a repeated meeting
_ODD = 1_200  # the cost of an odd table, for each odd table at which the person sat before
_HEAT = 1_500


class NextGame(StrEnum):
    """The ways to seat the next game: by ranking, strictly in the order of the ranking, or by lot."""

    RANKING = "ranking"
    STRICT = "strict"
    DRAW = "draw"


def seat_next_game(
    games: Plan[int], order: Sequence[int], way: NextGame = NextGame.RANKING, *, seed: int = 1
) -> Plan[int]:
    """Return the games with one more game.

    `order`: the starting numbers of all who are there, in the order of the ranking. `seed`: of a draw. The same input
    gives the same tables. Raise PlanError if all games are seated, if the order has other people, or if the people
    cannot be divided into tables.
    """
    game = games.seated + 1
    if game > games.positions:
        raise PlanError("games", found=game, most=games.positions)
    if sorted(order) != sorted(games.present(game)):
        raise PlanError("game_order")
    sizes = split_people(len(order), games.odd)
    here = set(order)
    teams = [[number for number in team if number in here] for team in games.mates]
    check_mates(sizes, len(order), [len(team) for team in teams if team])
    if way is NextGame.DRAW:
        order = shuffle(numbers(seed, f"game {game}"), sorted(order))
    seating = _Round(games, order, teams)
    tables = _slice_in_order(seating, sizes) if way is NextGame.STRICT else seating.seat(sizes)
    if seating.count_mates(tables):
        seating.part_mates(tables)
    if seating.count_mates(tables):
        raise PlanError("mates_meet", size=max(map(len, teams)), tables=len(sizes))
    tables.sort(key=lambda table: min(seating.rank[number] for number in table))
    laid = lay_tables([[tuple(table) for table in tables]], games.etuis_per_position, games.odd, after=game - 1)
    return replace(games, stops=(*games.stops, *laid), rule=str(way))


class _Round:
    """The people of the next game, with their meetings and odd tables in the games before."""

    def __init__(self, games: Plan[int], order: Sequence[int], teams: Sequence[Collection[int]]) -> None:
        self.order, self.usual, self.small = order, games.usual, len(order) < SMALL_FIELD
        self.rank = {number: place for place, number in enumerate(order)}
        self.odd = count_odd_tables(games)
        self.apart: dict[int, Counter[int]] = {number: Counter() for number in order}
        for (one, two), times in count_meetings(games).items():
            if one in self.rank and two in self.rank:
                self.apart[one][two] += _MET * times
                self.apart[two][one] += _MET * times
        for team in teams:
            for one in team:
                for two in team:
                    if one != two:
                        self.apart[one][two] += _MATES

    def seat(self, sizes: Sequence[int]) -> list[list[int]]:
        """Return the tables, at which people of near ranks have seldom met before."""
        odd = [size for size in sizes if size != self.usual]
        by_need = sorted(self.order, key=lambda number: (self.odd[number], -self.rank[number]))
        at_odd = set(by_need[: sum(odd)])
        tables = self.fill([number for number in self.order if number not in at_odd], self.usual, len(sizes) - len(odd))
        rest = [number for number in self.order if number in at_odd]
        for size in odd:
            tables += self.fill(rest, size, 1)
            rest = [number for number in rest if number not in tables[-1]]
        self.exchange_near(tables)
        at_last = len(self.order) <= _MOST_TO_SEARCH and self.meets_again(tables)
        if (self.small or at_last) and len(tables) > 1:
            self.search(tables)
        return tables

    def fill(self, people: Sequence[int], size: int, count: int) -> list[list[int]]:
        """Return `count` tables of this size. Each takes the next people who have not met anybody at this table.

        If everybody left has met somebody there, the table takes the next person who has met them least.
        """
        left = list(people)
        tables = []
        for _ in range(count):
            table = [left.pop(0)]
            while len(table) < size:
                fresh = (place for place, number in enumerate(left) if not self.cost_at(table, number))
                place = next(fresh, None)
                if place is None:
                    place = min(range(len(left)), key=lambda place: (self.cost_at(table, left[place]), place))
                table.append(left.pop(place))
            tables.append(table)
        return tables

    def cost_at(self, table: Sequence[int], number: int) -> int:
        """Return the cost of a person at a table, because they have met the others before, or are of one team."""
        apart = self.apart[number]
        return sum(apart[other] for other in table)

    def meets_again(self, tables: Sequence[Sequence[int]]) -> bool:
        """Return whether somebody sits with a person whom they have met, or who is of their team."""
        return any(self.cost_at(table, number) for table in tables for number in table)

    def count_mates(self, tables: Sequence[Sequence[int]]) -> int:
        """Return how many people sit with a member of their team."""
        return sum(self.cost_at(table, number) >= _MATES for table in tables for number in table)

    def exchange_near(self, tables: list[list[int]]) -> None:
        """Exchange people of near ranks until nobody meets again, or nothing gets better."""
        at = {number: table for table in tables for number in table}
        improved = True
        while improved:
            improved = False
            for one in self.order:
                here = at[one]
                if not self.cost_at(here, one):
                    continue
                ways = [
                    (self.find_change(here, one, at[two], two), self.find_gap(one, two), two) for two in self.near(one)
                ]
                gain, _gap, two = min(ways)
                if gain < 0:
                    self.swap(at, one, two)
                    improved = True

    def part_mates(self, tables: list[list[int]]) -> None:
        """Exchange people of near ranks until no table has two members of one team. Meetings do not count."""
        for number, met in self.apart.items():
            self.apart[number] = Counter({other: _MATES for other, cost in met.items() if cost >= _MATES})
        at = {number: table for table in tables for number in table}
        while any(self.part_table(at, table) for table in tables):
            pass
        if self.count_mates(tables):
            self.search(tables)

    def part_table(self, at: dict[int, list[int]], table: Sequence[int]) -> bool:
        """Exchange one member of a team who sits with another one at the table. Return whether that was better."""
        ways = [
            (self.find_change(at[one], one, at[two], two), self.find_gap(one, two), one, two)
            for one in table
            if self.cost_at(table, one)
            for two in self.near(one)
        ]
        gain, _gap, one, two = min(ways, default=(0, 0, 0, 0))
        if gain < 0:
            self.swap(at, one, two)
        return gain < 0

    def find_gap(self, one: int, two: int) -> int:
        return abs(self.rank[one] - self.rank[two])

    def near(self, one: int) -> Sequence[int]:
        place = self.rank[one]
        return self.order[max(0, place - _NEAR) : place + _NEAR]

    def swap(self, at: dict[int, list[int]], one: int, two: int) -> None:
        here, there = at[one], at[two]
        here[here.index(one)], there[there.index(two)] = two, one
        at[one], at[two] = there, here

    def find_change(self, here: list[int], one: int, there: list[int], two: int) -> int:
        """Return the change of the cost if two people are exchanged. Below 0, the tables become better."""
        if here is there:
            return 0
        mine, yours = self.apart[one], self.apart[two]
        change = sum(yours[other] - mine[other] for other in here if other != one)
        change += sum(mine[other] - yours[other] for other in there if other != two)
        differ = (len(there) != self.usual) - (len(here) != self.usual)
        return change + differ * _ODD * (self.odd[one] - self.odd[two]) if differ else change

    def find_spread(self, here: list[int], one: int, there: list[int], two: int) -> int:
        """Return the change of the sum of rank differences at the tables if two people are exchanged."""
        rank = self.rank
        mine, yours = rank[one], rank[two]
        more = sum(abs(yours - rank[other]) - abs(mine - rank[other]) for other in here if other != one)
        return more + sum(abs(mine - rank[other]) - abs(yours - rank[other]) for other in there if other != two)

    def search(self, tables: list[list[int]]) -> None:
        """Exchange people at random for a fixed number of steps. Early steps also accept exchanges that cost more."""
        at = {number: table for table in tables for number in table}
        draw = numbers(1, f"seating {len(self.order)}")
        cooling = _STEPS * 3 // 4
        for step in range(_STEPS):
            chance = next(draw)
            one = self.order[chance % len(self.order)]
            two = self.order[(chance >> 8) % len(self.order)]
            here, there = at[one], at[two]
            if here is there:
                continue
            cost = self.find_change(here, one, there, two) + self.find_spread(here, one, there, two)
            warmth = _HEAT * (cooling - step) // cooling if step < cooling else 0
            if cost <= warmth * (chance >> 16) >> (BITS - 16):
                self.swap(at, one, two)


def _slice_in_order(seating: _Round, sizes: Sequence[int]) -> list[list[int]]:
    """Return tables of consecutive ranks.

    The odd tables get the people who sat at the fewest odd tables before, and among those the lowest ranks.
    """
    order, usual = seating.order, seating.usual
    odd_sizes = [size for size in sizes if size != usual]
    size = odd_sizes[0] if odd_sizes else usual
    usual_left, odd_left = len(sizes) - len(odd_sizes), len(odd_sizes)
    # best[tables, odd tables]: the lowest cost of dividing the last ranks into so many tables, and their sizes
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for count in range(1, len(sizes) + 1):
        for odd in range(max(0, count - usual_left), min(odd_left, count) + 1):
            end = len(order) - (count - odd) * usual - odd * size
            ways = []
            if (count - 1, odd) in best and count - odd <= usual_left:
                cost, chosen = best[count - 1, odd]
                ways.append((cost, (usual, *chosen)))
            if odd and (count - 1, odd - 1) in best:
                cost, chosen = best[count - 1, odd - 1]
                ways.append((cost + sum(seating.odd[number] for number in order[end : end + size]), (size, *chosen)))
            best[count, odd] = min(ways, key=lambda way: way[0])
    tables, start = [], 0
    for here in best[len(sizes), odd_left][1]:
        tables.append(list(order[start : start + here]))
        start += here
    return tables


def turn_seats(games: Plan[int]) -> Plan[int]:
    """Return the games with the people of some tables moved on by some seats. Nobody changes table.

    Table after table gets the turn by which the fewest pairs are compared again. The same games give the same result.
    """
    compared: Counter[tuple[int, int]] = Counter()
    turned: list[PlanStop[int]] = []
    for game in range(1, games.seated + 1):
        columns: list[list[int]] = [[] for _ in range(games.usual)]
        for table in games.at(game):
            ways = [table.people[turn:] + table.people[:turn] for turn in range(len(table.people))]
            people = min(ways, key=lambda way: _weigh(way, columns, compared))
            for column, number in zip(columns, people, strict=True):
                compared.update(pair(number, other) for other in column)
                column.append(number)
            turned.append(table._replace(seats=people))
    return replace(games, stops=tuple(turned))


def _weigh(people: tuple[int, ...], columns: list[list[int]], compared: Counter[tuple[int, int]]) -> int:
    """Return how often the new pairs have been compared before, each pair counting by its square."""
    again = (compared[pair(number, other)] for number, column in zip(people, columns, strict=True) for other in column)
    return sum(2 * times + 1 for times in again)
