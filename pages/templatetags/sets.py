"""The template tags of the pages of deal sets, for games of three, four and five players."""

from django import template

from deals.exports.documents import list_place_words
from pages.sets.set_page import look_text, set_url

register = template.Library()

register.simple_tag(set_url, name="set_url")
register.filter("look_text", look_text)


@register.filter
def hand_name(place: str) -> str:
    """Return the name of a hand as on printed sheets: North … West, Fifth, or Chien."""
    return list_place_words()[place]["name"]


@register.inclusion_tag("sets/_seat.html")
def seat_mark(seat: str) -> dict[str, str]:
    """Show a seat's letter with its coloured mark. The fifth player has no letter and no colour, but a 5."""
    return {"seat": seat}
