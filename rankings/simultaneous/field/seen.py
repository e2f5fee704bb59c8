"""The part of the published ranking of a field that readers may see now.

The ranking may be open before the étuis are. From the public hour on, the notes and scores of étuis are open too.
"""

import datetime as dt
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Func, OuterRef, Q, Subquery

from clubs.models import Club
from rankings.simultaneous.field.publishing import FIELD_RANKINGS
from tournaments.models import FieldPublication, Publication, Session, Simultaneous, SimultaneousClub
from tournaments.prepared import PreparedValues
from tournaments.published import Shows
from tournaments.versions.stamps import VersionStamp, find_stamp
from tournaments.words.stamps import make_stamp


@dataclass(frozen=True, slots=True)
class FieldStamp(VersionStamp):
    """The stamp of a version of a field's ranking: everything on which its public pages depend.

    `names` is the sum of the versions of the names in all clubs and in the organiser's. `opened` is True from the
    public hour on. `about` is a digest of the rest: public hour, title and address. For a feuille, it also covers which
    parts of the session its club shows.
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


def sum_names(simultaneous: int) -> Subquery:
    """Return the subquery that adds the versions of the names in the organiser's club and in all clubs that play."""
    playing = SimultaneousClub.objects.filter(simultaneous=simultaneous).order_by().values("club")
    own = Simultaneous.objects.filter(pk=simultaneous).values("club")
    clubs = Club.every.filter(Q(pk__in=playing) | Q(pk__in=own)).order_by()
    return Subquery(clubs.annotate(names=Func("names_version", function="SUM")).values("names"))


# The versions of a ranking, the newest first, each with everything else on which its pages depend.
VERSIONS = PreparedValues(
    lambda simultaneous: (
        FieldPublication.objects.filter(simultaneous=simultaneous)
        .order_by("-version")
        .values_list(
            *("pk", "version", "status", "digest", "official_from", sum_names(simultaneous)),
            *(
                f"simultaneous__{name}"
                for name in ("public_at", "title", "slug", "club__slug", "deal_set__revealed_at")
            ),
        )
    )
)


def find_field_stamp(pk: int, version: int | None, entrant: int | None, now: dt.datetime) -> FieldStamp | None:
    """Return the stamp of a version of a simultaneous (its id), or of the newest one. Return None if there is none.

    It takes one query. With `entrant`, the stamp is that of the entrant's feuille, and takes two.
    """
    rows = VERSIONS(pk)
    found = find_stamp([(*row[:4], row[4] is not None and row[4] <= now, row[5], pk, None) for row in rows], version)
    if found is None:
        return None
    public_at, *about = rows[0][6:]
    club = [] if entrant is None else find_state_of_club(entrant)
    return FieldStamp(**found.fields, opened=public_at <= now, about=make_stamp(public_at, *about, club))


def look_up_field(
    simultaneous: Simultaneous, version: int | None = None, *, entrant: int | None = None
) -> FieldStamp | None:
    """Return the stamp as `find_field_stamp` does, after making the ranking official if its time has come."""
    return FIELD_RANKINGS.look_up(partial(find_field_stamp, simultaneous.pk, version, entrant))
