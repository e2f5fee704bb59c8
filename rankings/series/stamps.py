"""The stamps of series: everything on which the public pages of a series depend, read by one query.

A series that is under way has no version. Its ranking follows what readers may see of the events of its clubs. A hidden
or withdrawn evening must not stay on a page that is kept. So a stamp has the present state of each session and
tournament of these clubs. It has more than the pages need: then a page is only built once more than necessary.
"""

import datetime as dt
import hashlib
from typing import Any

from django.db.models import F, Func, Q, QuerySet, RowRange, Subquery, TextField, Value, Window
from django.db.models.functions import MD5, Cast, Coalesce

from clubs.models import Club
from tournaments.models import (
    Publication,
    Series,
    SeriesClub,
    SeriesPublication,
    Session,
    Tournament,
    TournamentPublication,
)
from tournaments.prepared import PreparedValues
from tournaments.versions import PROVISIONAL, VersionStamp

SESSION = (
    "pk",
    "date",
    "status",
    "shows_ranking",
    "put_away_at",
    "number",
    "section",
    "group_id",
    "group__one_ranking",
)
TOURNAMENT = ("pk", "slug", "name", "format", "put_away_at")


class SeriesStamp(VersionStamp):
    """The stamp of the public pages of a series: everything on which they depend.

    `version` is the version that a page shows, or 0 for the present ranking. `newest` is 0 before the first version.
    `digest` stands for all the rest. A ranking that was withdrawn or is held back has a page that says so. That page
    has a stamp like all others, without `withdrawn`.
    """

    @property
    def shows(self) -> tuple[bool, ...]:
        return ()


class JoinedTexts(Func):
    """The texts of all rows as one text, with commas. A window gives the order of the rows, in every database."""

    function, template, output_field = "string_agg", "%(function)s(%(expressions)s, ',')", TextField()
    window_compatible = True

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> Any:
        return self.as_sql(compiler, connection, function="group_concat", **options)


def digest_rows(rows: QuerySet[Any], columns: tuple[str, ...]) -> Subquery:
    """Return the subquery that gives a digest of these columns of all rows, in the order of the first column.

    The values of a row are joined by slashes.
    """
    texts = [Coalesce(Cast(F(column), TextField()), Value("")) for column in columns]
    row = Func(*texts, template="(%(expressions)s)", arg_joiner=" || '/' || ", output_field=TextField())
    joined = Window(JoinedTexts(row), order_by=columns[0], frame=RowRange())
    return Subquery(rows.order_by().annotate(digest=MD5(joined)).values("digest")[:1])


def of_clubs(series: int, path: str) -> Q:
    """Return the condition that a row belongs to a club of the series.

    A club that left, or was taken out, is one too, because an old version may count its events.
    """
    own = Series.objects.filter(pk=series).values("club")
    others = SeriesClub.objects.filter(series=series).order_by().values("club")
    return Q(**{f"{path}__in": own}) | Q(**{f"{path}__in": others})


def newest(model: Any, column: str, **where: int) -> Subquery:
    order = "-version" if where else "-pk"
    return Subquery(model.objects.filter(**where).order_by(order).values(column)[:1])


# Versions never change. So the highest ids say whether any ranking was published, corrected or withdrawn.
STATE = PreparedValues(
    lambda series: Series.objects.filter(pk=series).values_list(
        *(newest(SeriesPublication, column, series=series) for column in ("version", "status", "official_from", "pk")),
        *("revision", "title", "slug", "starts_on", "ends_on", "put_away_at", "standings__computed_at"),
        *("club__slug", "club__practice_of"),
        newest(Publication, "pk"),
        newest(TournamentPublication, "pk"),
        digest_rows(Session.objects.filter(of_clubs(series, "tournament__club")), SESSION),
        digest_rows(Tournament.objects.filter(of_clubs(series, "club")), TOURNAMENT),
        digest_rows(Club.every.filter(of_clubs(series, "pk")), ("pk", "names_version")),
    )
)


def find_series_stamp(pk: int, version: int, now: dt.datetime) -> SeriesStamp | None:
    """Return the stamp of a series for pages of a version, or of the present ranking (0). This takes one query."""
    rows = STATE(pk)
    if not rows:
        return None
    number, status, official_from, publication, *rest = rows[0]
    digest = hashlib.sha256(repr((publication, status, *rest)).encode()).hexdigest()
    return SeriesStamp(
        publication=publication or 0,
        version=version,
        status=status or "",
        digest=digest,
        names=0,
        newest=number or 0,
        latest=digest,
        withdrawn=None,
        over=status == PROVISIONAL and official_from is not None and official_from <= now,
        owner=pk,
        practice=rest[8] is not None,
    )
