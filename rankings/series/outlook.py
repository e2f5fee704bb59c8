"""The chances of a player in a series that is under way, from the ranking as readers see it."""

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rankings.ranking import RankedRow
from rankings.series.choosing import LIST, ChosenEvent
from rankings.series.report import SeriesRanking
from scoring.series import Outlook, SeriesOutlook, read_rounds
from scoring.tournament import Round, RoundStage

PLACES = (1, 2, 3)
AWAITED = dt.timedelta(days=7)  # how long after its day the results of an event are expected


class PlaceAhead(NamedTuple):
    """A place, and what the next event must bring the player for it."""

    place: int
    outlook: SeriesOutlook


class PlayersChances(NamedTuple):
    """The chances of a player.

    `coming` are the events without published results that can still bring something, and `most` is the most that one
    can bring. The first `awaited` of them were held on an earlier day. `highest` is the highest total, and `best` the
    best rank that is still possible. `places` has the first places and the place just above the player's own. For each
    it has what the next event must bring. `all_finalists` is True if that event is the first final: then all players
    are taken as finalists.
    """

    coming: Sequence[ChosenEvent]
    awaited: int
    most: Fraction
    highest: Fraction
    best: int | None
    places: Sequence[PlaceAhead]
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
        most,
        outlook.find_highest_total(more, most),
        outlook.find_best_rank(more, most),
        [PlaceAhead(place, outlook.find_needed(place, most, more[0])) for place in sorted(wanted)] if more else [],
        all_finalists=bool(more) and more[0].stage is RoundStage.FINAL and not outlook.has_finalists,
    )
