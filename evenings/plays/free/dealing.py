"""The player who leads a deal, also where the tables deal and no étui names the dealer."""

from django.db.models import Min

from deals.domain.cards import Seat
from deals.domain.etui import leader
from scoring.free import find_dealer, find_opener
from tournaments.models import Play


def find_leading_seat(play: Play) -> str:
    """Return the seat that leads.

    It is to the right of the dealer. The étui names the dealer; where the table deals, the deal's number decides it.
    """
    if play.etui.dealer:
        return leader(Seat(play.etui.dealer), len(play.seat_ids)).value
    return find_opener(play.playing_seats, find_dealer(play.seat_ids, number_in_game(play)))


def find_shown_number(play: Play, stride: int = 0) -> int:
    """Return the number that people read: the étui's, or the deal's number in its game where the table deals.

    `stride`: by how many numbers the first deal of a game follows that of the game before. Lists of many plays give
    it, because without it the number of a deal takes one query.
    """
    if play.etui.dealer:
        return play.etui.number
    return play.etui.number - (play.position - 1) * stride if stride else number_in_game(play)


def number_in_game(play: Play) -> int:
    """Return the number of a deal in its game, from 1 on, where the tables deal. This takes one query."""
    game = Play.objects.filter(session=play.session_id, position=play.position, table=play.table_id)
    return play.etui.number - (game.aggregate(first=Min("etui__number"))["first"] or play.etui.number) + 1
