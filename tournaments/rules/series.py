"""The rules of a series as a value: what an event brings, how events are combined, and which events belong to it.

The value is stored as data and read back. All figures are exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.formats import Unit
from scoring.series import PointRules, PointScale, SeriesRules, find_unscored
from scoring.tournament import ResultCounting, TournamentRules

PERCENT = "percent"  # an event brings the percentage of its ranking
MARKS = "marks"  # an event brings the marks of its ranking
SESSIONS, TOURNAMENTS, BY_HAND = CHOICES = ("sessions", "tournaments", "hand")
ALTERNE, GENERAL = RANKS = ("alterne", "general")
UNSCALED = (PERCENT, MARKS)  # what an event brings if its ranks give no points
SCALES = (*UNSCALED, *map(str, PointScale))
TABLE = str(PointScale.TABLE)
MOST_PERCENT, MOST_EVENTS, MOST_TABLE = 100, 200, 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSettings:
    """The rules of a series.

    - `brings`: "percent" or "marks", or the scale that turns ranks into points. Percentages and marks are never added
      together: an event with the other figure brings nothing. Ranks go with every event.
    - `table`: the points of rank 1, 2, 3 …, only for the scale "table".
    - `presence`: points for everybody who played, only with points.
    - `counting`, `best_of`, `least`, `carry_over` (in per cent): as in a tournament of several sessions.
    - `best_of_day`: of several events on one day, only a player's best result counts.
    - `chooses`: whether all sessions or all tournaments of the clubs belong to the series, or only those that a
      director chooses.
    - `format`: the name of the only format that the rule chooses, or "" for all individual formats.
    - `ranks`: the rank that a single session gives. A tournament of several sessions has only the classement général.

    Raise `ValueError` for rules that make no sense.
    """

    brings: str = PERCENT
    table: tuple[Fraction, ...] = ()
    presence: Fraction = Fraction()
    counting: str = str(ResultCounting.SUM)
    best_of: int | None = None
    least: int = 1
    carry_over: int = 100
    best_of_day: bool = False
    chooses: str = SESSIONS
    format: str = ""
    ranks: str = ALTERNE

    def __post_init__(self) -> None:
        if self.brings not in SCALES or self.chooses not in CHOICES or self.ranks not in RANKS:
            raise ValueError("the rules have an unknown word")
        if self.brings in UNSCALED and (self.table or self.presence):
            raise ValueError("percentages and marks have no points")
        if not 0 <= self.carry_over <= 100 or self.least < 1 or (self.best_of is not None and self.best_of < 1):
            raise ValueError("a number of the rules is out of its bounds")
        _ = self.points  # raises ValueError for a wrong table
        ResultCounting(self.counting)

    @property
    def points(self) -> PointRules | None:
        """The rules that turn ranks into points, or None if percentages or marks count."""
        if self.brings in UNSCALED:
            return None
        return PointRules(PointScale(self.brings), self.table, self.presence)

    @property
    def counted(self) -> SeriesRules:
        """The rules for `scoring.series`."""
        tournament = TournamentRules(
            counting=ResultCounting(self.counting),
            best_of=self.best_of,
            least=self.least,
            carry_over=Fraction(self.carry_over, 100),
            missed_is_zero=self.brings == MARKS and self.counting == ResultCounting.SUM,
        )
        return SeriesRules(self.points, tournament, self.best_of_day, self.unit)

    @property
    def unit(self) -> Unit:
        """The unit of what events bring, if it is not points."""
        return Unit.MARKS if self.brings == MARKS else Unit.PER_CENT

    def can_count(self, unit: Unit) -> bool:
        """Return whether an event whose ranking has this unit goes with what events bring."""
        return self.brings not in UNSCALED or self.unit is unit

    def find_ranks_without_points(self, ranked: int) -> range:
        """Return the ranks of an event with so many ranked players that get 0, because the table does not have them."""
        return range(0) if self.points is None else find_unscored(ranked, self.points)

    def find_most(self, ranked: int) -> Fraction:
        """Return the most that an event with so many ranked players can bring. Marks have no such bound."""
        if self.points is None:
            return Fraction(MOST_PERCENT)
        if self.points.scale is PointScale.TABLE:
            return self.presence + max(self.table)
        return self.presence + (Fraction(ranked) if self.points.scale is PointScale.PLACES else Fraction(100))

    def to_data(self) -> dict[str, Any]:
        """Return the rules as data for JSON. Exact figures are text, as "175/3"."""
        return {
            "brings": self.brings,
            "table": [str(points) for points in self.table],
            "presence": str(self.presence),
            "counting": self.counting,
            "best_of": self.best_of,
            "least": self.least,
            "carry_over": self.carry_over,
            "best_of_day": self.best_of_day,
            "chooses": self.chooses,
            "format": self.format,
            "ranks": self.ranks,
        }


def read_settings(data: Mapping[str, Any]) -> SeriesSettings:
    """Return the rules from stored data. A missing key has its default value."""
    settings = dict(data)
    if "table" in settings:
        settings["table"] = tuple(map(Fraction, settings["table"]))
    if "presence" in settings:
        settings["presence"] = Fraction(settings["presence"])
    return SeriesSettings(**settings)
