"""The part of the published ranking of a field that readers may see now.

The ranking may be open before the étuis are. From the public hour on, the notes and scores of étuis are open too.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Q, Subquery, Sum

from clubs.models import Club
from tournaments.models import Publication, Session, Simultaneous
from tournaments.published import Shows
from tournaments.simultaneous.field.publishing import FIELD_RANKINGS
from tournaments.versions.stamps import VersionStamp, find_stamp
from tournaments.words.stamps import make_stamp


@dataclass(frozen=True, slots=True)
class FieldStamp(VersionStamp):
    """The stamp of a version of a field's ranking: everything on which its public pages depend.

    `names` is the sum of the versions of the names in all clubs and in the organiser's. `opened` is True from the
    public hour on. `about` is a text with everything else: title, public hour, and for a feuille what its club shows.
    """

    opened: bool
    about: str

    @property
    def parts(self) -> tuple[object, ...]:
        return (*VersionStamp.parts.fget(self), self.about)  # type: ignore[attr-defined]

    @property
    def shows(self) -> tuple[bool, ...]:
        return (self.opened,)


def find_state_of_club(entrant: int) -> list[Any]:
    """Return everything on which the feuille of an entrant depends in the entrant's club. It takes one query."""
    newest = Publication.objects.filter(session=OuterRef("pk")).order_by("-version").values("pk")[:1]
    shows = [f"shows_{part}" for part in Shows._fields]
    found = Session.objects.filter(entrants=entrant).values_list(*shows, "held_until", Subquery(newest))
    return list(found)


def look_up_field(
    simultaneous: Simultaneous, version: int | None = None, *, entrant: int | None = None
) -> FieldStamp | None:
    """Return the stamp of a version, or of the newest one. Return None if there is none. It takes two queries.

    With `entrant`, the stamp is that of the entrant's feuille, and takes three queries. Practice clubs have no
    simultaneous. The set of the simultaneous is one query more, unless the caller has read it.
    """

    def find(now: dt.datetime) -> FieldStamp | None:
        columns = ("pk", "version", "status", "digest", "official_from")
        versions = simultaneous.publications.order_by("-version").values_list(*columns)
        clubs = Club.every.filter(simultaneous_elsewhere__simultaneous=simultaneous).distinct()
        named = Club.every.filter(Q(pk__in=clubs.values("pk")) | Q(pk=simultaneous.club_id))
        names = named.aggregate(names=Sum("names_version"))["names"] or 0
        rows: list[tuple[Any, ...]] = [
            (pk, number, status, digest, until is not None and until <= now, names, simultaneous.pk, None)
            for pk, number, status, digest, until in versions
        ]
        found = find_stamp(rows, version)
        if found is None:
            return None
        club = [] if entrant is None else find_state_of_club(entrant)
        about = make_stamp(simultaneous.title, simultaneous.public_at, simultaneous.deal_set.revealed_at, club)
        return FieldStamp(**found.fields, opened=simultaneous.public_at <= now, about=about)

    return FIELD_RANKINGS.look_up(find)
