"""The script that readers can run: plain Python, few lines. It deals the deals of the site again and compares."""

import random
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from deals.domain.deal import Deal, dumps
from deals.domain.dealing import commitment, deal_etui, mix_seed, seed_commitment
from deals.domain.profile import PROFILES, accepts_etui, evaluate_1

FOLDER = Path(__file__).parents[2] / "deals" / "static" / "deals"
SEED = bytes(range(32))


def published(etuis=range(220, 231), **told):
    """Return the file of a set as its page offers it."""
    players, profile, value = int(told.get("players", 4)), told.get("profile", ""), told.get("value", "")
    seed = mix_seed(SEED, value) if value else SEED
    bound = commitment(SEED, players, profile, told.get("value-name", ""))
    head = {"commitment": bound, "seed": SEED.hex(), **told}
    lines = [f"{key} {text}" for key, text in head.items()]
    for etui in etuis:
        accept = accepts_etui(profile, etui) if profile else None
        lines.append(f"{etui} {dumps(deal_etui(seed, etui, players, accept).deal)}")
    return "\n".join(lines) + "\n"


def run(text, folder, script=FOLDER / "topage_deals.py"):
    file = folder / "set.txt"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-S", "-E", str(script), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"players": 3},
        {"players": 5, "value-name": "Loto", "value": "7 12 19"},
        {"value-name": "Loto du 21 novembre : é", "value": " 7  12 19 é"},
        {"profile": "garde-1"},
        {"profile": "garde-1-south"},
        {"profile": "auction-1"},
        {"profile": "garde-1", "value-name": "Loto", "value": "7 'x' \u2028 12"},
    ],
    ids=str,
)
def test_script_deals_the_set_of_the_site_again(told, tmp_path):
    code, lines, errors = run(published(**told), tmp_path)
    assert (code, errors, lines[1:]) == (0, "", ["11 of 11 agree"])
    assert lines[0].endswith("fits the seed")


def test_script_knows_the_commitment_of_older_sets(tmp_path):
    text = published().replace(commitment(SEED), seed_commitment(SEED))
    assert run(text, tmp_path)[:2] == (0, [f"commitment {seed_commitment(SEED)} fits the seed", "11 of 11 agree"])


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        ({"players": 5}, {"players 5": "players 3"}),
        ({"profile": "garde-1"}, {"profile garde-1\n": ""}),
        ({"value-name": "Loto du 21"}, {"Loto du 21": "Loto du 22"}),
        ({}, {"seed 00": "seed 01"}),
    ],
    ids=str,
)
def test_commitment_binds_all_that_the_deals_follow_from(told, changed, tmp_path):
    text = published(**told)
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    code, lines, _ = run(text, tmp_path)
    assert (code, lines[0][-21:]) == (1, "does NOT fit the seed")


def test_script_names_each_etui_that_is_another(tmp_path):
    text = published().replace("\n223 ", "\n999 ").replace("\n225 ", "\n223 ")
    code, lines, _ = run(text, tmp_path)
    right = [f"board {etui} is NOT what the seed deals: {dumps(deal_etui(SEED, etui).deal)}" for etui in (999, 223)]
    assert (code, lines[1:]) == (1, [*right, "9 of 11 agree"])


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (SEED.hex(), SEED.hex()[2:], "the seed has 62 characters: it needs 64 hexadecimal digits"),
        (SEED.hex(), SEED.hex()[:-1] + "g", "the seed has 64 characters: it needs 64 hexadecimal digits"),
        (SEED.hex(), SEED.hex()[:-2] + " 1", "the seed has 64 characters: it needs 64 hexadecimal digits"),
        ("\n221 ", "\n220 ", "a line of the file comes twice"),
    ],
)
def test_script_refuses_a_file_that_proves_nothing(old, new, error, tmp_path):
    assert run(published().replace(old, new), tmp_path) == (1, [], f"{error}\n")


def test_file_without_etuis_proves_nothing(tmp_path):
    assert run(published(etuis=()), tmp_path)[0] == 1


def test_script_needs_no_second_file_without_a_profile(tmp_path):
    alone = tmp_path / "topage_deals.py"
    alone.write_bytes((FOLDER / "topage_deals.py").read_bytes())
    assert run(published(), tmp_path, alone)[0] == 0
    code, _, errors = run(published(profile="garde-1"), tmp_path, alone)
    assert code == 1
    assert "No module named 'topage_profiles'" in errors


def test_script_has_at_most_fifty_lines():
    assert len((FOLDER / "topage_deals.py").read_text().splitlines()) <= 50


def test_script_accepts_the_hands_at_the_limits_that_the_site_accepts():
    """Check the profiles on boards whose South has the sums just inside and just outside of the limits."""
    accepts = runpy.run_path(str(FOLDER / "topage_profiles.py"))["accepts"]
    chance, sums = random.Random(1), set()
    for board in range(1, 201):
        trumps = chance.sample(range(56, 78), 9)
        others = chance.sample(sorted({*range(78)} - {*trumps}), 69)
        north, east, south, west = others[:18], others[18:36], trumps + others[36:45], others[45:63]
        deal = Deal([north, east, south, west], others[63:])
        sums.add(evaluate_1(south).total)
        for name in PROFILES:
            assert accepts(name, board, [north, east, south, west]) == accepts_etui(name, board)(deal), (name, board)
    assert {47, 48, 58, 59} <= sums
