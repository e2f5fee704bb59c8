"""The benchmark of the referee: each ratio stands beside its goal, and a missed goal ends it with 1."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("states", "code"), [("9", 0), ("0.001", 1)])
def test_referee_tells_each_ratio_beside_its_goal(states, code):
    command = [sys.executable, "-m", "bench.referee", "--deals", "10", "--rounds", "2", "--playout", "9"]
    run = subprocess.run([*command, "--states", states], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    figures = re.findall(r"^(\w+) .* ratio +(\d+\.\d\d)(?:   goal ≤ (\S+))?( missed)?$", run.stdout, re.MULTILINE)
    assert [(name, goal) for name, _, goal, _ in figures] == [("plain", ""), ("Playout", "9"), ("GameState", states)]
    assert ([bool(miss) for *_, miss in figures], run.returncode) == ([False, False, bool(code)], code)


def test_each_way_plays_a_deal_to_the_same_end():
    """Check that the ways do the same work: every deal ends after as many tricks."""
    import random

    from bench.referee import play_by_states, play_in_place, play_plainly, start_deal

    state = start_deal(7)
    assert play_in_place(state, random.Random(1)) == play_by_states(state, random.Random(1))
    assert len(play_plainly(state, random.Random(1))) == 18
