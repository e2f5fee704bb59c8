"""The setup of a series: the lock of its writes, creating, changing, putting away, and decisions about its events.

Everything about a series is written under the lock of its row.
"""

import datetime as dt
import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from django.db import transaction
from django.utils.text import slugify

from clubs.accounts.founding import free_name
from clubs.house import season_of_club, settings_of
from clubs.log import log_club_action
from clubs.models import Club, Season, User
from rankings.series.choosing import FORMATS, LIST, ChosenEvent, choose_events
from rankings.series.computing import figure_series
from rankings.series.results import newest_lists
from scoring.formats import Unit, find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_apart, lock_club
from tournaments.models import Series, SeriesEvent, SeriesListRow, Session
from tournaments.queue import queue_series
from tournaments.rules.series import MARKS, MOST_TABLE, PERCENT, TABLE, SeriesSettings, read_settings
from wording import Texts
from wording import gettext_noop as _
from wording.figures import FigureError, read_figure


def lock_series(series_id: int) -> Series:
    """Lock and return the series."""
    (series,) = lock_apart(Series, [series_id])
    return series


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


RESERVED = {"new", "asked"}  # these parts of an address lead to other pages


class SeriesGiven(NamedTuple):
    """The values that a director gives a series: its title, its days, its rules, and perhaps a season of the club."""

    title: str
    starts_on: dt.date
    ends_on: dt.date
    settings: SeriesSettings
    season: int | None = None


class RulesEffect(NamedTuple):
    """The effect of new rules: how many ranks change, the leader, and the ranks that would get no points.

    `moved` is the number of players whose rank changes, `leader` the id of the first player or None. `without` has the
    first and last rank that the table of points does not have, in the event with most players, or None.
    """

    moved: int
    leader: int | None
    without: tuple[int, int] | None


@transaction.atomic
def create_series(*, club: Club, given: SeriesGiven, by: User, now: dt.datetime) -> Series:
    """Create and return a series. Its address is made from its title and is unique in the club."""
    lock_club(club.pk)
    season = check_given(club, given)
    base = slugify(given.title)[:50] or "challenge"
    taken = {*RESERVED, *club.series.filter(slug__startswith=base).values_list("slug", flat=True)}
    series = Series.objects.create(
        club=club,
        season=season,
        title=given.title,
        slug=free_name(base, "-", taken),
        starts_on=given.starts_on,
        ends_on=given.ends_on,
        rules=given.settings.to_data(),
        window_hours=settings_of(club).window_hours,
        created_at=now,
    )
    log_club_action(club, "series_made", now=now, by=by, series=given.title)
    queue_series(series.pk)
    return series


@transaction.atomic
def change_series(*, series_id: int, given: SeriesGiven, by: User, now: dt.datetime) -> Series:
    """Change the title, the days or the rules of a series, and return it. If nothing changes, nothing is logged."""
    series = lock_series(series_id)
    season = check_given(series.club, given)
    check_lists_of(series, given.settings)
    before = SeriesGiven(
        series.title, series.starts_on, series.ends_on, read_settings(series.rules), series.season_id or None
    )
    if before == given:
        return series
    take_given(series, given)
    series.season = season
    series.save()
    log_club_action(series.club, "series_changed", now=now, by=by, series=given.title)
    touch_series(series)
    return series


def take_given(series: Series, given: SeriesGiven) -> None:
    """Set the title, the days and the rules of a series. Nothing is stored."""
    series.title, series.starts_on, series.ends_on = given.title, given.starts_on, given.ends_on
    series.rules = given.settings.to_data()


@transaction.atomic
def put_series_away(*, series_id: int, back: bool = False, by: User, now: dt.datetime) -> Series:
    """Remove a series from all lists, or put it back. Its published rankings stay."""
    series = lock_series(series_id)
    if (series.put_away_at is None) != back:
        series.put_away_at = None if back else now
        series.save(update_fields=["put_away_at"])
        log_club_action(series.club, "series_back" if back else "series_put_away", now=now, by=by, series=series.title)
    return series


def check_given(club: Club, given: SeriesGiven) -> Season | None:
    """Return the season of a new or changed series. Raise `SeriesRefused` if something is wrong."""
    if given.ends_on < given.starts_on:
        raise SeriesRefused("series_ends_first", "ends_on")
    if given.settings.format not in ("", *FORMATS):
        raise SeriesRefused("series_format_unknown", "format")
    if given.settings.format and not given.settings.can_count(find_format(given.settings.format).unit):
        if given.settings.brings == MARKS:
            raise SeriesRefused("series_format_in_percent", "format")
        raise SeriesRefused("series_format_in_marks", "format")
    return season_of_club(club, given.season) if given.season is not None else None


def check_lists_of(series: Series, settings: SeriesSettings) -> None:
    """Raise `SeriesRefused` if a typed list does not go with these rules.

    A list that is left out matters only if points would become marks, or marks points.
    """
    every_list = SeriesEvent.objects.filter(series=series).exclude(title="")
    lists = every_list.filter(included=True)
    if settings.brings == PERCENT and lists.exists():
        raise SeriesRefused("series_list_beside_percent", "brings")
    if (settings.brings == MARKS) != (read_settings(series.rules).brings == MARKS) and every_list.exists():
        raise SeriesRefused("series_list_beside_marks", "brings")
    newest = newest_lists(lists.values_list("pk", flat=True))
    if settings.brings != TABLE and SeriesListRow.objects.filter(list__in=newest, rank__isnull=False).exists():
        raise SeriesRefused("series_list_of_ranks", "brings")


MOST_POINTS_OF_RANK = 999_999


def read_points(text: str) -> tuple[Fraction, ...]:
    """Return the points that a director typed for rank 1, 2, 3 …, with spaces or semicolons in between.

    A no-break space groups the digits of one figure. Raise `SeriesRefused` for other words, or for too many numbers.
    """
    words = re.split(r"[ \t\r\n;]+", text.strip(" \t\r\n;"))
    if words == [""]:
        raise SeriesRefused("series_table_missing", "table")
    points = [read_points_of_rank(word) for word in words]
    if len(points) > MOST_TABLE:
        raise SeriesRefused("series_table_long", "table", most=MOST_TABLE)
    return tuple(points)


def read_points_of_rank(word: str) -> Fraction:
    """Return the points in a word: at least 0, with at most two decimals. Raise `SeriesRefused` for another word."""
    try:
        points = Fraction(read_figure(word))
    except FigureError as error:
        raise SeriesRefused("series_table_wrong", "table", word=word[:20]) from error
    if not 0 <= points <= MOST_POINTS_OF_RANK or points * 100 % 1:
        raise SeriesRefused("series_table_wrong", "table", word=word[:20])
    return points


def touch_series(series: Series) -> None:
    """Raise the revision of a locked series, and queue its standings."""
    series.revision += 1
    Series.objects.filter(pk=series.pk).update(revision=series.revision)
    queue_series(series.pk)


def preview_rules(series: Series, given: SeriesGiven) -> RulesEffect:
    """Return what these rules would do to the standings. Nothing is written.

    Raise `SeriesRefused` if a typed list that counts does not go with the rules.
    """
    check_lists_of(series, given.settings)
    now = figure_series(series, choose_events(series))
    changed = copy(series)
    take_given(changed, given)
    then = figure_series(changed, choose_events(changed))
    before = {row["player"]: row["rank"] for row in now["players"]}
    after = {row["player"]: row["rank"] for row in then["players"]}
    most = max((each["players"] for each in then["events"]), default=0)
    without = given.settings.find_ranks_without_points(most)
    return RulesEffect(
        moved=sum(before.get(player) != after.get(player) for player in before.keys() | after),
        leader=next((row["player"] for row in then["players"] if row["rank"] == 1), None),
        without=(without[0], without[-1]) if without else None,
    )


MOST_COEFFICIENT = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDecision:
    """A decision of a director: whether an event counts, and with which coefficient and stage."""

    counts: bool
    coefficient: Decimal = Decimal(1)
    stage: str = ""


@transaction.atomic
def decide_events(*, series_id: int, decisions: Mapping[str, EventDecision], by: User, now: dt.datetime) -> int:
    """Store decisions about events, by the keys of the events. Return the number of events that changed.

    A decision to count an event, or not to, is stored only if the rule of the series says otherwise.
    """
    series = lock_series(series_id)
    there = {event.key: event for event in choose_events(series)}
    if decisions.keys() - there.keys():
        raise SeriesRefused("series_event_unknown")
    changed = [key for key, told in decisions.items() if decide_event(series, there[key], told)]
    check_lists_of(series, read_settings(series.rules))
    if changed:
        log_club_action(
            series.club, "series_events_decided", now=now, by=by, series=series.title, count=str(len(changed))
        )
        touch_series(series)
    return len(changed)


def decide_event(series: Series, event: ChosenEvent, told: EventDecision) -> bool:
    """Store a decision about one event. Return whether it changes anything."""
    if not 0 < told.coefficient <= MOST_COEFFICIENT or told.stage not in Session.Stage:
        raise SeriesRefused("series_coefficient_wrong", event.key)
    if (event.counts, event.coefficient, event.stage) == (told.counts, told.coefficient, told.stage):
        return False
    if told.counts and not event.fits:
        if event.unit is Unit.MARKS:
            raise SeriesRefused("series_marks_beside_percent", event.key, title=event.title)
        raise SeriesRefused("series_percent_beside_marks", event.key, title=event.title)
    which: dict[str, Any] = {"pk": event.pk} if event.kind == LIST else {f"{event.kind}_id": event.pk}
    row = SeriesEvent.objects.filter(series=series, **which).first() or SeriesEvent(series=series, **which)
    if told.counts != event.counts:
        row.included = told.counts
    row.coefficient, row.stage = told.coefficient, told.stage
    if event.kind != LIST and row.included is not None and event.by_rule == told.counts:
        row.included = None
    row.save()
    return True
