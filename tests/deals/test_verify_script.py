"""The script offered to readers: Python alone, forty lines, the same deals as the site's."""

import subprocess
import sys
from pathlib import Path

import pytest

from deals.domain.dealing import commitment, deal_board, mixed_seed
from deals.domain.notation import dumps
from deals.domain.profile import accepts_board

FOLDER = Path(__file__).parents[2] / "deals" / "static" / "deals"
SEED = bytes(range(32))


def script(*arguments, folder=FOLDER):
    command = [sys.executable, "-S", "-E", str(folder / "topage_deals.py"), SEED.hex(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("players", [3, 4, 5])
def test_script_prints_the_deals_of_the_site(players):
    code, lines, _ = script("220", "230", "--players", str(players))
    assert code == 0
    assert lines == [
        f"commitment {commitment(SEED)}",
        *(f"{board} {dumps(deal_board(SEED, board, players).deal)}" for board in range(220, 231)),
    ]


def test_script_mixes_the_public_value():
    _, lines, _ = script("1", "2", "--value", "Loto : 7 12 19 é")
    mixed = mixed_seed(SEED, "Loto : 7 12 19 é")
    assert lines[1:] == [f"{board} {dumps(deal_board(mixed, board).deal)}" for board in (1, 2)]
    assert lines[0] == f"commitment {commitment(SEED)}"


def test_script_follows_the_profile_with_the_second_file():
    _, lines, _ = script("1", "36", "--profile", "garde-1")
    assert lines[1:] == [
        f"{board} {dumps(deal_board(SEED, board, 4, accepts_board('garde-1', board)).deal)}" for board in range(1, 37)
    ]


def test_script_needs_no_second_file_without_a_profile(tmp_path):
    (tmp_path / "topage_deals.py").write_bytes((FOLDER / "topage_deals.py").read_bytes())
    assert script("1", "1", folder=tmp_path)[0] == 0
    code, _, errors = script("1", "1", "--profile", "garde-1", folder=tmp_path)
    assert code == 1
    assert "No module named 'topage_profiles'" in errors


def test_script_has_at_most_forty_lines():
    assert len((FOLDER / "topage_deals.py").read_text().splitlines()) <= 40
