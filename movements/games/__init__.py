"""The tables of an evening of free deals, for three people and more: making them, measuring them and checking them.

`plan_games` seats all games beforehand, `seat_next_game` one game after the other by the ranking. `find_game_faults`
checks the games before they are stored.
"""

from movements.games.changes import add_person, check_people, remove_person, replan_games
from movements.games.exchange import check_mates
from movements.games.figures import GameFigures, compute_game_figures, count_meetings, count_odd_tables
from movements.games.known import plan_games
from movements.games.plan import (
    ALIKE,
    MOST_DEALS,
    MOST_GAMES,
    Games,
    GameTable,
    OddTables,
    Stay,
    count_dealt,
    is_games,
    read_games,
    split_people,
    write_games,
)
from movements.games.ranking import NextGame, seat_next_game, turn_seats
from movements.games.verify import GameFault, find_game_faults

__all__ = [
    "ALIKE",
    "MOST_DEALS",
    "MOST_GAMES",
    "GameFault",
    "GameFigures",
    "GameTable",
    "Games",
    "NextGame",
    "OddTables",
    "Stay",
    "add_person",
    "check_mates",
    "check_people",
    "compute_game_figures",
    "count_dealt",
    "count_meetings",
    "count_odd_tables",
    "find_game_faults",
    "is_games",
    "plan_games",
    "read_games",
    "remove_person",
    "replan_games",
    "seat_next_game",
    "split_people",
    "turn_seats",
    "write_games",
]
