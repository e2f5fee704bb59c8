"""The standings of a series as exact data, and the job that keeps them.

`SeriesStandings.basis` records from which data the stored standings were made. It has the revision of the series,
and the version and the day of each event that counts. It also has the versions of the names in the clubs, which a
merge, a link between persons and an erasure raise. If the basis is still current, a job computes nothing.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, cast

from django.db.models import F, Q

from clubs.models import Club
from rankings.kinds import renew_standings
from rankings.series.choosing import ChosenEvent, choose_events, find_member_clubs
from rankings.series.results import (
    EventFigures,
    PersonOf,
    find_persons,
    find_versions,
    join_persons,
    read_figures_of,
)
from scoring.formats import Unit
from scoring.series import HeldEvent, make_rounds, rank_series
from scoring.tournament import Round, RoundStage
from tournaments.models import PublishedPlayer, Series, SeriesPublication, SeriesStandings, Tournament
from tournaments.queue import queue_series
from tournaments.rules.series import read_settings
from tournaments.versions import OFFICIAL, find_newest_versions

FORMAT = 2
SWEPT_EVERY, TURNS = 30, 20  # seconds between two sweeps, and the number of sweeps in which each series has its turn
Data = dict[str, Any]


def refresh_series(series_id: int, *, now: dt.datetime) -> bool:
    """Compute and store the standings of a series as `renew_standings` does. Return True if they were written."""
    series = Series.objects.filter(pk=series_id).first()
    if series is None:
        return False
    kept, _made = SeriesStandings.objects.get_or_create(series=series)
    basis, events = find_basis_of_series(series)
    figure, queue = partial(figure_series, series, events), partial(queue_series, series_id)
    return renew_standings(kept, basis, figure, queue=queue, now=now)


def find_basis_of_series(series: Series) -> tuple[Data, list[ChosenEvent]]:
    """Return the basis that the standings would have now, and the events. This takes at most nine queries."""
    clubs = find_member_clubs(series)
    events = choose_events(series, clubs)
    names = Club.every.filter(pk__in={each.club for each in clubs}).order_by("pk").values_list("pk", "names_version")
    days = {event.key: event.day.isoformat() for event in events}
    basis = {
        "format": FORMAT,
        "revision": series.revision,
        "events": {key: [version, days[key]] for key, version in sorted(find_versions(events).items())},
        "names": [list(each) for each in names],
    }
    return basis, events


def find_series_of_session(session_id: int) -> list[int]:
    """Return the ids of the series of a session's club, its own and those in which it takes part."""
    clubs = Tournament.objects.filter(sessions=session_id).values("club")
    takes_part = Q(club__in=clubs) | Q(clubs__club__in=clubs, clubs__taken_out_at=None)
    return list(Series.objects.filter(takes_part).order_by("pk").values_list("pk", flat=True).distinct())


def find_stale_series(now: dt.datetime | None = None) -> list[int]:
    """Return the ids of the series whose stored standings are stale or missing.

    Series that are put away, and those with an official ranking, are left out. Looking at a series takes several
    queries. So with `now`, only a part of the series is looked at, and each of them about every ten minutes.
    """
    official = find_newest_versions(SeriesPublication, "series").filter(status=OFFICIAL)
    listed = Series.objects.filter(put_away_at=None).exclude(pk__in=official.values("series")).order_by("pk")
    if now is not None:
        turn = int(now.timestamp()) // SWEPT_EVERY % TURNS
        listed = listed.annotate(turn=F("pk") % TURNS).filter(turn=turn)
    kept = dict(SeriesStandings.objects.exclude(computed_at=None).filter(pk__in=listed).values_list("pk", "basis"))
    return [series.pk for series in listed if kept.get(series.pk) != find_basis_of_series(series)[0]]


def figure_series(series: Series, events: Sequence[ChosenEvent]) -> Data:
    """Return the standings of a series as data for JSON, computed from what readers may see of these events.

    Each person is given by the id of one player: the player of the owner's list if there is one, else the first. Exact
    figures are text, as "175/3".
    """
    settings = read_settings(series.rules)
    counted = [event for event in events if event.counts]
    found = read_figures_of(counted, settings)
    held = [event for event in counted if event.key in found]
    persons = find_persons(player for figures in found.values() for player in players_of(figures))
    figures = [join_persons(found[event.key], persons) for event in held]
    scored = [score_event(event, each) for event, each in zip(held, figures, strict=True)]
    rounds = make_rounds(scored, settings.counted)
    people = name_people(series.club_id, persons, found.values())
    new = find_new(series, persons)
    standings = [(cast(int, each.player), each) for each in rank_series(scored, settings.counted)]
    standings.sort(key=lambda each: (each[1].rank is None, each[1].rank or 0, -each[1].total, people[each[0]]))
    return {
        "format": FORMAT,
        "rules": settings.to_data(),
        "events": [
            {**describe_event(event, found[event.key]), "players": len(each.results)}
            for event, each in zip(held, rounds, strict=True)
        ],
        "players": [
            {
                "player": people[person],
                "rank": standing.rank,
                "before": standing.before,
                "total": str(standing.total),
                "played": standing.played,
                "final": standing.in_final,
                "new": person in new,
                "results": [
                    describe_result_of(each, brought, person, counts=place in standing.counted)
                    for place, (each, brought) in enumerate(zip(figures, rounds, strict=True))
                ],
            }
            for person, standing in standings
        ],
    }


def players_of(figures: EventFigures) -> Iterable[int]:
    return [*figures.results, *(figures.typed or ())]


def score_event(event: ChosenEvent, figures: EventFigures) -> HeldEvent:
    results = figures.results if figures.typed is None else {}
    return HeldEvent(event.day, results, figures.typed, Fraction(event.coefficient), RoundStage(event.stage or ""))


def name_people(owner: int, persons: Mapping[int, PersonOf], found: Iterable[EventFigures]) -> dict[int, int]:
    """Return the player id by which each person is shown: of the owner's list if possible, else the lowest one."""
    there = {player for figures in found for player in players_of(figures)}
    best: dict[int, tuple[bool, int]] = {}
    for player in there:
        who = persons[player]
        mine = (who.club != owner, who.player)
        best[who.person] = min(best.get(who.person, mine), mine)
    return {person: player for person, (_elsewhere, player) in best.items()}


def find_new(series: Series, persons: Mapping[int, PersonOf]) -> set[int]:
    """Return the persons of whom nothing was published before the first day of the series."""
    people = {who.person for who in persons.values()}
    rows = PublishedPlayer.objects.filter(
        player__person__in=people, publication__session__date__lt=series.starts_on
    ).order_by()
    return people - set(rows.values_list("player__person", flat=True).distinct())


def describe_event(event: ChosenEvent, figures: EventFigures) -> Data:
    """Return an event as data for JSON. The names of clubs and tournaments are read when it is shown."""
    return {
        "key": event.key,
        "session": event.session,
        **({"sections": list(figures.sections)} if figures.sections else {}),
        "tournament": event.tournament,
        "day": event.day.isoformat(),
        "coefficient": str(Fraction(event.coefficient)),
        "stage": event.stage,
    }


def describe_result_of(figures: EventFigures, brought: Round, person: int, *, counts: bool) -> Data | None:
    """Return a person's result in an event as data for JSON, or None for a person who was absent."""
    result = figures.results.get(person)
    value = brought.results.get(person)
    if result is None and value is None:
        return None
    own = None if result is None or result.overall is None else str(result.overall)
    return {
        "value": None if value is None else str(value.overall),
        "rank": result.rank if result else None,
        **({"percentage": None, "marks": own} if figures.unit is Unit.MARKS else {"percentage": own}),
        "counts": counts,
    }
