"""The template tags of the pages of deal sets: addresses, seats and looks, at tables of 3, 4 and 5."""

from django import template

from deals.exports.words import list_place_words
from tournaments.web.sets.set_page import look_text, set_url

register = template.Library()

register.simple_tag(set_url, name="set_url")
register.filter("look_text", look_text)


@register.filter
def hand_name(place: str) -> str:
    """Return the name of a hand as on the printed sheets: North … West, Fifth, Chien."""
    return list_place_words()[place]["name"]


@register.inclusion_tag("sets/_seat.html")
def seat_mark(seat: str) -> dict[str, str]:
    """Return a seat's letter beside its coloured mark. The fifth player has neither, and is marked by a 5."""
    return {"seat": seat}
