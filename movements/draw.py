"""The draw of the seats of position 1: by chance alone, or by strength, with certain players kept apart.

Players are any distinct numbers. Chance comes from a seed: the same players, tables and seed give the same seats.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from deals.domain.chance import below, numbers, shuffle
from movements.plans.plan import SEATS

ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawn player of each seat, in the order of the seats. `together`: the pairs that could not be kept apart."""

    players: tuple[int, ...]
    together: tuple[tuple[int, int], ...]


def assign_seats(
    players: Sequence[int],
    tables: Sequence[int],
    *,
    seed: int,
    by_strength: bool = False,
    apart: Sequence[Collection[int]] = (),
) -> Draw:
    """Draw a player for each seat. Return the players in the order of the seats.

    `tables`: the table of each seat. `apart`: groups of players who should not sit at one table. `by_strength`: the
    players are given strongest first, and are cut into four quarters. Each full table gets one player of each quarter.
    Each line gets about equally many players of each quarter. Strength matters more than keeping players apart. Raise
    ValueError if a player comes twice, or if there are not as many players as seats.
    """
    if len(set(players)) != len(players) or len(players) != len(tables):
        raise ValueError(f"{len(set(players))} different players for {len(tables)} seats")
    chance = numbers(seed, "draw")
    levels = quarters(tables, below(chance, SEATS)) if by_strength else [0] * len(tables)
    return deal_apart(players, tables, levels, apart, chance)


def draw_lines(
    players: Sequence[int], seats: Sequence[tuple[int, int]], *, seed: int, apart: Sequence[Collection[int]] = ()
) -> Draw:
    """Draw the seats again by a running ranking, so that every line has equally strong players.

    `players`: in the order of the ranking. `seats`: the line and the table of each seat. The first four players are
    drawn to the four lines, then the next four, and so on. A player's table is drawn by chance alone. Raise ValueError
    as `assign_seats` does.
    """
    if len(set(players)) != len(players) or len(players) != len(seats):
        raise ValueError(f"{len(set(players))} different players for {len(seats)} seats")
    chance = numbers(seed, "lines")
    levels = [0] * len(seats)
    for line in sorted({line for line, _table in seats}):
        here = [place for place, (there, _table) in enumerate(seats) if there == line]
        for band, place in enumerate(shuffle(chance, here)):
            levels[place] = band
    return deal_apart(players, [table for _line, table in seats], levels, apart, chance)


def deal_apart(
    players: Sequence[int],
    tables: Sequence[int],
    levels: Sequence[int],
    apart: Sequence[Collection[int]],
    chance: Iterator[int],
) -> Draw:
    """Return the best of some random draws: the one with the fewest pairs at one table who should be apart.

    `levels` has a number for each seat. The seats of the lowest level get the first players, then the next level.
    """
    groups = groups_of(apart)
    best: Draw | None = None
    for _ in range(ATTEMPTS):
        seated = seat_by_level(players, levels, chance)
        part_groups(seated, tables, levels, groups, chance)
        found = Draw(tuple(seated), tuple(find_clashing_pairs(seated, tables, groups)))
        if best is None or len(found.together) < len(best.together):
            best = found
        if not best.together:
            break
    assert best is not None
    return best


def quarters(tables: Sequence[int], first: int) -> list[int]:
    """Return the quarter of strength for each seat: 0 for the strongest players, 3 for the weakest.

    At each table, a quarter sits on another line than at the table before.
    """
    order = {table: place for place, table in enumerate(dict.fromkeys(tables))}
    seats: Counter[int] = Counter()
    levels = []
    for table in tables:
        levels.append((seats[table] + order[table] + first) % SEATS)
        seats[table] += 1
    return levels


def seat_by_level(players: Sequence[int], levels: Sequence[int], chance: Iterator[int]) -> list[int]:
    """Return the player of each seat: the seats of each level get the next strongest players, in random order."""
    seated = [0] * len(players)
    begin = 0
    for level in sorted(set(levels)):
        seats = [seat for seat, there in enumerate(levels) if there == level]
        drawn = shuffle(chance, list(players[begin : begin + len(seats)]))
        begin += len(seats)
        for seat, player in zip(seats, drawn, strict=True):
            seated[seat] = player
    return seated


def groups_of(apart: Sequence[Collection[int]]) -> dict[int, set[int]]:
    """Return the groups of each player, as indexes into `apart`."""
    groups: defaultdict[int, set[int]] = defaultdict(set)
    for place, group in enumerate(apart):
        for player in group:
            groups[player].add(place)
    return dict(groups)


def part_groups(
    seated: list[int],
    tables: Sequence[int],
    levels: Sequence[int],
    groups: dict[int, set[int]],
    chance: Iterator[int],
) -> None:
    """Exchange players of one level in `seated` while this leaves fewer pairs at one table who should be apart."""
    at = [[place for place, there in enumerate(tables) if there == table] for table in tables]

    def clashes(seat: int, player: int, without: int | None = None) -> int:
        """Return the number of players at the table of a seat whom the player should not meet.

        `without` is not counted.
        """
        mine = groups.get(player)
        if not mine:
            return 0
        others = (seated[place] for place in at[seat] if place != seat)
        return sum(other != without and not mine.isdisjoint(groups.get(other, ())) for other in others)

    def gain(seat: int, other: int) -> int:
        if tables[seat] == tables[other]:
            return 0
        here, there = seated[seat], seated[other]
        before = clashes(seat, here, there) + clashes(other, there, here)
        return before - clashes(seat, there, here) - clashes(other, here, there)

    improved = True
    while improved:
        improved = False
        for seat in shuffle(chance, list(range(len(seated)))):
            if not clashes(seat, seated[seat]):
                continue
            candidates = shuffle(chance, [place for place, level in enumerate(levels) if level == levels[seat]])
            other = max(candidates, key=lambda place: gain(seat, place))
            if gain(seat, other) > 0:
                seated[seat], seated[other] = seated[other], seated[seat]
                improved = True


def find_clashing_pairs(
    seated: Sequence[int], tables: Sequence[int], groups: dict[int, set[int]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of players of one group who sit at one table, seat by seat."""
    for place, player in enumerate(seated):
        for later in range(place + 1, len(seated)):
            other = seated[later]
            if tables[place] == tables[later] and groups.get(player, set()) & groups.get(other, set()):
                yield player, other
