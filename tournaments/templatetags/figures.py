"""How figures and the game's values are written on a page: percentages, signed scores, lines, names.

Rounds, once and exactly; computes nothing else.
"""

from fractions import Fraction

from django import template
from django.utils.formats import get_format
from django.utils.translation import get_language

from tournaments import messages
from tournaments.views.links import Links

register = template.Library()

NONE = "–"
BEFORE_PERCENT = {"fr": "\N{NO-BREAK SPACE}"}

register.filter("signed", messages.signed)
register.filter("say_line", messages.say_line)
register.filter("say_question", messages.say_question)


@register.filter
def decimal(value: Fraction | int | None, places: int = 1) -> str:
    """A figure with so many decimals, half rounded away from 0, in the language's way: 175/2 is "87,5"."""
    if value is None:
        return NONE
    scaled = int(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    sign = "−" if value < 0 and scaled else ""
    whole, part = divmod(scaled, 10**places)
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{part:0{places}}" if places else f"{sign}{whole}"


@register.filter
def percent(value: Fraction | int | None, places: int = 1) -> str:
    """A percentage with its sign: "87,5 %" in French, the space unbreakable, "87.5%" in English."""
    if value is None:
        return NONE
    return f"{decimal(value, places)}{BEFORE_PERCENT.get(get_language() or '', '')}%"


@register.filter
def points(half_points: int) -> str:
    """Half points as points are said: 98 is "49", 81 is "40,5"."""
    return decimal(Fraction(half_points, 2), half_points % 2)


@register.filter
def label(value: str, kind: str) -> str:
    """The name of one of the game's values: `"garde"|label:"contract"`; kinds are those of `messages.LABELS`."""
    return messages.label(kind, value)


@register.filter
def line_letter(line: str) -> str:
    """The letter of an orientation: West is O in French."""
    return messages.label("letter", line)


@register.filter
def line_name(line: str) -> str:
    return messages.label("line", line)


@register.inclusion_tag("components/line.html")
def line_mark(line: str) -> dict[str, str]:
    """The letter of an orientation beside its coloured mark."""
    return {"line": line}


@register.simple_tag
def page_url(links: Links, page: str, **more: object) -> str:
    """The address of a page of the report being shown; empty where that page is not offered."""
    return links.to(page, **more)
