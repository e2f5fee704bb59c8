"""The one type of ranking: of a session, a tournament, a series or a simultaneous, live or published, with names.

The modules of each kind read it from their stored figures: `publication.report`, `events.report`, `series.report` and
`simultaneous.field.report`. Pages, files, frames, pictures and answers to programs are drawn from it.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Generic, TypeVar

from django.urls import reverse

from evenings.reference import Reference, has_teams_first
from rankings.columns import RankingShape
from rankings.rows import RankedRow
from scoring.formats import Format
from tournaments.models import Session

Rules = TypeVar("Rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSession:
    """A session of a round. `section` is its name if the round has several sections.

    `version` is the number of the version that counts, or 0 for the current results.
    """

    number: int
    day: dt.date
    section: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingStep:
    """A step of a ranking over several: a round of a tournament, or an event of a series. `place` is counted from 1.

    A round has its `sessions`: one, or several sections. `level` is 0 before the first cut, 1 after it, 2 after the
    second cut. `turn` is one more, and 0 in a tournament without cuts.

    An event has a `title`, a `club` and a `table_size`: 3 or 5 if its étuis were for so many players at each table. Its
    `address` is (club, tournament, number) of the page of its ranking: the number is 0 for a tournament of several
    sessions. It is None for a typed list, whose `source` is given instead.
    """

    place: int
    day: dt.date
    coefficient: Fraction = Fraction(1)
    stage: str = ""
    sessions: Sequence[StepSession] = ()
    level: int = 0
    turn: int = 0
    title: str = ""
    club: str = ""
    table_size: int = 0
    address: tuple[str, str, int] | None = None
    source: str = ""

    @property
    def page(self) -> str:
        """The path of the ranking of an event, or "" for a typed list."""
        if self.address is None:
            return ""
        *place, number = self.address
        return reverse("ranking", args=self.address) if number else reverse("tournament_ranking", args=place)

    @property
    def first(self) -> StepSession:
        """The first session of the round."""
        return self.sessions[0]

    @property
    def parted(self) -> bool:
        """True if the round has several sections."""
        return len(self.sessions) > 1

    @property
    def is_final(self) -> bool:
        return self.stage == Session.Stage.FINAL


@dataclass(frozen=True, slots=True)
class ClubChoice:
    """A club whose players may be shown alone."""

    slug: str
    name: str


def keep_names(rows: Iterable[RankedRow]) -> list[RankedRow]:
    return list(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(Generic[Rules]):
    """A ranking with the names to show. `rules` says how it was computed, as its kind stores that.

    `rows` are in the order of the ranking; those without a rank come last. `together` has the rows of all sections if
    these are ranked together. `team_sums` are the teams that add up the results of their players. `reference` is the
    order that is shown first. It is "" if there is only one: over several steps.

    `clubs` are those whose players are compared, by the id of their session. A ranking of thousands of players names
    only those that a page shows: `show` returns rows with their names.
    """

    shape: RankingShape
    rules: Rules
    rows: Sequence[RankedRow]
    format: Format | None = None
    steps: Sequence[RankingStep] = ()
    together: Sequence[RankedRow] = ()
    team_sums: Sequence[RankedRow] = ()
    reference: Reference | str = ""
    clubs: Mapping[int, ClubChoice] = field(default_factory=dict)
    show: Callable[[Iterable[RankedRow]], list[RankedRow]] = keep_names

    @property
    def names_late(self) -> bool:
        """True if rows have no names yet."""
        return self.show is not keep_names

    @property
    def has_final(self) -> bool:
        """True if a final has been played."""
        return any(row.in_final for row in self.rows)

    @property
    def champions(self) -> list[RankedRow]:
        """The players of rank 1 in a ranking over several steps."""
        return [row for row in self.rows if row.rank == 1]

    @property
    def has_teams_first(self) -> bool:
        """True if the ranking of teams is the one that counts, so that a reader sees it first."""
        return self.format is not None and has_teams_first(self.format, self.team_sums)

    def find_row(self, entrant: int) -> RankedRow | None:
        """Return the row of this entrant, or None."""
        return next((row for row in self.rows if row.id == entrant), None)

    def order(self, by: str) -> Sequence[RankedRow]:
        """Return the rows in the order of a ranking: the classement alterné or général, or that of all sections."""
        if by == Reference.ALTERNE:
            return sorted(self.rows, key=lambda row: (row.rank_alterne is None, row.rank_alterne or 0))
        return self.together if by == Reference.SECTIONS else self.rows

    def list_of_line(self, line: str) -> list[RankedRow]:
        """Return the rows of one line, in the order of the classement général."""
        return [row for row in self.rows if row.line == line]

    def of_session(self, session: int | None) -> "Ranking[Rules]":
        """Return the ranking with the rows of one club's session only; with None, as it is."""
        if session is None:
            return self
        return replace(self, rows=[row for row in self.rows if row.session == session])
