"""The template tags for figures and the game's values: percentages, signed scores, lines, names."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_noop, ngettext, override
from django.utils.translation import gettext as _

from clubs.shown import public_name
from pages.links import Links
from rankings.ranking import RankedRow
from scoring.formats import find_format
from tournaments.models import Entrant, TeamMember, Tournament
from tournaments.models.published import Version
from tournaments.versions import OFFICIAL, is_over
from tournaments.words import figures, messages
from tournaments.words.team_plans import say_badge
from wording import Plural, Text

register = template.Library()


for figure in (figures.decimal, figures.percent, figures.show_points):
    register.filter(figure.__name__, figure)
register.filter("match_points", figures.show_match_points)
register.filter("say_table_size", figures.say_table_size)
register.filter("signed", messages.show_signed)
register.filter("say_badge", say_badge)
register.filter("say_line", messages.say_line)
register.filter("say_question", messages.say_question)
register.filter("line_letter", partial(messages.label, "letter"))  # in the reader's language: "W" is "O" in French
register.filter("line_name", partial(messages.label, "line"))


@register.filter
def name_entrant(entrant: Entrant, by_name: bool) -> str:
    return entrant.get_name(by_name=by_name)


@register.filter
def sides(player: RankedRow) -> str:
    """Return the player's percentages in attack and defence in one short text."""
    shown = {"attack": figures.decimal(player.attack), "defence": figures.decimal(player.defence)}
    return _("att. %(attack)s · def. %(defence)s") % shown


def say_number(words: Text, number: int) -> str:
    """Return what these words say about a number: "24 deals", or "Étui 12"."""
    said = ngettext(words.one, words.other, number) if isinstance(words, Plural) else _(words)
    return said % {"n": number, "number": number}


# What the filters with these names say about a number: how many there are, or the name of one.
SAID: Mapping[str, Text] = {
    "deals": Plural("%(n)s deal", "%(n)s deals", "n"),
    "etuis": Plural("%(n)s étui", "%(n)s étuis", "n"),
    "players": Plural("%(n)s player", "%(n)s players", "n"),
    "sessions": Plural("%(n)s session", "%(n)s sessions", "n"),
    "tables": Plural("%(n)s table", "%(n)s tables", "n"),
    "say_missing": Plural("%(n)s result is missing.", "%(n)s results are missing.", "n"),
    "name_etui": gettext_noop("Étui %(number)s"),
    "name_session": gettext_noop("session %(number)s"),
}
for name, words in SAID.items():
    register.filter(name, partial(say_number, words))


@register.filter
def bonus(penalty: Fraction, places: int) -> str:
    """Return a bonus as text with `places` decimals. A bonus is stored as a penalty below 0."""
    return figures.decimal(type(penalty)(-penalty), places)


@register.filter
def label(value: str, kind: str) -> str:
    """Return the name of a value of the game: `"garde"|label:"contract"`. The kinds are those of `messages.LABELS`."""
    return messages.label(kind, value)


@register.filter
def show_publication_status(version: Version | None) -> str:
    """Return the present status of a published version, as `components/standing.html` needs it, or "" for None."""
    if not version:
        return ""
    return OFFICIAL if is_over(version, timezone.now()) else version.status


@register.filter
def name_member(member: TeamMember, by_name: bool) -> str:
    """Return the name of a member of a team: with `by_name` the name in full, else the one for the public."""
    return member.player.name if by_name else public_name(member.player)


@register.simple_tag
def line_mark(line: str) -> SafeString:
    """Return the letter of a line with its coloured mark, as HTML. A team that changes sides has none."""
    return render_mark(line, get_language() or "") if line else SafeString()


@register.simple_tag
def own_line_mark(tournament: Tournament, line: str) -> SafeString:
    """Return the mark of an entrant's line, as HTML. There is none in a format in which everybody changes seats."""
    return line_mark(line) if find_format(tournament.format).lines else SafeString()


@register.simple_tag
def other_line_mark(tournament: Tournament, line: str, own: str) -> SafeString:
    """Return the mark of the line where an entrant sits, as HTML, if it is not the entrant's own line."""
    return line_mark(line) if line != own or not find_format(tournament.format).lines else SafeString()


@lru_cache(maxsize=64)  # a plan shows the four marks thousands of times
def render_mark(line: str, language: str) -> SafeString:
    with override(language):
        return render_to_string("components/line.html", {"line": line})


@register.simple_tag
def page_url(links: Links, page: str, **more: object) -> str:
    """Return the address of another page of the shown report, or "" if readers may not see that page."""
    return links.to(page, **more)


@register.simple_tag
def page_link(links: Links, page: str, text: object, **more: object) -> SafeString:
    """Return the text as a link to another page of the shown report, or alone if readers may not see that page."""
    url = links.to(page, **more)
    return format_html('<a href="{}">{}</a>', url, text) if url else format_html("{}", text)


@register.simple_block_tag
def figure_of(content: str, label: str, about: str = "", *, main: bool = False) -> SafeString:
    """Return an item of a list of figures, as HTML: its label, and what stands inside the block.

    `about` stands in brackets after the label, such as "3 deals". The `main` figure is larger.
    """
    beside = format_html(' <span class="nowrap">({})</span>', about) if about else ""
    size = " figure-main" if main else ""
    figure = '<div class="figure{}"><dt>{}{}</dt><dd>{}</dd></div>'
    return format_html(figure, size, label, beside, mark_safe(content.strip()))
