"""The commands and figures of `docs/dealing.md`: each is true."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from deals.domain.deal import dumps, hand_text, loads
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui

DOCS = (Path(__file__).resolve().parents[3] / "docs" / "dealing.md").read_text(encoding="utf-8")
SEED = bytes(range(32))


def test_script_of_the_docs_prints_the_etuis_and_the_commitment(tmp_path):
    script = tmp_path / "verify.py"
    [code] = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)
    script.write_text(code, encoding="utf-8")
    command = [sys.executable, "-I", str(script), SEED.hex(), "1", "226"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [f"{number} {dumps(deal_etui(SEED, number).deal)}" for number in range(1, 227)]
    assert done.stderr.split()[1] in DOCS


def test_etui_1_of_the_docs_is_dealt():
    [text] = re.findall(r"^  `(\S+ \S+ \S+ \S+ \S+)`;$", DOCS, re.MULTILINE)
    assert loads(text) == deal_etui(SEED, 1).deal


def test_hand_of_the_docs_has_no_heart_and_the_excuse():
    assert "`RV9.-.T1.832.20-9-1*`" in DOCS
    assert hand_text([13, 10, 8, 37, 28, 49, 44, 43, 75, 64, 56, 77]) == "RV9.-.T1.832.20-9-1*"


def test_table_of_takers_and_dealers():
    rows = re.findall(r"^\| \d+–\d+ \| (\d+: .*?) \|$", DOCS, re.MULTILINE)
    cells = [
        (cell.removesuffix(" takes"), dealer)
        for row in rows
        for cell, dealer in zip(row.split(" | "), "NWSE", strict=True)
    ]
    assert cells == [(f"{n}: {taker}", dealer) for n in range(1, 17) for taker, dealer in [taker_and_dealer(n)]]


@pytest.mark.parametrize("profile", ["garde-1", "garde-1-south", "auction-1"])
def test_vector_of_a_profile_is_the_frozen_one(profile):
    lines = "".join(f"{n} {dumps(deal_etui(SEED, n, accept=accepts_etui(profile, n)).deal)}\n" for n in range(1, 37))
    assert f"`{sha256(lines.encode()).hexdigest()}`; `manage.py deal` takes `--profile {profile}`" in DOCS
