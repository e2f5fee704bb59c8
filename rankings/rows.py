"""The rows of published rankings with the names to show: of sessions, tournaments, series and simultaneous.

A row has the fields of all kinds. A kind leaves those out that it does not have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from clubs.models import Visibility
from scoring.formats import Format
from scoring.plays import EAST_WEST, LINES, NORTH_SOUTH
from tournaments.reports.codec import OWN, StoredValue, list_field_names
from tournaments.reports.session import CompetitorRow, ReportedMember

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

    @property
    def is_noted(self) -> bool:
        """True if a remark stands beside the name: unranked, ranked by a tie-break, or with a penalty."""
        return bool(self.unranked or self.told or self.penalty)


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
