"""The tables of an evening of free deals, for three people and more: making them, measuring them and checking them.

`plan_games` seats all games beforehand, `seat_next_game` one game after the other by the ranking. `find_game_faults`
checks the games before they are stored.
"""

from movements.games.changes import add_person, check_people, remove_person, replan_games
from movements.games.exchange import check_mates
from movements.games.figures import GameFigures, compute_game_figures, count_meetings, count_odd_tables
from movements.games.known import plan_games
from movements.games.plan import (
    MOST_DEALS,
    MOST_GAMES,
    count_dealt,
    split_people,
    start_games,
)
from movements.games.ranking import NextGame, seat_next_game, turn_seats
from movements.games.verify import find_game_faults
from movements.plan.laws import PlanFault
from movements.plan.notation import read_table_plan, write_table_plan
from movements.plan.tables import ALIKE, OddTables, PlanStop, Stay, TablePlan

__all__ = [
    "ALIKE",
    "MOST_DEALS",
    "MOST_GAMES",
    "GameFigures",
    "NextGame",
    "OddTables",
    "PlanFault",
    "PlanStop",
    "Stay",
    "TablePlan",
    "add_person",
    "check_mates",
    "check_people",
    "compute_game_figures",
    "count_dealt",
    "count_meetings",
    "count_odd_tables",
    "find_game_faults",
    "plan_games",
    "read_table_plan",
    "remove_person",
    "replan_games",
    "seat_next_game",
    "split_people",
    "start_games",
    "turn_seats",
    "write_table_plan",
]
