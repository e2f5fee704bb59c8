"""How the pages of deal sets are addressed and how a seat or a look is written there, at tables of 3, 4 and 5."""

from django import template

from deals.exports.words import places
from tournaments.web.sets.set_page import look_text, set_url

register = template.Library()

register.simple_tag(set_url, name="set_url")
register.filter("look_text", look_text)


@register.filter
def hand_name(place: str) -> str:
    """North … West, Fifth, Chien, as on the printed sheets."""
    return places()[place]["name"]


@register.inclusion_tag("sets/_seat.html")
def seat_mark(seat: str) -> dict[str, str]:
    """A seat's letter beside its coloured mark; the fifth player has neither, he is named by a 5."""
    return {"seat": seat}
