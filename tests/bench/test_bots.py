"""The benchmark of the bots, and the table of their strength."""

import re

import pytest

from bench.strength.__main__ import compare, list_tasks, make_table, read_kept
from bench.strength.games import WEAK, play_task
from tests.bench.test_ratios import bench


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("ten", "code"), [("100000", 0), ("0.0001", 1)])
def test_bots_tell_the_time_of_a_decision_beside_its_goal(ten, code):
    told, ended = bench("bots", "--deals", "1", "--ten", ten, "--levels", "policy", "10")
    lines = re.findall(r"^level (\w+) +\d+\.\d\d ms a decision .* ms(?:   goal ≤ (\S+))?( missed)?$", told, re.M)
    assert [name for name, *_ in lines] == ["policy", "10"]
    assert [bool(missed) for *_, missed in lines] == [False, bool(code)]
    assert ended == code
    assert re.search(r"^playouts a second: short policy \d+, plain referee with random cards \d+$", told, re.M)


@pytest.mark.nightly("story")
def test_vetoes_tell_points_petits_and_times():
    told, _ended = bench("vetoes", "--deals", "2", "--views", "40", "--processes", "1")
    assert len(re.findall(r"^(?:attack|defence) gains [+-]\d+\.\d ± \d+\.\d points by vetoes$", told, re.M)) == 2
    assert re.search(r"^Petits lost against a veto: \d+ without, 0 with$", told, re.M)
    assert re.search(r"^a decision: \d+\.\d\d ms without, \d+\.\d\d ms with \([+-]\d+\.\d%\)", told, re.M)


def test_draws_stand_beside_the_true_hands():
    told, ended = bench("draws", "--deals", "1", "--draws", "2")
    lines = re.findall(
        r"^(attack|defence) +trick +(\d+) +(\w+) +with the taker +[\d.]+%   drawn +[\d.]+%   error", told, re.M
    )
    assert ended == 0
    assert {int(trick) for _side, trick, _kind in lines} == {1, 4, 7, 11}
    assert {kind for _side, _trick, kind in lines} == {"bouts", "trumps", "Rois", "honours", "others"}
    assert len(re.findall(r"^(?:attack|defence) +error of all cards 0\.\d{4}$", told, re.M)) == 2


def test_tasks_of_an_etui_stand_together():
    tasks = list(list_tasks({"policy": 2, "10": 1, "100": 1}, 3))
    assert [etui for *_, etui in tasks] == sorted(etui for *_, etui in tasks)
    assert ("10", "policy", 1) in tasks
    assert ("10", "policy", 2) not in tasks
    assert [etui for attack, defence, etui in tasks if (attack, defence) == ("100", "10")] == [1, 2, 3]
    assert len(tasks) == len(set(tasks))


def test_table_compares_the_same_etuis_only(tmp_path):
    results = {("policy", "policy", etui): 10 for etui in (1, 2, 3)}
    results |= {("10", "policy", 1): 30, ("10", "policy", 2): 20, ("policy", "10", 1): 4}
    gain = compare(results, ("10", "policy"), ("policy", "policy"))
    assert (gain.mean, gain.count) == (15.0, 2)
    assert "| 10 over policy | +15.0 ± 5.0 (2 étuis) | +6.0 ± 0.0 (1 étuis), not seen |" in make_table(results, ["10"])
    kept = tmp_path / "kept.jsonl"
    assert read_kept(kept) == {}
    kept.write_text('["10", "policy", 1, 30]\n')
    assert read_kept(kept) == {("10", "policy", 1): 30}


def test_yardstick_plays_the_same_every_time():
    """Check golden scores: the yardstick never changes."""
    assert [play_task((WEAK, WEAK, etui))[1] for etui in range(1, 6)] == GOLDEN


GOLDEN = [-104, -84, 60, 56, -64]
