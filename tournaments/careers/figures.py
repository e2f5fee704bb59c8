"""What the rows of a career come to together: percentages, tables, who sat with him. Pure, exact, and fast: thousands
of rows are added up as whole numbers, by their denominators."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.intervals import Interval, Sample, find_interval
from scoring.ranking import INDIVIDUAL

FEW = 30  # deals: what rests on fewer is shown with its interval
Parts = tuple[tuple[Fraction, Sample], ...]


@dataclass(slots=True)
class Sum:
    """Samples over several denominators, as whole numbers: count, sum, sum of squares."""

    cells: dict[int, list[int]] = field(default_factory=dict)

    def add(self, den: int, count: int, total: int, squares: int) -> None:
        cells = self.cells.get(den)
        if cells is None:
            self.cells[den] = [count, total, squares]
        else:
            cells[0] += count
            cells[1] += total
            cells[2] += squares

    @property
    def count(self) -> int:
        return sum(cells[0] for cells in self.cells.values())

    @property
    def sample(self) -> Sample:
        return sum(
            (
                Sample(count, Fraction(total, den), Fraction(squares, den * den))
                for den, (count, total, squares) in self.cells.items()
            ),
            Sample(),
        )


class Figure(NamedTuple):
    """A percentage of so many deals, None without one. `interval`: where it rests on few, and anything can be said."""

    mean: Fraction | None
    deals: int
    interval: Interval | None = None

    @property
    def is_few(self) -> bool:
        return 0 < self.deals < FEW


def figure_of(*parts: tuple[Fraction, Sample]) -> Figure:
    """Of the sum of these means, each taken so many times; with its interval where one of them rests on few deals."""
    told = [(weight, sample) for weight, sample in parts if sample.count]
    if not told:
        return Figure(None, 0)
    mean = sum((weight * sample.mean for weight, sample in told if sample.mean is not None), Fraction())
    few = any(sample.count < FEW for _weight, sample in told)
    interval = find_interval(*told) if few else None
    return Figure(mean, sum(sample.count for _, sample in told), interval and interval.within(0, 100))


ONE = Fraction(1)


def weigh_imposed(attack: Sample, defence: Sample) -> Parts:
    """¼ attack and ¾ defence; the other one's mean where there is no deal on one side, as in a session."""
    share = INDIVIDUAL.attack_weight
    assert share is not None
    if attack.count and defence.count:
        return (share, attack), (1 - share, defence)
    return ((ONE, attack if attack.count else defence),)


def weigh(imposed: Mapping[str, Sample], free: Mapping[str, Sample]) -> Parts:
    """The overall percentage of deals with an imposed contract and of a free auction: each by its own way, together by
    how many deals there are of each. Samples by `a`, `d`, `o`, as `rows` has them."""
    fixed = weigh_imposed(imposed["a"], imposed["d"])
    open_ = free["a"] + free["d"] + free["o"]
    counts = imposed["a"].count + imposed["d"].count, open_.count
    if not all(counts):
        return fixed if counts[0] else ((ONE, open_),)
    share = Fraction(counts[0], sum(counts))
    return *((share * weight, sample) for weight, sample in fixed), (1 - share, open_)


@dataclass(slots=True)
class Cell:
    """What he did with so many bouts, or in a contract: as the taker, how many of them he made, and in defence."""

    attack: Sum = field(default_factory=Sum)
    defence: Sum = field(default_factory=Sum)
    made: int = 0

    @property
    def attacks(self) -> Figure:
        return figure_of((ONE, self.attack.sample))

    @property
    def defences(self) -> Figure:
        return figure_of((ONE, self.defence.sample))


@dataclass(slots=True)
class Mate:
    """Somebody who sat at his table: in how many deals, and how those went for him that they defended together, and
    those in which one of them took."""

    deals: int = 0
    together: Sum = field(default_factory=Sum)
    against: Sum = field(default_factory=Sum)

    def add(self, den: int, cells: Sequence[int]) -> None:
        self.deals += cells[0]
        if cells[1]:
            self.together.add(den, *cells[1:4])
        if cells[4]:
            self.against.add(den, *cells[4:7])

    @property
    def with_him(self) -> Figure:
        return figure_of((ONE, self.together.sample))

    @property
    def against_him(self) -> Figure:
        return figure_of((ONE, self.against.sample))


class Best(NamedTuple):
    """One of his best étuis: in which of the rows, its number, his note there, among how many plays, in which part."""

    row: Any
    etui: int
    note: Fraction
    compared: int
    part: str


class Totals:
    """Rows of a career added up."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self.imposed: defaultdict[str, Sum] = defaultdict(Sum)
        self.free: defaultdict[str, Sum] = defaultdict(Sum)
        self.heights = [0] * 10
        self.tables: dict[str, defaultdict[str, Cell]] = {"b": defaultdict(Cell), "c": defaultdict(Cell)}
        self.mates: defaultdict[int, Mate] = defaultdict(Mate)
        self.best: list[Best] = []
        for row in rows:
            if row.figures:
                self.add(row)
        self.best.sort(key=lambda each: (-each.note, -each.compared, -each.row.date.toordinal(), each.etui))

    def add(self, row: Any) -> None:
        figures: dict[str, Any] = row.figures
        den = figures["den"]
        sums = self.free if row.is_free else self.imposed
        for part in ("a", "d", "o"):
            if part in figures:
                sums[part].add(den, *figures[part])
        self.heights = [one + other for one, other in zip(self.heights, figures["h"], strict=True)]
        for name in figures.keys() & self.tables.keys():
            for key, cells in figures[name].items():
                cell = self.tables[name][key]
                cell.made += cells[3]
                if cells[0]:
                    cell.attack.add(den, *cells[:3])
                if cells[4]:
                    cell.defence.add(den, *cells[4:])
        for who, *cells in figures["m"]:
            self.mates[who].add(den, cells)
        self.best += (Best(row, etui, Fraction(note, den), n, part) for etui, note, n, part in figures["best"])

    def samples(self, sums: Mapping[str, Sum]) -> dict[str, Sample]:
        return {part: sums[part].sample if part in sums else Sample() for part in ("a", "d", "o")}

    @property
    def overall(self) -> Figure:
        return figure_of(*weigh(self.samples(self.imposed), self.samples(self.free)))

    @property
    def attack(self) -> Figure:
        return figure_of((ONE, self.imposed["a"].sample + self.free["a"].sample))

    @property
    def defence(self) -> Figure:
        return figure_of((ONE, self.imposed["d"].sample + self.free["d"].sample))

    @property
    def deals(self) -> int:
        return sum(self.heights)
