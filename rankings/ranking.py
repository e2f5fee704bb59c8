"""The one type of ranking: of a session, a tournament, a series or a simultaneous, live or published, with names.

The modules of each kind read it from their stored figures: `publication.report`, `events.report`, `series.report` and
`simultaneous.field.report`. Pages, files, frames, pictures and answers to programs are drawn from it. A row has the
fields of all kinds. A kind leaves those out that it does not have.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from django.urls import reverse

from clubs.models import Visibility
from evenings.reference import Reference, has_teams_first
from rankings.columns import RankingShape
from scoring.formats import Format
from scoring.plays import EAST_WEST, LINES, NORTH_SOUTH
from tournaments.models import Session
from tournaments.reports.codec import OWN, StoredValue, list_field_names
from tournaments.reports.session import CompetitorRow, ReportedMember

Rules = TypeVar("Rules")
# the lines of players, then those of teams; "" is the line of teams that change sides
LINES_IN_ORDER = (*LINES, NORTH_SOUTH, EAST_WEST, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRow:
    """A player or a team with the name to show. The fields are those of `PublicPlayer`."""

    name: str
    named: bool
    shown: str = Visibility.NAME
    known_as: int | None = None
    category: str = ""
    series: str = ""
    ladies: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMember(NamedRow):
    """A member of a team in a session or in a tournament, from position `first` to `last`, or to the end for None.

    Where teams add up the results of their players, `total` is the result, and `counts` is False if it is dropped.
    """

    player: int
    place: int = 0
    first: int = 1
    last: int | None = None
    total: Fraction | None = None
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The result of a player in a round of a tournament, or in an event of a series.

    `overall` is the percentage, the marks or the match points. `value` is what an event brings, `rank` the rank in it.
    `counts` is True if the result is part of the total. `session` is the number of the session of a round, `section`
    the name of its section if the round has several. `unranked` says why the session does not rank the player.
    """

    overall: Fraction | None
    counts: bool
    value: Fraction | None = None
    attack: Fraction | None = None
    defence: Fraction | None = None
    rank: int | None = None
    session: int = 0
    section: str = ""
    unranked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow(CompetitorRow, NamedRow):
    """A player or a team in a ranking, as the stored row of its kind describes it.

    `id` is the entrant's id. A ranking of one evening has `overall`, `attack`, `defence` and the ranks by kind.
    One over rounds or events has `rank`, `total`, `results`, and `before`: the rank without the last one. `club` is the
    name of the club of a simultaneous. `former` is the figure of the session before, if a page shows it. `new` is True
    if nothing of the player was published before a series. A team that adds up the results of its players has `absent`
    places without a player.
    """

    id: int = 0
    player: int = 0
    team: int = 0
    members: Sequence[RankedMember] = ()
    stand_ins: Sequence[ReportedMember] = ()
    club: str = ""
    session: int | None = None
    section: str = ""
    line: str = ""
    number: int = 0
    attack: Fraction | None = None
    defence: Fraction | None = None
    overall: Fraction | None = None
    penalty: Fraction | None = None
    attacks: int = 0
    defences: int = 0
    deals: int | None = None
    former: Fraction | None = None
    rank: int | None = None
    rank_general: int | None = None
    rank_line: int | None = None
    rank_alterne: int | None = None
    before: int | None = None
    total: Fraction | None = None
    played: int = 0
    results: tuple[StepResult | None, ...] = ()
    told: str | None = ""
    unranked: str = ""
    ranked: bool = True
    elsewhere: bool = False
    in_final: bool = False
    new: bool = False
    absent: int = 0

    @property
    def figure(self) -> Fraction | None:
        """The figure by which the player is ranked."""
        return self.overall if self.total is None else self.total

    @property
    def moved(self) -> int | None:
        """The ranks gained by the last round or event. None if the player had no rank before, or has none now."""
        return None if self.rank is None or self.before is None else self.before - self.rank

    @property
    def seat_order(self) -> tuple[int, int]:
        """The key by which players and teams are sorted by line and starting number."""
        return LINES_IN_ORDER.index(self.line), self.number


AnyRow = TypeVar("AnyRow", RankedRow, RankedMember, StepResult)


def measure_row(
    row: RankedRow, format: Format, names: Sequence[str] = ("total",), *, in_results: str = "overall"
) -> RankedRow:
    """Return the row with these figures in the unit of the format, and with this figure of each of its results.

    Without figures, return the row as it is.
    """
    if not names:
        return row

    def measure(value: AnyRow, *figures: str, **more: Any) -> AnyRow:
        measured: dict[str, Any] = {name: format.measure(getattr(value, name)) for name in figures}
        return replace(value, **measured, **more)

    return measure(row, *names, results=tuple(each and measure(each, in_results) for each in row.results))


def show_stored(kind: type[AnyRow], stored: StoredValue, **values: Any) -> AnyRow:
    """Return a row of this kind with the fields of a stored value, and with those in `values`."""
    own = {name: getattr(stored, name) for name in list_field_names(type(stored)) if name not in OWN}
    return kind(**(own | values))


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
    show: Callable[[Iterable[RankedRow]], list[RankedRow]] = list

    @property
    def names_late(self) -> bool:
        """True if rows have no names yet."""
        return self.show is not list

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
