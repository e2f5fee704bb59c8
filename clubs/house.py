"""The settings of a club and its logo: reading them, changing them, logging the change."""

import datetime as dt
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from clubs.log import log_club_action
from clubs.models import Club, ClubLogo, ClubSettings, User
from clubs.shown import raise_names_version
from clubs.uploads.logos import MOST_BYTES as MOST_BYTES  # pages import them from this module
from clubs.uploads.logos import NO_LOGO as NO_LOGO
from clubs.uploads.logos import Logo as Logo
from clubs.uploads.logos import LogoRefused, draw_logo

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
