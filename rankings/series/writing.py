"""The lock and the refusals of writes about series.

Everything about a series is written under the lock of its row.
"""

from typing import ClassVar

from tournaments.errors import ActionRefused
from tournaments.locks import lock_apart
from tournaments.models import Series
from wording import Texts
from wording import gettext_noop as _


def lock_series(series_id: int) -> Series:
    """Lock and return the series."""
    (series,) = lock_apart(Series, [series_id])
    return series


def lock_free_series(series_id: int) -> Series | None:
    """Lock and return the series, or return None at once if another transaction has locked it."""
    return next(iter(lock_apart(Series, [series_id], free=True)), None)


class SeriesRefused(ActionRefused):
    """An error: a write about a series was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "series_ends_first": _("The championship ends before it begins: correct one of the two days."),
        "series_table_missing": _("Type the points of each rank, the winner’s first: for example 25 20 16 13."),
        "series_table_wrong": _("“%(word)s” is not a number of points: type numbers from 0, with spaces in between."),
        "series_table_long": _("At most %(most)s ranks can have points: remove the last ones."),
        "series_format_unknown": _("Choose one of the formats in the list."),
        "series_club_unknown": _("Choose another club of this site."),
        "series_club_already": _("%(club)s is already invited, or already takes part."),
        "series_asked_often": _("You have invited %(most)s clubs within a day: go on tomorrow."),
        "series_asked_lately": _("%(club)s has declined: you can invite it again after %(day)s."),
        "series_asked_unanswered": _("%(club)s has not answered your last invitations yet: wait for its answer."),
        "series_club_gone": _("This club does not take part, or no longer does: look at the list again."),
        "series_reason_missing": _("Give the reason: it is kept in the log of both clubs."),
        "series_event_unknown": _("An event belongs to no club of the championship any more: look at the list again."),
        "series_coefficient_wrong": _("A coefficient is more than 0 and at most 100: correct it."),
        "series_list_empty": _("The list has no player: type one line for each, with the points or the rank."),
        "series_list_figure": _("Line %(number)s, “%(text)s”, has no number at its end: add the points or the rank."),
        "series_list_ambiguous": _(
            "Line %(number)s, “%(text)s”: it is not clear where the number begins. Write it after a semicolon, for "
            "example “DUPONT Marie; 12,5”."
        ),
        "series_list_number": _(
            "%(figure)s is not possible: ranks are whole numbers from 1, points from 0 to 999999. Only marks may be"
            " negative."
        ),
        "series_list_twice": _("Lines %(first)s and %(second)s are both %(name)s: keep one of the two."),
        "series_marks_beside_percent": _(
            "%(title)s has marks, and percentages count in this championship. Marks are never added to percentages: "
            "let ranks give points instead."
        ),
        "series_percent_beside_marks": _(
            "%(title)s has percentages, and marks count in this championship. Marks are never added to percentages: "
            "let ranks give points instead."
        ),
        "series_format_in_marks": _(
            "Donnes libres have marks and no percentage: choose marks as what an evening brings, or points for ranks."
        ),
        "series_format_in_percent": _(
            "These evenings have percentages and no marks: choose the percentage as what an evening brings, or points "
            "for ranks."
        ),
        "series_list_points": _(
            "Percentages count in this championship, and a typed list has none: let ranks give points instead."
        ),
        "series_list_beside_percent": _(
            "A typed list counts in this championship, and has no percentages: leave the list out first, or let ranks "
            "give points."
        ),
        "series_list_beside_marks": _(
            "Somebody typed a list in this championship. Its points are no marks, and marks are no points: make a new "
            "championship."
        ),
        "series_list_of_ranks": _(
            "A typed list with ranks counts only if a table gives the points, because nobody knows how many played: "
            "use a table, or type points."
        ),
        "series_list_unknown": _("This list does not exist, or no longer exists: look at the page again."),
        "series_nothing_counts": _("No event counts yet: publish the ranking of an evening first."),
    }
