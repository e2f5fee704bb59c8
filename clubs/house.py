"""The settings of a club and its logo: reading them, changing them, logging the change."""

import datetime as dt
import struct
import zlib
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from clubs.accounts.log import log_club_action
from clubs.models import Club, ClubLogo, ClubSettings, User
from clubs.names_version import raise_names_version

OWN = frozenset({"name", "time_zone"})
IN_CALENDARS = frozenset({"name", "time_zone", "address", "shows_address"})
MOST_BYTES = 300_000
MOST_PIXELS = 16_000_000
SHOWN = (960, 480)  # the largest size of a stored logo in pixels; pages show it 64 pixels high
# The first bytes of the accepted types of files. Browsers show these types, and they cannot hold a script.
KINDS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG"}
BROKEN = (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, ArithmeticError, struct.error, zlib.error)


class Logo(NamedTuple):
    """A logo as this site has written it. Empty data (`NO_LOGO`) means: remove the logo."""

    kind: str
    data: bytes


NO_LOGO = Logo("", b"")


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

    It has only the first frame, no metadata, and a size that fits a page. Raise ValidationError if the file is not a
    picture, or too large.
    """
    if len(sent) > MOST_BYTES:
        raise ValidationError(_("The picture is too large: 300 kB at most. Make it smaller."))
    kind = next((kind for begins, kind in KINDS.items() if sent.startswith(begins)), None)
    if kind is None:
        raise ValidationError(_("Only PNG and JPEG pictures are accepted: save yours as one of them."))
    try:
        with Image.open(BytesIO(sent), formats=[kind]) as picture:
            if picture.width * picture.height > MOST_PIXELS:  # the size is read before anything is decoded
                raise ValidationError(_("The picture is too large: 16 megapixels at most. Make it smaller."))
            return write_logo(picture, kind)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
        raise ValidationError(_("The picture is too large: 16 megapixels at most. Make it smaller.")) from bomb
    except BROKEN as broken:
        raise ValidationError(_("The picture cannot be read: save it again as PNG or JPEG.")) from broken


def write_logo(picture: Image.Image, kind: str) -> Logo:
    """Return the first frame of an open picture as a logo: turned upright, with its transparency, without metadata."""
    upright = ImageOps.exif_transpose(picture)
    if upright.mode.startswith("I"):  # a picture with 16 bits for each colour
        upright = upright.point(lambda value: value * (1 / 256)).convert("L")
    mode = "RGB" if kind == "JPEG" else "RGBA" if upright.has_transparency_data else "RGB"
    shown = upright.convert(mode)
    shown.thumbnail(SHOWN)
    while True:
        pixels, written = Image.frombytes(mode, shown.size, shown.tobytes()), BytesIO()  # copy nothing but the pixels
        pixels.save(written, kind, optimize=True, quality=90)
        if written.tell() <= MOST_BYTES:
            return Logo(f"image/{kind.lower()}", written.getvalue())
        shown.thumbnail((max(1, shown.width // 2), max(1, shown.height // 2)))


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
