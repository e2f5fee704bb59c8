"""The geometry of charts: values become bars, lines and bands. It knows no page and no language.

All lengths are in units of the SVG's view box; y grows downwards. The box is 400 units wide: about 360 px on a phone,
480 px at most, so letters of 14 units stay legible. `say` is a function that writes a number of the scale as text.
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
LETTER = 7.7  # width of a letter of 14 units, rounded up for safety
EDGE, SIDE = 10, 4  # free space above the plot, and beside it
LINE = 17  # height of a line of text
SIGN = 11  # height of the sign at a marked bar
MOST_BARS = 180  # nobody can tell more bars apart: of a group of neighbours, only the one farthest from 0 is drawn
MOST_DOTS = 60  # the most points that are drawn one by one; with more, only the line is drawn
COLUMN = 2  # width of the columns into which a long line is cut: few points of each column are drawn
MOST_LETTERS = 14  # the most letters of a label under the plot; the bar's title and the table have the whole text


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be drawn as a bar.

    `label` is written below the bar; `name` describes the bar in full. `people` are the ids of its players.
    """

    label: str
    value: Number
    name: str = ""
    marked: bool = False
    people: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point of a curve. Its value is None where the curve has a gap.

    `at` is its time as a number. If a point has no time, all points have equal distances. `low` and `high` are the
    ends of its interval.
    """

    label: str
    value: Number | None
    low: Number | None = None
    high: Number | None = None
    at: Number | None = None
    name: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ChartLabel:
    x: float
    text: str
    anchor: Anchor = "middle"
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ChartTick:
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A drawn bar.

    `text` is its value, or "" if there is no room; `text_y` is the text's height. `marker` is the SVG path of a sign.
    """

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
    ticks: list[ChartTick]
    labels: list[ChartLabel]
    label_y: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A drawn point. `whisker` is its interval as (y of the top, y of the bottom), or None."""

    x: float
    y: float
    whisker: tuple[float, float] | None
    of: ChartPoint


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn curve. `line` and `band` are SVG paths; `middle` is the y of a line across for comparison, or None."""

    width: int
    height: int
    left: float
    right: float
    line: str
    band: str
    middle: float | None
    dots: list[Dot]
    ticks: list[ChartTick]
    labels: list[ChartLabel]
    label_y: float


@dataclass(frozen=True, slots=True)
class Class:
    """The number of values from `low` to `high`, both included."""

    low: int
    high: int
    count: int


def say_number(value: Number) -> str:
    return f"{float(value):g}".replace("-", "\N{MINUS SIGN}")


def classes(values: Iterable[int], most: int = 16) -> list[Class]:
    """Count whole numbers in classes of equal width. Return at most `most` classes, from the lowest to the highest.

    The width is 1, 2, 5, 10, 20, and so on. Empty classes between others are included. No class has values below 0
    and values from 0 on.
    """
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
    """Return the step after this one in the series 1, 2, 5, 10, 20, 50, and so on."""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2


def draw_bars(values: Sequence[Value], say: Callable[[Fraction], str] = say_number, width: int = WIDTH) -> Bars:
    """Return a chart with a bar for each value, in the order given. Each bar begins at the line of 0.

    If there is room, each bar has its value as text. Otherwise the chart has a scale. Without values it is empty.
    """
    values = strongest(values)
    texts = [say(Fraction(value.value)) for value in values]
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
    points: Sequence[ChartPoint],
    *,
    within: tuple[Number, Number] | None = None,
    middle: Number | None = None,
    say: Callable[[Fraction], str] = say_number,
    interval: Literal["band", "whiskers"] = "band",
) -> Curve:
    """Return a line through the points, cut where a point has no value, with the intervals as a band or as whiskers.

    `within` is (low, high): the scale shows at least this range, and intervals are cut at its ends. `middle` is a
    value at which a line is drawn across.
    """
    known = [point for point in points if point.value is not None]
    held = [clamp(bound, within) for point in known for bound in (point.low, point.high) if bound is not None]
    plot = Plot(EDGE, HEIGHT - LINE - EDGE)
    scale = Scale([*(within or ()), *(point.value for point in known if point.value is not None), *held], plot)
    ticks = scale.ticks(say)
    left, right = SIDE + widest(tick.text for tick in ticks), WIDTH - SIDE - 4
    xs = spread_places([point.at for point in points], left + 4, right)
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
    """The heights of the highest and the lowest tick."""

    top: int
    bottom: int


class Scale:
    """A scale that maps values to heights. With `even` it begins and ends at a tick.

    Without `even` it begins at the lowest value and ends at the highest. If all values are equal, it begins at 0.
    """

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

    def ticks(self, say: Callable[[Fraction], str]) -> list[ChartTick]:
        exact = Fraction(self.step).limit_denominator(10**6)
        return [ChartTick(unit(self.y(exact * n)), say(exact * n)) for n in range(floor(self.low), ceil(self.high) + 1)]


def strongest(values: Sequence[Value]) -> Sequence[Value]:
    """Return the values or, if they are too many, one of each group: the marked one, else the farthest from 0."""
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
    """Return the path of a small triangle that points at the bar, beyond the text of its value."""
    y, way = (tip + room + 3, 1) if below else (tip - room - 3, -1)
    return f"M{unit(x)} {unit(y)}l-5 {way * 7}h10z"


def spread_places(places: Sequence[Number | None], left: float, right: float) -> list[float]:
    """Return the x of each place: by time if all are known, else at equal distances. Equal places are in the middle."""
    told = [float(index if place is None else place) for index, place in enumerate(places)]
    if any(place is None for place in places):
        told = [float(index) for index in range(len(places))]
    if not told or min(told) == max(told):
        return [unit((left + right) / 2)] * len(told)
    least, most = min(told), max(told)
    return [unit(left + (place - least) / (most - least) * (right - left)) for place in told]


def sparse(places: Sequence[tuple[float, str, bool]], width: int) -> list[ChartLabel]:
    """Return labels that do not touch each other. Marked labels come first, then the last one, then all others."""
    ranks = sorted(range(len(places)), key=lambda index: (not places[index][2], index != len(places) - 1, index))
    taken: list[tuple[float, float]] = []
    found: dict[int, ChartLabel] = {}
    for index in ranks:
        x, text, marked = places[index]
        label = fit(x, shorten(text), width, marked=marked)
        start, end = extent(label)
        if text and all(end + LETTER <= other or start >= after + LETTER for other, after in taken):
            taken.append((start, end))
            found[index] = label
    return [found[index] for index in sorted(found)]


def fit(x: float, text: str, width: int, *, marked: bool) -> ChartLabel:
    half = len(text) * LETTER / 2
    if x - half < 0:
        return ChartLabel(0, text, "start", marked)
    return ChartLabel(width, text, "end", marked) if x + half > width else ChartLabel(x, text, "middle", marked)


def extent(label: ChartLabel) -> tuple[float, float]:
    wide = len(label.text) * LETTER
    start = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    return start, start + wide


def shorten(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1].rstrip()}…"


def dot_of(point: ChartPoint, x: float, scale: Scale, within: tuple[Number, Number] | None) -> Dot:
    assert point.value is not None
    whisker = None
    if point.low is not None and point.high is not None:
        whisker = (unit(scale.y(clamp(point.high, within))), unit(scale.y(clamp(point.low, within))))
    return Dot(x, unit(scale.y(point.value)), whisker, point)


def dot_in_band(dot: Dot, runs: Sequence[Sequence[Dot]]) -> bool:
    return any(len(run) > 1 and dot.x >= run[0].x and dot.x <= run[-1].x for run in runs)


def thin(run: Sequence[Dot]) -> Iterator[tuple[float, float]]:
    """Yield the points (x, y) of a line. Of a long line, yield the first, highest, lowest and last of each column."""
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
    """Return SVG paths around the intervals of a line: along their tops, and back along their bottoms."""
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
