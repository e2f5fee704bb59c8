"""What a club says of itself and is used to: read, changed, logged; its logo."""

import datetime as dt
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.accounts.log import log
from clubs.models import Club, ClubLogo, ClubSettings, User
from clubs.players import raise_names_version

OWN = frozenset({"name", "time_zone"})
IN_CALENDARS = frozenset({"name", "time_zone", "address", "shows_address"})
MOST_BYTES = 300_000
# How the files begin that browsers draw, and that hold no script.
KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def settings_of(club: Club) -> ClubSettings:
    return ClubSettings.objects.filter(club=club).first() or ClubSettings(club=club)


def is_indexed(club: Club) -> bool:
    """Whether search engines may list its pages; asks nothing where the club was read with its `house`."""
    return club.house.indexed if hasattr(club, "house") else True


def language_of(club: Club) -> str:
    """In which it is spoken of where nobody says in which; asks nothing where the club was read with its `house`."""
    return (club.house.language if hasattr(club, "house") else "") or settings.LANGUAGE_CODE


def listed_clubs() -> QuerySet[Club]:
    """Those that the first page names."""
    return Club.objects.exclude(house__listed=False)


def indexed_clubs() -> QuerySet[Club]:
    """Those that search engines are told of: a club that the first page leaves out is not told of here either."""
    return listed_clubs().exclude(house__indexed=False)


def read_logo(data: bytes) -> str:
    """The kind of a picture; `ValidationError` for what is none, or too large."""
    if len(data) > MOST_BYTES:
        raise ValidationError(_("The picture is too large: 300 kB at most."))
    kind = next((kind for begins, kind in KINDS.items() if data.startswith(begins)), None)
    if kind is None:
        raise ValidationError(_("Only PNG and JPEG pictures are taken: save it as one of them."))
    return kind


@transaction.atomic
def change_settings(
    club: Club, given: Mapping[str, Any], *, now: dt.datetime, by: User, logo: bytes | None = None
) -> None:
    """`given`: fields of the club itself (OWN) and of its settings. `logo`: another one, or no more of it where it is
    empty. What did not change is not logged."""
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
        if logo:
            told = {"kind": read_logo(logo), "data": logo, "digest": sha256(logo).hexdigest()[:16]}
            ClubLogo.objects.create(club=club, **told)
        changed.append("logo")
    if changed:
        raise_names_version(club.pk)
        log(club, "settings_changed", now=now, by=by, fields=", ".join(changed))
