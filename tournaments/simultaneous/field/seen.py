"""The part of the published ranking of a field that readers may see now.

The ranking may be open before the étuis are. From the public hour on, the notes and scores of étuis are open too.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from clubs.models import Club
from tournaments.models import Simultaneous
from tournaments.simultaneous.field.publishing import FIELD_RANKINGS
from tournaments.versions.stamps import VersionStamp, find_stamp


@dataclass(frozen=True, slots=True)
class FieldStamp(VersionStamp):
    """The stamp of a version of a field's ranking: everything on which its public pages depend.

    `names` is the sum of the versions of the names in all clubs. `opened` is True from the public hour on.
    """

    opened: bool

    @property
    def shows(self) -> tuple[bool, ...]:
        return (self.opened,)


def look_up_field(simultaneous: Simultaneous, version: int | None = None) -> FieldStamp | None:
    """Return the stamp of a version, or of the newest one. Return None if there is none. It takes two queries.

    Practice clubs have no simultaneous.
    """

    def find(now: dt.datetime) -> FieldStamp | None:
        columns = ("pk", "version", "status", "digest", "official_from")
        versions = simultaneous.publications.order_by("-version").values_list(*columns)
        clubs = Club.every.filter(simultaneous_elsewhere__simultaneous=simultaneous).distinct()
        names = Club.every.filter(pk__in=clubs.values("pk")).aggregate(names=Sum("names_version"))["names"] or 0
        rows: list[tuple[Any, ...]] = [
            (pk, number, status, digest, until is not None and until <= now, names, simultaneous.pk, None)
            for pk, number, status, digest, until in versions
        ]
        found = find_stamp(rows, version)
        return None if found is None else FieldStamp(**found.fields, opened=simultaneous.public_at <= now)

    return FIELD_RANKINGS.look_up(find)
