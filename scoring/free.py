"""The rules of games that the tables deal: who deals and rests, the marks of each seat, and the ranking of teams.

Play goes around the table to the right (FFT 2012 p. 6), so from North it goes over West to South and East.

The players are ranked alone too, so this module gets their marks, and knows no plays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.contract import marks
from scoring.plays import SEATS, ScoringPlay, SeatNotes
from scoring.ties import share_ranks

TURN = ("N", "F", "W", "S", "E")  # the fifth player sits between West and North


def find_turn(seats: Collection[str]) -> tuple[str, ...]:
    """Return these seats in the order of turn, from North on."""
    return tuple(seat for seat in TURN if seat in seats)


def name_seats(people: int) -> tuple[str, ...]:
    """Return the seats of a table with this number of people, in the order of SEATS."""
    return SEATS[:people]


def find_dealer(seats: Collection[str] | int, deal: int) -> str:
    """Return the seat that deals deal number `deal` of a game, from 1 on: North first, then the others in turn.

    `seats`: the seats of all people at the table, including the one who rests, or the number of these people.
    """
    turn = find_turn(name_seats(seats) if isinstance(seats, int) else seats)
    return turn[(deal - 1) % len(turn)]


def find_opener(seats: Collection[str], dealer: str) -> str:
    """Return the seat that speaks and leads first in a deal: the next after the dealer among those who play it.

    `seats`: the seats of those who play the deal. The dealer may rest.
    """
    after = TURN.index(dealer) + 1
    return next(seat for seat in (*TURN[after:], *TURN[:after]) if seat in seats)


def count_rests(seats: Collection[str], first: str, deals: int, seat: str) -> int:
    """Return in how many of these deals a seat rests, if everybody at the table rests in turn, from `first` on."""
    turn = find_turn(seats)
    start = turn.index(first)
    return sum(turn[(start + place) % len(turn)] == seat for place in range(deals))


def count_marks(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the marks of each play, as they are: nothing is compared."""
    return [tuple(None if mark is None else Fraction(mark) for mark in find_marks(play)) for play in plays]


def find_marks(play: ScoringPlay) -> tuple[int | None, ...]:
    """Return the marks of each seat of a scored play, None for a seat without any.

    They sum to 0, except those that the arbiter assigned.
    """
    return play.marks or tuple(share_marks(play))


def share_marks(play: ScoringPlay) -> list[int | None]:
    """Return the mark of each seat of a play with a base score, None where nobody plays.

    At five players the partner has the base score, and the taker twice as much (FFT 2012 p. 12).
    """
    players = len(play.seats) - play.seats.count(None)
    called = play.partner not in (None, play.taker) if players == len(SEATS) else None
    mark = marks(read_base_score(play), players, called)
    if called is not True:
        return [
            None if who is None else mark.taker if seat == play.taker else mark.defender
            for seat, who in zip(SEATS, play.seats, strict=False)
        ]
    by_part = {play.taker: mark.taker, play.partner: mark.partner}
    return [by_part.get(seat, mark.defender) for seat in SEATS]


def read_base_score(play: ScoringPlay) -> int:
    """Return the base score of a play that has one."""
    assert play.base_score is not None  # only plays with a base score are compared
    return play.base_score


class PlacedResult(NamedTuple):
    """The percentage of a player who has a place in a team, and the number of deals that it comes from."""

    total: Fraction
    deals: int


@dataclass(frozen=True, slots=True)
class TeamSum:
    """The sum of a team, and its rank. `dropped` is the index of the place that does not count, or None."""

    total: Fraction
    rank: int
    dropped: int | None


def join_percentages(brought: Sequence[PlacedResult], *, least: Fraction) -> Fraction | None:
    """Return the percentage of a place in a team: the mean of its players' percentages, weighted by their deals.

    Return None if they have played fewer than `least` deals together: then the place brings 0.
    """
    deals = sum(each.deals for each in brought)
    if not deals or deals < least:
        return None
    return sum((each.total * each.deals for each in brought), Fraction()) / deals


def rank_team_sums(teams: Mapping[Any, Sequence[Fraction]], *, drops_worst: bool) -> dict[Any, TeamSum]:
    """Return the sum of each team, best first. Equal sums share a rank, as in 1, 1, 3.

    `teams` has the marks, or the percentage, of each place in a team: 0 for a place whose player is missing. With
    `drops_worst`, the lowest marks of each team do not count. Of equal ones, the last place is dropped. A single player
    keeps the marks.
    """
    dropped = {
        team: max(range(len(marks)), key=lambda place: (-marks[place], place))
        for team, marks in teams.items()
        if drops_worst and len(marks) > 1
    }
    totals = {
        team: sum((each for place, each in enumerate(marks) if place != dropped.get(team)), Fraction())
        for team, marks in teams.items()
    }
    ranks = share_ranks({team: (0, -total) for team, total in totals.items()})
    return {team: TeamSum(totals[team], rank, dropped.get(team)) for team, rank in ranks.items()}
