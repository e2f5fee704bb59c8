"""The leaderboards as readers see them: a page of a list, the reader's own row, a person's places, and their words.

The number of queries does not depend on the page. Nobody is listed who is not shown by name when the page is read, even
if the job has not run since.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clubs.models import Club, Player, Season, User
from rankings.leaderboards.boards import ALL, OWN_SEASON, PERCENTAGES, board_sources, is_rated_kind, list_board_kinds
from scoring.rating.players import LEAST_DEALS
from tournaments.models import BoardMeasure, GameKind, Leaderboard, LeaderboardBasis, LeaderboardRow, PersonRating
from tournaments.words.figures import decimal, percent

A_PAGE = 50


class BoardChoice(NamedTuple):
    """A kind of play, a measure and a period for which there is a list."""

    kind: str
    measure: BoardMeasure
    period: str


class BoardState(NamedTuple):
    """A list with what its page shows besides the rows. If the page changes, `stamp` changes.

    `board` is None if nothing has been played yet. `kinds` and `periods` are those that have a list, the newest period
    first. `total` is the number of all listed rows. `names` tells how often the shown names have changed.
    """

    choice: BoardChoice
    board: Leaderboard | None
    made_at: dt.datetime | None
    kinds: tuple[str, ...]
    periods: tuple[str, ...]
    total: int
    names: int

    @property
    def stamp(self) -> tuple[object, ...]:
        board = self.board and (self.board.pk, self.board.basis)
        return (*self.choice, board, self.made_at, self.kinds, self.periods, self.total, self.names)

    @property
    def rows(self) -> QuerySet[LeaderboardRow]:
        """The listed rows, none without a list."""
        rows = LeaderboardRow.objects.filter(measure=self.choice.measure, place__isnull=False)
        return rows.filter(board=self.board) if self.board else rows.none()

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // A_PAGE))

    @property
    def measures(self) -> tuple[BoardMeasure, ...]:
        return list_measures(self.choice.kind, self.choice.period)


class ListedRow(NamedTuple):
    """A row of a list with its player."""

    row: LeaderboardRow
    player: Player

    @property
    def is_provisional(self) -> bool:
        return self.row.measure == BoardMeasure.RATING and self.row.deals < LEAST_DEALS


def list_measures(kind: str, period: str) -> tuple[BoardMeasure, ...]:
    """Return the measures that lists of this kind and period have. A rating is always that of all sessions."""
    has_rating = is_rated_kind(kind) and period == ALL
    return tuple(measure for measure in BoardMeasure if has_rating or measure != BoardMeasure.RATING)


def find_board(club: Club | None, game: str, by: str, asked_period: str) -> BoardState:
    """Return the list that a reader asks for, of a club or of the site. Four queries, whatever the list.

    The kind of play, the measure and the period are texts from an address. Unknown ones stand for the usual choice.
    """
    boards = {(each.kind, each.period): each for each in Leaderboard.objects.filter(club=club)}
    kinds = tuple(kind for kind in list_board_kinds() if any(kind == each for each, _period in boards))
    kind = next((kind for kind in kinds if kind == game), kinds[0] if kinds else GameKind.IMPOSED)
    periods = tuple(sorted((period for board_kind, period in boards if board_kind == kind), reverse=True))
    period = asked_period if asked_period in periods else ALL
    measures = list_measures(kind, period)
    measure = next((measure for measure in measures if measure == by), measures[0])
    board = boards.get((kind, period))
    return BoardState(
        BoardChoice(kind, measure, period),
        board,
        find_made_at(),
        kinds,
        periods,
        count_rows(board, measure) if board else 0,
        sum_names_versions(club),
    )


def find_made_at() -> dt.datetime | None:
    """Return when ratings and leaderboards last changed, or None if they were never made."""
    return LeaderboardBasis.objects.values_list("made_at", flat=True).first()


def count_rows(board: Leaderboard, measure: BoardMeasure) -> int:
    """Return the number of listed rows: the last place. The index has it, so that no row is counted."""
    listed = board.rows.filter(measure=measure, place__isnull=False).order_by("-place")
    return listed.values_list("place", flat=True).first() or 0


def sum_names_versions(club: Club | None) -> int:
    """Return the sum of the clubs' counters of changed names: of this club, or of all clubs if `club` is None.

    A changed name raises the sum, so a page that was cached with another sum is stale.
    """
    clubs = Club.objects.filter(pk=club.pk) if club else Club.objects.all()
    return clubs.aggregate(names=Sum("names_version"))["names"] or 0


def read_board_page(state: BoardState, number: int) -> list[ListedRow]:
    """Return the rows on a page of a list. Two queries, whatever the page."""
    first = (number - 1) * A_PAGE
    return join_players(state.rows.filter(place__gt=first, place__lte=first + A_PAGE).order_by("place"))


def read_all_rows(state: BoardState) -> list[ListedRow]:
    """Return all rows of a list, for a file. Two queries."""
    return join_players(state.rows.order_by("place"))


def join_players(rows: Iterable[LeaderboardRow]) -> list[ListedRow]:
    """Return the rows of players who are shown by name now. A list of ratings has nobody who has switched it off."""
    listed = list(rows)
    if not listed:
        return []
    unrated = Exists(Player.objects.keep_unrated().filter(person=OuterRef("person"), erased_at=None))
    named = Player.objects.keep_named().filter(pk__in=[row.player for row in listed]).select_related("club", "person")
    players: dict[int, Any] = {player.pk: player for player in named.annotate(is_off=unrated)}
    return [
        ListedRow(row, players[row.player])
        for row in listed
        if row.player in players and not (row.measure == BoardMeasure.RATING and players[row.player].is_off)
    ]


def find_own_row(state: BoardState, user: User) -> LeaderboardRow | None:
    """Return the row of the reader's own player, if the reader is on the list. One query."""
    own = Player.objects.keep_named().filter(account=user)
    return state.rows.filter(person__in=own.values("person")).first()


def find_page_of(row: LeaderboardRow) -> int:
    """Return the number of the page with this row."""
    return -(-(row.place or 1) // A_PAGE)


class PersonalPlaces(NamedTuple):
    """The ratings of a person, and their rows on the lists of all sessions: of clubs, and of the site."""

    ratings: list[PersonRating]
    places: list[LeaderboardRow]

    @property
    def is_provisional(self) -> bool:
        """True if a rating is from few deals."""
        return any(rating.deals < LEAST_DEALS for rating in self.ratings)


def read_places(person: int, clubs: Iterable[Club]) -> PersonalPlaces:
    """Return the ratings and places of a person, on the site and in these clubs. Two queries.

    Rows of a kind of play that no app registers any more stay stored until the job runs. They are left out. A person
    who is not shown by name has the position that they would have. Only their own page may show it.
    """
    off = Player.objects.keep_unrated().filter(person=person, erased_at=None)
    known_kinds = list_board_kinds()
    ratings = list(PersonRating.objects.filter(~Exists(off), person=person, kind__in=known_kinds).order_by("kind"))
    rows = LeaderboardRow.objects.filter(
        Q(board__club=None) | Q(board__club__in=list(clubs)),
        person=person,
        board__period=ALL,
        board__kind__in=known_kinds,
    )
    kinds = {rating.kind for rating in ratings}
    places = [
        row
        for row in rows.select_related("board__club")
        if row.measure != BoardMeasure.RATING or row.board.kind in kinds
    ]
    return PersonalPlaces(ratings, sorted(places, key=order_place))


def order_place(place: LeaderboardRow) -> tuple[object, ...]:
    """Return the sort key of a place: the site first, then clubs by name, kinds, and measures in their order."""
    owner = place.board.club
    club = (owner is not None, owner.name if owner else "", owner.pk if owner else 0)
    return club, list_board_kinds().index(place.board.kind), BoardMeasure.values.index(place.measure)


def read_season_names(club: Club, periods: Iterable[str]) -> dict[str, str]:
    """Return the names of a club's own seasons, by period. One query if there are any."""
    ids = [int(period[1:]) for period in periods if period.startswith(OWN_SEASON)]
    names = Season.objects.filter(club=club, pk__in=ids).values_list("pk", "name") if ids else ()
    return {f"{OWN_SEASON}{pk}": name for pk, name in names}


MEASURES: Mapping[str, str | Promise] = {
    BoardMeasure.RATING: pgettext_lazy("strength of a player", "Rating"),
    BoardMeasure.MEAN: gettext_lazy("Mean %"),
    BoardMeasure.ATTACK: gettext_lazy("Attack %"),
    BoardMeasure.DEFENCE: gettext_lazy("Defence %"),
    BoardMeasure.DEALS: gettext_lazy("Deals"),
    BoardMeasure.TOPS: gettext_lazy("Tops"),
    BoardMeasure.PRESENCE: gettext_lazy("Presence"),
}
GAMES: Mapping[str, str | Promise] = {
    GameKind.IMPOSED: gettext_lazy("Imposed Garde"),
    GameKind.FREE: gettext_lazy("Free auction"),
    GameKind.TEAMS: gettext_lazy("In teams"),
}


def say_kind(kind: str) -> str:
    """Return the name of a kind of play."""
    source = board_sources.get(kind)
    return str(GAMES[kind] if source is None else source.title)


def say_period(period: str, season_names: Mapping[str, str]) -> str:
    """Return the name of a period. `season_names` has those of a club's own seasons."""
    if period == ALL:
        return _("All sessions")
    if period in season_names:
        return season_names[period]
    year, _dash, month = period.partition("-")
    if month:
        return capfirst(date_format(dt.date(int(year), int(month), 1), "F Y"))
    return _("Season %(first)s–%(last)s") % {"first": year, "last": int(year) + 1} if year.isdecimal() else period


def say_measure(measure: str) -> str:
    """Return the name of a measure."""
    return str(MEASURES[measure])


def write_value(measure: str, value: Decimal) -> str:
    """Return a figure as text: a rating with its sign, a percentage, or a count."""
    if measure == BoardMeasure.RATING:
        return write_points(value)
    return percent(Fraction(value), 2) if measure in PERCENTAGES else str(int(value))


def write_points(value: Decimal) -> str:
    """Return points of % with their sign."""
    return f"{'+' if value > 0 else ''}{decimal(Fraction(value), 2)}"


def write_within(row: LeaderboardRow | PersonRating) -> str:
    """Return how far the true rating may be away, as text, or "" for other figures."""
    return "" if row.within is None else f"± {decimal(Fraction(row.within), 2)}"
