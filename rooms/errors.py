"""The refusals of rooms: a code for programs, and a text for people that says what is wrong and what to do."""

from typing import ClassVar

from tournaments.errors import ActionRefused
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
        "move_shape": _("“%(found)s” is not a move: write it as the documentation of the API says."),
        "move_ahead": _("The site knows this game up to move %(length)s, not to %(found)s: load the table again."),
        "bots_thinking": _("The bots are still thinking: ask again in a moment."),
    }
