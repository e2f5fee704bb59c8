"""The template tags for the rankings of series: heads of events and results of players."""

from fractions import Fraction

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from pages.templatetags.event import write_coefficient
from rankings.rows import RankedRow, StepResult
from rankings.series.report import SeriesReport, ShownEvent
from scoring.formats import MarkPoints
from tournaments.models import Session
from tournaments.words.figures import decimal, say_table_size, show_marks
from wording.figures import NONE

register = template.Library()


@register.simple_tag
def event_head(event: ShownEvent, url: str = "") -> SafeString:
    """Return the head of an event's column: its day, with the full name as a tooltip, as HTML."""
    day = date_format(event.day, "d/m")
    size = say_table_size(event.table_size)
    about = ", ".join(filter(None, (event.title, size, date_format(event.day))))
    head = format_html('<abbr title="{}">{}</abbr>', about, day)
    around = '<a href="{1}">{0}</a>' if url else '<span class="event-head">{0}</span>'
    head = format_html(around, head, url)
    if size:
        head = format_html('{} <span class="quiet">{}</span>', head, size)
    if event.coefficient == 1:
        return head
    return format_html('{} <span class="quiet">× {}</span>', head, write_coefficient(event.coefficient))


@register.simple_tag
def event_cell(result: StepResult | None) -> str:
    """Return a player's result of an event as text: in brackets if it does not count, a dash for an absence."""
    if result is None:
        return NONE
    value = result.overall if result.value is None else result.value
    if value is None:
        return f"({result.rank or NONE})"
    written = show_marks(value) if isinstance(value, MarkPoints) else decimal(value, 0 if value.denominator == 1 else 2)
    return written if result.counts else f"({written})"


@register.filter
def write_needed(value: Fraction) -> str:
    """Return what an event must bring as text: to a thousandth, without zeros at the end."""
    places = next(places for places in range(4) if places == 3 or (value * 10**places).denominator == 1)
    return decimal(value, places)


@register.simple_tag
def events_in_line(report: SeriesReport, player: RankedRow) -> str:
    """Return all results of a player in one line, for narrow screens: "04/09 62.5 · 11/09 –"."""
    return " · ".join(
        f"{date_format(event.day, 'd/m')}\N{NO-BREAK SPACE}{event_cell(result)}"
        for event, result in zip(report.events, player.results, strict=True)
        if result is not None
    )


@register.filter
def say_stage(stage: str) -> str:
    """Return the name of a stage, or "" for an event that counts like the others."""
    return str(Session.Stage(stage).label) if stage else ""


@register.simple_tag
def say_use(result: StepResult | None) -> str:
    """Return in a word whether a result counts."""
    if result is None:
        return _("absent")
    return _("counts") if result.counts else _("does not count")
