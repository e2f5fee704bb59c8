"""The charts of a taker profile: they compare the takers' hands that it accepts with all hands.

A profile is a set of conditions: the site deals again until the taker's hand meets them. The charts show bouts, trumps
and an evaluation of the hand. `manage.py profile_figures` has counted them. This module turns counts into bars.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import deals

FOLDER = Path(deals.__file__).parent / "figures"
KINDS = ("unfiltered", "profiled")
WIDTH, HEIGHT, TOP, LEFT = 360, 130, 12, 32  # the place of the bars in the SVG's view box; labels are left and below
GAP = 0.2  # the free part of a column's width
TITLES: dict[str, str | Promise] = {
    "bouts": _("Bouts in the hand"),
    "trumps": _("Trumps in the hand, without the Excuse"),
    "evaluation": _("Sum of the evaluation"),
}


@dataclass(frozen=True, slots=True)
class FigureBar:
    """A rectangle of the chart. `kind` is `unfiltered` or `profiled`; the other values are in units of the view box."""

    kind: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class FigureRow:
    """The percentages of hands that have `value`: among all hands, and among the hands that the profile accepts."""

    value: int
    unfiltered: Fraction
    profiled: Fraction


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of one quantity, for example the number of bouts.

    `marks` holds (x, text) of each label below the bars. `levels` holds (y, percentage) of each thin line across.
    """

    name: str
    rows: list[FigureRow]
    bars: list[FigureBar]
    marks: list[tuple[str, int]]
    levels: list[tuple[str, int]]
    mean_unfiltered: Fraction
    mean_profiled: Fraction

    @property
    def title(self) -> str:
        return str(TITLES[self.name])


@cache
def read_counts(profile: str) -> dict[str, Any] | None:
    """Return the counts of a profile from its file, or None if it has no file yet."""
    path = FOLDER / f"{profile}.json"
    data: dict[str, Any] | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return data


def charts(data: dict[str, Any]) -> list[Chart]:
    """Return the charts of bouts, trumps and evaluation.

    The two bars of a value are drawn side by side. The bars of the evaluation are drawn one over the other, because
    they hardly overlap.
    """
    return [chart(data, "bouts", 20), chart(data, "trumps", 10), chart(data, "evaluation", 5)]


def chart(data: dict[str, Any], name: str, step: int) -> Chart:
    rows = rows_of(data, name)
    highest = max(max(row.unfiltered, row.profiled) for row in rows)
    top = -(-highest // step) * step
    column = Fraction(WIDTH, len(rows))
    beside = len(rows) < 20
    bars = []
    for index, row in enumerate(rows):
        for place, kind in enumerate(KINDS) if beside else enumerate(reversed(KINDS)):
            share = getattr(row, kind)
            height = share * HEIGHT / top
            width = column * Fraction(1 - GAP) / (2 if beside else 1)
            x = LEFT + column * index + column * Fraction(GAP) / 2 + (width * place if beside else 0)
            if share:
                bars.append(FigureBar(kind, units(x), units(TOP + HEIGHT - height), units(width), units(height)))
    marks = [
        (units(LEFT + column * index + column / 2), row.value)
        for index, row in enumerate(rows)
        if beside or row.value % 10 == 0
    ]
    levels = [(units(TOP + HEIGHT - Fraction(level * HEIGHT, top)), level) for level in range(0, int(top) + 1, step)]
    means = (Fraction(sum(row.value * getattr(row, kind) for row in rows), 100) for kind in KINDS)
    return Chart(name, rows, bars, marks, levels, *means)


def rows_of(data: dict[str, Any], name: str) -> list[FigureRow]:
    """Return a row for every value from the lowest to the highest, even if no hand has this value."""
    counts = {kind: {int(value): count for value, count in data[kind][name].items()} for kind in KINDS}
    values = [value for by_value in counts.values() for value in by_value]
    shares = {
        kind: {value: Fraction(100 * count, data["boards"]) for value, count in by_value.items()}
        for kind, by_value in counts.items()
    }
    none = Fraction(0)
    return [
        FigureRow(value, shares["unfiltered"].get(value, none), shares["profiled"].get(value, none))
        for value in range(min(values), max(values) + 1)
    ]


def units(value: Fraction | float) -> str:
    """Return a length in view-box units as text, with a decimal point in every language."""
    return f"{float(value):.2f}"
