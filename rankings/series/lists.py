"""The typed lists: results of an event that is not on this site, pasted by a director of the owner's club.

Each line has a name or a licence, and then a number: the points, or the rank. The names are found in the club's list of
players; doubtful lines are asked about, as in every pasted list. A newer list of an event replaces the older one, which
the site keeps.
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.db import transaction

from clubs.lists import PEOPLE, ColumnKind, ListLine, PastedList, read_pasted
from clubs.log import log_club_action
from clubs.matching import MatchedLine
from clubs.models import Player, User
from clubs.players import ListCounts, take_counted
from rankings.series.setup import SeriesRefused, lock_series, touch_series
from tournaments.models import Series, SeriesEvent, SeriesList, SeriesListRow
from tournaments.rules.series import MARKS, PERCENT, TABLE, read_settings
from wording.figures import WHOLE, FigureError, read_figure

POINTS, RANK = FIGURES = ("points", "rank")
MOST_POINTS = Decimal(999_999)
MOST_SHOWN = 80  # letters of a line in a message
MOST_LETTERS = 300  # of a line: the pattern takes much longer for very long lines
# The name ends as early as it can, so that the figure is as long as it can be. A tab parts two cells. A dash with a
# blank after it is a minus sign only among marks: otherwise it stands between name and points.
NAME = r"\A(?P<name>.*?[^\s;,:])(?P<gap>[\s;,:]+)"
DIGITS = rf"{WHOLE}(?:[.,][0-9]{{1,2}}|½)?"
FIGURE = re.compile(rf"{NAME}(?P<figure>[-−–+]?{DIGITS})\s*")
SIGNED = re.compile(rf"{NAME}(?P<figure>(?:[-−–+][ \u00a0\u202f]?)?{DIGITS})\s*")
# What people write behind a number: “12 pts”, “2e”.
BEHIND = {
    POINTS: re.compile(r"(?<=[\d½])\s?(?:pts?\.?|points?)\s*$", re.IGNORECASE),
    RANK: re.compile(r"(?<=\d)\s?(?:ers?|[eè]re|re|nde?|[eè]me|e)\s*$", re.IGNORECASE),
}
COLUMNS = {POINTS: ColumnKind.POINTS, RANK: ColumnKind.RANK}


class SplitText(NamedTuple):
    """A pasted text in two parts: the names, and the number of each line by the number of the line."""

    names: PastedList
    figures: Mapping[int, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGiven:
    """A typed list: its title, its day, its source, whether it has points or ranks, and its lines.

    `rows` has the place of each line in the text, its player, and the points or the rank. `event` is the id of the
    event whose list it replaces, or None for a new event.
    """

    title: str
    day: dt.date
    source: str
    figures: str
    rows: Sequence[tuple[int, MatchedLine, Decimal]]
    event: int | None = None


def split_list(text: str, figures: str = POINTS, *, signed: bool = False) -> SplitText:
    """Return the names and the numbers of a pasted text. The numbers are a column of a table, or the ends of the lines.

    `signed`: the numbers may be below 0. Raise `SeriesRefused` for a line without a number, or if there are no lines.
    """
    pasted = read_pasted(text, {*PEOPLE, *COLUMNS.values()})
    if any(column.kind in COLUMNS.values() for column in pasted.columns):
        found = {row.number: read_cell(row, figures) for row in pasted.rows}
    else:
        lines = {number: BEHIND[figures].sub("", line) for number, line in enumerate(text.splitlines(), start=1)}
        parts = {number: split_line(line, number, signed=signed) for number, line in lines.items() if line.strip()}
        pasted = read_pasted("\n".join(parts[number][0] if number in parts else "" for number in lines))
        found = {number: figure for number, (_name, figure) in parts.items()}
    if not found:
        raise SeriesRefused("series_list_empty", "text")
    return SplitText(pasted, found)


def read_cell(row: ListLine, figures: str) -> Decimal:
    """Return the number in a row's column. Raise `SeriesRefused` if it has none, or more than two decimals."""
    try:
        figure = read_figure(BEHIND[figures].sub("", (row.cells or {}).get(COLUMNS[figures], "")))
    except FigureError as error:
        raise SeriesRefused("series_list_figure", "text", number=row.number, text=row.text[:MOST_SHOWN]) from error
    if figure * 100 % 1:
        raise SeriesRefused("series_list_ambiguous", "text", number=row.number, text=row.text[:MOST_SHOWN])
    return figure


def split_line(line: str, number: int, *, signed: bool) -> tuple[str, Decimal]:
    """Return the name and the number of a line. Raise `SeriesRefused` if it has no number at its end."""
    found = (SIGNED if signed else FIGURE).fullmatch(line) if len(line) <= MOST_LETTERS else None
    if found is None:
        raise SeriesRefused("series_list_figure", "text", number=number, text=line.strip()[:MOST_SHOWN])
    if is_ambiguous(found):
        raise SeriesRefused("series_list_ambiguous", "text", number=number, text=line.strip())
    return found["name"], read_figure(found["figure"])


def is_ambiguous(found: re.Match[str]) -> bool:
    """Return whether nobody can say where the number at the end of a line begins, as in “Ada,12,5” or “Ada 12,345”.

    A number after a comma may be the decimals of the number before. A number with a zero in front is a part of one.
    """
    figure = found["figure"].lstrip("-−–+ \u00a0\u202f")
    after_comma = found["gap"].endswith(",") and ("," in figure or found["name"][-1].isdigit())
    return after_comma or (figure[0] == "0" and figure[1:2].isdigit())


@transaction.atomic
def type_list(
    *, series_id: int, given: ListGiven, by: User, now: dt.datetime, told: ListCounts | None = None
) -> SeriesList:
    """Store a typed list, and return it. New players are added to the list of the owner's club.

    `told` has the numbers that a page has told. Raise `ListChanged`, and write nothing, if they would be others.
    """
    series = lock_series(series_id)
    brings = read_settings(series.rules).brings
    if brings == PERCENT:
        raise SeriesRefused("series_list_points", "text")
    if given.figures == RANK and brings != TABLE:
        raise SeriesRefused("series_list_of_ranks", "figures")
    if not given.rows:
        raise SeriesRefused("series_list_empty", "text")
    check_figures(given, least=-MOST_POINTS if brings == MARKS else Decimal())
    players, _counts = take_counted(club=series.club, taken=[line for _place, line, _figure in given.rows], told=told)
    check_players(players, given)
    event = find_event_of_list(series, given)
    typed = SeriesList.objects.create(event=event, source=given.source, made_at=now, made_by=by)
    SeriesListRow.objects.bulk_create(
        SeriesListRow(
            list=typed,
            player=player,
            points=figure if given.figures == POINTS else None,
            rank=int(figure) if given.figures == RANK else None,
        )
        for player, (_place, _line, figure) in zip(players, given.rows, strict=True)
    )
    log_club_action(series.club, "series_list_typed", now=now, by=by, series=series.title, list=given.title)
    touch_series(series)
    return typed


def check_players(players: Sequence[Player], given: ListGiven) -> None:
    """Raise `SeriesRefused` if two lines are the same player."""
    first: dict[int, int] = {}
    for player, (place, _line, _figure) in zip(players, given.rows, strict=True):
        before = first.setdefault(player.pk, place)
        if before != place:
            raise SeriesRefused("series_list_twice", "text", name=player.name, first=before, second=place)


def check_figures(given: ListGiven, *, least: Decimal) -> None:
    """Raise `SeriesRefused` for a rank that is not a whole number from 1, or for points below `least` or too many."""
    for _place, _line, figure in given.rows:
        if not least <= figure <= MOST_POINTS or (given.figures == RANK and (figure < 1 or figure % 1)):
            raise SeriesRefused("series_list_number", "text", figure=str(figure))


def find_event_of_list(series: Series, given: ListGiven) -> SeriesEvent:
    """Return the event of a list: a new one, or the one whose list is replaced, with its new title and day."""
    if given.event is None:
        return SeriesEvent.objects.create(series=series, title=given.title, day=given.day, included=True)
    event = SeriesEvent.objects.filter(series=series, pk=given.event).exclude(title="").first()
    if event is None:
        raise SeriesRefused("series_list_unknown")
    event.title, event.day = given.title, given.day
    event.save(update_fields=["title", "day"])
    return event
