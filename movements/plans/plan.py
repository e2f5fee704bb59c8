"""A plan as data: the seat and étuis of every player in each position, and who rests.

This module knows only starting numbers and numbers of étuis. It does not know who the players are, or how the plan was
made. A stored plan is never computed again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from deals.domain.cards import LINES

SEATS = len(LINES)


class Shifts(NamedTuple):
    """The number of tables by which the players of each line, and the étuis, move up after every position.

    An arbiter announces these numbers. A negative number means down.
    """

    north: int
    east: int
    south: int
    west: int
    etuis: int


# North stays, East moves up one table a position, South two, West three; the étuis go down one (FFT 2012).
CYCLIC = Shifts(north=0, east=1, south=2, west=3, etuis=-1)


class Member(NamedTuple):
    """A player of the plan by starting number: the index of the line in LINES, and the number, from 1."""

    line: int
    number: int


class Span(NamedTuple):
    """The first and the last position of a player who is not there from start to end.

    A player who never comes has last < first.
    """

    line: int
    number: int
    first: int
    last: int


Seated = int | Member | None


class PlannedPlay(NamedTuple):
    """A table in a position: its étuis, and the player in each seat, in the order of LINES. Numbers start at 1.

    A player is a starting number of the seat's own line, or a `Member` if the player belongs to another line. None is
    an empty seat. A table with an empty seat does not play: the players there rest.
    """

    position: int
    table: int
    etuis: tuple[int, ...]
    players: tuple[Seated, ...]

    @property
    def complete(self) -> bool:
        return None not in self.players

    @property
    def seats(self) -> tuple[Member | None, ...]:
        """The member in each seat, in the order of LINES; None for an empty seat."""
        return _seats(self.players)

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(filter(None, _seats(self.players)))

    def exchange(self, others: Mapping[Member, Member | None]) -> "PlannedPlay":
        """Return the play with other members: `others` has the new member for an old one, or None.

        None leaves the seat empty.
        """
        seats = (member and others.get(member, member) for member in self.seats)
        return self._replace(players=tuple(name_seat(line, member) for line, member in enumerate(seats)))


@lru_cache(maxsize=20_000)  # the plans of one evening have the same tables many times
def _seats(players: tuple[Seated, ...]) -> tuple[Member | None, ...]:
    return tuple(Member(line, seated) if isinstance(seated, int) else seated for line, seated in enumerate(players))


def name_seat(line: int, member: Member | None) -> Seated:
    """Return the value that a `PlannedPlay` holds for this member on this line.

    It is the number alone if the line is the member's own.
    """
    return member.number if member is not None and member.line == line else member


@dataclass(frozen=True, slots=True)
class Plan:
    """The plays of an evening, sorted by position and table.

    - `tables`: the most tables that play in a position.
    - `lines`: the number of players of each line. It is more than `tables` if players rest.
    - `rule`: the name of the way in which the plan was made.
    - `barometer_after`: in all positions after this one, every table plays the same étuis (a *barometer*). It is None
      if there is no such position.
    - `shifts`: the moves that the arbiter can announce. None if no announcement describes the plan.
    - `fillers`: members who play and are in no ranking.
    - `spans`: when members come and go who are not there all the time.
    - `rovers`: members who may sit on any line. They are ranked in their own line.
    """

    tables: int
    positions: int
    etuis_per_position: int
    lines: tuple[int, ...]
    plays: tuple[PlannedPlay, ...]
    rule: str
    barometer_after: int | None = None
    shifts: Shifts | None = None
    fillers: tuple[Member, ...] = ()
    spans: tuple[Span, ...] = ()
    rovers: tuple[Member, ...] = ()

    @property
    def barometer(self) -> bool:
        """True if all tables play the same étuis in every position."""
        return self.barometer_after == 0

    def in_barometer(self, position: int) -> bool:
        """Return whether all tables play the same étuis in that position."""
        return self.barometer_after is not None and position > self.barometer_after

    def members(self) -> tuple[Member, ...]:
        """Return every member who is in the plan at any time, line by line."""
        return tuple(Member(line, number) for line, size in enumerate(self.lines) for number in range(1, size + 1))

    def at(self, position: int) -> Iterator[PlannedPlay]:
        """Yield the plays of a position, one for each table."""
        return (play for play in self.plays if play.position == position)

    def present(self) -> list[list[Member]]:
        """Return the members who are there in each position, as one list for each position."""
        spans = {Member(span.line, span.number): span for span in self.spans}
        everyone = [(member, spans.get(member)) for member in self.members()]
        return [
            [member for member, span in everyone if span is None or span.first <= position <= span.last]
            for position in range(1, self.positions + 1)
        ]

    def exempt(self) -> tuple[tuple[Member, ...], ...]:
        """Return the members who rest in each position, as one tuple for each position.

        They are there, but have no seat or sit at a table with an empty seat.
        """
        playing: list[set[Member]] = [set() for _ in range(self.positions)]
        for play in self.plays:
            if play.complete:
                playing[play.position - 1].update(play.members)
        return tuple(
            tuple(member for member in there if member not in seated)
            for there, seated in zip(self.present(), playing, strict=True)
        )


def line_sizes(players: int) -> tuple[int, ...]:
    """Return the number of players of each line, as equal as possible, larger ones first: 30 gives 8, 8, 7, 7."""
    return tuple((players + SEATS - 1 - line) // SEATS for line in range(SEATS))
