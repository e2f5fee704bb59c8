"""The template tags of the pages of deal sets, for games of three, four and five players, and of simultaneous."""

from django import template
from django.utils import timezone

from deals.exports.documents import list_place_words
from pages.sets.set_page import look_text, set_url
from pages.simultaneous.readers import find_phase
from tournaments.models import Simultaneous

register = template.Library()

register.simple_tag(set_url, name="set_url")
register.filter("look_text", look_text)


@register.filter
def tell_phase(simultaneous: Simultaneous) -> str:
    """Return where a simultaneous is now, as `find_phase` says it."""
    return find_phase(simultaneous, timezone.now())


@register.filter
def hand_name(place: str) -> str:
    """Return the name of a hand as on printed sheets: North … West, Fifth, or Chien."""
    return list_place_words()[place]["name"]


@register.inclusion_tag("sets/_seat.html")
def seat_mark(seat: str) -> dict[str, str]:
    """Show a seat's letter with its coloured mark. The fifth player has no letter and no colour, but a 5."""
    return {"seat": seat}
