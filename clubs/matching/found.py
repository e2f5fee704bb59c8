"""The result for a line of a list: its state, the players that it may mean, and the proposed answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from clubs.names import licence_key
from clubs.roster import Doubt, RosterError, RosterLine

# The possible answers besides the number of a player. NEW is a new player. WHOLE is a new player whose name includes
# the remarks. LICENSED is a new player with the licence of the federation's list. SAME is the person of an earlier
# line. OUT is nobody.
NEW, WHOLE, LICENSED, SAME, OUT = "new", "whole", "licence", "same", "out"


class LineState(StrEnum):
    """The state of a line. Only SURE and NEW need no answer.

    PROBABLE asks which player the line means. DOUBTFUL asks whether the line is a player at all.
    """

    SURE = "sure"
    PROBABLE = "probable"
    DOUBTFUL = "doubtful"
    NEW = "new"
    TWICE = "twice"
    NO_NAME = "no_name"
    WRONG = "wrong"


class Likeness(StrEnum):
    """The ways in which a player is like the line, nearest first."""

    LICENCE = "licence"
    NAME = "name"
    SPELLING = "spelling"
    LETTERS = "letters"
    PART = "part"


class HasName(Protocol):
    """Any object with a family name and a first name, such as a known player or a line of a list."""

    @property
    def last_name(self) -> str: ...

    @property
    def first_name(self) -> str: ...


class KnownPlayer(NamedTuple):
    """A player on the club's list, and the number by which the caller knows the player.

    With `former`, the name is that of a row that was merged into this player. It finds the player but is never shown.
    """

    id: int
    last_name: str
    first_name: str
    licence: str = ""
    former: bool = False


class Candidate(NamedTuple):
    """A player that a line may mean. `by` has the name that is like the line; it may be a former name."""

    who: KnownPlayer
    why: Likeness
    by: KnownPlayer


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A person that a line names, with the players (candidates) that it may mean, nearest first.

    - `number`: the number of the line, from 1. `text`: the text of the line. `line`: the name read from it, or None.
    - `written`: the part of the text that has the whole name, "" if columns say which is the family name.
    - `key`: identifies the line by its text, and by a count if the list has the text more than once.
    - `suggested`: the number of the player who is found; None if somebody has to decide.
    - `likely`: the answer that the form proposes beforehand, "" for none.
    - `whole`: the line read as if a remark in it, such as "(late)", were part of the name.
    - `licensed`: the line with the licence of the only person of this name on the federation's list, or None.
    - `first`: the row of an earlier line that may be the same person.
    - `team`: the place of the person's team in a list of teams, from 1, else 0.
    """

    number: int
    text: str
    state: LineState
    key: str
    line: RosterLine | None = None
    candidates: tuple[Candidate, ...] = ()
    suggested: int | None = None
    error: RosterError | None = None
    doubt: Doubt | None = None
    likely: str = ""
    note: str = ""
    whole: RosterLine | None = None
    licensed: RosterLine | None = None
    first: "MatchRow | None" = None
    written: str = ""
    team: int = 0

    @property
    def may_be_new(self) -> bool:
        """True if the row may be a new player with this name and licence, although it has candidates."""
        return self.line is not None and self.has_place_for(self.line)

    @property
    def may_be_whole(self) -> bool:
        """True if the row may be a new player whose name includes the remarks."""
        return self.whole is not None and self.has_place_for(self.whole)

    def has_place_for(self, line: RosterLine) -> bool:
        licence = licence_key(line.licence)
        return not any(
            licence_key(candidate.by.licence) == licence and (licence or name_key(candidate.by) == name_key(line))
            for candidate in self.candidates
        )


def name_key(named: HasName) -> tuple[str, str]:
    """Return family name and first name without capitals. Two players without licence cannot have the same."""
    return named.last_name.casefold(), named.first_name.casefold()
