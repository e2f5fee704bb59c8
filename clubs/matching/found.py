"""The findings about a line of a list: what it is, whom it may mean, and what is proposed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from clubs.roster import Doubt, RosterError, RosterLine

# What may be answered beside the number of a candidate: somebody new, with the remarks in the name or without; the
# person of the earlier line; nobody.
NEW, WHOLE, SAME, OUT = "new", "whole", "same", "out"


class State(StrEnum):
    """What a line is. Only of who is SURE or NEW nothing need be asked. Of who is DOUBTFUL the line itself is doubtful,
    and not whom of the club's list it means."""

    SURE = "sure"
    PROBABLE = "probable"
    DOUBTFUL = "doubtful"
    NEW = "new"
    TWICE = "twice"
    NO_NAME = "no_name"
    WRONG = "wrong"


class Why(StrEnum):
    """The ways in which a candidate is like the line, nearest first."""

    LICENCE = "licence"
    NAME = "name"
    SPELLING = "spelling"
    LETTERS = "letters"
    PART = "part"


class Named(Protocol):
    """Whoever has a name: somebody known, a line of a list, a row of the club's."""

    @property
    def last_name(self) -> str: ...

    @property
    def first_name(self) -> str: ...


class Known(NamedTuple):
    """Somebody on the list, by the number that whoever asks knows him by.

    `former`: the name of a row that was merged into this player: it finds the player, and is never shown.
    """

    id: int
    last_name: str
    first_name: str
    licence: str = ""
    former: bool = False


class Candidate(NamedTuple):
    """Somebody whom a line may mean; `by` is the name that is like the line, a former one perhaps."""

    who: Known
    why: Why
    by: Known


@dataclass(frozen=True, slots=True)
class Row:
    """A person of a line: its number from 1, its text, how it is read or what is wrong, whom it may mean, the nearest
    first.

    `suggested` is the one whom it most probably means, by his number; None where that is for a reader to say. `likely`
    is the answer that is proposed, "" where none is. `key` stands for the line's text, wherever in a list it stands,
    and which time it stands there. `first` is the row of the earlier line where this one may be the same person.
    """

    number: int
    text: str
    state: State
    key: str
    line: RosterLine | None = None
    candidates: tuple[Candidate, ...] = ()
    suggested: int | None = None
    error: RosterError | None = None
    doubt: Doubt | None = None
    likely: str = ""
    note: str = ""
    whole: RosterLine | None = None
    first: "Row | None" = None

    @property
    def settled(self) -> bool:
        """Return whether nothing need be asked."""
        return self.state in (State.SURE, State.NEW)

    @property
    def may_be_new(self) -> bool:
        """Return whether somebody of this very name and licence may be put on the list beside the candidates."""
        return self.line is not None and self.has_place_for(self.line)

    @property
    def may_be_whole(self) -> bool:
        """Return whether the line may mean somebody new, whose name has the remarks in it."""
        return self.whole is not None and self.has_place_for(self.whole)

    def has_place_for(self, line: RosterLine) -> bool:
        return not any(
            candidate.by.licence == line.licence and (line.licence or name_key(candidate.by) == name_key(line))
            for candidate in self.candidates
        )


def name_key(named: Named) -> tuple[str, str]:
    """Family name and first name but for capitals: what two players without licence may not share."""
    return named.last_name.casefold(), named.first_name.casefold()
