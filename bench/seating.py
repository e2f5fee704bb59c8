"""The time to seat a large evening of free deals by ranking, beside the time to plan as many tables beforehand.

    python -m bench.seating [--people 500] [--games 10] [--at-most 150]
    python -m bench.seating --fields

The exit code is 1 if a game by ranking takes more than `--at-most` times as long as one by a rule. It is 1 too if
somebody meets again. With `--fields`, it searches all small fields and prints the module
`movements/games/small_fields.py`.
"""

import argparse
import sys
from time import perf_counter

from deals.domain.dealing import numbers, shuffle
from movements import Plan, compute_figures, find_faults
from movements.games import plan_games, seat_next_game, start_games
from movements.games.search_fields import GAMES, list_fields, search_field, write_field


def seat_evening(people: int, games: int) -> Plan[int]:
    evening = start_games(people, games, 4)
    draw = numbers(1, "ranking")
    order = list(range(1, people + 1))
    for _ in range(games):
        evening = seat_next_game(evening, order)
        order = shuffle(draw, order)
    return evening


def print_fields() -> None:
    out = sys.stdout.write
    out('"""The games of fields with two to four tables, found once by `search_fields.py`.\n\n')
    out("A key has the sizes of the tables. A line is a game: the people of each table as letters, A for number 1.\n")
    out('"""\n\n')
    out(f"STORED_GAMES = {GAMES}\nFIELDS: dict[tuple[int, ...], str] = {{\n")
    for sizes, usual in sorted(list_fields().items(), key=lambda item: (sum(item[0]), item[0])):
        repeated, seated = search_field(sum(sizes), sizes, usual)
        lines = write_field(seated).replace("\n", "\n        ")
        out(f'    # {sum(sizes)} people: {repeated} repeated meetings\n    {sizes}: """\n        {lines}\n    """,\n')
    out("}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--at-most", type=float, default=150)
    parser.add_argument("--fields", action="store_true")
    asked = parser.parse_args()
    if asked.fields:
        print_fields()
        return 0
    start = perf_counter()
    plan_games(asked.people, asked.games, 4)
    by_rule = perf_counter() - start
    start = perf_counter()
    evening = seat_evening(asked.people, asked.games)
    by_ranking = perf_counter() - start
    figures = compute_figures(evening)
    ratio = by_ranking / by_rule
    sys.stdout.write(
        f"{asked.people} people, {asked.games} games by ranking: {by_ranking / asked.games * 1000:.0f} ms a game, "
        f"{ratio:.1f} times as long as by a rule; {figures.repeated} repeated meetings\n"
    )
    return int(ratio > asked.at_most or figures.repeated > 0 or bool(find_faults(evening)))


if __name__ == "__main__":
    raise SystemExit(main())
