"""The texts and tables of leaderboards: names of the lists, of kinds of play and of periods, figures, and files."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.leaderboards.boards import ALL, PERCENTAGES
from rankings.leaderboards.kinds import board_sources
from rankings.leaderboards.reading import BoardState, read_all_rows
from tournaments.models import BoardMeasure, GameKind, LeaderboardRow, PersonRating
from tournaments.words.figures import decimal, percent

MEASURES: Mapping[str, str | Promise] = {
    BoardMeasure.RATING: pgettext_lazy("strength of a player", "Rating"),
    BoardMeasure.MEAN: gettext_lazy("Mean %"),
    BoardMeasure.ATTACK: gettext_lazy("Attack %"),
    BoardMeasure.DEFENCE: gettext_lazy("Defence %"),
    BoardMeasure.DEALS: gettext_lazy("Deals"),
    BoardMeasure.TOPS: gettext_lazy("Tops"),
    BoardMeasure.PRESENCE: gettext_lazy("Presence"),
}
KINDS: Mapping[str, str | Promise] = {
    GameKind.IMPOSED: gettext_lazy("Imposed Garde"),
    GameKind.FREE: gettext_lazy("Free auction"),
    GameKind.TEAMS: gettext_lazy("In teams"),
}


def say_kind(kind: str) -> str:
    """Return the name of a kind of play."""
    source = board_sources.by_kind.get(kind)
    return str(KINDS[kind] if source is None else source.title)


def say_period(period: str, season_names: Mapping[str, str]) -> str:
    """Return the name of a period. `season_names` has those of a club's own seasons."""
    if period == ALL:
        return _("All sessions")
    if period in season_names:
        return season_names[period]
    year, _dash, month = period.partition("-")
    if month:
        return capfirst(date_format(dt.date(int(year), int(month), 1), "F Y"))
    return _("Season %(first)s–%(last)s") % {"first": year, "last": int(year) + 1} if year.isdecimal() else period


def say_measure(measure: str) -> str:
    """Return the name of a measure."""
    return str(MEASURES[measure])


def write_value(measure: str, value: Decimal) -> str:
    """Return a figure as text: a rating with its sign, a percentage, or a count."""
    if measure == BoardMeasure.RATING:
        return write_points(value)
    return percent(Fraction(value), 2) if measure in PERCENTAGES else str(int(value))


def write_points(value: Decimal) -> str:
    """Return points of % with their sign."""
    return f"{'+' if value > 0 else ''}{decimal(Fraction(value), 2)}"


def write_within(row: LeaderboardRow | PersonRating) -> str:
    """Return how far the true rating may be away, as text, or "" for other figures."""
    return "" if row.within is None else f"± {decimal(Fraction(row.within), 2)}"


LEADERBOARD = "leaderboard"


def make_board_table(state: BoardState) -> SheetTable:
    """Return the whole leaderboard as a table, with the columns of its page. It takes two database queries."""
    measure = state.choice.measure
    exact = measure == BoardMeasure.RATING or measure in PERCENTAGES
    rated = [SheetColumn("within", "±", CellKind.FIGURE)] if measure == BoardMeasure.RATING else []
    columns = [
        SheetColumn("position", pgettext("on a leaderboard", "Position"), CellKind.WHOLE),
        SheetColumn("player", _("Player")),
        SheetColumn(measure.value, str(MEASURES[measure]), CellKind.FIGURE if exact else CellKind.WHOLE),
        *rated,
        SheetColumn("sessions", _("Sessions"), CellKind.WHOLE),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE),
        SheetColumn("country", _("Country")),
        SheetColumn("club", _("Club")),
    ]
    rows: list[list[SheetCell]] = []
    for listed in read_all_rows(state):
        row, figure = listed.row, Fraction(listed.row.figure)
        within = [Fraction(row.within or 0)] if rated else []
        player = listed.player
        shown = figure if exact else int(figure)
        told: list[SheetCell] = [row.position, player.name, shown, *within, row.sessions, row.deals]
        rows.append([*told, player.country, player.club.name])
    return SheetTable(LEADERBOARD, _("Leaderboard"), columns, rows)
