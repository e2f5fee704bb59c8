"""The results that readers may see of the events of a series: the newest version of each ranking.

An event brings nothing if its ranking is not published, was withdrawn, or is switched off. A session in which no étui
was compared brings nothing either. A tournament that counts a session whose ranking is hidden brings nothing.

Sections with one ranking bring the ranks of the common ranking that was published last. Only the players of sections
whose own ranking readers see are in it.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from clubs.models import Player
from rankings.events.publishing import drop_held
from rankings.series.choosing import LIST, TOURNAMENT, ChosenEvent, SectionOfEvent
from scoring.formats import Unit
from scoring.series import EventResult, score_typed_ranks
from tournaments.models import Publication, SeriesList, SeriesListRow, TournamentPublication
from tournaments.reports.codec import decode
from tournaments.reports.session import RankedPlayer
from tournaments.reports.tournament import RankingRound, TournamentPlayer
from tournaments.rules.series import ALTERNE, SeriesSettings
from tournaments.versions import OFFICIAL, WITHDRAWN, find_newest_versions

NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)
Row = dict[str, Any]


class EventFigures(NamedTuple):
    """The results that an event brings by player id, or points that somebody typed by player id.

    `unit` is that of the results.
    """

    results: Mapping[int, EventResult]
    typed: Mapping[int, Fraction] | None = None
    sections: Sequence[int] = ()  # the ids of the sessions whose common ranking it is
    unit: Unit = Unit.PER_CENT


class PersonOf(NamedTuple):
    """The person of a player id, and the club and the id of the present player."""

    person: int
    club: int
    player: int


def newest_of(model: Any, owner: str) -> QuerySet[Any]:
    """Return the newest version of each session or tournament, if it is not withdrawn."""
    return find_newest_versions(model, owner).exclude(status=WITHDRAWN).order_by()


def find_seen_sessions(sessions: Iterable[int]) -> QuerySet[Publication]:
    """Return the versions that readers see of these sessions."""
    seen = newest_of(Publication, "session").filter(session__in=list(sessions), session__shows_ranking=True)
    found: QuerySet[Publication] = seen.exclude(compared_etuis=0)
    return found


def find_seen_tournaments(tournaments: Sequence[int]) -> list[TournamentPublication]:
    """Return the versions that readers see of these tournaments, without their figures. At most two queries."""
    rows = newest_of(TournamentPublication, "tournament").filter(tournament__in=tournaments)
    return drop_held(list(rows.only("version", "sessions", "tournament_id")))


def find_versions(events: Iterable[ChosenEvent]) -> dict[str, int | list[int]]:
    """Return the number of the version that counts, by the event's key. A typed list has the id of its newest list.

    An event of several sections has a list: the version of each, or 0 if readers do not see its ranking. Events that
    bring nothing are left out. This takes at most four queries.
    """
    counted = [event for event in events if event.counts]
    sessions = {pk for event in counted for pk in event.counted_sessions}
    rows = find_seen_sessions(sessions).values_list("session_id", "version") if sessions else ()
    seen = dict(rows)
    tournaments = {event.pk: event.key for event in counted if event.kind == TOURNAMENT and event.session is None}
    lists = {event.pk: event.key for event in counted if event.kind == LIST}
    newest = newest_lists(lists) if lists else ()
    alone = {event.session: event.key for event in counted if not event.sections and event.session in seen}
    joined = {event.key: [seen.get(each.pk, 0) for each in event.sections] for event in counted if event.sections}
    return {
        **{key: seen[session] for session, key in alone.items() if session is not None},
        **{key: told for key, told in joined.items() if any(told)},
        **{tournaments[each.tournament_id]: each.version for each in find_seen_tournaments(list(tournaments))},
        **{lists[each.event_id]: each.pk for each in newest},
    }


def read_figures_of(events: Sequence[ChosenEvent], settings: SeriesSettings) -> dict[str, EventFigures]:
    """Return the results of each event that brings any, by its key."""
    found = read_figures_of_sessions(events, settings.ranks)
    tournaments = {event.pk: event for event in events if event.kind == TOURNAMENT and event.session is None}
    seen = [each.pk for each in find_seen_tournaments(list(tournaments))]
    rows = TournamentPublication.objects.filter(pk__in=seen).order_by()
    told = rows.values_list("tournament_id", "data__players", "data__counting", "data__rounds") if seen else ()
    for pk, players, counting, rounds in told:
        event = tournaments[pk]
        weights = None if event.unit is Unit.MARKS or counting == "mean" else rounds
        found[event.key] = EventFigures(read_tournament(players, weights), unit=event.unit)
    return found | read_lists({event.pk: event.key for event in events if event.kind == LIST}, settings)


def newest_lists(events: Iterable[int]) -> QuerySet[SeriesList]:
    """Return the newest list of each of these events."""
    newer = SeriesList.objects.filter(event=OuterRef("event"), pk__gt=OuterRef("pk"))
    return SeriesList.objects.filter(~Exists(newer), event__in=list(events)).order_by()


def read_lists(keys: Mapping[int, str], settings: SeriesSettings) -> dict[str, EventFigures]:
    """Return the figures of the newest typed list of each event, by the event's key. This takes one query, or none.

    `keys` has the key of each event by its id.
    """
    if not keys:
        return {}
    rows: dict[int, list[SeriesListRow]] = {}
    for row in SeriesListRow.objects.filter(list__in=newest_lists(keys)).select_related("list").order_by("pk"):
        rows.setdefault(row.list.event_id, []).append(row)
    return {keys[event]: read_list_rows(listed, settings) for event, listed in rows.items()}


def read_figures_of_sessions(events: Sequence[ChosenEvent], ranks: str) -> dict[str, EventFigures]:
    """Return the figures of each session, or of each evening of several sections, by event. One query, or none."""
    sessions = {pk for event in events for pk in event.counted_sessions}
    if not sessions:
        return {}
    # the moment at which its figures were published: a version that is made official has older ones
    figures_at = Publication.objects.filter(session=OuterRef("session")).exclude(status=OFFICIAL).order_by("-version")
    rows = find_seen_sessions(sessions).annotate(figures_at=Subquery(figures_at.values("published_at")[:1]))
    told: Iterable[Any] = rows.values("session", "figures_at", "pk", "data__players", "data__together")
    seen = {row["session"]: row for row in told}
    found = {}
    for event in events:
        there = [each for each in event.sections if each.pk in seen]
        if there:
            players = read_sections(seen, there)
            found[event.key] = EventFigures(read_session(players, ranks), sections=[each.pk for each in there])
        elif event.session in seen:
            results = read_session(seen[event.session]["data__players"], ranks)
            found[event.key] = EventFigures(results, unit=event.unit)
    return found


def read_sections(seen: Mapping[int, Row], sections: Sequence[SectionOfEvent]) -> list[Row]:
    """Return the players of these sections, with the ranks of the common ranking that was published last.

    `seen` has the version of each session that readers see, with its players and those of all sections together.
    Sections that were put together after they were published have no common ranking yet. Then the ranks are those of
    each section, and the winners of the sections share the first places.
    """
    newest = max((seen[each.pk] for each in sections), key=lambda each: (each["figures_at"] or NEVER, each["pk"]))
    if not newest["data__together"]:
        return [row for each in sections for row in seen[each.pk]["data__players"]]
    numbers = {each.number for each in sections}
    return [row for row in newest["data__together"] if row["session"] in numbers]


def read_session(players: Iterable[Row], ranks: str) -> dict[int, EventResult]:
    """Return the results of a session by player id, with the ranks that the series asks for."""
    listed = [row for row in (decode(RankedPlayer, stored) for stored in players) if not row.team]
    by_line = ranks == ALTERNE and any(row.rank_alterne for row in listed)
    return {row.player: EventResult(row.overall, row.rank_alterne if by_line else row.rank_general) for row in listed}


def read_tournament(players: Iterable[Row], rounds: Sequence[Row] | None) -> dict[int, EventResult]:
    """Return the results of a tournament by player id: the total, or the mean percentage of `rounds`, and the rank.

    `rounds` are None if the total counts. Players who played and were ranked in no session have neither.
    """
    weights = None if rounds is None else [decode(RankingRound, each).coefficient for each in rounds]
    listed = [decode(TournamentPlayer, stored) for stored in players]
    return {
        row.player: EventResult(row.total if weights is None else find_mean(row, weights), row.rank)
        for row in listed
        if not row.team and (row.total is not None or any(result is not None for result in row.results))
    }


def find_mean(row: TournamentPlayer, weights: Sequence[Fraction]) -> Fraction | None:
    """Return the mean percentage of the sessions that count for a player of a tournament, with their coefficients."""
    counted = [
        (weight, result.overall)
        for weight, result in zip(weights, row.results, strict=True)
        if result is not None and result.counts and result.overall is not None
    ]
    if not counted:
        return None
    return sum((weight * value for weight, value in counted), Fraction()) / sum(weight for weight, _ in counted)


def read_list_rows(rows: Iterable[SeriesListRow], settings: SeriesSettings) -> EventFigures:
    """Return the figures of a typed list: points, or ranks with their points by the table of the series.

    A list may have only some players of the event. So a typed rank stays as it is. Equal ranks share their places.
    """
    listed = list(rows)
    ranks = {row.player_id: row.rank for row in listed if row.rank is not None}
    if not ranks:
        return EventFigures({}, {row.player_id: Fraction(row.points or Decimal()) for row in listed})
    points = {} if settings.points is None else score_typed_ranks(ranks, settings.points)
    return EventFigures({player: EventResult(None, rank) for player, rank in ranks.items()}, points)


def find_persons(players: Iterable[int]) -> dict[int, PersonOf]:
    """Return the person of each player id. A player who was merged belongs to the person of the present player."""
    now = (Coalesce(f"merged_into__{name}", name) for name in ("person", "club", "pk"))
    rows = Player.objects.filter(pk__in=set(players)).order_by().values_list("pk", *now)
    return {pk: PersonOf(*own) for pk, *own in rows}


def join_persons(figures: EventFigures, persons: Mapping[int, PersonOf]) -> EventFigures:
    """Return the figures by person. If a person is in an event twice, the better result counts.

    The ranks of a ranking are counted anew, so that no place is missing. Typed ranks stay.
    """
    best: dict[int, EventResult] = {}
    for player, result in figures.results.items():
        person = persons[player].person
        before = best.get(person)
        best[person] = result if before is None else min(before, result, key=worth_of)
    if figures.typed is None:
        return EventFigures(count_ranks(best), sections=figures.sections, unit=figures.unit)
    points: dict[int, Fraction] = {}
    for player, value in figures.typed.items():
        person = persons[player].person
        points[person] = max(points.get(person, value), value)
    return EventFigures(best, points, figures.sections)


def worth_of(result: EventResult) -> tuple[bool, int, Fraction]:
    """Return the sort key of a person's results in one event: the best rank comes first."""
    return result.rank is None, result.rank or 0, -(result.overall or Fraction())


def count_ranks(results: Mapping[int, EventResult]) -> dict[int, EventResult]:
    """Return the results with ranks that count the players above. Equal ranks stay equal."""
    ranked = sorted(result.rank for result in results.values() if result.rank is not None)
    above = {rank: place for place, rank in reversed([*enumerate(ranked)])}
    return {
        person: result if result.rank is None else result._replace(rank=1 + above[result.rank])
        for person, result in results.items()
    }
