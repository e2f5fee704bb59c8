"""The sums of a person over the sessions of a leaderboard, and the figures that follow from them. All are exact."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from rankings.careers.figures import weigh_deals
from rankings.leaderboards.kinds import names_taker_of_kind
from scoring.intervals import Sample
from tournaments.models import BoardMeasure
from wording.figures import round_half

PLACES = 3  # the decimals of a stored figure
# The least number of deals of a person in a list of percentages: about four evenings, or one for a month.
LEAST_DEALS, LEAST_DEALS_OF_MONTH = 100, 20
PERCENTAGES = (BoardMeasure.MEAN, BoardMeasure.ATTACK, BoardMeasure.DEFENCE)
COUNTED = (*PERCENTAGES, BoardMeasure.DEALS, BoardMeasure.TOPS, BoardMeasure.PRESENCE)
SIDES = ("a", "d", "o")  # attack, defence, and deals whose taker is not known


@dataclass(slots=True)
class PersonSums:
    """The sums of a person. `cells` has deals and sums of notes of the three SIDES by the denominator of the notes.

    Sessions are added in the order of their days. `day` is the date and the id of the last one, and `player` the
    person's player in it.
    """

    player: int = 0
    day: tuple[dt.date, int] = (dt.date.min, 0)
    sessions: int = 0
    deals: int = 0
    tops: int = 0
    cells: dict[int, list[int]] = field(default_factory=dict)

    def add(self, row: Sequence[int], player: int, day: tuple[dt.date, int]) -> None:
        """Add a session in which the person was this player. `row` is a row of `RatedSession.players`."""
        _player, deals, tops, den, *sides = row
        self.sessions += day != self.day  # two players of one session may turn out to be one person
        self.deals += deals
        self.tops += tops
        cells = self.cells.setdefault(den, [0] * 6)
        for at, number in enumerate(sides):
            cells[at] += number
        self.player, self.day = player, day

    @property
    def noted(self) -> int:
        """The number of deals with a note. Other deals count in no percentage."""
        return sum(sum(cells[::2]) for cells in self.cells.values())

    def sample(self, side: int) -> Sample:
        """Return the notes of one of the SIDES, without their squares."""
        count = sum(cells[2 * side] for cells in self.cells.values())
        total = sum((Fraction(cells[2 * side + 1], den) for den, cells in self.cells.items()), Fraction())
        return Sample(count, total, Fraction())

    def measure(self, kind: str, measure: BoardMeasure) -> Fraction | None:
        """Return the figure of the person, or None if there is none. Percentages are those of the career page."""
        if measure == BoardMeasure.DEALS:
            return Fraction(self.deals)
        if measure == BoardMeasure.TOPS:
            return Fraction(self.tops)
        if measure == BoardMeasure.PRESENCE:
            return Fraction(self.sessions)
        if measure == BoardMeasure.MEAN:
            return self.find_mean(kind)
        return self.sample(0 if measure == BoardMeasure.ATTACK else 1).mean

    def find_mean(self, kind: str) -> Fraction | None:
        """Return the percentage over all deals, weighted as on a career page, or None without a note."""
        samples = {side: self.sample(at) for at, side in enumerate(SIDES)}
        none = dict.fromkeys(SIDES, Sample())
        parts = weigh_deals(samples, none) if names_taker_of_kind(kind) else weigh_deals(none, samples)
        means = [weight * sample.mean for weight, sample in parts if sample.mean is not None]
        return sum(means, Fraction()) if means else None


def find_least(measure: BoardMeasure, period: str) -> int:
    """Return the least number of deals of a person in this list. Lists of counts have no least number.

    In a list of percentages, these are deals with a note.
    """
    if measure not in PERCENTAGES:
        return 1
    return LEAST_DEALS_OF_MONTH if "-" in period else LEAST_DEALS


def round_figure(figure: Fraction) -> Decimal:
    """Return a figure as it is stored."""
    return Decimal(round_half(figure, PLACES)).scaleb(-PLACES)
