"""The leaderboards as readers see them: one page of a list, the reader's own row, and the places of one person.

The number of queries does not depend on the page. Nobody is listed who is not shown by name when the page is read, even
if the job has not run since.
"""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, Sum

from clubs.models import Club, Player, Season, User
from tournaments.leaderboards.boards import ALL, OWN_SEASON
from tournaments.models import BoardMeasure, GameKind, Leaderboard, LeaderboardBasis, LeaderboardRow, PersonRating

A_PAGE = 50
PROVISIONAL = 100  # a rating with fewer deals is provisional: scoring.rating


class BoardChoice(NamedTuple):
    """The choice of a reader. A club is None for the lists of the whole site."""

    club: Club | None
    kind: GameKind
    measure: BoardMeasure
    period: str


class BoardState(NamedTuple):
    """A leaderboard with the versions of all names that it may show. If the list changes, `stamp` changes.

    `board` is None if nobody has played such sessions. `periods` are the periods that have a board, the newest first.
    """

    board: Leaderboard | None
    made_at: dt.datetime | None
    periods: tuple[str, ...]
    kinds: tuple[GameKind, ...]
    names: int

    @property
    def stamp(self) -> tuple[object, ...]:
        board = self.board and (self.board.pk, self.board.basis)
        return board, self.made_at, self.periods, self.kinds, self.names


class ListedRow(NamedTuple):
    """A row of a list with its player."""

    row: LeaderboardRow
    player: Player

    @property
    def is_provisional(self) -> bool:
        return self.row.measure == BoardMeasure.RATING and self.row.deals < PROVISIONAL


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a list. `total` is the number of all listed rows."""

    rows: list[ListedRow]
    number: int
    pages: int
    total: int


def find_board(choice: BoardChoice) -> BoardState:
    """Return the leaderboard that a reader asks for, with what its page shows besides the rows. Three queries."""
    boards = list(Leaderboard.objects.filter(club=choice.club))
    board = next((each for each in boards if (each.kind, each.period) == (choice.kind, choice.period)), None)
    periods = sorted((each.period for each in boards if each.kind == choice.kind), reverse=True)
    kinds = {each.kind for each in boards}
    clubs = Club.objects.all() if choice.club is None else Club.objects.filter(pk=choice.club.pk)
    return BoardState(
        board,
        LeaderboardBasis.objects.values_list("made_at", flat=True).first(),
        tuple(periods),
        tuple(kind for kind in GameKind if kind in kinds),
        clubs.aggregate(names=Sum("names_version"))["names"] or 0,
    )


def read_board_page(board: Leaderboard, measure: BoardMeasure, number: int) -> BoardPage:
    """Return a page of a list, or the last page if there are fewer. Three queries."""
    listed = board.rows.filter(measure=measure, place__isnull=False)
    total = listed.order_by("-place").values_list("place", flat=True).first() or 0
    pages = max(1, -(-total // A_PAGE))
    number = min(max(number, 1), pages)
    first = (number - 1) * A_PAGE
    rows = listed.filter(place__gt=first, place__lte=first + A_PAGE).order_by("place")
    return BoardPage(join_players(rows), number, pages, total)


def read_all_rows(board: Leaderboard, measure: BoardMeasure) -> list[ListedRow]:
    """Return all rows of a list, for a file. Two queries."""
    return join_players(board.rows.filter(measure=measure, place__isnull=False).order_by("place"))


def join_players(rows: Iterable[LeaderboardRow]) -> list[ListedRow]:
    """Return the rows of players who are shown by name now. A list of ratings has nobody who has switched it off."""
    told = list(rows)
    if not told:
        return []
    unrated = Exists(Player.objects.keep_unrated().filter(person=OuterRef("person"), erased_at=None))
    named = Player.objects.keep_named().filter(pk__in=[row.player for row in told]).select_related("club", "person")
    players: dict[int, Any] = {player.pk: player for player in named.annotate(is_off=unrated)}
    return [
        ListedRow(row, players[row.player])
        for row in told
        if row.player in players and not (row.measure == BoardMeasure.RATING and players[row.player].is_off)
    ]


def find_own_row(board: Leaderboard, measure: BoardMeasure, user: User) -> LeaderboardRow | None:
    """Return the row of the reader's own player, if the reader is on the list. One query."""
    own = Player.objects.keep_named().filter(account=user)
    return board.rows.filter(measure=measure, place__isnull=False, person__in=own.values("person")).first()


def find_page_of(row: LeaderboardRow) -> int:
    """Return the number of the page with this row."""
    return -(-(row.place or 1) // A_PAGE)


class OwnPlace(NamedTuple):
    """The place of a person on a list of all sessions: in a club, or on the site if `club` is None."""

    club: Club | None
    kind: GameKind
    measure: BoardMeasure
    position: int
    figure: Decimal


class PersonalPlaces(NamedTuple):
    """The ratings of a person, and their places on the lists of all sessions."""

    ratings: list[PersonRating]
    places: list[OwnPlace]


def read_places(person: int, clubs: Iterable[Club]) -> PersonalPlaces:
    """Return the ratings and places of a person, on the site and in these clubs. Two queries.

    A person who is not shown by name has the position that they would have. Only their own page may show it.
    """
    by_id = {club.pk: club for club in clubs}
    off = Player.objects.keep_unrated().filter(person=person, erased_at=None)
    ratings = list(PersonRating.objects.filter(~Exists(off), person=person).order_by("kind"))
    there = Q(board__club=None) | Q(board__club__in=list(by_id))
    rows = LeaderboardRow.objects.filter(there, person=person, board__period=ALL).select_related("board")
    kinds = {rating.kind for rating in ratings}
    places = [
        OwnPlace(
            by_id.get(row.board.club_id or 0),
            GameKind(row.board.kind),
            BoardMeasure(row.measure),
            row.position,
            row.figure,
        )
        for row in rows
        if row.measure != BoardMeasure.RATING or row.board.kind in kinds
    ]
    return PersonalPlaces(ratings, sorted(places, key=order_place))


def order_place(place: OwnPlace) -> tuple[object, ...]:
    """Return the sort key of a place: the site first, then clubs by name, kinds, and measures in their order."""
    club = (place.club is not None, place.club.name if place.club else "", place.club.pk if place.club else 0)
    return club, list(GameKind).index(place.kind), list(BoardMeasure).index(place.measure)


def read_season_names(club: Club, periods: Iterable[str]) -> dict[str, str]:
    """Return the names of a club's own seasons, by period. One query if there are any."""
    ids = [int(period[1:]) for period in periods if period.startswith(OWN_SEASON)]
    names = Season.objects.filter(club=club, pk__in=ids).values_list("pk", "name") if ids else ()
    return {f"{OWN_SEASON}{pk}": name for pk, name in names}
