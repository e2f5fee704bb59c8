"""The leaderboards of the site and of each club: which sessions count for each, and the rows in their order."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from rankings.careers.seasons import season_of
from rankings.leaderboards.kinds import BoardSession
from rankings.leaderboards.people import NOBODY, People
from rankings.leaderboards.ratings import RatedFigures
from rankings.leaderboards.sums import COUNTED, PERCENTAGES, PersonSums, find_least, round_figure
from tournaments.models import BoardMeasure

ALL, OWN_SEASON = "all", "s"  # the period of all sessions, and the first letter of that of a club's own season


class BoardKey(NamedTuple):
    """The club of a leaderboard (0 for the site), the kind of play and the period, as in `Leaderboard`."""

    club: int
    kind: str
    period: str


class BoardRow(NamedTuple):
    """The columns of a `LeaderboardRow`, besides its board."""

    measure: str
    person: int
    player: int
    place: int | None
    position: int
    figure: Decimal
    within: Decimal | None
    sessions: int
    deals: int


class RankedFigure(NamedTuple):
    """The figure of a person by which a list is ranked, with what else its row shows."""

    figure: Fraction
    person: int
    player: int
    within: Decimal | None
    sessions: int
    deals: int


class OwnSeasons:
    """The clubs' own seasons. A club without any has the sporting years of the site.

    `seasons` has the club, the id, the first and the last day of each season.
    """

    def __init__(self, seasons: Iterable[tuple[int, int, dt.date, dt.date]]) -> None:
        self.by_club: defaultdict[int, list[tuple[int, dt.date, dt.date]]] = defaultdict(list)
        for club, pk, first, last in seasons:
            self.by_club[club].append((pk, first, last))

    def find_periods(self, club: int, date: dt.date) -> list[str]:
        """Return the periods of the club that hold this date. Seasons may overlap."""
        if club not in self.by_club:
            return [str(season_of(date))]
        return [f"{OWN_SEASON}{pk}" for pk, first, last in self.by_club[club] if first <= date <= last]


def add_sessions(
    sessions: Iterable[BoardSession], people: People, seasons: OwnSeasons
) -> dict[BoardKey, dict[int, PersonSums]]:
    """Return the sums of each person on each board. The sessions are sorted by date and id."""
    boards: defaultdict[BoardKey, dict[int, PersonSums]] = defaultdict(dict)
    for session in sessions:
        month, day = f"{session.date:%Y-%m}", (session.date, session.pk)
        periods = {
            0: [ALL, str(season_of(session.date)), month],
            session.club: [ALL, *seasons.find_periods(session.club, session.date), month],
        }
        keys = [
            BoardKey(club, session.kind, period) for club, club_periods in periods.items() for period in club_periods
        ]
        for row in session.players:
            person = people.find_person(row[0])
            if person != NOBODY:
                for key in keys:
                    boards[key].setdefault(person, PersonSums()).add(row, people.player_of[row[0]], day)
    return dict(boards)


def rank_sums(key: BoardKey, sums: Mapping[int, PersonSums], people: People) -> Iterator[BoardRow]:
    """Yield the rows of a board, for all measures that are counted from sessions."""
    for measure in COUNTED:
        least = find_least(measure, key.period)
        ranked = []
        for person, own_sums in sums.items():
            counted = own_sums.noted if measure in PERCENTAGES else own_sums.deals
            figure = own_sums.measure(key.kind, measure) if counted >= least else None
            if figure is not None:
                ranked.append(RankedFigure(figure, person, own_sums.player, None, own_sums.sessions, own_sums.deals))
        yield from rank_figures(measure, ranked, people.named)


def rank_ratings(ratings: Mapping[int, RatedFigures], people: People) -> list[BoardRow]:
    """Return the rows of a list of ratings: the largest group among these people, without those who want no rating."""
    largest = find_largest(ratings)
    ranked = [
        RankedFigure(Fraction(rating.figure), person, rating.player, rating.within, rating.sessions, rating.deals)
        for person, rating in ratings.items()
        if rating.group == largest and person not in people.unrated
    ]
    return list(rank_figures(BoardMeasure.RATING, ranked, people.named))


def find_largest(ratings: Mapping[int, RatedFigures]) -> int:
    """Return the group with most people; of equal groups, the one with the lowest number. Return 0 without people."""
    sizes: defaultdict[int, int] = defaultdict(int)
    for rating in ratings.values():
        sizes[rating.group] += 1
    return min(sizes, key=lambda group: (-sizes[group], group), default=0)


def rank_figures(measure: BoardMeasure, ranked: list[RankedFigure], named: frozenset[int]) -> Iterator[BoardRow]:
    """Yield the rows, the best figure first. Only named people have a place and count for positions.

    Another person gets the position that they would have in the list.
    """
    place, position, last = 0, 1, None
    for each in sorted(ranked, key=lambda each: (-each.figure, each.person)):
        if each.figure != last:
            position, last = place + 1, each.figure
        is_listed = each.person in named
        place += is_listed
        yield BoardRow(
            measure.value,
            each.person,
            each.player,
            place if is_listed else None,
            position,
            round_figure(each.figure),
            each.within,
            each.sessions,
            each.deals,
        )
