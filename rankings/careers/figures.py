"""The figures of a player's career, added up from the rows of all sessions; and the bands that a diagram shows.

They are percentages, tables by number of bouts and by contract, and figures for each companion at the table. Rows have
the form that `rows` describes.

Among *n* compared plays without ties, the possible notes are the multiples of 100 / (n − 1), from 0 to 100. If bands
are narrower than that step, some stay empty; if their borders do not suit the steps, some count double. Therefore the
number of bands is chosen so that the possible notes fill them about evenly.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

from scoring.contract import Contract
from scoring.intervals import Interval, Sample, find_interval
from scoring.ranking import INDIVIDUAL

MOST_BANDS = 12
UNEVEN = Fraction(3, 2)  # the fullest band may get at most this many times the notes of the emptiest one


class NoteKey(NamedTuple):
    """A note that was won among `compared` plays. Its value is `note` / `den`."""

    compared: int
    den: int
    note: int


def count_in_bands(counts: Mapping[NoteKey, int]) -> list[int]:
    """Return the number of notes in each band, from the lowest band to the highest. All bands are equally wide.

    `counts` has how often each note was won.
    """
    deals: defaultdict[int, int] = defaultdict(int)
    for key, count in counts.items():
        deals[key.compared] += count
    bands = [0] * choose_bands(deals)
    for key, count in counts.items():
        bands[find_band(Fraction(key.note, key.den), len(bands))] += count
    return bands


def choose_bands(deals: Mapping[int, int]) -> int:
    """Return the greatest number of bands that the notes of these deals can fill about evenly.

    `deals` has the number of deals by the number of plays that were compared with each other.
    """
    compared = {plays: count for plays, count in deals.items() if plays > 1}
    for bands in range(MOST_BANDS, 1, -1):
        shares = expect_shares(compared, bands)
        if compared and max(shares) <= UNEVEN * min(shares):
            return bands
    return 3  # nothing was compared, so every note is 50


def expect_shares(deals: Mapping[int, int], bands: int) -> Sequence[Fraction]:
    """Return how many deals would fall into each band if all possible notes were equally frequent.

    The numbers are exact fractions.
    """
    shares = [Fraction()] * bands
    for plays, count in deals.items():
        for place in range(plays):
            shares[find_band(Fraction(100 * place, plays - 1), bands)] += Fraction(count, plays)
    return shares


def find_band(note: Fraction, bands: int) -> int:
    """Return the index of the band of a note.

    A note on the border of two bands belongs to the band nearer to 50. The note 50 itself belongs to the upper one.
    """
    place = note * bands / 100
    above = note > 50 and place.denominator == 1
    return int(place) - above


MOST_BEST = 5  # the most best étuis that are listed
PARTS = ("a", "d", "o")  # the parts: attack, defence, and deals whose taker is not known
FEW = 30  # a percentage over fewer deals than this is shown with its confidence interval
ALL_NOTES = Interval(0, 100)  # an interval as wide as this says nothing, so it is not shown
Parts = tuple[tuple[Fraction, Sample], ...]
ONE = Fraction(1)


class PercentageFigure(NamedTuple):
    """A percentage, its number of deals, and its confidence interval. The percentage is None without any deal.

    The interval is only set if there are few deals and it is narrower than 0 to 100.
    """

    mean: Fraction | None
    deals: int
    interval: Interval | None = None


def figure_of(*parts: tuple[Fraction, Sample]) -> PercentageFigure:
    """Return the percentage for weighted samples: the sum of weight × mean. Samples without deals are ignored.

    It has an interval if any sample has few deals.
    """
    counted = [(weight, sample) for weight, sample in parts if sample.count]
    if not counted:
        return PercentageFigure(None, 0)
    mean = sum((weight * sample.mean for weight, sample in counted if sample.mean is not None), Fraction())
    few = any(sample.count < FEW for _weight, sample in counted)
    whole_interval = find_interval(*counted) if few else None
    interval = whole_interval and whole_interval.within(*ALL_NOTES)
    return PercentageFigure(
        mean, sum(sample.count for _, sample in counted), None if interval == ALL_NOTES else interval
    )


@dataclass(slots=True)
class Sum:
    """A sum of samples with different denominators, in whole numbers. A sample has a count, a sum and a sum of squares.

    `cells` has `[count, sum, sum of squares]` by denominator.
    """

    cells: dict[int, list[int]] = field(default_factory=dict)

    def add(self, den: int, count: int, total: int, squares: int) -> None:
        """Add a sample whose notes are whole numbers over the denominator `den`."""
        cells = self.cells.setdefault(den, [0, 0, 0])
        cells[0] += count
        cells[1] += total
        cells[2] += squares

    def over(self, common: int) -> list[int]:
        """Return `[count, sum, sum of squares]` over the denominator `common`, which all denominators must divide."""
        cells = [0, 0, 0]
        for den, (count, total, squares) in self.cells.items():
            times = common // den
            cells[0] += count
            cells[1] += total * times
            cells[2] += squares * times * times
        return cells

    @property
    def sample(self) -> Sample:
        """The sum as one sample of exact fractions."""
        return sum(
            (
                Sample(count, Fraction(total, den), Fraction(squares, den * den))
                for den, (count, total, squares) in self.cells.items()
            ),
            Sample(),
        )

    @property
    def figure(self) -> PercentageFigure:
        """The mean of all notes, as a page shows it."""
        return figure_of((ONE, self.sample))


def weigh_imposed(attack: Sample, defence: Sample) -> Parts:
    """Return the samples of deals with an imposed contract, weighted: attack ¼, defence ¾.

    If one side has no deal, the other side counts alone, as in the ranking of a session.
    """
    share = INDIVIDUAL.attack_weight
    assert share is not None
    if attack.count and defence.count:
        return (share, attack), (1 - share, defence)
    return ((ONE, attack if attack.count else defence),)


def weigh_deals(imposed: Mapping[str, Sample], free: Mapping[str, Sample]) -> Parts:
    """Return weighted samples for the overall percentage of imposed and free-auction deals together.

    Each of the two kinds counts by its number of deals. Within the imposed deals, attack and defence have their usual
    weights. The samples are by `a` (attack), `d` (defence) and `o` (taker not known), as in `rows`.
    """
    fixed = weigh_imposed(imposed["a"], imposed["d"])
    open_ = free["a"] + free["d"] + free["o"]
    counts = imposed["a"].count + imposed["d"].count, open_.count
    if not all(counts):
        return fixed if counts[0] else ((ONE, open_),)
    share = Fraction(counts[0], sum(counts))
    return *((share * weight, sample) for weight, sample in fixed), (1 - share, open_)


@dataclass
class Cell:
    """The figures for one number of bouts, or for one contract: as the taker, contracts made, as a defender."""

    attack: Sum = field(default_factory=Sum)
    defence: Sum = field(default_factory=Sum)
    made: int = 0

    def add(self, den: int, cells: Sequence[int]) -> None:
        """Add the cells `[*attack, made, *defence]` of a row. Attack and defence are samples."""
        self.made += cells[3]
        if cells[0]:
            self.attack.add(den, *cells[:3])
        if cells[4]:
            self.defence.add(den, *cells[4:])

    def over(self, common: int) -> list[int]:
        """Return the cells `[*attack, made, *defence]` over one denominator."""
        return [*self.attack.over(common), self.made, *self.defence.over(common)]


@dataclass
class Mate:
    """The figures with one companion at the table: the number of deals, and the player's notes in two kinds of deals.

    `together` are deals that both defended. `against` are deals in which one of the two was the taker.
    """

    deals: int = 0
    together: Sum = field(default_factory=Sum)
    against: Sum = field(default_factory=Sum)

    def add(self, den: int, cells: Sequence[int]) -> None:
        """Add the cells `[deals, *together, *against]` of a row. The last two are samples."""
        self.deals += cells[0]
        if cells[1]:
            self.together.add(den, *cells[1:4])
        if cells[4]:
            self.against.add(den, *cells[4:7])

    def join(self, other: "Mate") -> None:
        """Add the figures of the same companion under another player id."""
        self.deals += other.deals
        for mine, theirs in ((self.together, other.together), (self.against, other.against)):
            for den, cells in theirs.cells.items():
                mine.add(den, *cells)

    def over(self, common: int) -> list[int]:
        """Return the cells `[deals, *together, *against]` over one denominator."""
        return [self.deals, *self.together.over(common), *self.against.over(common)]


class Where(NamedTuple):
    """The session of an étui, and the number of the published version to which the page links."""

    session: int
    version: int
    date: str


class BestDeal(NamedTuple):
    """One of a player's best étuis: its number, the note, how many plays were compared, and the player's part in it.

    `part` is `a` (attack), `d` (defence), `p` (partner of the taker) or `o` (taker not known). `ahead` is how many
    points of score the player did better than the median of the others, or None if unknown.
    """

    where: Where
    etui: int
    note: Fraction
    compared: int
    part: str
    ahead: Fraction | None = None

    @classmethod
    def read(cls, where: Where, etui: int, note: Fraction, told: Sequence[Any]) -> "BestDeal":
        """Read an étui from its stored form.

        `told` has the fields after the note; `ahead` is missing in the oldest rows.
        """
        compared, part, *ahead = told
        return cls(where, etui, note, compared, part, Fraction(ahead[0]) if ahead and ahead[0] else None)

    def to_data(self) -> list[Any]:
        """Return the étui in the form that is stored as JSON."""
        ahead = None if self.ahead is None else str(self.ahead)
        return [self.where, self.etui, str(self.note), self.compared, self.part, ahead]


def goodness(best: BestDeal) -> tuple[Any, ...]:
    """Return the sort key that puts the best étui first: by note, number of compared plays, points ahead of the others.

    If all of these are equal, the newest date comes first.
    """
    ahead = best.ahead is None, -(best.ahead or 0)
    return -best.note, -best.compared, *ahead, -dt.date.fromisoformat(best.where.date).toordinal(), best.etui


class Totals:
    """The totals of a career. They are added up from rows, from stored totals, or from both.

    Sums are kept apart for imposed contracts and for free auctions.
    """

    def __init__(self) -> None:
        self.imposed: defaultdict[str, Sum] = defaultdict(Sum)
        self.free: defaultdict[str, Sum] = defaultdict(Sum)
        self.notes: Counter[NoteKey] = Counter()
        self.tables: dict[str, defaultdict[str, Cell]] = {"b": defaultdict(Cell), "c": defaultdict(Cell)}
        self.mates: defaultdict[int, Mate] = defaultdict(Mate)
        self.best: list[BestDeal] = []

    def add(self, figures: dict[str, Any], *, is_free: bool, where: Where) -> None:
        """Add the figures of one row, in the form that `rows` describes. A row with marks adds nothing."""
        if "den" in figures:
            self.add_all(figures, self.free if is_free else self.imposed)
            den = figures["den"]
            self.best += (
                BestDeal.read(where, n, Fraction(note, den), details) for n, note, *details in figures["best"]
            )

    def add_kept(self, kept: dict[str, Any]) -> None:
        """Add stored totals, in the form that `to_data` returns."""
        for name, sums in (("imposed", self.imposed), ("free", self.free)):
            for part, cells in kept[name].items():
                sums[part].add(kept["den"], *cells)
        self.add_all(kept, {})
        self.best += (
            BestDeal.read(Where(*where), n, Fraction(note), details) for where, n, note, *details in kept["best"]
        )

    def add_all(self, figures: dict[str, Any], sums: Mapping[str, Sum]) -> None:
        """Add the figures that rows and stored totals both have: samples, notes, tables and companions.

        `sums` receives the samples by part.
        """
        den = figures["den"]
        for part in PARTS:
            if part in figures:
                sums[part].add(den, *figures[part])
        for compared, note, count in figures.get("n", ()):  # rows of the first format do not have it
            self.notes[NoteKey(compared, den, note)] += count
        for name in figures.keys() & self.tables.keys():
            for key, cells in figures[name].items():
                self.tables[name][key].add(den, cells)
        for who, *cells in figures["m"]:
            self.mates[who].add(den, cells)

    def to_data(self) -> dict[str, Any]:
        """Return the totals in the form that is stored as JSON. All notes have the denominator `den`."""
        every = [*self.imposed.values(), *self.free.values()]
        common = lcm(*(den for each in every for den in each.cells))
        self.best.sort(key=goodness)
        return {
            "den": common,
            "imposed": {part: each.over(common) for part, each in self.imposed.items()},
            "free": {part: each.over(common) for part, each in self.free.items()},
            "n": self.notes_over(common),
            **{name: {key: cell.over(common) for key, cell in table.items()} for name, table in self.tables.items()},
            "m": [[who, *mate.over(common)] for who, mate in self.mates.items()],
            "best": [each.to_data() for each in self.best[:MOST_BEST]],
        }

    def notes_over(self, common: int) -> list[list[int]]:
        """Return rows `[plays compared, note, how often]`, with all notes over the denominator `common`.

        All denominators must divide `common`.
        """
        counts: Counter[tuple[int, int]] = Counter()
        for key, count in self.notes.items():
            counts[key.compared, key.note * (common // key.den)] += count
        return [[*key, count] for key, count in sorted(counts.items())]

    def samples(self, sums: Mapping[str, Sum]) -> dict[str, Sample]:
        """Return the sums as samples by part. A part without deals has an empty sample."""
        return {part: sums[part].sample if part in sums else Sample() for part in PARTS}

    @cached_property
    def overall(self) -> PercentageFigure:
        return figure_of(*weigh_deals(self.samples(self.imposed), self.samples(self.free)))

    @cached_property
    def attack(self) -> PercentageFigure:
        return figure_of((ONE, self.imposed["a"].sample + self.free["a"].sample))

    @cached_property
    def defence(self) -> PercentageFigure:
        return figure_of((ONE, self.imposed["d"].sample + self.free["d"].sample))

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the overall percentage, even if there are many deals."""
        interval = find_interval(*weigh_deals(self.samples(self.imposed), self.samples(self.free)))
        return interval and interval.within(*ALL_NOTES)

    @property
    def deals(self) -> int:
        """The number of deals that count."""
        return sum(cells[0] for each in (*self.imposed.values(), *self.free.values()) for cells in each.cells.values())

    @cached_property
    def heights(self) -> list[int]:
        """The number of notes in each band of the diagram, from the lowest band up; [] if no notes are stored."""
        return count_in_bands(self.notes) if self.notes else []

    @property
    def by_bouts(self) -> list[tuple[str, Cell]]:
        return sorted(self.tables["b"].items())

    @property
    def by_contract(self) -> list[tuple[str, Cell]]:
        """The figures by contract, from the lowest contract to the highest."""
        order = list(map(str, Contract))
        return sorted(self.tables["c"].items(), key=lambda each: order.index(each[0]))
