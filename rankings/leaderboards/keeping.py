"""The stored ratings and leaderboards: a job makes them at most once an hour; some rows are deleted at once.

`LeaderboardBasis` records the source of the rows: the rated sessions, the players with their persons and wishes, and
the clubs' seasons. If that is still current, nothing is done. Rows that did not change are not written again. If two
jobs make the same rows at once, the second one writes nothing.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple

from django.db import models, transaction
from django.db.models import Q

from clubs.models import Player, Season, User
from clubs.shown import Way, choose_rating
from rankings.leaderboards.boards import (
    ALL,
    BoardKey,
    BoardRow,
    BoardSession,
    OwnSeasons,
    add_sessions,
    find_largest,
    list_board_sources,
    rank_ratings,
    rank_sums,
)
from rankings.leaderboards.ratings import RATED, People, RatedFigures, rate_people, read_rated_people
from tournaments.models import (
    BoardMeasure,
    GameKind,
    Leaderboard,
    LeaderboardBasis,
    LeaderboardRow,
    PersonRating,
    RatedSession,
)

FORMAT = 1
PAUSE = dt.timedelta(hours=1)
ONLY = 1  # the id of the only basis
ROWS_AT_ONCE = 1_000
SESSIONS_AT_ONCE = 50  # a session of a hall has thousands of plays
ORDER = ("date", "pk")


class MadeBoard(NamedTuple):
    """The rows of a leaderboard, and how many rated people its list of ratings leaves out."""

    rows: list[BoardRow]
    apart: int

    @property
    def digest(self) -> str:
        return digest_of([self.rows, self.apart])


class MadeBoards(NamedTuple):
    """All ratings, as the columns of `PersonRating`, and all leaderboards."""

    ratings: list[Mapping[str, Any]]
    boards: dict[BoardKey, MadeBoard]


def are_leaderboards_due(now: dt.datetime) -> bool:
    """Return whether the job may run again: an hour after the last run."""
    kept = LeaderboardBasis.objects.filter(pk=ONLY).first()
    return kept is None or is_over(kept.looked_at, now)


def is_over(looked_at: dt.datetime, now: dt.datetime) -> bool:
    """Return whether the pause after a run is over. It is, too, if the clock was set back."""
    return not dt.timedelta() <= now - looked_at < PAUSE


def claim_run(now: dt.datetime) -> LeaderboardBasis | None:
    """Begin the pause, and return the basis as it was before. Return None if the job may not run.

    Of several jobs that begin at once, only one gets the basis. A run that fails is not tried again before the pause is
    over.
    """
    kept, made = LeaderboardBasis.objects.get_or_create(pk=ONLY, defaults={"looked_at": now})
    if made or not is_over(kept.looked_at, now):
        return kept if made else None
    same = LeaderboardBasis.objects.filter(pk=ONLY, looked_at=kept.looked_at)
    return kept if same.update(looked_at=now) else None


def refresh_leaderboards(now: dt.datetime) -> bool:
    """Make all ratings and leaderboards again if they are not current and the job may run. Return whether it did."""
    kept = claim_run(now)
    if kept is None:
        return False
    people, basis = read_basis()
    if kept.basis == basis:
        return False
    made = make_boards(people)
    with transaction.atomic():
        same = LeaderboardBasis.objects.filter(pk=ONLY, basis=kept.basis)
        if not same.update(basis=basis, looked_at=now, made_at=now):
            return False
        write_all(made)
    return True


def read_basis() -> tuple[People, str]:
    """Return the people, and the text that identifies the data from which everything is made. Three queries."""
    people, rows = read_rated_people()
    sessions = RatedSession.objects.order_by("pk").values_list("pk", "kind", "session__career_basis__basis")
    further = [(source.kind, *source.read_basis()) for source in list_board_sources()]
    return people, digest_of([FORMAT, *rows, *sessions, *read_seasons(), *further])


def digest_of(told: Iterable[object]) -> str:
    digest = sha256()
    for each in told:
        digest.update(repr(each).encode())
    return digest.hexdigest()


def make_boards(people: People) -> MadeBoards:
    """Return all ratings and leaderboards, made from the rated sessions."""
    # The ratings come first, because the plays need most memory.
    figures: dict[str, dict[int, RatedFigures]] = {kind: rate_kind(kind, people) for kind in RATED}
    further = list_board_sources()
    figures |= {source.kind: source.rate(people) for source in further if source.rate is not None}
    counted = chain(read_counted(), *(source.read_sessions() for source in further))
    sums = add_sessions(counted, people, OwnSeasons(read_seasons()))
    boards = {key: MadeBoard(list(rank_sums(key, own, people)), 0) for key, own in sums.items()}
    ratings: list[Mapping[str, Any]] = []
    for kind, rated in figures.items():
        for key in (key for key in boards if key.kind == kind and key.period == ALL):
            on_board = {person: rating for person, rating in rated.items() if person in sums[key]}
            rows = rank_ratings(on_board, people)
            largest = find_largest(on_board)
            apart = sum(rating.group != largest for rating in on_board.values())
            boards[key] = MadeBoard([*rows, *boards[key].rows], apart)
        site = boards.get(BoardKey(0, kind, ALL), MadeBoard([], 0))
        listed = {row.person: row.position for row in site.rows if row.measure == "rating" and row.place}
        ratings += [
            {"kind": str(kind), "person": person, **rating._asdict(), "position": listed.get(person)}
            for person, rating in sorted(rated.items())
            if person not in people.unrated
        ]
    return MadeBoards(ratings, boards)


def rate_kind(kind: GameKind, people: People) -> dict[int, RatedFigures]:
    """Return the rating of each person in this kind of play. One query."""
    plays = RatedSession.objects.filter(kind=kind).defer("players").order_by(*ORDER)
    return rate_people(plays.iterator(SESSIONS_AT_ONCE), kind, people)


def read_seasons() -> Iterable[tuple[int, int, dt.date, dt.date]]:
    return Season.objects.order_by("pk").values_list("club", "pk", "starts_on", "ends_on")


def read_counted() -> Iterator[BoardSession]:
    """Return all sessions with the sums of their players, sorted by date and id."""
    rows = RatedSession.objects.order_by(*ORDER)
    columns = rows.values_list("pk", "session__tournament__club", "kind", "date", "players")
    for pk, club, kind, date, players in columns.iterator(SESSIONS_AT_ONCE):
        yield BoardSession(pk, club, GameKind(kind), date, players)


def write_all(made: MadeBoards) -> int:
    """Store ratings and leaderboards, and delete the others. Return how many stored rows were wrong."""
    wrong = replace_rows(PersonRating.objects.all(), made.ratings)
    kept = {BoardKey(each.club_id or 0, each.kind, each.period): each for each in Leaderboard.objects.all()}
    gone = [board.pk for key, board in kept.items() if key not in made.boards]
    Leaderboard.objects.filter(pk__in=gone).delete()
    for key, board in sorted(made.boards.items()):
        row = kept.get(key) or Leaderboard.objects.create(club_id=key.club or None, kind=key.kind, period=key.period)
        if row.basis != board.digest:
            wrong += write_board(row, board)
    return wrong + len(gone)


def write_board(board: Leaderboard, made: MadeBoard) -> int:
    """Store the rows of a leaderboard. Return how many of the rows stored before were wrong."""
    wrong = replace_rows(board.rows.all(), [{"board_id": board.pk, **row._asdict()} for row in made.rows])
    wrong += board.apart != made.apart
    Leaderboard.objects.filter(pk=board.pk).update(basis=made.digest, apart=made.apart)
    return wrong


def replace_rows(rows: "models.QuerySet[Any]", wanted: list[Mapping[str, Any]]) -> int:
    """Replace these rows by the wanted ones. Rows with the same content stay. Return how many were not the same."""
    names = list(wanted[0]) if wanted else []
    missing = {tuple(each.values()): each for each in wanted}
    stale = [pk for pk, *cells in rows.order_by().values_list("pk", *names) if not missing.pop(tuple(cells), None)]
    for first in range(0, len(stale), ROWS_AT_ONCE):
        rows.filter(pk__in=stale[first : first + ROWS_AT_ONCE]).delete()
    rows.model.objects.bulk_create((rows.model(**each) for each in missing.values()), batch_size=ROWS_AT_ONCE)
    return max(len(stale), len(missing))


def make_leaderboards_anew(now: dt.datetime) -> tuple[int, int, int]:
    """Make all ratings and leaderboards again, and compare every stored row.

    Return the numbers of ratings, of rows of leaderboards, and of stored rows that were wrong or missing.
    """
    people, basis = read_basis()
    made = make_boards(people)
    with transaction.atomic():
        about = {"basis": basis, "looked_at": now, "made_at": now}
        LeaderboardBasis.objects.update_or_create(pk=ONLY, defaults=about)
        Leaderboard.objects.update(basis="")  # so that every board is compared row by row
        wrong = write_all(made)
    return len(made.ratings), sum(len(board.rows) for board in made.boards.values()), wrong


RATING_ACTIONS = {"rating_off": True, "rating_on": False}  # the actions of the forms, and whether the rating is off


@transaction.atomic
def wish_rating(*, player: Player, off: bool, way: Way, by: User | None, now: dt.datetime) -> None:
    """Switch the rating of a player off, or take that back. If it is off, delete the person's stored rating.

    Positions of other people follow when the job runs next. A rating that is on again comes back then, too.
    """
    choose_rating(player=player, off=off, way=way, by=by, now=now)
    if off:
        person = Player.objects.values_list("person_id", flat=True).get(pk=player.pk)
        delete_places(Q(person=person), Q(measure=BoardMeasure.RATING))


def forget_on_leaderboards(players: Iterable[int], person: int | None) -> None:
    """Delete the stored ratings and places of a person who is erased, on the lists of all clubs and of the site.

    What the person has played in other clubs comes back when the job runs next.
    """
    whose = Q(player__in=list(players)) | (Q(person=person) if person else Q())
    delete_places(whose, Q())


def delete_places(whose: Q, which: Q) -> None:
    """Delete the ratings of a person, and those of their rows on leaderboards that meet the condition `which`.

    Then no basis is current any more. Otherwise, if the wish is taken back soon, the job would find nothing changed and
    never bring the rows back.
    """
    rows = LeaderboardRow.objects.filter(whose, which)
    boards = sorted(set(rows.values_list("board", flat=True)))
    PersonRating.objects.filter(whose).delete()
    rows.delete()
    Leaderboard.objects.filter(pk__in=boards).update(basis="")
    LeaderboardBasis.objects.update(basis="")
