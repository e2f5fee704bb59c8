"""The template tags for a player's career: intervals, seasons, the curve, the diagram of notes, leaderboards."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pages.charts import Bars, Curve, Value, draw_bars, draw_curve
from pages.charts import ChartPoint as Drawn
from rankings.careers.figures import PercentageFigure
from rankings.careers.reading import Career, CurvePoint
from rankings.careers.seasons import season_of
from rankings.leaderboards.reading import say_kind, say_measure, write_points, write_value, write_within
from scoring.intervals import Interval
from tournaments.words.figures import decimal, percent
from wording.figures import round_half

register = template.Library()

for word in (say_kind, say_measure, write_points, write_within):
    register.filter(word.__name__, word)
register.filter("round_points", round_half)
register.filter("write_figure", lambda row: write_value(row.measure, row.figure))


def say_bounds(interval: Interval | None, write: Callable[[Fraction], str]) -> str:
    """Return an interval in words, such as "from 48.2% to 56.4%", or "" for None."""
    if interval is None:
        return ""
    low, high = (write(Fraction(bound)) for bound in interval)
    return _("from %(low)s to %(high)s") % {"low": low, "high": high}


@register.simple_tag
def between(interval: Interval | None) -> str:
    """Return a confidence interval of percentages in words."""
    return say_bounds(interval, percent)


@register.filter
def show_figure(figure: PercentageFigure, size: str = "") -> SafeString:
    """Return a percentage as HTML, with its interval if it has one. In the cell of a table it is "short": "48–56"."""
    if figure.interval is None:
        return format_html("{}", percent(figure.mean))
    low, high = (decimal(Fraction(bound), 0) for bound in figure.interval)
    said = f"{low}–{high}" if size == "short" else between(figure.interval)
    return format_html('{} <span class="interval">{}</span>', percent(figure.mean), said)


@register.simple_tag
def points_between(interval: Interval | None) -> str:
    """Return a confidence interval of differences in words, with signs."""
    return say_bounds(interval, plus)


@register.filter
def plus(value: Fraction) -> str:
    """Return a difference with its sign: "+3.2", "−1.5", "0.0"."""
    written = decimal(value)
    return f"+{written}" if value > 0 and written != decimal(Fraction()) else written


@register.filter
def season_name(first: int) -> str:
    """Return the name of a season: "2026–2027"."""
    return f"{first}–{first + 1}"


@register.filter
def band_name(number: int, bands: int) -> str:
    """Return the range of the notes in a band, one of `bands` equally wide ones: "0–20", "80–100"."""
    low, high = (decimal(Fraction(100 * edge, bands), 0) for edge in (number, number + 1))
    return f"{low}–{high}"


@register.simple_tag
def point_name(point: CurvePoint, span: str) -> str:
    """Return the name of a point of the curve: a day, a month, or a season. `span` says which of them."""
    if span == "session":
        return date_format(point.date, "SHORT_DATE_FORMAT")
    return date_format(point.date, "YEAR_MONTH_FORMAT") if span == "month" else season_name(season_of(point.date))


@register.simple_tag
def career_curve(career: Career) -> Curve:
    """Return the curve of the player's percentages, to draw."""
    points = [draw_point(point, career.span) for point in career.points]
    return draw_curve(points, within=(0, 100), middle=50, say=partial(percent, places=0))


def draw_point(point: CurvePoint, span: str) -> Drawn:
    """Return a point of the curve, with its interval and its text for screen readers."""
    name = point_name(point, span)
    low, high = point.interval or (None, None)
    said = _("%(when)s: %(share)s") % {"when": name, "share": percent(point.percentage)}
    return Drawn(name, point.percentage, low, high, at=point.date.toordinal(), name=said)


@register.simple_tag
def career_heights(career: Career) -> Bars:
    """Return the diagram of the player's notes, to draw: a bar for each band of notes."""
    heights = career.totals.heights
    names = [band_name(number, len(heights)) for number in range(len(heights))]
    return draw_bars([Value(name, count, say_band(name, count)) for name, count in zip(names, heights, strict=True)])


def say_band(name: str, count: int) -> str:
    told = {"notes": name, "n": count}
    return ngettext("%(notes)s: %(n)s deal", "%(notes)s: %(n)s deals", count) % told
