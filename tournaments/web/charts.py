"""Geometry of charts: values → bars, lines and bands in units of a view box. Pure: knows no page and no language.

A box of 400 units is about 360 px wide on a phone and never more than 480: letters of 14 units stay legible on both.
y grows downwards. Texts come with the values; `say` writes those of the scale.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import ceil, floor, log10
from typing import Literal, NamedTuple

Number = int | float | Fraction
Anchor = Literal["start", "middle", "end"]

WIDTH, HEIGHT = 400, 170
LETTER = 7.7  # width of a letter of 14 units, on the safe side
EDGE, SIDE = 10, 4  # what is free above the plot and beside it
LINE = 17  # the height of a line of text
SIGN = 11  # the height of the sign at a marked bar
MOST_BARS = 180  # more cannot be told apart: of neighbours the strongest is drawn
MOST_DOTS = 60  # points that are drawn one by one; of more the line alone
COLUMN = 2  # units in which points of a long line are drawn as their highest and lowest
MOST_LETTERS = 14  # of a label under the plot; the whole stands in its title and in the table


@dataclass(frozen=True, slots=True)
class Value:
    """One bar to be drawn. `label` stands below it, `name` is said of it as a whole. `people`: ids whose bar it is."""

    label: str
    value: Number
    name: str = ""
    marked: bool = False
    people: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve, None where there is a gap. `at`: its place in time, its place in the row if not told.
    `low` and `high`: its interval."""

    label: str
    value: Number | None
    low: Number | None = None
    high: Number | None = None
    at: Number | None = None
    name: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    text: str
    anchor: Anchor = "middle"
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """`text` is its value where there is room for it, at `text_y`; `marker` the tip of the sign of a marked bar."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    text: str
    text_y: float
    marker: str
    of: Value


@dataclass(frozen=True, slots=True)
class Bars:
    width: int
    height: int
    left: float
    right: float
    base: float
    bars: list[Bar]
    ticks: list[Tick]
    labels: list[Label]
    label_y: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A point that is drawn; `whisker` is its interval as (top, bottom), or nothing."""

    x: float
    y: float
    whisker: tuple[float, float] | None
    of: Point


@dataclass(frozen=True, slots=True)
class Curve:
    """`line` and `band` are paths; `middle` is the height of the line that points are held against, if there is one."""

    width: int
    height: int
    left: float
    right: float
    line: str
    band: str
    middle: float | None
    dots: list[Dot]
    ticks: list[Tick]
    labels: list[Label]
    label_y: float


@dataclass(frozen=True, slots=True)
class Class:
    """The values from `low` to `high`, both counted in."""

    low: int
    high: int
    count: int


def say_number(value: Number) -> str:
    return f"{float(value):g}".replace("-", "\N{MINUS SIGN}")


def classes(values: Iterable[int], most: int = 16) -> list[Class]:
    """Whole numbers counted in even classes of 1, 2, 5, 10, 20 … , at most so many of them; empty ones between others
    too. None lies on both sides of 0."""
    found = sorted(values)
    if not found:
        return []
    step = 1
    while found[-1] // step - found[0] // step >= most:
        step = next_step(step)
    counts = {key: sum(1 for _ in group) for key, group in groupby(found, key=lambda value: value // step)}
    keys = range(found[0] // step, found[-1] // step + 1)
    return [Class(key * step, (key + 1) * step - 1, counts.get(key, 0)) for key in keys]


def next_step(step: int) -> int:
    """1, 2, 5, 10, 20, 50 …"""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2


def draw_bars(values: Sequence[Value], say: Callable[[Number], str] = say_number, width: int = WIDTH) -> Bars:
    """A bar for each value from the line of 0, in their order: with its value where there is room, else beside a scale.
    Without any, an empty plot."""
    values = strongest(values)
    texts = [say(value.value) for value in values]
    told = widest(texts) <= (width - 2 * SIDE) / max(len(values), 1)
    beyond = LINE * told + SIGN * any(value.marked or value.people for value in values)
    below = beyond if any(value.value < 0 for value in values) else 0
    height = HEIGHT + below
    plot = Plot(EDGE + beyond, height - LINE - EDGE - below)
    heights = [0, *(value.value for value in values)]
    scale = Scale(heights, plot, whole=all(map(is_whole, heights)), even=not told)
    ticks = [] if told else scale.ticks(say)
    left, right = SIDE + widest(tick.text for tick in ticks), width - SIDE
    pitch = (right - left) / max(len(values), 1)
    thick = min(pitch * 0.8, 44) if len(values) < MOST_BARS // 2 else pitch
    base, bars = scale.y(0), []
    for index, (value, text) in enumerate(zip(values, texts, strict=True)):
        middle, tip = left + (index + 0.5) * pitch, scale.y(value.value)
        bars.append(
            Bar(
                x=unit(middle - thick / 2),
                y=unit(min(tip, base)),
                width=unit(thick),
                height=unit(abs(tip - base)),
                middle=unit(middle),
                text=text if told else "",
                text_y=unit(tip - 5 if value.value >= 0 else tip + 15),
                marker=marker(middle, tip, below=value.value < 0, room=LINE * told),
                of=value,
            )
        )
    places = [(bar.middle, value.label, value.marked) for bar, value in zip(bars, values, strict=True)]
    labels = sparse(places, width)
    return Bars(width, height, unit(left), unit(right), unit(base), bars, ticks, labels, height - 6)


def draw_curve(
    points: Sequence[Point],
    *,
    within: tuple[Number, Number] | None = None,
    middle: Number | None = None,
    say: Callable[[Number], str] = say_number,
    interval: Literal["band", "whiskers"] = "band",
) -> Curve:
    """A line through the points, cut where one has no value, with their intervals as a band or as whiskers.

    `within`: what the scale shows at least. `middle`: a value whose line is drawn across. Intervals that go beyond what
    `within` says are drawn up to there.
    """
    known = [point for point in points if point.value is not None]
    held = [clamp(bound, within) for point in known for bound in (point.low, point.high) if bound is not None]
    plot = Plot(EDGE, HEIGHT - LINE - EDGE)
    scale = Scale([*(within or ()), *(point.value for point in known if point.value is not None), *held], plot)
    ticks = scale.ticks(say)
    left, right = SIDE + widest(tick.text for tick in ticks), WIDTH - SIDE - 4
    xs = spread([point.at for point in points], left + 4, right)
    dots = [dot_of(point, x, scale, within) for point, x in zip(points, xs, strict=True) if point.value is not None]
    at = {id(dot.of): dot for dot in dots}
    runs = [[at[id(point)] for point in run] for gap, run in groupby(points, lambda one: one.value is None) if not gap]
    drawn = dots if len(dots) <= MOST_DOTS else [dot for dot in dots if dot.of.marked]
    if interval == "band":
        drawn = [Dot(dot.x, dot.y, None if dot_in_band(dot, runs) else dot.whisker, dot.of) for dot in drawn]
    return Curve(
        width=WIDTH,
        height=HEIGHT,
        left=unit(left),
        right=unit(right + 4),
        line=" ".join(path(thin(run)) for run in runs if len(run) > 1),
        band=" ".join(band_of(run) for run in runs if len(run) > 1) if interval == "band" else "",
        middle=None if middle is None else unit(scale.y(middle)),
        dots=drawn,
        ticks=ticks,
        labels=sparse([(x, point.label, point.marked) for point, x in zip(points, xs, strict=True)], WIDTH),
        label_y=HEIGHT - 6,
    )


class Plot(NamedTuple):
    """Where the highest tick lies, and the lowest."""

    top: int
    bottom: int


class Scale:
    """Values to heights: all of them lie within ticks; where they are equal, between 0 and themselves. Without `even`
    ones they fill the plot."""

    def __init__(self, values: Sequence[Number], plot: Plot, *, whole: bool = False, even: bool = True) -> None:
        self.plot = plot
        least, most = (float(min(values)), float(max(values))) if values else (0.0, 1.0)
        if least == most:
            least, most = (min(least, 0), max(most, 0)) if least else (0.0, 1.0)
        rough = (most - least) / 4
        power = 10.0 ** floor(log10(rough))
        self.step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
        if whole:
            self.step = max(1.0, self.step)
        self.low, self.high = least / self.step, most / self.step
        if even:
            self.low, self.high = floor(self.low + 1e-9), ceil(self.high - 1e-9)

    def y(self, value: Number) -> float:
        share = (float(value) / self.step - self.low) / (self.high - self.low)
        return self.plot.bottom - share * (self.plot.bottom - self.plot.top)

    def ticks(self, say: Callable[[Number], str]) -> list[Tick]:
        exact = Fraction(self.step).limit_denominator(10**6)
        return [Tick(unit(self.y(exact * n)), say(exact * n)) for n in range(floor(self.low), ceil(self.high) + 1)]


def strongest(values: Sequence[Value]) -> Sequence[Value]:
    """Of so many neighbours that all can be drawn, the marked one or the one that is farthest from 0."""
    size = ceil(len(values) / MOST_BARS)
    if size <= 1:
        return values
    groups = (values[start : start + size] for start in range(0, len(values), size))
    return [max(group, key=lambda value: (value.marked, abs(value.value))) for group in groups]


def unit(value: float) -> float:
    return round(value, 1)


def is_whole(value: Number) -> bool:
    return float(value).is_integer()


def widest(texts: Iterable[str]) -> float:
    return max((len(text) * LETTER + 4 for text in texts), default=0.0)


def clamp(value: Number, within: tuple[Number, Number] | None) -> Number:
    return value if within is None else min(max(value, within[0]), within[1])


def marker(x: float, tip: float, *, below: bool, room: float) -> str:
    """A small triangle that points at the bar, beyond its value's text."""
    y, way = (tip + room + 3, 1) if below else (tip - room - 3, -1)
    return f"M{unit(x)} {unit(y)}l-5 {way * 7}h10z"


def spread(places: Sequence[Number | None], left: float, right: float) -> list[float]:
    """The x of each place, in time where all of them are told; a single one, or equal ones, stand in the middle."""
    told = [float(index if place is None else place) for index, place in enumerate(places)]
    if any(place is None for place in places):
        told = [float(index) for index in range(len(places))]
    if not told or min(told) == max(told):
        return [unit((left + right) / 2)] * len(told)
    least, most = min(told), max(told)
    return [unit(left + (place - least) / (most - least) * (right - left)) for place in told]


def sparse(places: Sequence[tuple[float, str, bool]], width: int) -> list[Label]:
    """Labels that do not touch: those marked, then the last, then the others in their order while there is room."""
    ranks = sorted(range(len(places)), key=lambda index: (not places[index][2], index != len(places) - 1, index))
    taken: list[tuple[float, float]] = []
    found: dict[int, Label] = {}
    for index in ranks:
        x, text, marked = places[index]
        label = fit(x, shorten(text), width, marked=marked)
        start, end = extent(label)
        if text and all(end + LETTER <= other or start >= after + LETTER for other, after in taken):
            taken.append((start, end))
            found[index] = label
    return [found[index] for index in sorted(found)]


def fit(x: float, text: str, width: int, *, marked: bool) -> Label:
    half = len(text) * LETTER / 2
    if x - half < 0:
        return Label(0, text, "start", marked)
    return Label(width, text, "end", marked) if x + half > width else Label(x, text, "middle", marked)


def extent(label: Label) -> tuple[float, float]:
    wide = len(label.text) * LETTER
    start = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    return start, start + wide


def shorten(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1].rstrip()}…"


def dot_of(point: Point, x: float, scale: Scale, within: tuple[Number, Number] | None) -> Dot:
    assert point.value is not None
    whisker = None
    if point.low is not None and point.high is not None:
        whisker = (unit(scale.y(clamp(point.high, within))), unit(scale.y(clamp(point.low, within))))
    return Dot(x, unit(scale.y(point.value)), whisker, point)


def dot_in_band(dot: Dot, runs: Sequence[Sequence[Dot]]) -> bool:
    return any(len(run) > 1 and dot.x >= run[0].x and dot.x <= run[-1].x for run in runs)


def thin(run: Sequence[Dot]) -> Iterator[tuple[float, float]]:
    """Of a long line, in each column the first, the highest, the lowest and the last: it looks the same."""
    if len(run) <= MOST_DOTS:
        yield from ((dot.x, dot.y) for dot in run)
        return
    for _, column in groupby(run, key=lambda dot: dot.x // COLUMN):
        dots = list(column)
        kept = {0, len(dots) - 1}
        heights = [dot.y for dot in dots]
        kept |= {heights.index(min(heights)), heights.index(max(heights))}
        yield from ((dots[index].x, dots[index].y) for index in sorted(kept))


def band_of(run: Sequence[Dot]) -> str:
    """The stretches of a line that have intervals, as closed paths: along their tops, and back along their bottoms."""
    paths = []
    for told, group in groupby(run, key=lambda dot: dot.whisker is not None):
        dots = list(group)
        if not told or len(dots) < 2:
            continue
        columns = [list(column) for _, column in groupby(dots, key=lambda dot: dot.x // COLUMN)]
        ends = [
            (column[0].x, min(dot.whisker[0] for dot in column if dot.whisker),
             max(dot.whisker[1] for dot in column if dot.whisker))
            for column in (columns if len(dots) > MOST_DOTS else [[dot] for dot in dots])
        ]  # fmt: skip
        outline = [(x, top) for x, top, _ in ends] + [(x, bottom) for x, _, bottom in reversed(ends)]
        paths.append(f"{path(outline)}Z")
    return " ".join(paths)


def path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
