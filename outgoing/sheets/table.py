"""A table for a file: its title, its columns and its rows. It knows neither the file's format nor who may read it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

SheetCell = str | int | Fraction | dt.date | dt.datetime | None
SheetRow = Sequence[SheetCell]


class CellKind(Enum):
    """The kind of the cells in a column. FIGURE is an exact number with two decimals, POINTS one with three.

    Match points are POINTS, because they are defined with three decimals.
    """

    TEXT = "text"
    WHOLE = "whole"
    FIGURE = "figure"
    DAY = "day"
    MOMENT = "moment"
    POINTS = "points"


PLACES = 2  # the number of decimals of a figure
POINT_PLACES = 3  # the number of decimals of match points


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a table. `name` is its name for programs, `label` its heading in the reader's language."""

    name: str
    label: str
    kind: CellKind = CellKind.TEXT


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of a file. `code` is its name for programs, `title` its name in the reader's language."""

    code: str
    title: str
    columns: Sequence[SheetColumn]
    rows: Sequence[SheetRow]
