"""The search that made `small_fields.py`: `python -m bench.seating --fields` makes it again.

Each field is searched from many seeds, until nothing is better than the bound by counting, or the seeds are used up.
The best games are kept.
"""

from collections.abc import Sequence

from movements.games.exchange import Hall, Seated, anneal_tables
from movements.games.plan import split_people
from movements.plan.bounds import PlanError
from movements.plan.plan import USUAL, OddTables

GAMES = 5
SEEDS = 60
STEPS = 150_000
MOST_TABLES = 4


def search_field(people: int, sizes: Sequence[int], usual: int, seeds: int = SEEDS) -> tuple[int, Seated]:
    """Return the least number of repeated meetings that the search finds, and the games."""
    numbers = list(range(1, people + 1))
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    bound = max(0, GAMES * sum(size * (size - 1) // 2 for size in sizes) - people * (people - 1) // 2)
    best: tuple[tuple[int, int, int], Seated] | None = None
    for seed in range(1, seeds + 1):
        game = [numbers[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        hall = Hall([[table[:] for table in game] for _ in range(GAMES)], usual, flat=seed % 2 == 0)
        anneal_tables(hall, steps=STEPS, seed=seed)
        found = hall.count_repeated(), max(hall.odd) - min(hall.odd[1:]), max(map(max, hall.met))
        if best is None or found < best[0]:
            best = found, hall.seated
        if best[0][0] == bound and seed >= seeds // 10:
            break
    assert best is not None
    return best[0][0], best[1]


def list_fields() -> dict[tuple[int, ...], int]:
    """Return the sizes of the tables of every small field, with the usual size of a table."""
    fields: dict[tuple[int, ...], int] = {}
    for people in range(6, 21):
        for odd in OddTables:
            try:
                sizes = split_people(people, odd)
            except PlanError:
                continue
            if 1 < len(sizes) <= MOST_TABLES:
                fields.setdefault(sizes, USUAL[odd])
    return fields


def write_field(seated: Seated) -> str:
    """Return a line for each game, with the people of each table as letters from A on."""
    names = [["".join(chr(64 + number) for number in sorted(table)) for table in game] for game in seated]
    return "\n".join(" ".join(game) for game in names)
