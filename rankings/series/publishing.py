"""The publication of the ranking of a series, in frozen versions, by the rules of every ranking (`rankings.kinds`).

While a series is under way, readers see the standings that a job keeps. At the end a director publishes them. From then
on readers see the published version, with its champion once it is official. A later change needs a new version.

If a session that a version counts is later hidden or withdrawn, the version is held back: readers do not see it.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from django.db.models import F, Func, Q, QuerySet, RowRange, Subquery, TextField, Value, Window
from django.db.models.functions import MD5, Cast, Coalesce

from clubs.models import Club
from rankings.events.publishing import hidden_sessions
from rankings.kinds import (
    Actions,
    RankingAddresses,
    RankingKind,
    is_there,
    lock_if_free,
    sum_names_versions,
    write_step_of_club,
)
from rankings.publication.differences import RankedFigures, compare_ranks
from rankings.publication.order import read_podiums
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series
from rankings.series.results import find_seen_tournaments, find_versions
from rankings.series.setup import SeriesRefused, lock_series
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
from tournaments.versions import FiguresToPublish, VersionComparison, VersionStamp, find_stamp
from tournaments.words.stamps import make_stamp

Data = Mapping[str, Any]


def series_to_publish(series: Series, _last: SeriesPublication | None) -> FiguresToPublish:
    """Return the figures that would be published now. Raise `SeriesRefused` if no event counts."""
    events = choose_events(series)
    data = figure_series(series, events)
    if not data["events"]:
        raise SeriesRefused("series_nothing_counts")
    return FiguresToPublish(data, series.revision, {"events": find_versions(events)})


def compare_series_versions(before: Data, after: Data) -> list[dict[str, Any]]:
    """Return the changes between two stored rankings of a series, as codes with parameters."""
    olds, news = (
        {row["player"]: RankedFigures((), (row["rank"],)) for row in data["players"]} for data in (before, after)
    )
    events = [
        {each["key"]: (each["coefficient"], each["stage"]) for each in data["events"]} for data in (before, after)
    ]
    return [
        *([{"code": "series_rules"}] if before["rules"] != after["rules"] else []),
        *([{"code": "series_events"}] if events[0] != events[1] else []),
        *compare_ranks(olds, news),
    ]


def find_held_versions(versions: Iterable[SeriesPublication]) -> set[int]:
    """Return the ids of the versions that are held back: they count a ranking that readers no longer see.

    This takes at most four queries. A session that is only put away is still shown.
    """
    return find_held_back({version.pk: version.data["events"] for version in versions})


def find_held_numbers(series: Series) -> frozenset[int]:
    """Return the numbers of the versions of a series that are held back."""
    return frozenset(find_held_back(dict(series.publications.values_list("version", "data__events"))))


def find_held_back(events: Mapping[int, Sequence[Data]]) -> set[int]:
    """Return the keys of the versions that are held back. `events` has the stored events of each version by its key."""
    sessions: dict[int, set[str]] = {pk: set() for pk in events}
    tournaments: dict[int, set[int]] = {pk: set() for pk in events}
    for pk, event in ((pk, event) for pk, counted in events.items() for event in counted):
        if event["session"] is not None:
            sessions[pk] |= set(map(str, event.get("sections") or [event["session"]]))
        elif event["tournament"] is not None:
            tournaments[pk].add(event["tournament"])
    hidden = hidden_sessions(pk__in=set().union(*sessions.values()))
    seen = {each.tournament_id for each in find_seen_tournaments(list(set().union(*tournaments.values())))}
    return {pk for pk in events if sessions[pk] & hidden or tournaments[pk] - seen}


def drop_held_series(versions: Sequence[SeriesPublication]) -> list[SeriesPublication]:
    """Return the versions without those that count a ranking which readers no longer see.

    This takes at most five queries. They read only which events the versions count.
    """
    readable = SeriesPublication.objects.filter(pk__in=[each.pk for each in versions if is_there(each)]).order_by()
    held = find_held_back(dict(readable.values_list("pk", "data__events")))
    return [each for each in versions if each.pk not in held]


# The stamps. A series that is under way has no version. Its ranking follows what readers may see of the events of its
# clubs. A hidden or withdrawn evening must not stay on a page that is kept. So a stamp has the present state of each
# session and tournament of these clubs. It has more than the pages need: then a page is only built once more than
# necessary.
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


def find_highest_id(model: Any) -> Subquery:
    return Subquery(model.objects.order_by("-pk").values("pk")[:1])


# The versions, the newest first, each with everything else on which its pages depend. Without a version, there is one
# row. Versions never change. So the highest ids say whether any ranking was published, corrected or withdrawn.
STATE = PreparedValues(
    lambda series: (
        Series.objects.filter(pk=series)
        .order_by("-publications__version")
        .values_list(
            *(f"publications__{column}" for column in ("pk", "version", "status", "digest", "official_from")),
            *("club__practice_of", "club__slug", "standings__computed_at"),
            *("revision", "title", "slug", "starts_on", "ends_on", "put_away_at"),
            find_highest_id(Publication),
            find_highest_id(TournamentPublication),
            digest_rows(Session.objects.filter(of_clubs(series, "tournament__club")), SESSION),
            digest_rows(Tournament.objects.filter(of_clubs(series, "club")), TOURNAMENT),
            digest_rows(Club.every.filter(of_clubs(series, "pk")), ("pk", "names_version")),
        )
    )
)


def find_series_stamp(pk: int, version: int | None, now: dt.datetime) -> VersionStamp | None:
    """Return the stamp of a version of a series (its id), or of the present ranking. Return None if there is none.

    Before the first version, the numbers of the version and of the newest one are 0. This takes one query.
    """
    rows = STATE(pk)
    stored = [(*row[:4], row[4] is not None and row[4] <= now, 0, pk, row[5]) for row in rows]
    if version is None and rows and rows[0][0] is None:
        stored = [(0, 0, "", "", False, 0, pk, rows[0][5])]
    found = find_stamp(stored, version)
    return None if found is None else VersionStamp(**found.fields, about=make_stamp(*rows[0][6:]))


SERIES_OF_CLUBS = RankingKind(
    name="series",
    model=SeriesPublication,
    owner="series",
    club="series__club",
    steps="series_step",
    actions=Actions("series_published", "series_official", "series_withdrawn", "series_reopened"),
    lock=lock_series,
    lock_free=partial(lock_if_free, Series),
    write_log=partial(write_step_of_club, "series"),
    compared=VersionComparison(compare_series_versions),
    find_figures=series_to_publish,
    find_stamp=find_series_stamp,
    find_owners=lambda whose: Series.objects.filter(whose.choose("series")),
    drop_held=drop_held_series,
    find_held=lambda series, _stamp: find_held_numbers(series),
    more={"other_names": sum_names_versions(SeriesClub, "series")},
    podiums=partial(read_podiums, find_rank=lambda _stored: "rank"),
    addresses=RankingAddresses(
        *("series", "series_version", "series_versions", "series_podium", "series_pdf", "api_series", "series_feed"),
        numbered=False,
    ),
    find_place=lambda series: (series.club.slug, series.slug),
    title=lambda version: str(version.series.title),
    name_owner=attrgetter("title"),
)
