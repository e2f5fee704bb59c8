"""The settings of a club, its logo and its seasons: reading them, changing them, logging the change."""

import datetime as dt
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from clubs.log import log_club_action
from clubs.models import Club, ClubLogo, ClubSettings, Season, User
from clubs.names import simplify_name
from clubs.shown import raise_names_version
from clubs.uploads.logos import MOST_BYTES as MOST_BYTES  # pages import them from this module
from clubs.uploads.logos import NO_LOGO as NO_LOGO
from clubs.uploads.logos import Logo as Logo
from clubs.uploads.logos import LogoRefused, draw_logo
from wording import Refusal, Texts
from wording import gettext_noop as _

OWN = frozenset({"name", "time_zone"})
IN_CALENDARS = frozenset({"name", "time_zone", "address", "shows_address"})


def settings_of(club: Club) -> ClubSettings:
    return ClubSettings.objects.filter(club=club).first() or ClubSettings(club=club)


def is_indexed(club: Club) -> bool:
    """Return whether search engines may list the club's pages.

    No query is needed if the club was read with its settings (`house`).
    """
    return club.house.indexed if hasattr(club, "house") else True


def find_club_language(club: Club) -> str:
    """Return the language of the club, or that of the site if the club has chosen none.

    No query is needed if the club was read with its settings (`house`).
    """
    return (club.house.language if hasattr(club, "house") else "") or settings.LANGUAGE_CODE


def listed_clubs() -> QuerySet[Club]:
    """Return the clubs that the first page lists."""
    return Club.objects.exclude(house__listed=False)


def list_clubs_by_name() -> list[tuple[str, str, str]]:
    """Return slug, name and time zone of the clubs that the first page lists.

    They are sorted by name, ignoring accents and capitals. The order of a database would depend on the database.
    """
    rows = listed_clubs().values_list("slug", "name", "time_zone")
    return sorted(rows, key=lambda row: (simplify_name(row[1]), row[0]))


def indexed_clubs() -> QuerySet[Club]:
    """Return the clubs that search engines may list. The first page lists all of them too."""
    return listed_clubs().exclude(house__indexed=False)


def read_logo(sent: bytes) -> Logo:
    """Return the picture in these bytes, decoded and written again as a logo.

    Raise ValidationError if the file is not a picture, or too large.
    """
    try:
        return draw_logo(sent)
    except LogoRefused as refusal:
        raise ValidationError(gettext(str(refusal.text)) % refusal.told) from refusal


@transaction.atomic
def change_settings(
    club: Club, given: Mapping[str, Any], *, now: dt.datetime, by: User, logo: Logo | None = None
) -> None:
    """Change the settings of a club, and log the fields that changed.

    `given` has fields of the club itself (OWN) and of its settings. `logo` is a new logo, or `NO_LOGO` to remove it.
    """
    own = {field: given[field] for field in OWN & given.keys()}
    given = {field: value for field, value in given.items() if field not in OWN}
    Club.every.select_for_update().get(pk=club.pk)
    house = settings_of(club)
    changed = [field for field, value in given.items() if getattr(house, field) != value]
    for field in changed:
        setattr(house, field, given[field])
    renamed = {field: value for field, value in own.items() if getattr(club, field) != value}
    if not IN_CALENDARS.isdisjoint({*changed, *renamed}):
        house.told_version, house.told_at = house.told_version + 1, now
    house.save()
    if renamed:
        Club.every.filter(pk=club.pk).update(**renamed)
        changed += renamed
    if logo is not None:
        ClubLogo.objects.filter(club=club).delete()
        if logo.data:
            digest = sha256(logo.data).hexdigest()[:16]
            ClubLogo.objects.create(club=club, kind=logo.kind, data=logo.data, digest=digest)
        changed.append("logo")
    if changed:
        raise_names_version(club.pk)
        log_club_action(club, "settings_changed", now=now, by=by, fields=", ".join(changed))


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
    log_club_action(club, "season_made", now=now, by=by, **describe_season(given))
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
    log_club_action(club, "season_changed", now=now, by=by, before=before.name, **describe_season(given))
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


def describe_season(given: SeasonGiven) -> dict[str, str]:
    return {"season": given.name, "first": given.starts_on.isoformat(), "last": given.ends_on.isoformat()}
