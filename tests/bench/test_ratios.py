"""The benchmarks of requests, standings and notes: each prints every figure and compares it with its goal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def bench(name, *arguments):
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "REDIS", "DATABASE"))}
    command = [sys.executable, "-m", f"bench.{name}", *arguments]
    run = subprocess.run(command, cwd=PROJECT, env=ours, capture_output=True, text=True, timeout=300)
    assert run.returncode in (0, 1), run.stderr
    assert run.stderr == ""
    return run.stdout, run.returncode


def far(measured, goal):
    """Return True if the two differ by more than the rounding can explain."""
    return abs(float(measured) - float(goal)) > 0.005


@pytest.mark.nightly("story")
def test_evening_tells_each_ratio_beside_its_goal(migrated_laptop):
    told, code = bench("evening", "--rounds", "1", "--tables", "5", "10", "--migrated", str(migrated_laptop))
    figures = re.findall(r"^(.+?) +(\d+\.\d\d)   goal ≤ (\S+?)( +missed)?$", told, re.MULTILINE)
    assert [goal for _, _, goal, _ in figures] == ["3.33333", "1.42857", "1.25", "4", "1.5", "3"], told
    assert all(
        bool(missed) == (float(measured) > float(goal)) for _, measured, goal, missed in figures if far(measured, goal)
    )
    assert code == any(missed for *_, missed in figures)


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("most", "code"), [("1000", 0), ("0", 1)])
def test_notes_are_measured_and_held_to_what_is_asked(most, code):
    told, ended = bench(
        "topage", "--etuis", "2", "--tables", "200", "--rounds", "1", "--at-most", most, "--growth", "1000"
    )
    assert told.startswith("400 plays, 181 different scores: topage takes ")
    assert "800 players of 400 plays ranked: " in told
    assert ended == code
