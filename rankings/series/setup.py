"""The setup of a series: creating it, changing it, and putting it away. Each write is in the log of the club."""

import datetime as dt
import re
from fractions import Fraction
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.text import slugify

from clubs.house import season_of_club, settings_of
from clubs.log import log_club_action
from clubs.models import Club, Season, User
from rankings.series.choosing import FORMATS, choose_events, is_in_marks
from rankings.series.computing import figure_series
from rankings.series.writing import SeriesRefused, lock_series
from tournaments.locks import lock_club
from tournaments.models import Series, SeriesEvent, SeriesList, SeriesListRow
from tournaments.queue import queue_series
from tournaments.rules.series import MARKS, MOST_TABLE, PERCENT, TABLE, SeriesSettings, read_settings

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
    slug = next(slug for i in range(1, 10_000) if (slug := base if i == 1 else f"{base}-{i}") not in taken)
    series = Series.objects.create(
        club=club,
        season=season,
        title=given.title,
        slug=slug,
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
    series.title, series.starts_on, series.ends_on = given.title, given.starts_on, given.ends_on
    series.season, series.rules = season, given.settings.to_data()
    series.save()
    log_club_action(series.club, "series_changed", now=now, by=by, series=given.title)
    touch_series(series)
    return series


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
    if given.settings.format and not given.settings.can_count(in_marks=is_in_marks(given.settings.format)):
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
    newer = SeriesList.objects.filter(event=OuterRef("event"), pk__gt=OuterRef("pk"))
    newest = SeriesList.objects.filter(~Exists(newer), event__in=lists).order_by()
    if settings.brings != TABLE and SeriesListRow.objects.filter(list__in=newest, rank__isnull=False).exists():
        raise SeriesRefused("series_list_of_ranks", "brings")


def read_points(text: str) -> tuple[Fraction, ...]:
    """Return the points that a director typed for rank 1, 2, 3 …, with spaces or semicolons in between.

    Raise `SeriesRefused` for other words, or for too many numbers.
    """
    words = re.split(r"[\s;]+", text.strip())
    if words == [""]:
        raise SeriesRefused("series_table_missing", "table")
    wrong = next((word for word in words if not re.fullmatch(r"[0-9]{1,6}([.,][0-9]{1,2})?", word)), None)
    if wrong is not None:
        raise SeriesRefused("series_table_wrong", "table", word=wrong[:20])
    if len(words) > MOST_TABLE:
        raise SeriesRefused("series_table_long", "table", most=MOST_TABLE)
    return tuple(Fraction(word.replace(",", ".")) for word in words)


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
    changed = Series(
        pk=series.pk,
        club_id=series.club_id,
        title=given.title,
        starts_on=given.starts_on,
        ends_on=given.ends_on,
        rules=given.settings.to_data(),
    )
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
