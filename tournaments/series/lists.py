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

from clubs.accounts.log import log_club_action
from clubs.answers import MatchedLine
from clubs.models import Player, User
from clubs.players import take_list
from tournaments.models import Series, SeriesEvent, SeriesList, SeriesListRow
from tournaments.rules.series import MARKS, PERCENT, TABLE, read_settings
from tournaments.series.locking import lock_series
from tournaments.series.refusals import SeriesRefused
from tournaments.series.setup import touch_series

POINTS, RANK = FIGURES = ("points", "rank")
MOST_POINTS = Decimal(999_999)
MOST_LETTERS = 300  # of a line: the pattern takes much longer for very long lines
# The name ends as early as it can, so that the figure is as long as it can be. A comma is a decimal comma. Ordinary,
# no-break and thin spaces group thousands; a tab parts two cells.
FIGURE = re.compile(
    r"(?P<name>.*?[^\s;,:])(?P<gap>[\s;,:]+)"
    r"(?P<figure>[-−–+]?(?:[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3})+|[0-9]+)(?:[.,][0-9]{1,2})?)\s*"
)


class SplitText(NamedTuple):
    """A pasted text in two parts: the names, one in each line, and the number at the end of each line."""

    names: str
    figures: Mapping[int, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGiven:
    """A typed list: its title, its day, its source, whether it has points or ranks, and its lines.

    `rows` has the line of each player with the number at its end. `lines` has their line numbers in the text. `event`
    is the id of the event whose list it replaces, or None for a new event.
    """

    title: str
    day: dt.date
    source: str
    figures: str
    rows: Sequence[tuple[MatchedLine, Decimal]]
    lines: Sequence[int] = ()
    event: int | None = None


def split_list(text: str) -> SplitText:
    """Return the names and the numbers of a pasted text. Empty lines stay, so that lines keep their numbers.

    Raise `SeriesRefused` for a line without a number at its end, or for a text without lines.
    """
    names, figures = [], {}
    for number, line in enumerate(text.splitlines(), start=1):
        found = FIGURE.fullmatch(line) if len(line) <= MOST_LETTERS else None
        if line.strip() and found is None:
            raise SeriesRefused("series_list_figure", "text", number=number)
        names.append(found["name"] if found else "")
        if found:
            if is_ambiguous(found):
                raise SeriesRefused("series_list_ambiguous", "text", number=number, text=line.strip())
            figures[number] = read_figure(found["figure"])
    if not figures:
        raise SeriesRefused("series_list_empty", "text")
    return SplitText("\n".join(names), figures)


def is_ambiguous(found: re.Match[str]) -> bool:
    """Return whether nobody can say where the number at the end of a line begins, as in “Ada,12,5” or “Ada 12,345”.

    A number after a comma may be the decimals of the number before. A number with a zero in front is a part of one.
    """
    figure = found["figure"].lstrip("-−–+")
    after_comma = found["gap"].endswith(",") and ("," in figure or found["name"][-1].isdigit())
    return after_comma or (figure[0] == "0" and figure[1:2].isdigit())


def read_figure(text: str) -> Decimal:
    """Return the number that is written with a decimal comma or point, spaces between thousands, and perhaps a sign."""
    return Decimal("".join(text.split()).replace(",", ".").replace("−", "-").replace("–", "-"))


@transaction.atomic
def type_list(*, series_id: int, given: ListGiven, by: User, now: dt.datetime) -> SeriesList:
    """Store a typed list, and return it. New players are added to the list of the owner's club."""
    series = lock_series(series_id)
    brings = read_settings(series.rules).brings
    if brings == PERCENT:
        raise SeriesRefused("series_list_points", "text")
    if given.figures == RANK and brings != TABLE:
        raise SeriesRefused("series_list_of_ranks", "figures")
    if not given.rows:
        raise SeriesRefused("series_list_empty", "text")
    check_figures(given, least=-MOST_POINTS if brings == MARKS else Decimal())
    players = take_list(club=series.club, taken=[line for line, _figure in given.rows])
    check_lines(players, given.lines or range(1, len(players) + 1))
    event = find_event_of_list(series, given)
    typed = SeriesList.objects.create(event=event, source=given.source, made_at=now, made_by=by)
    SeriesListRow.objects.bulk_create(
        SeriesListRow(
            list=typed,
            player=player,
            points=figure if given.figures == POINTS else None,
            rank=int(figure) if given.figures == RANK else None,
        )
        for player, (_line, figure) in zip(players, given.rows, strict=True)
    )
    log_club_action(series.club, "series_list_typed", now=now, by=by, series=series.title, list=given.title)
    touch_series(series)
    return typed


def check_lines(players: Sequence[Player], lines: Sequence[int]) -> None:
    """Raise `SeriesRefused` if two lines are the same player. `lines` has the line numbers of the players."""
    first: dict[int, int] = {}
    for player, line in zip(players, lines, strict=True):
        before = first.setdefault(player.pk, line)
        if before != line:
            raise SeriesRefused("series_list_twice", "text", name=player.name, first=before, second=line)


def check_figures(given: ListGiven, *, least: Decimal) -> None:
    """Raise `SeriesRefused` for a rank that is not a whole number from 1, or for points below `least` or too many."""
    for _line, figure in given.rows:
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
