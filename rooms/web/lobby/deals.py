"""The file with the seed and the étuis of a closed room, with which anybody can deal them again."""

from django.http import Http404, HttpRequest, HttpResponseBase

from pages.sets.verify import give_set_file
from rooms.models import Room
from rooms.web.doors import room_page


@room_page()
def room_deals(_request: HttpRequest, room: Room) -> HttpResponseBase:
    """Download the étuis of a closed room. Before that, the file does not exist."""
    if room.closed_at is None or room.deal_set.revealed_at is None:
        raise Http404
    return give_set_file(room.deal_set)
