"""The results for a line of a list: its state, the players whom it may mean, and the proposed answer."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from clubs.roster import Doubt, RosterError, RosterLine

# The possible answers besides a candidate's number: a new player, with the remarks in the name (WHOLE) or without; the
# person of the earlier line; nobody.
NEW, WHOLE, SAME, OUT = "new", "whole", "same", "out"


class LineState(StrEnum):
    """The state of a line. Only SURE and NEW need no answer.

    DOUBTFUL means doubt about the line itself, not about which player it means.
    """

    SURE = "sure"
    PROBABLE = "probable"
    DOUBTFUL = "doubtful"
    NEW = "new"
    TWICE = "twice"
    NO_NAME = "no_name"
    WRONG = "wrong"


class Likeness(StrEnum):
    """The ways in which a candidate is like the line, nearest first."""

    LICENCE = "licence"
    NAME = "name"
    SPELLING = "spelling"
    LETTERS = "letters"
    PART = "part"


class HasName(Protocol):
    """An object with a name: a known player, a line of a list, a row of the club's list."""

    @property
    def last_name(self) -> str: ...

    @property
    def first_name(self) -> str: ...


class KnownPlayer(NamedTuple):
    """A player on the club's list, with the number by which the caller knows the player.

    With `former`, the name is that of a row that was merged into this player: it finds the player, and is never shown.
    """

    id: int
    last_name: str
    first_name: str
    licence: str = ""
    former: bool = False


class Candidate(NamedTuple):
    """A player whom a line may mean. `by` has the name that is like the line, perhaps a former one."""

    who: KnownPlayer
    why: Likeness
    by: KnownPlayer


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A person named by a line, with the candidates whom the line may mean, nearest first.

    `number` is the line's number, from 1. The row has the line's text, and its reading or its error. `suggested` is the
    number of the player whom it most probably means, None if the reader has to decide. `likely` is the proposed answer,
    "" if there is none. `key` identifies the line by its text, and by a count if the text stands there more than once.
    `first` is the row of the earlier line that may be the same person.
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
    first: "MatchRow | None" = None

    @property
    def settled(self) -> bool:
        """True if the row needs no answer."""
        return self.state in (LineState.SURE, LineState.NEW)

    @property
    def may_be_new(self) -> bool:
        """True if a new player with this name and licence may be added beside the candidates."""
        return self.line is not None and self.has_place_for(self.line)

    @property
    def may_be_whole(self) -> bool:
        """True if the line may mean a new player whose name includes the remarks."""
        return self.whole is not None and self.has_place_for(self.whole)

    def has_place_for(self, line: RosterLine) -> bool:
        return not any(
            candidate.by.licence == line.licence and (line.licence or name_key(candidate.by) == name_key(line))
            for candidate in self.candidates
        )


def name_key(named: HasName) -> tuple[str, str]:
    """Return family name and first name, ignoring capitals. Two players without licence may not share it."""
    return named.last_name.casefold(), named.first_name.casefold()
