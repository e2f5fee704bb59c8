"""The table of a full hall: its arithmetic, and a small hall measured from end to end on real servers."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.hall import traffic
from bench.hall.goals import GOALS, HallGoal, MeasuredFigure, MeasureUnit, percentile, spread_figures

pytestmark = pytest.mark.nightly("process")

PROJECT = Path(__file__).resolve().parents[2]
LINE = re.compile(r" (met|MISSED)\b")


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([3], 0.95, 3), ([1, 2], 0.5, 1), (range(1, 21), 0.95, 19), (range(1, 22), 0.95, 20), ([5, 1, 4], 1, 5)],
)
def test_percentile_is_the_smallest_value_that_so_many_do_not_exceed(values, share, expected):
    assert percentile(list(values), share) == expected


def test_nothing_measured_has_no_percentile_and_meets_no_goal():
    assert math.isnan(percentile([], 0.95))
    for goal in GOALS:
        assert not MeasuredFigure(goal, math.nan).is_met(1)


def test_spread_tells_how_many_and_how_long_in_milliseconds():
    assert spread_figures([0.1, 0.2, 0.3]) == "3 × p50 200, p95 300, most 300 ms"


def test_run_at_the_evenings_pace_has_200_entries_and_100_polls():
    """Check that a run has enough requests: the 95th percentile of a few would be that of the slowest one or two."""
    assert traffic.RUN / traffic.BETWEEN_RESULTS >= 200
    assert traffic.DESKS * (traffic.RUN / traffic.LOOK_EVERY - 1) >= 100


def test_milliseconds_are_scaled_by_the_bare_view_and_counts_are_not():
    assert HallGoal("", "", 150, MeasureUnit.MS).limit_here(2) == 300
    assert HallGoal("", "", 4, MeasureUnit.BARE).limit_here(0.5) == 2
    for unit in (MeasureUnit.QUERIES, MeasureUnit.ERRORS, MeasureUnit.PER_SECOND, MeasureUnit.AT_LEAST):
        assert HallGoal("", "", 40, unit).limit_here(0.5) == 40


@pytest.mark.parametrize(
    ("name", "measured", "bare", "met"),
    [
        ("pace enter", 150, 1, True),
        ("pace enter", 150.1, 1, False),
        ("pace enter", 150.1, 2, True),
        ("ranking 304", 1.0, 0.5, True),
        ("ranking 304", 1.1, 0.5, False),
        ("flat rate", 40, 1, True),
        ("flat rate", 39.9, 0.1, False),
        ("flat errors", 1, 9, False),
        ("table queries", 2, 0.1, True),
    ],
)
def test_figure_is_met_or_missed_by_its_goal_on_this_machine(name, measured, bare, met):
    figure = MeasuredFigure(name, measured)
    assert figure.is_met(bare) is met
    assert LINE.findall(figure.line(bare)) == ["met" if met else "MISSED"]


def test_teams_may_need_two_queries_more_for_their_names():
    assert MeasuredFigure("desk queries", 17, more=2).is_met(1)
    assert not MeasuredFigure("desk queries", 17).is_met(1)
    assert "≤ 17" in MeasuredFigure("desk queries", 17, more=2).line(1)


@pytest.mark.parametrize(
    ("arguments", "groups"),
    [
        (["--only", "joins", "cpu", "pace", "readers200", "flat"], ["joins", "cpu", "pace", "readers200", "flat"]),
        (["--laptop", "--only", "laptop-flat"], ["laptop-flat"]),
        (["--only", "field", "--clubs", "2"], ["field"]),
        (["--only", "cpu", "flat", "--format", "triplettes"], ["cpu", "flat"]),
        (["--only", "free"], ["free"]),
        (["--only", "cpu", "--format", "donnes_libres"], ["cpu"]),
        (["--only", "cpu", "pace", "--format", "free_auction_3"], ["cpu", "pace"]),
        (["--only", "cpu", "--format", "free_auction_5"], ["cpu"]),
    ],
    ids=["server", "laptop", "field", "triplettes", "free", "free pages", "at three", "at five"],
)
def test_small_hall_is_measured_on_real_servers(arguments, groups, request):
    migrated = request.getfixturevalue("migrated_laptop" if "--laptop" in arguments else "migrated_server")
    arguments = ["--tables", "5", "--times", "1", "--seconds", "1", "--migrated", str(migrated), *arguments]
    command = [sys.executable, "-m", "bench.hall", *arguments]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    run = subprocess.run(command, cwd=PROJECT, env=ours, capture_output=True, text=True, timeout=300)
    told = [line for line in run.stdout.splitlines() if LINE.search(line)]
    asked = [goal.text for goal in GOALS.values() if goal.group in groups]
    assert sorted(line[: len(text)] for line, text in zip(sorted(told), sorted(asked), strict=True)) == sorted(asked)
    missed = sum("MISSED" in line for line in told)
    assert f"\n{missed} missed, after" in run.stdout, run.stderr
    assert run.returncode == (1 if missed else 0), run.stderr
    counts = [line for line in told if "errors" in line or "deals left" in line]
    assert not [line for line in counts if "MISSED" in line], run.stdout
