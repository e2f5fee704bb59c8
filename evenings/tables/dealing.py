"""The data about deals for the screens of tables that deal their own cards: the deal's number, who deals, who rests.

The étui of such a play is only a number. For plays of étuis the functions return what other formats have.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evenings.plays.table_plays import TablePlay
from scoring.free import find_dealer, find_opener, find_turn
from tournaments.models import Entrant, Play


def is_dealt_here(play: Play) -> bool:
    """Return whether the table deals the cards of this play. Reading it takes no query: the étui is known."""
    return not play.etui.dealer


def find_deal_number(play: Play, stop: Sequence[TablePlay]) -> int:
    """Return the number of a deal in its game, from 1 on. `stop` has all plays of the game at this table."""
    return play.etui.number - min(one.play.etui.number for one in stop) + 1


def find_seats_of_stop(stop: Sequence[TablePlay]) -> Mapping[str, Entrant]:
    """Return who sits at the table in a position, by seat. `stop` has its plays, and at least one.

    Where the tables deal, seats are in the order of turn. If somebody left or came within the game, they are those of
    its last deal: a seat may have had another player before.
    """
    if not is_dealt_here(stop[0].play):
        return stop[0].play.seats
    seated = max((one.play for one in stop), key=lambda play: play.etui.number).seats
    return {seat: seated[seat] for seat in find_turn(seated)}


def dealing_data(play: Play, stop: Sequence[TablePlay], *, by_name: bool) -> dict[str, Any]:
    """Return the fields `deal`, `dealer`, `resting` and `seats` of a play, or {} if it is a play of an étui.

    `resting` is left out if nobody rests, and `seats` if the same players sit there in the whole game.
    """
    if not is_dealt_here(play):
        return {}
    number, seats = find_deal_number(play, stop), play.seats
    told: dict[str, Any] = {"deal": number, "dealer": find_dealer(seats, number)}
    if play.resting:
        told["resting"] = play.resting
    if seats != find_seats_of_stop(stop):
        told["seats"] = {seat: {"name": seats[seat].get_name(by_name=by_name)} for seat in find_turn(seats)}
    return told


def find_first_player(play: Play, stop: Sequence[TablePlay]) -> str:
    """Return the seat that speaks and leads first in a deal of a game. The dealer may rest."""
    return find_opener(play.playing_seats, find_dealer(play.seat_ids, find_deal_number(play, stop)))
