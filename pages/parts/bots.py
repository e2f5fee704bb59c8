"""The plays of bots on the page of their étui: sentences, and a chart of the base scores.

The caller makes sure that the reader may see the cards of the étui.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.spreads import SpreadFigures, find_spread_figures
from pages.charts import Bars, Value, classes, draw_bars
from tournaments.words.messages import label, show_signed

MOST_BARS = 16


@dataclass(frozen=True, slots=True)
class ShownSpread:
    """The plays of bots for a page. `chart` is None if everybody passed.

    `outcome` says how often the contract was made, and `desc` describes the chart in words.
    """

    figures: SpreadFigures
    outcome: str
    chart: Bars | None
    desc: str


def show_spread(cards: str, dealer: str, taker: str) -> ShownSpread | None:
    """Return what bots make of these cards, or None if it is not known yet. `taker` is "" for an auction."""
    figures = find_spread_figures(cards, dealer, taker)
    if figures is None:
        return None
    chart = draw_spread(figures) if figures.took else None
    return ShownSpread(figures, say_outcome(figures), chart, describe_spread(figures))


def draw_spread(figures: SpreadFigures) -> Bars:
    """Return a chart of how often each range of base scores occurred, from the lowest to the highest."""
    values = []
    for each in classes(figures.scores, MOST_BARS):
        span = _("%(low)s to %(high)s") % {"low": show_signed(each.low), "high": show_signed(each.high)}
        name = show_signed(each.low) if each.low == each.high else span
        told = ngettext("%(score)s: once", "%(score)s: %(count)s times", each.count)
        values.append(Value(show_signed(each.low), each.count, told % {"score": name, "count": each.count}))
    return draw_bars(values)


def describe_spread(figures: SpreadFigures) -> str:
    """Return a sentence with the lowest, the highest and the middle base score."""
    told = {"low": figures.low, "high": figures.high, "middle": figures.middle}
    shown = {name: show_signed(score) for name, score in told.items()}
    return _("Base scores from %(low)s to %(high)s, %(middle)s in the middle.") % shown


def say_outcome(figures: SpreadFigures) -> str:
    """Return in how many of the plays the contract was made: "The taker (South) made the Garde in 41 of 50"."""
    if not figures.took:
        return _("Everybody passed.")
    told = {
        "seat": label("line", figures.took),
        "contract": label("contract", figures.contract),
        "made": figures.made,
        "count": figures.count,
    }
    return _("The taker (%(seat)s, %(contract)s) made it in %(made)s of %(count)s.") % told
