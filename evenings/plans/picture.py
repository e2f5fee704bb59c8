"""The picture of a movement: a grid with a row for each table and a column for each position.

A cell has the étuis that the table plays in that position. Four lines show the ways of the players with starting number
1 of North, East, South and West. This module computes only coordinates; a template draws them as SVG.
"""

from dataclasses import dataclass

from deals.domain.cards import LINES
from movements import LinePlan, Member
from tournaments.words.figures import etuis_text

WIDTH, HEIGHT, LEFT, TOP = 58, 42, 22, 22
# in a cell: the heights of the marks and of the text, and the space between two marks
MARKS_AT, ETUIS_AT, GAP = 14, 36, 13


@dataclass(frozen=True, slots=True)
class PictureLabel:
    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class DrawnWay:
    """The way of starting number 1 of a line: the points of its marks, and SVG paths between successive positions."""

    line: str
    marks: tuple[tuple[int, int], ...]
    strokes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    rules: tuple[int, ...]
    positions: tuple[PictureLabel, ...]
    tables: tuple[PictureLabel, ...]
    etuis: tuple[PictureLabel, ...]
    ways: tuple[DrawnWay, ...]


def picture_of(plan: LinePlan) -> Picture:
    """Return the picture of a plan."""
    return Picture(
        width=LEFT + plan.positions * WIDTH,
        height=TOP + plan.tables * HEIGHT,
        rules=tuple(top(table) for table in range(1, plan.tables + 1)),
        positions=tuple(
            PictureLabel(middle(position), TOP - 7, str(position)) for position in range(1, plan.positions + 1)
        ),
        tables=tuple(PictureLabel(LEFT // 2, top(table) + 26, str(table)) for table in range(1, plan.tables + 1)),
        etuis=tuple(
            PictureLabel(middle(play.position), top(play.table) + ETUIS_AT, etuis_text(play.etuis))
            for play in plan.stops
        ),
        ways=tuple(way(plan, line) for line in range(len(LINES))),
    )


def middle(position: int) -> int:
    """Return the x coordinate of the middle of a position's column."""
    return LEFT + (position - 1) * WIDTH + WIDTH // 2


def top(table: int) -> int:
    """Return the y coordinate of the top of a table's row."""
    return TOP + (table - 1) * HEIGHT


def way(plan: LinePlan, line: int) -> DrawnWay:
    """Return the way of starting number 1 of a line (an index of LINES). A rest interrupts the drawn line."""
    first = Member(line, 1)
    spots: dict[int, tuple[int, int]] = {}
    for play in plan.stops:
        if play.complete and first in play.people:
            x = middle(play.position) + round((line - (len(LINES) - 1) / 2) * GAP)
            spots[play.position] = (x, top(play.table) + MARKS_AT)
    strokes = [
        f"M{spots[position][0]} {spots[position][1]}L{spots[position + 1][0]} {spots[position + 1][1]}"
        for position in spots
        if position + 1 in spots
    ]
    return DrawnWay(LINES[line], tuple(spots.values()), tuple(strokes))
