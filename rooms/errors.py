"""The refusals of rooms: a code for programs, and a text for people that says what is wrong and what to do."""

from typing import Any, ClassVar

from tournaments.errors import ActionRefused, Conflict
from wording import Texts
from wording import gettext_noop as _


class RoomRefused(ActionRefused):
    """A refused write in a room: nothing was written. `field` names the wrong input, or is "" if there is none."""

    messages: ClassVar[Texts] = {
        "room_unknown": _("There is no such room: choose one in the list of rooms."),
        "room_not_open": _("This room opens at %(opens)s: come back then."),
        "room_over": _("This room is closed: look at its ranking, or choose the next room."),
        "not_in_room": _("You have no table in this room yet: join it first."),
        "room_classic": _("This room is for four people: choose a seat at one of its tables."),
        "etui_unknown": _("This room has no étui %(number)s: choose another."),
        "etui_before": _("Finish étui %(number)s first."),
        "etui_met": _("You have met étui %(number)s in another room, so you cannot play it again."),
        "seat_taken": _("This seat has been taken meanwhile: choose another."),
        "no_seat_free": _("This table is full: choose another, or open one."),
        "sits_elsewhere": _("You sit at another table for four: leave that one first."),
        "etui_met_here": _("You know the deal that is played here now: sit down when the next one begins."),
        "table_unknown": _("There is no such table: choose one in the list."),
        "table_ended": _("This table plays no more: choose another, or open one."),
        "not_at_table": _("You have no seat at this table: choose one first."),
        "seat_away": _("A bot plays for you: take your seat back first."),
        "no_deal_now": _("No deal is being played here now: wait for the next one."),
        "phrase_unknown": _("There is no such phrase: choose one in the list."),
        "wish_unknown": _("The table does not know this wish: use one of its buttons."),
        "phrase_soon": _("Wait a few seconds before you say something again."),
        "terms_wrong": _("A table for four cannot be played like this: choose from the lists."),
        "game_over": _("This étui is over: go on with the next one."),
    }


class MoveConflict(RoomRefused, Conflict):
    """A move that was refused because the game has gone on meanwhile. `game` is the game as it stands now."""

    messages: ClassVar[Texts] = {
        "other_move": _("The game has gone on meanwhile, perhaps on another device: here is how it stands now."),
    }

    def __init__(self, code: str, game: Any) -> None:
        super().__init__(code, "at")
        self.game = game
