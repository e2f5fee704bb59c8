"""The charts: whatever the values, all is drawn within the box, labels do not touch, and the SVG is well formed."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from pages.charts import (
    HEIGHT,
    MOST_BARS,
    MOST_DOTS,
    WIDTH,
    ChartPoint,
    Class,
    Value,
    classes,
    draw_bars,
    draw_curve,
    extent,
)

SVG = "{http://www.w3.org/2000/svg}"
ROWS = {
    "none": [],
    "one": [12],
    "two": [3, 150],
    "equal": [7] * 9,
    "all nothing": [0] * 4,
    "negative": [-40, -2, -8],
    "both": [-152, 106, 0, 20],
    "fractions": [Fraction(175, 2), Fraction(1, 3), 0.25],
    "five thousand": [(n * 7919) % 601 - 200 for n in range(5000)],
}


def bars_of(numbers, **more):
    return draw_bars([Value(f"étui {n}", number, **more) for n, number in enumerate(numbers)])


def points_of(numbers, half=None):
    within = {} if half is None else {"low": 0}
    return [
        ChartPoint(f"{n} nov.", number, **(within and {"low": number - half, "high": number + half}))
        for n, number in enumerate(numbers)
    ]


def assert_inside(chart):
    for label in chart.labels:
        start, end = extent(label)
        assert start >= -0.1
        assert end <= WIDTH + 0.1
    for one, other in pairwise(sorted(map(extent, chart.labels))):
        assert one[1] < other[0]
    heights = [tick.y for tick in chart.ticks]
    assert all(0 <= y <= HEIGHT for y in heights)
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize("numbers", ROWS.values(), ids=ROWS)
def test_bars_lie_within_their_box_and_stand_on_the_line_of_nothing(numbers):
    chart = bars_of(numbers)
    assert_inside(chart)
    assert len(chart.bars) == min(len(numbers), len(chart.bars))
    assert (len(chart.bars) == len(numbers)) == (len(numbers) <= MOST_BARS)
    for bar in chart.bars:
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= bar.y + bar.height <= chart.label_y - 10
        assert 10 <= bar.text_y <= chart.label_y - 12 or not bar.text
        edge = bar.y if bar.of.value < 0 else bar.y + bar.height
        assert edge == pytest.approx(chart.base, abs=0.11)
    for one, other in pairwise(chart.bars):
        assert one.x + one.width <= other.x + 0.2


def test_bars_are_as_high_as_their_values():
    chart = bars_of([10, 20, -10])
    one, two, minus = (bar.height for bar in chart.bars)
    assert two == pytest.approx(2 * one, abs=0.2)
    assert minus == pytest.approx(one, abs=0.2)
    assert [bar.text for bar in chart.bars] == ["10", "20", "−10"]


def test_bars_that_are_many_have_a_scale_in_place_of_their_values():
    chart = bars_of(range(40))
    assert {bar.text for bar in chart.bars} == {""}
    assert [tick.text for tick in chart.ticks] == ["0", "10", "20", "30", "40"]
    assert min(bar.x for bar in chart.bars) >= chart.left > bars_of([1, 2]).left


def test_counts_have_no_broken_ticks():
    assert {tick.text for tick in draw_bars([Value("é" * 9, 1)] * 50).ticks} == {"0", "1"}


def test_marked_bar_keeps_its_label_and_outlives_its_stronger_neighbours():
    values = [Value(f"{n}", 5 + n, marked=n == 3333) for n in range(5000)]
    chart = draw_bars(values)
    assert [bar.of.label for bar in chart.bars if bar.of.marked] == ["3333"]
    assert [label.text for label in chart.labels if label.marked] == ["3333"]
    assert all(float(re.match(r"M\S+ (\S+?)l", bar.marker)[1]) > 5 for bar in chart.bars)


def test_long_label_is_shortened_and_stays_within_the_box():
    chart = draw_bars([Value("Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson", n) for n in range(3)])
    assert_inside(chart)
    assert chart.labels[0].text == "Saint-Rémy-en…"


@pytest.mark.parametrize("numbers", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("half", [None, 12])
def test_curve_lies_within_its_box(numbers, half):
    chart = draw_curve(points_of(numbers, half))
    assert_inside(chart)
    for x, y in re.findall(r"[ML](\S+?) ([\d.]+)", f"{chart.line} {chart.band}"):
        assert 0 <= float(x) <= WIDTH
        assert 0 <= float(y) <= HEIGHT
    assert len(chart.dots) == (len(numbers) if len(numbers) <= MOST_DOTS else 0)
    assert bool(chart.line) == (len(numbers) > 1)
    assert bool(chart.band) == (len(numbers) > 1 and half is not None)
    assert len(chart.line) + len(chart.band) < 40_000


def test_curve_shows_at_least_what_it_lies_within_and_cuts_intervals_there():
    chart = draw_curve([ChartPoint("a", 60, 20, 130), ChartPoint("b", 50, -10, 70)], within=(0, 100), middle=50)
    assert [tick.text for tick in chart.ticks][0::4] == ["0", "100"][: len(chart.ticks[0::4])]
    top, bottom = chart.ticks[-1].y, chart.ticks[0].y
    heights = [float(y) for y in re.findall(r"[ML]\S+? ([\d.]+)", chart.band)]
    assert (min(heights), max(heights)) == (top, bottom)
    assert chart.middle == pytest.approx((top + bottom) / 2, abs=0.1)


def test_gap_parts_the_line_and_lone_points_keep_their_whiskers():
    numbers = [40, 50, None, 60, None, 45, 47]
    points = [ChartPoint(f"{n}", value, value and value - 5, value and value + 5) for n, value in enumerate(numbers)]
    chart = draw_curve(points)
    assert (chart.line.count("M"), chart.band.count("Z")) == (2, 2)
    assert [dot.of.value for dot in chart.dots if dot.whisker] == [60]
    whiskers = draw_curve(points, interval="whiskers")
    assert whiskers.band == ""
    assert [bool(dot.whisker) for dot in whiskers.dots] == [True] * 5


def test_points_stand_in_time_where_it_is_told():
    xs = [
        dot.x for dot in draw_curve([ChartPoint("", 1, at=0), ChartPoint("", 1, at=10), ChartPoint("", 1, at=100)]).dots
    ]
    assert xs[1] - xs[0] == pytest.approx((xs[2] - xs[0]) / 10, abs=0.1)


def test_long_line_keeps_its_highest_and_its_lowest():
    numbers = [50] * 5000
    numbers[1234], numbers[4321] = 97, 3
    chart = draw_curve(points_of(numbers), within=(0, 100))
    heights = [float(y) for y in re.findall(r"[ML]\S+? ([\d.]+)", chart.line)]
    top, bottom = chart.ticks[-1].y, chart.ticks[0].y
    drawn = [100 * (bottom - height) / (bottom - top) for height in heights]
    assert (max(drawn), min(drawn)) == (pytest.approx(97, abs=0.2), pytest.approx(3, abs=0.2))
    assert len(heights) < 1000


@given(st.lists(st.integers(-2000, 2000), max_size=200), st.integers(1, 20))
def test_classes_count_every_value_once_and_none_on_both_sides_of_nothing(values, most):
    found = classes(values, most + 1)
    assert sum(each.count for each in found) == len(values)
    assert len(found) <= most + 1
    for each in found:
        assert each.count == sum(each.low <= value <= each.high for value in values)
        assert each.low >= 0 or each.high < 0
    assert all(one.high + 1 == other.low for one, other in pairwise(found))


def test_classes_are_round():
    assert classes([-152, 106, 30, 34], 4) == [
        Class(-200, -101, 1),
        Class(-100, -1, 0),
        Class(0, 99, 2),
        Class(100, 199, 1),
    ]
    assert classes([], 4) == []


def drawn(template, **context):
    with translation.override("fr"):
        return render_to_string(
            f"components/charts/{template}.html", {"key": "k", "title": "Titre & <b>", "desc": "Dit."} | context
        )


@pytest.mark.parametrize("numbers", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("kind", ["bars", "curve"])
def test_what_is_drawn_is_svg_with_a_name_and_no_style_of_its_own(kind, numbers):
    chart = bars_of(numbers, name="Étui « 3 »", people=(4,)) if kind == "bars" else draw_curve(points_of(numbers, 5))
    page = drawn(kind, chart=chart, mark="moi")
    svg = re.search(r"<svg.*</svg>", page, re.DOTALL)[0].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert [root.find(f".//*[@id='{id}']").text for id in root.get("aria-labelledby").split()] == [
        "Titre & <b>",
        "Dit.",
    ]
    assert not [node for node in root.iter() if node.get("style") or any(name.startswith("on") for name in node.attrib)]
    numbers_in = [node.get(name) for node in root.iter() for name in ("x", "y", "width", "height", "cx", "cy", "d")]
    assert not [number for number in numbers_in if number and ("," in number or "e" in number or "nan" in number)]
    shapes = root.findall(f".//{SVG}rect" if kind == "bars" else f".//{SVG}circle")
    assert len(shapes) == len(chart.bars if kind == "bars" else chart.dots)


def test_marked_bar_has_a_sign_and_those_of_a_player_one_that_waits():
    page = drawn("bars", chart=draw_bars([Value("a", 1, marked=True), Value("b", 2), Value("c", 2, people=(7, 8))]))
    assert page.count('class="chart-sign"') == 2
    assert page.count("chart-bar is-marked") == 1
    assert 'data-player="7"' in page
