"""The draw of the seats of position 1: by chance alone, or by strength, with certain players kept apart.

Some groups are kept apart at the first table. The players of one team are kept apart at all tables of the plan.

Players are any distinct numbers. Chance comes from a seed: the same players, tables and seed give the same seats.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.dealing import below, numbers, shuffle
from movements.plan.measures import count_meetings
from movements.plan.plan import SEATS, LinePlan, Member

ATTEMPTS = 20
TWO = 2  # players of a team for whom two seats are found that never meet


class Apart(NamedTuple):
    """The groups of players who should not meet. `near` has, for each seat, the indexes of the seats that it meets."""

    groups: Sequence[Collection[int]]
    near: Sequence[Collection[int]]


NO_TEAMS = Apart((), ())
# The groups of each player, as indexes, and for each seat the seats that it would meet.
ApartRule = tuple[Mapping[int, set[int]], Sequence[Collection[int]]]


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
    teams: Apart = NO_TEAMS,
) -> Draw:
    """Draw a player for each seat. Return the players in the order of the seats.

    `tables`: the table of each seat. `apart`: groups of players who should not sit at one table. `by_strength`: the
    players are given strongest first, and are cut into four quarters. Each full table gets one player of each quarter.
    Each line gets about equally many players of each quarter. Strength matters more than keeping players apart.
    `teams`: the players of each team, who should never meet. Raise ValueError if a player comes twice, or if there are
    not as many players as seats.
    """
    if len(set(players)) != len(players) or len(players) != len(tables):
        raise ValueError(f"{len(set(players))} different players for {len(tables)} seats")
    chance = numbers(seed, "draw")
    levels = quarters(tables, below(chance, SEATS)) if by_strength else [0] * len(tables)
    rules = [seat_apart(apart, tables), teams]
    if teams.groups and not by_strength:
        return best_of(lambda: seat_pairs(players, teams, chance), levels, rules, chance)
    return deal_apart(players, levels, rules, chance)


def draw_lines(
    players: Sequence[int],
    seats: Sequence[tuple[int, int]],
    *,
    seed: int,
    apart: Sequence[Collection[int]] = (),
    teams: Apart = NO_TEAMS,
) -> Draw:
    """Draw the seats again by a running ranking, so that every line has equally strong players.

    `players`: in the order of the ranking. `seats`: the line and the table of each seat. The first four players are
    drawn to the four lines, then the next four, and so on. A player's table is drawn by chance alone. `apart`, `teams`
    and errors are those of `assign_seats`.
    """
    if len(set(players)) != len(players) or len(players) != len(seats):
        raise ValueError(f"{len(set(players))} different players for {len(seats)} seats")
    chance = numbers(seed, "lines")
    levels = [0] * len(seats)
    for line in sorted({line for line, _table in seats}):
        here = [place for place, (there, _table) in enumerate(seats) if there == line]
        for band, place in enumerate(shuffle(chance, here)):
            levels[place] = band
    return deal_apart(players, levels, [seat_apart(apart, [table for _line, table in seats]), teams], chance)


def seat_apart(groups: Sequence[Collection[int]], tables: Sequence[int]) -> Apart:
    """Return the groups as players who should not sit at one table. `tables`: the table of each seat."""
    at = [[place for place, there in enumerate(tables) if there == table] for table in tables]
    return Apart(groups, [[place for place in at[seat] if place != seat] for seat in range(len(tables))])


def find_meetings(plan: LinePlan) -> dict[Member, set[Member]]:
    """Return for each member of a plan the members whom it meets at a table, in any position."""
    met: dict[Member, set[Member]] = {member: set() for member in plan.everybody()}
    for one, other in count_meetings(plan):
        met[one].add(other)
        met[other].add(one)
    return met


def deal_apart(players: Sequence[int], levels: Sequence[int], apart: Sequence[Apart], chance: Iterator[int]) -> Draw:
    """Return the best of some random draws: the one with the fewest pairs who meet although they should be apart.

    `levels` has a number for each seat. The seats of the lowest level get the first players, then the next level.
    """
    return best_of(lambda: seat_by_level(players, levels, chance), levels, apart, chance)


def best_of(
    draw: Callable[[], list[int]], levels: Sequence[int], apart: Sequence[Apart], chance: Iterator[int]
) -> Draw:
    """Return the best of some draws after exchanges: the one with the fewest pairs who should be apart and meet."""
    rules = [(groups_of(each.groups), each.near) for each in apart if each.groups]
    best: Draw | None = None
    for _ in range(ATTEMPTS):
        seated = draw()
        part_groups(seated, levels, rules, chance)
        found = Draw(tuple(seated), tuple(find_clashing_pairs(seated, rules)))
        if best is None or len(found.together) < len(best.together):
            best = found
        if not best.together:
            break
    assert best is not None
    return best


def seat_pairs(players: Sequence[int], teams: Apart, chance: Iterator[int]) -> list[int]:
    """Return the player of each seat. As many teams of two as possible get two seats that never meet.

    Seats that meet almost all others are paired first, each with the seat that has the fewest possible partners.
    """
    seats = set(range(len(players)))
    free = {seat: seats - {seat} - set(teams.near[seat]) for seat in seats}
    twos = [group for group in teams.groups if len(group) == TWO]
    left = [twos[place] for place in shuffle(chance, [*range(len(twos))])]
    order = shuffle(chance, [*seats])
    seated: dict[int, int] = {}
    while left and any(free.values()):
        one = min((seat for seat in order if free[seat]), key=lambda seat: len(free[seat]))
        other = min((seat for seat in order if seat in free[one]), key=lambda seat: len(free[seat]))
        seated |= dict(zip((one, other), left.pop(), strict=True))
        for seat in (one, other):
            for partner in free.pop(seat) & free.keys():
                free[partner].discard(seat)
        order = [seat for seat in order if seat in free]
    others = shuffle(chance, [player for player in players if player not in {*seated.values()}])
    return [seated[seat] if seat in seated else others.pop() for seat in range(len(players))]


def part_newcomers(players: Sequence[int], teams: Apart, new: int) -> list[int]:
    """Return the last `new` players, exchanged so that as few players of one team meet as possible.

    `players` are in the order of the seats. The same players always give the same seats.
    """
    seated, kept = [*players], len(players) - new
    if not teams.groups:
        return seated[kept:]
    if not kept:
        seated = seat_pairs(players, teams, numbers(0, "newcomers"))
    levels = [min(seat, kept) for seat in range(len(seated))]
    part_groups(seated, levels, [(groups_of(teams.groups), teams.near)], numbers(0, "newcomers"))
    return seated[kept:]


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


def part_groups(seated: list[int], levels: Sequence[int], rules: Sequence[ApartRule], chance: Iterator[int]) -> None:
    """Exchange players of one level in `seated` while this leaves fewer pairs who meet although they should not."""

    def clashes(seat: int, player: int, without: int | None = None) -> int:
        """Return the number of players near a seat whom the player should not meet.

        `without` is not counted.
        """
        found = 0
        for groups, near in rules:
            if mine := groups.get(player):
                others = (seated[place] for place in near[seat])
                found += sum(other != without and not mine.isdisjoint(groups.get(other, ())) for other in others)
        return found

    def gain(seat: int, other: int) -> int:
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


def find_clashing_pairs(seated: Sequence[int], rules: Sequence[ApartRule]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of players of one group who meet, seat by seat."""
    found: set[tuple[int, int]] = set()
    for groups, near in rules:
        for place, player in enumerate(seated):
            mine = groups.get(player, set())
            others = [later for later in near[place] if later > place]
            found |= {(place, later) for later in others if mine & groups.get(seated[later], set())}
    yield from ((seated[place], seated[later]) for place, later in sorted(found))
