"""The leaderboards of the site and of each club: which sessions count, the sums of each person, the rows in order.

An app whose plays are no sessions (rooms, for example) registers its kind once, from `AppConfig.ready`, with
`register_board_source`. Then the job makes its lists, and pages, files and programs offer them. No module of
`tournaments` imports that app.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from django.utils.functional import Promise

from rankings.careers.figures import weigh_deals
from rankings.careers.seasons import season_of
from rankings.leaderboards.ratings import NOBODY, RATED, People, RatedFigures
from scoring.intervals import Sample
from tournaments.models import BoardMeasure, GameKind
from wording.figures import round_half

PLACES = 3  # the decimals of a stored figure
# The least number of deals of a person in a list of percentages: about four evenings, or one for a month.
LEAST_DEALS, LEAST_DEALS_OF_MONTH = 100, 20
PERCENTAGES = (BoardMeasure.MEAN, BoardMeasure.ATTACK, BoardMeasure.DEFENCE)
COUNTED = (*PERCENTAGES, BoardMeasure.DEALS, BoardMeasure.TOPS, BoardMeasure.PRESENCE)
SIDES = ("a", "d", "o")  # attack, defence, and deals whose taker is not known


class BoardSession(NamedTuple):
    """A session with the sums of its players. `club` is its club's id, or 0 if no club's lists count it.

    `careers.rated` describes the form of `players`.
    """

    pk: int
    club: int
    kind: str
    date: dt.date
    players: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSource:
    """A kind of play of another app, with what its leaderboards are made from.

    - `kind`: at most 8 letters, a part of addresses. `title`: its name for people.
    - `names_taker`: whether the étui names the taker.
    - `read_sessions` returns the sessions sorted by date and id.
    - `read_basis` returns values that change whenever the sessions or ratings change.
    - `rate` returns the rating of each person, by id. Without it, the kind has no rating.
    """

    kind: str
    title: str | Promise
    names_taker: bool
    read_sessions: Callable[[], Iterable[BoardSession]]
    read_basis: Callable[[], Iterable[object]]
    rate: Callable[[People], dict[int, RatedFigures]] | None = None


board_sources: dict[str, BoardSource] = {}  # the registered kinds of other apps


def register_board_source(source: BoardSource) -> None:
    """Let leaderboards have a further kind of play. Raise `ValueError` if its name is taken or too long."""
    if source.kind in list_board_kinds() or not 0 < len(source.kind) <= 8:
        raise ValueError(f"{source.kind} cannot be the name of a further kind of play")
    board_sources[source.kind] = source


def list_board_sources() -> list[BoardSource]:
    """Return the kinds of other apps, in the order of their names."""
    return [source for _kind, source in sorted(board_sources.items())]


def list_board_kinds() -> list[str]:
    """Return all kinds of play: those of sessions first."""
    return [*GameKind, *sorted(board_sources)]


def is_rated_kind(kind: str) -> bool:
    """Return whether players have a rating in this kind of play."""
    source = board_sources.get(kind)
    return kind in RATED if source is None else source.rate is not None


def names_taker_of_kind(kind: str) -> bool:
    """Return whether the étui names the taker. Otherwise the players bid."""
    source = board_sources.get(kind)
    return GameKind(kind).names_taker if source is None else source.names_taker


@dataclass(slots=True)
class PersonSums:
    """The sums of a person. `cells` has deals and sums of notes of the three SIDES by the denominator of the notes.

    Sessions are added in the order of their days. `day` is the date and the id of the last one, and `player` the
    person's player in it.
    """

    player: int = 0
    day: tuple[dt.date, int] = (dt.date.min, 0)
    sessions: int = 0
    deals: int = 0
    tops: int = 0
    cells: dict[int, list[int]] = field(default_factory=dict)

    def add(self, row: Sequence[int], player: int, day: tuple[dt.date, int]) -> None:
        """Add a session in which the person was this player. `row` is a row of `RatedSession.players`."""
        _player, deals, tops, den, *sides = row
        self.sessions += day != self.day  # two players of one session may turn out to be one person
        self.deals += deals
        self.tops += tops
        cells = self.cells.setdefault(den, [0] * 6)
        for at, number in enumerate(sides):
            cells[at] += number
        self.player, self.day = player, day

    @property
    def noted(self) -> int:
        """The number of deals with a note. Other deals count in no percentage."""
        return sum(sum(cells[::2]) for cells in self.cells.values())

    def sample(self, side: int) -> Sample:
        """Return the notes of one of the SIDES, without their squares."""
        count = sum(cells[2 * side] for cells in self.cells.values())
        total = sum((Fraction(cells[2 * side + 1], den) for den, cells in self.cells.items()), Fraction())
        return Sample(count, total, Fraction())

    def measure(self, kind: str, measure: BoardMeasure) -> Fraction | None:
        """Return the figure of the person, or None if there is none. Percentages are those of the career page."""
        if measure == BoardMeasure.DEALS:
            return Fraction(self.deals)
        if measure == BoardMeasure.TOPS:
            return Fraction(self.tops)
        if measure == BoardMeasure.PRESENCE:
            return Fraction(self.sessions)
        if measure == BoardMeasure.MEAN:
            return self.find_mean(kind)
        return self.sample(0 if measure == BoardMeasure.ATTACK else 1).mean

    def find_mean(self, kind: str) -> Fraction | None:
        """Return the percentage over all deals, weighted as on a career page, or None without a note."""
        samples = {side: self.sample(at) for at, side in enumerate(SIDES)}
        none = dict.fromkeys(SIDES, Sample())
        parts = weigh_deals(samples, none) if names_taker_of_kind(kind) else weigh_deals(none, samples)
        means = [weight * sample.mean for weight, sample in parts if sample.mean is not None]
        return sum(means, Fraction()) if means else None


def find_least(measure: BoardMeasure, period: str) -> int:
    """Return the least number of deals of a person in this list. Lists of counts have no least number.

    In a list of percentages, these are deals with a note.
    """
    if measure not in PERCENTAGES:
        return 1
    return LEAST_DEALS_OF_MONTH if "-" in period else LEAST_DEALS


def round_figure(figure: Fraction) -> Decimal:
    """Return a figure as it is stored."""
    return Decimal(round_half(figure, PLACES)).scaleb(-PLACES)


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
        own = each._asdict() | {"figure": round_figure(each.figure)}
        yield BoardRow(measure=measure.value, place=place if is_listed else None, position=position, **own)
