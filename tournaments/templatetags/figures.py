"""How figures and the game's values are written on a page: percentages, signed scores, lines, names."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from tournaments.models import Entrant
from tournaments.models.published import Version
from tournaments.publication import versions
from tournaments.web.links import Links
from tournaments.words import figures, messages

register = template.Library()


for figure in (figures.decimal, figures.percent, figures.points):
    register.filter(figure.__name__, figure)
register.filter("signed", messages.sign)
register.filter("say_line", messages.say_line)
register.filter("say_question", messages.say_question)


@register.filter
def called(entrant: Entrant, by_name: bool) -> str:
    return entrant.called(by_name=by_name)


@register.filter
def sides(player: Mapping[str, Any]) -> str:
    """Return the percentages of a player's attack and defence, as a narrow row of a ranking has them."""
    shown = {side: figures.decimal(player[side]) for side in ("attack", "defence")}
    return _("att. %(attack)s · def. %(defence)s") % shown


@register.filter
def deals(count: int) -> str:
    """Return how many deals: "24 deals"."""
    return ngettext("%(n)s deal", "%(n)s deals", count) % {"n": count}


@register.filter
def bonus(penalty: Fraction, places: int) -> str:
    """The points that a penalty below nothing adds."""
    return figures.decimal(-penalty, places)


@register.filter
def label(value: str, kind: str) -> str:
    """The name of one of the game's values: `"garde"|label:"contract"`; kinds are those of `messages.LABELS`."""
    return messages.label(kind, value)


@register.filter
def standing(version: Version | None) -> str:
    """What a publication is by now, for `components/standing.html`; "" where there is none."""
    if not version:
        return ""
    return versions.OFFICIAL if versions.is_over(version, timezone.now()) else version.status


@register.filter
def line_letter(line: str) -> str:
    """The letter of an orientation: West is O in French."""
    return messages.label("letter", line)


@register.filter
def line_name(line: str) -> str:
    return messages.label("line", line)


@register.simple_tag
def line_mark(line: str) -> SafeString:
    """The letter of an orientation beside its coloured mark."""
    return render_mark(line, get_language() or "")


@lru_cache(maxsize=64)  # one of four, thousands of times in a plan
def render_mark(line: str, language: str) -> SafeString:
    with override(language):
        return render_to_string("components/line.html", {"line": line})


@register.simple_tag
def page_url(links: Links, page: str, **more: object) -> str:
    """The address of a page of the report being shown; empty where that page is not offered."""
    return links.to(page, **more)
