"""The figures of a career, added up from its rows: percentages, tables by bouts and contracts, companions."""

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
from tournaments.careers.bands import NoteKey, count_in_bands

MOST_BEST = 5  # étuis
PARTS = ("a", "d", "o")  # attack, defence, and deals whose taker is not known
FEW = 30  # deals: a percentage over fewer deals is shown with its confidence interval
ALL_NOTES = Interval(0, 100)  # an interval as wide as this says nothing
Parts = tuple[tuple[Fraction, Sample], ...]


@dataclass(slots=True)
class Sum:
    """A sum of samples over several denominators, in whole numbers: count, sum, sum of squares."""

    cells: dict[int, list[int]] = field(default_factory=dict)

    def add(self, den: int, count: int, total: int, squares: int) -> None:
        cells = self.cells.get(den)
        if cells is None:
            self.cells[den] = [count, total, squares]
        else:
            cells[0] += count
            cells[1] += total
            cells[2] += squares

    def over(self, common: int) -> list[int]:
        """Return count, sum and sum of squares over one denominator, which is a multiple of all of them."""
        found = [0, 0, 0]
        for den, (count, total, squares) in self.cells.items():
            times = common // den
            found[0] += count
            found[1] += total * times
            found[2] += squares * times * times
        return found

    @property
    def sample(self) -> Sample:
        return sum(
            (
                Sample(count, Fraction(total, den), Fraction(squares, den * den))
                for den, (count, total, squares) in self.cells.items()
            ),
            Sample(),
        )


class PercentageFigure(NamedTuple):
    """A percentage over a number of deals, None without any.

    `interval` is set if it has few deals and says something.
    """

    mean: Fraction | None
    deals: int
    interval: Interval | None = None

    @property
    def is_few(self) -> bool:
        return 0 < self.deals < FEW


def figure_of(*parts: tuple[Fraction, Sample]) -> PercentageFigure:
    """Return the weighted sum of the samples' means, with its interval if one of them has few deals."""
    told = [(weight, sample) for weight, sample in parts if sample.count]
    if not told:
        return PercentageFigure(None, 0)
    mean = sum((weight * sample.mean for weight, sample in told if sample.mean is not None), Fraction())
    few = any(sample.count < FEW for _weight, sample in told)
    found = find_interval(*told) if few else None
    interval = found and found.within(*ALL_NOTES)
    return PercentageFigure(mean, sum(sample.count for _, sample in told), None if interval == ALL_NOTES else interval)


ONE = Fraction(1)


def weigh_imposed(attack: Sample, defence: Sample) -> Parts:
    """Return the weights ¼ attack and ¾ defence. If one side has no deal, the other counts alone, as in a session."""
    share = INDIVIDUAL.attack_weight
    assert share is not None
    if attack.count and defence.count:
        return (share, attack), (1 - share, defence)
    return ((ONE, attack if attack.count else defence),)


def weigh_deals(imposed: Mapping[str, Sample], free: Mapping[str, Sample]) -> Parts:
    """Return the weights of the overall percentage of imposed and free-auction deals together.

    Each kind is weighted in its own way; together they count by their numbers of deals. Samples are by `a`, `d`, `o`,
    as in `rows`.
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
    """The figures for a number of bouts, or for a contract: as the taker, contracts made, and in defence."""

    attack: Sum = field(default_factory=Sum)
    defence: Sum = field(default_factory=Sum)
    made: int = 0

    def add(self, den: int, cells: Sequence[int]) -> None:
        self.made += cells[3]
        if cells[0]:
            self.attack.add(den, *cells[:3])
        if cells[4]:
            self.defence.add(den, *cells[4:])

    def over(self, common: int) -> list[int]:
        return [*self.attack.over(common), self.made, *self.defence.over(common)]

    @cached_property
    def attacks(self) -> PercentageFigure:
        return figure_of((ONE, self.attack.sample))

    @cached_property
    def defences(self) -> PercentageFigure:
        return figure_of((ONE, self.defence.sample))


@dataclass
class Mate:
    """The figures with a companion at the table: the number of deals, and the player's notes in two kinds of deals.

    `together` are the deals that both defended, `against` those that one of them took.
    """

    deals: int = 0
    together: Sum = field(default_factory=Sum)
    against: Sum = field(default_factory=Sum)

    def add(self, den: int, cells: Sequence[int]) -> None:
        self.deals += cells[0]
        if cells[1]:
            self.together.add(den, *cells[1:4])
        if cells[4]:
            self.against.add(den, *cells[4:7])

    def join(self, other: "Mate") -> None:
        """Add the figures of the same person under another number."""
        self.deals += other.deals
        for mine, theirs in ((self.together, other.together), (self.against, other.against)):
            for den, cells in theirs.cells.items():
                mine.add(den, *cells)

    def over(self, common: int) -> list[int]:
        return [self.deals, *self.together.over(common), *self.against.over(common)]

    @cached_property
    def with_him(self) -> PercentageFigure:
        return figure_of((ONE, self.together.sample))

    @cached_property
    def against_him(self) -> PercentageFigure:
        return figure_of((ONE, self.against.sample))


class Where(NamedTuple):
    """The session of an étui, and the version of the publication to which the page links."""

    session: int
    version: int
    date: str


class BestDeal(NamedTuple):
    """One of a player's best étuis: its number, the player's note there, the number of compared plays, the part.

    `ahead` is by how many points the player did better than the median of the others, None if it is not known.
    """

    where: Where
    etui: int
    note: Fraction
    compared: int
    part: str
    ahead: Fraction | None = None

    @classmethod
    def read(cls, where: Where, etui: int, note: Fraction, told: Sequence[Any]) -> "BestDeal":
        """Read the stored fields of an étui after its note. Rows of the first format have no `ahead`."""
        compared, part, *ahead = told
        return cls(where, etui, note, compared, part, Fraction(ahead[0]) if ahead and ahead[0] else None)

    def to_data(self) -> list[Any]:
        """Return the étui in the form stored as JSON."""
        ahead = None if self.ahead is None else str(self.ahead)
        return [self.where, self.etui, str(self.note), self.compared, self.part, ahead]


def goodness(best: BestDeal) -> tuple[Any, ...]:
    """Return the sort key that puts the best étui first: note, number of compared plays, points ahead of the others.

    Étuis that are equal in all of these stand by date, the newest first.
    """
    ahead = best.ahead is None, -(best.ahead or 0)
    return -best.note, -best.compared, *ahead, -dt.date.fromisoformat(best.where.date).toordinal(), best.etui


class Totals:
    """The totals of rows, or of totals added up before."""

    def __init__(self) -> None:
        self.imposed: defaultdict[str, Sum] = defaultdict(Sum)
        self.free: defaultdict[str, Sum] = defaultdict(Sum)
        self.notes: Counter[NoteKey] = Counter()
        self.tables: dict[str, defaultdict[str, Cell]] = {"b": defaultdict(Cell), "c": defaultdict(Cell)}
        self.mates: defaultdict[int, Mate] = defaultdict(Mate)
        self.best: list[BestDeal] = []

    def add(self, figures: dict[str, Any], *, is_free: bool, where: Where) -> None:
        """Add the figures of a row, in the form of `rows`."""
        if figures:
            self.add_all(figures, self.free if is_free else self.imposed)
            den = figures["den"]
            self.best += (BestDeal.read(where, n, Fraction(note, den), told) for n, note, *told in figures["best"])

    def add_kept(self, kept: dict[str, Any]) -> None:
        """Add stored totals, in the form of `to_data`."""
        for name, sums in (("imposed", self.imposed), ("free", self.free)):
            for part, cells in kept[name].items():
                sums[part].add(kept["den"], *cells)
        self.add_all(kept, {})
        self.best += (BestDeal.read(Where(*where), n, Fraction(note), told) for where, n, note, *told in kept["best"])

    def add_all(self, figures: dict[str, Any], sums: Mapping[str, Sum]) -> None:
        den = figures["den"]
        for part in PARTS:
            if part in figures:
                sums[part].add(den, *figures[part])
        for compared, note, count in figures.get("n", ()):  # missing in rows of the first format
            self.notes[NoteKey(compared, den, note)] += count
        for name in figures.keys() & self.tables.keys():
            for key, cells in figures[name].items():
                self.tables[name][key].add(den, cells)
        for who, *cells in figures["m"]:
            self.mates[who].add(den, cells)

    def to_data(self) -> dict[str, Any]:
        """Return all totals in the form stored as JSON, over one denominator."""
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
        """Return the counts of notes over one denominator, a multiple of each: `[plays compared, note, count]`."""
        counts: Counter[tuple[int, int]] = Counter()
        for key, count in self.notes.items():
            counts[key.compared, key.note * (common // key.den)] += count
        return [[*key, count] for key, count in sorted(counts.items())]

    def samples(self, sums: Mapping[str, Sum]) -> dict[str, Sample]:
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
        """The interval of the overall percentage, however many deals there are."""
        found = find_interval(*weigh_deals(self.samples(self.imposed), self.samples(self.free)))
        return found and found.within(*ALL_NOTES)

    @property
    def deals(self) -> int:
        return sum(cells[0] for each in (*self.imposed.values(), *self.free.values()) for cells in each.cells.values())

    @cached_property
    def heights(self) -> list[int]:
        """The number of notes in each of several equally wide bands from 0 to 100; empty if no notes are stored."""
        return count_in_bands(self.notes) if self.notes else []

    @property
    def by_bouts(self) -> list[tuple[str, Cell]]:
        return sorted(self.tables["b"].items())

    @property
    def by_contract(self) -> list[tuple[str, Cell]]:
        """The figures by contract, from the lowest to the highest."""
        order = list(map(str, Contract))
        return sorted(self.tables["c"].items(), key=lambda each: order.index(each[0]))
