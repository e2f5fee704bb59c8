"""The ranking of a series with the names to show, live or as it was published; and the palmarès of a club.

From it follow the chances of a player while the series is under way.

A champion who was erased is a number, and one who is hidden has no name.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q

from clubs.models import Club
from clubs.shown import PublicPlayer, call_in_public
from rankings.columns import FILE, RankingShape, make_step
from rankings.ranking import RankedRow, Ranking, RankingStep, StepResult, measure_row
from rankings.series.choosing import LIST, ChosenEvent
from rankings.series.computing import find_basis_of_series
from rankings.series.publishing import SERIES_OF_CLUBS, find_held_versions
from rankings.series.results import newest_of
from scoring.formats import FREE_DEALS, MarkPoints, Unit
from scoring.series import Outlook, SeriesOutlook, read_rounds
from scoring.tournament import Round, RoundStage
from tournaments.models import (
    Publication,
    Series,
    SeriesEvent,
    SeriesPublication,
    SeriesStandings,
    Session,
    Tournament,
    TournamentPublication,
)
from tournaments.queue import queue_series
from tournaments.rules.formats import find_table_size
from tournaments.rules.series import UNSCALED, SeriesSettings, read_settings
from tournaments.versions import WITHDRAWN, VersionStamp
from tournaments.words.figures import say_table_size

Data = Mapping[str, Any]
LIVE, PUBLISHED, HELD, TAKEN_BACK = STATES = ("live", "published", "held", WITHDRAWN)


SeriesRanking = Ranking[SeriesSettings]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSeries:
    """The part of a series that readers may see now.

    `state` is "live" or "published". It is "held" if the version counts a ranking that readers no longer see. It is
    "withdrawn" from a withdrawal until the director publishes again. `publication` is the version, or None. `data` is
    the ranking, or None if there is nothing to show. `stale` is True if a job is computing the live standings anew.
    `events` are the events of a live series, else empty.
    """

    state: str
    publication: SeriesPublication | None
    data: Data | None
    stale: bool = False
    events: Sequence[ChosenEvent] = ()

    @property
    def is_published(self) -> bool:
        """True if `data` is that of a published version."""
        return self.state == PUBLISHED


def find_seen(series: Series, stamp: VersionStamp) -> SeenSeries:
    """Return what readers may see of the version of the stamp, or of a series without a version.

    Live standings that are stale are shown only if every event that they count is still seen, if only in a newer
    version. A job then computes them. After a withdrawal no ranking is shown: the live one has the same figures.
    """
    if stamp.newest:
        version = series.publications.get(pk=stamp.publication)
        state = TAKEN_BACK if stamp.withdrawn else HELD if find_held_versions([version]) else PUBLISHED
        return SeenSeries(state=state, publication=version, data=version.data if state == PUBLISHED else None)
    kept = SeriesStandings.objects.filter(series=series).exclude(computed_at=None).first()
    basis, events = find_basis_of_series(series)
    if kept is not None and kept.basis == basis:
        return SeenSeries(state=LIVE, publication=None, data=kept.data, events=events)
    queue_series(series.pk)
    counted = {} if kept is None else kept.basis.get("events", {})
    gone = kept is None or lacks_event(counted, basis["events"]) or counts_withdrawn(counted, basis["events"], events)
    data = None if kept is None or gone else kept.data
    return SeenSeries(state=LIVE, publication=None, data=data, stale=True, events=events)


def lacks_event(kept: Data, seen: Data) -> bool:
    """Return whether one of the kept events, or a section of it, is no longer seen by readers.

    Both have [versions, day] by the event's key. The versions are a number, or one for each section: 0 if it is hidden.
    """
    return any(key not in seen or hides_section(told[0], seen[key][0]) for key, told in kept.items())


def hides_section(kept: Any, seen: Any) -> bool:
    if not isinstance(kept, list) or not isinstance(seen, list):
        return isinstance(kept, list) != isinstance(seen, list)
    return len(kept) != len(seen) or any(before and not now for before, now in zip(kept, seen, strict=True))


def counts_withdrawn(kept: Data, seen: Data, events: Sequence[ChosenEvent]) -> bool:
    """Return whether a version of a kept event was withdrawn since, and a newer one is seen. At most two queries."""
    old = {"session": Q(), "tournament": Q()}
    for event in events:
        versions = kept[event.key][0] if event.key in kept else None
        if event.kind == LIST or versions is None or versions == seen[event.key][0]:
            continue
        if event.counted_sessions:
            several = versions if isinstance(versions, list) else [versions]
            for pk, version in zip(event.counted_sessions, several, strict=False):
                old["session"] |= Q(session=pk, version__gt=version)
        else:
            old["tournament"] |= Q(tournament=event.pk, version__gt=versions)
    models = ((Publication, old["session"]), (TournamentPublication, old["tournament"]))
    return any(newer and model.objects.filter(newer, status=WITHDRAWN).exists() for model, newer in models)


def read_series(data: Data) -> SeriesRanking:
    """Return the ranking from stored data, with the names that everybody may see. It takes at most four queries."""
    called, settings = call_in_public(row["player"] for row in data["players"]), read_settings(data["rules"])
    rows = [show_player(row, called[row["player"]]) for row in data["players"]]
    unit, mean = settings.unit, settings.counting == "mean"
    if unit is Unit.MARKS:
        rows = [measure_row(row, FREE_DEALS, in_results="value") for row in rows]
    steps = name_events(data["events"])
    columns = [
        make_step(f"event_{each.place}", name_event(each), place, each, on=FILE, figure="value")
        for place, each in enumerate(steps)
    ]
    shape = RankingShape(
        unit=unit,
        over_steps=True,
        events=True,
        mean=mean,
        points=settings.brings not in UNSCALED or (unit is Unit.PER_CENT and settings.counting == "sum"),
        more=columns,
    )
    return Ranking(shape=shape, rules=settings, rows=rows, steps=steps)


def is_all_at_four(ranking: SeriesRanking) -> bool:
    """Return False if an event has étuis for three or five players at each table."""
    return not any(event.table_size for event in ranking.steps)


def show_player(row: Data, called: PublicPlayer) -> RankedRow:
    return RankedRow(
        player=row["player"],
        rank=row["rank"],
        before=row["before"],
        total=Fraction(row["total"]),
        played=row["played"],
        in_final=bool(row.get("final")),
        new=row["new"],
        results=tuple(result and show_result(result) for result in row["results"]),
        **called._asdict(),
    )


def show_result(result: Data) -> StepResult:
    value, overall = (None if result[name] is None else Fraction(result[name]) for name in ("value", "percentage"))
    if result.get("marks") is not None:
        overall = MarkPoints(result["marks"])
    return StepResult(value=value, overall=overall, rank=result["rank"], counts=result["counts"])


def name_event(event: RankingStep) -> str:
    """Return the title of an event with its day, and with the number of players at each table if these are not four."""
    return f"{', '.join(filter(None, (event.title, say_table_size(event.table_size))))} {event.day:%d/%m/%Y}"


def name_events(events: Iterable[Data]) -> list[RankingStep]:
    """Return the events with their present names, by at most three queries."""
    listed = list(events)
    sessions = Session.objects.select_related("tournament__club").in_bulk(
        [each["session"] for each in listed if each["session"] is not None]
    )
    whole = Tournament.objects.select_related("club").in_bulk(
        [each["tournament"] for each in listed if each["session"] is None and each["tournament"] is not None]
    )
    lists = [int(each["key"][1:]) for each in listed if each["tournament"] is None]
    typed = SeriesEvent.objects.prefetch_related("lists").in_bulk(lists) if lists else {}
    return [show_event(place, each, sessions, whole, typed) for place, each in enumerate(listed, start=1)]


def show_event(
    place: int,
    event: Data,
    sessions: Mapping[int, Session],
    tournaments: Mapping[int, Tournament],
    typed: Mapping[int, SeriesEvent],
) -> RankingStep:
    """Return an event with its name, and the address of the page of its ranking."""
    session = sessions.get(event["session"])
    tournament = session.tournament if session else tournaments.get(event["tournament"])
    told: dict[str, Any] = {}
    if tournament is not None:
        number = session.number if session else 0
        alone = session is not None and not event.get("sections")
        section = f" {session.section}" if session and session.section and alone else ""
        told["title"] = f"{tournament.name}{section}"
        told["table_size"] = find_table_size(tournament.format)
        told["club"], told["address"] = tournament.club.name, (tournament.club.slug, tournament.slug, number)
    else:
        row = typed.get(int(event["key"][1:]))
        newest = next(iter(row.lists.all()), None) if row else None
        told["title"], told["source"] = row.title if row else "", newest.source if newest else ""
    return RankingStep(
        place=place,
        day=dt.date.fromisoformat(event["day"]),
        coefficient=Fraction(event["coefficient"]),
        stage=event["stage"],
        **told,
    )


class PalmaresRow(NamedTuple):
    """A series with its first three ranks, as (rank, player)."""

    series: Series
    firsts: list[tuple[int, PublicPlayer]]

    @property
    def champions(self) -> list[PublicPlayer]:
        return [player for rank, player in self.firsts if rank == 1]


class HallRow(NamedTuple):
    """A player of the hall of fame, and how many titles the player has."""

    player: PublicPlayer
    titles: int


class Palmares(NamedTuple):
    """The champions of a club, the newest first, and the players with most titles."""

    rows: list[PalmaresRow]
    hall: list[HallRow]


def read_palmares(club: Club, now: dt.datetime) -> Palmares:
    """Return the palmarès of a club. It takes at most seven queries."""
    newest = newest_of(SeriesPublication, "series").filter(series__club=club).defer("frozen")
    frozen = {each.series_id: each for each in newest if SERIES_OF_CLUBS.is_official(each, now)}
    held = find_held_versions(frozen.values())
    shown = {pk: each.data["players"] for pk, each in frozen.items() if each.pk not in held}
    firsts = {pk: [row for row in rows if row["rank"] is not None and row["rank"] <= 3] for pk, rows in shown.items()}
    called = call_in_public(row["player"] for rows in firsts.values() for row in rows)
    titles = Counter(row["player"] for rows in firsts.values() for row in rows if row["rank"] == 1)
    found: dict[tuple[str, int], HallRow] = {}
    for player, many in titles.items():  # two rows of one player, merged since, count together
        who = called[player]
        key = who.name, who.known_as or -player  # a player without a public name is alone
        found[key] = found.get(key, HallRow(who, 0))
        found[key] = found[key]._replace(titles=found[key].titles + many)
    hall = sorted(found.values(), key=lambda row: (-row.titles, row.player.name))
    listed = Series.objects.filter(pk__in=firsts).order_by("-ends_on", "-pk")
    rows = [
        PalmaresRow(series, [(row["rank"], called[row["player"]]) for row in firsts[series.pk]]) for series in listed
    ]
    return Palmares(rows, hall)


PLACES = (1, 2, 3)
AWAITED = dt.timedelta(days=7)  # how long after its day the results of an event are expected


class PlayersChances(NamedTuple):
    """The chances of a player.

    `coming` are the events without published results that can still bring something. The first `awaited` of them were
    held on an earlier day. `highest` is the highest total, and `best` the best rank that is still possible. `places`
    has the first places and the place just above the player's own, each with what the next event must bring.
    `all_finalists` is True if that event is the first final: then all players are taken as finalists.
    """

    coming: Sequence[ChosenEvent]
    awaited: int
    highest: Fraction
    best: int | None
    places: Sequence[tuple[int, SeriesOutlook]]
    all_finalists: bool

    @property
    def next(self) -> ChosenEvent:
        return self.coming[0]

    @property
    def to_come(self) -> int:
        """The number of events that are held today or later."""
        return len(self.coming) - self.awaited


def find_coming(events: Sequence[ChosenEvent], ranking: SeriesRanking, today: dt.date) -> list[ChosenEvent]:
    """Return those of the events that do not count yet, and are to come or were held in the last days."""
    done = {(event.address, event.day) for event in ranking.steps}
    return [
        event
        for event in events
        if event.counts
        and event.kind != LIST
        and event.day >= today - AWAITED
        and ((event.club_slug, event.slug, event.number), event.day) not in done
    ]


def find_chances(
    events: Sequence[ChosenEvent], ranking: SeriesRanking, player: RankedRow, today: dt.date
) -> PlayersChances:
    """Return the chances of a player. `events` are those of the series, in their order."""
    weights = [Round({}, event.coefficient, RoundStage(event.stage)) for event in ranking.steps]
    values = [
        {
            each.player: result.value
            for each in ranking.rows
            if (result := each.results[place]) is not None and result.value is not None
        }
        for place in range(len(weights))
    ]
    largest = max(map(len, values), default=0)
    outlook = Outlook(read_rounds(values, weights), ranking.rules.counted.tournament, player.player)
    most = ranking.rules.find_most(largest)
    coming = find_coming(events, ranking, today)
    more = [Round({}, Fraction(event.coefficient), RoundStage(event.stage)) for event in coming]
    wanted = {*PLACES, *([player.rank - 1] if player.rank and player.rank > 1 else [])}
    return PlayersChances(
        coming,
        sum(event.day < today for event in coming),
        outlook.find_highest_total(more, most),
        outlook.find_best_rank(more, most),
        [(place, outlook.find_needed(place, most, more[0])) for place in sorted(wanted)] if more else [],
        all_finalists=bool(more) and more[0].stage is RoundStage.FINAL and not outlook.has_finalists,
    )
