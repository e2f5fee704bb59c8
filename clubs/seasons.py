"""The seasons of a club: creating, changing and deleting them. The club's log records each change."""

import datetime as dt
from typing import ClassVar, NamedTuple

from django.db import transaction

from clubs.log import log_club_action
from clubs.models import Club, Season, User
from wording import Refusal, Texts
from wording import gettext_noop as _


class SeasonRefused(Refusal):
    """A refused change: nothing was written. `field` is the name of the wrong input, or empty if there is none."""

    messages: ClassVar[Texts] = {
        "season_unknown": _("This season does not exist, or no longer exists: choose another."),
        "season_name_taken": _("The club already has a season %(name)s: give this one another name."),
        "season_ends_first": _("The last day is before the first: correct one of them."),
        "season_used": _("The season %(name)s has tournaments or championships: move them to another season first."),
    }


class SeasonGiven(NamedTuple):
    """The name and the dates that a club gives a season."""

    name: str
    starts_on: dt.date
    ends_on: dt.date


@transaction.atomic
def make_season(club: Club, given: SeasonGiven, *, by: User, now: dt.datetime) -> Season:
    """Add a season to the club, and return it."""
    lock_seasons(club)
    check(club, given)
    season = Season.objects.create(club=club, **given._asdict())
    log_club_action(club, "season_made", now=now, by=by, **describe(given))
    return season


@transaction.atomic
def change_season(club: Club, season_id: int, given: SeasonGiven, *, by: User, now: dt.datetime) -> Season:
    """Give a season another name or other dates, and return it. Its tournaments stay in it.

    If nothing changes, nothing is logged.
    """
    season = find_season(club, season_id)
    check(club, given, but=season)
    before = SeasonGiven(season.name, season.starts_on, season.ends_on)
    if before == given:
        return season
    season.name, season.starts_on, season.ends_on = given
    season.save()
    log_club_action(club, "season_changed", now=now, by=by, before=before.name, **describe(given))
    return season


@transaction.atomic
def delete_season(club: Club, season_id: int, *, by: User, now: dt.datetime) -> None:
    """Delete a season that has no tournaments. Raise SeasonRefused if it has some."""
    season = find_season(club, season_id)
    if is_used(season):
        raise SeasonRefused("season_used", name=season.name)
    log_club_action(club, "season_deleted", now=now, by=by, season=season.name)
    season.delete()


def find_season(club: Club, season_id: int) -> Season:
    """Lock the club's seasons and return the season. So nobody else can change it in this transaction."""
    lock_seasons(club)
    return season_of_club(club, season_id)


def season_of_club(club: Club, season_id: int) -> Season:
    season = Season.objects.filter(club=club, pk=season_id).first()
    if season is None:
        raise SeasonRefused("season_unknown", "season")
    return season


def lock_seasons(club: Club) -> None:
    Club.every.select_for_update().get(pk=club.pk)


def check(club: Club, given: SeasonGiven, but: Season | None = None) -> None:
    if given.ends_on < given.starts_on:
        raise SeasonRefused("season_ends_first", "ends_on")
    if club.seasons.filter(name=given.name).exclude(pk=but.pk if but else 0).exists():
        raise SeasonRefused("season_name_taken", "name", name=given.name)


def is_used(season: Season) -> bool:
    """Return whether any row of the site refers to the season."""
    return any(
        each.related_model._base_manager.filter(**{each.field.name: season}).exists()
        for each in Season._meta.related_objects
    )


def describe(given: SeasonGiven) -> dict[str, str]:
    return {"season": given.name, "first": given.starts_on.isoformat(), "last": given.ends_on.isoformat()}
