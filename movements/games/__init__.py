"""The tables of an evening of free deals, for three people and more: making them and changing them.

`plan_games` seats all games beforehand, `seat_next_game` one game after the other by the ranking.
"""

from movements.games.changes import add_person, check_people, remove_person, replan_games
from movements.games.exchange import check_mates
from movements.games.known import plan_games
from movements.games.plan import (
    count_dealt,
    split_people,
    start_games,
)
from movements.games.ranking import NextGame, seat_next_game, turn_seats
