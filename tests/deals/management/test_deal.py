"""The command `manage.py deal`: the vectors of TDG-1 from a shell, JSON, and one line for each error."""

import hashlib
import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.domain.profile import accepts_etui

SEED = bytes(range(32))


def deal(*args):
    out = io.StringIO()
    call_command("deal", *args, stdout=out)
    return out.getvalue()


def shell(*args):
    command = [sys.executable, "manage.py", "deal", *args]
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60)


@pytest.mark.nightly("print")
def test_deal_prints_the_vector_of_36_etuis_in_a_shell():
    done = shell("--seed", SEED.hex(), "--boards", "1-36")
    digest = hashlib.sha256(done.stdout.encode()).hexdigest()
    expected = "923af29d98a871047e4d3a813e0ed9764159e351d764a1746f725f716d4828ea"
    assert (done.returncode, done.stderr, digest) == (0, "", expected)


@pytest.mark.nightly("process")
def test_deal_ends_a_shell_with_1_and_one_line_when_wrong():
    done = shell("--seed", "00", "--boards", "1-36")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "CommandError: The seed has 2 hexadecimal digits instead of 64.\n"


def test_deal_prints_the_etuis_in_the_order_asked():
    lines = deal("--seed", SEED.hex(), "--boards", "226,1-2").splitlines()
    assert lines == [f"{number} {dumps(deal_etui(SEED, number).deal)}" for number in (226, 1, 2)]


@pytest.mark.parametrize("players", [3, 5])
def test_deal_for_other_numbers_of_players(players):
    line = deal("--seed", SEED.hex(), "--boards", "3", "--players", str(players))
    assert line == f"3 {dumps(deal_etui(SEED, 3, players).deal)}\n"


def test_deal_as_json_has_each_hand_by_itself():
    rows = json.loads(deal("--seed", SEED.hex(), "--boards", "226", "--json"))
    text = dumps(deal_etui(SEED, 226).deal)
    hands = dict(zip(["N", "E", "S", "W", "chien"], text.split(" "), strict=True))
    assert rows == [{"board": 226, "players": 4, "attempt": 1, "deal": text, "hands": hands}]


def test_deal_with_a_taker_profile():
    lines = deal("--seed", SEED.hex(), "--boards", "1-4", "--profile", "garde-1").splitlines()
    dealt = [deal_etui(SEED, number, accept=accepts_etui("garde-1", number)) for number in range(1, 5)]
    assert lines == [f"{number} {dumps(etui.deal)}" for number, etui in enumerate(dealt, 1)]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "The seed has 0 hexadecimal digits instead of 64."),
        (["--seed", "0x12"], "Character 2 of the seed is not a hexadecimal digit: use only 0 to 9 and a to f."),
        (
            ["--seed", SEED.hex(), "--boards", "9-7"],
            "“9-7”: write the étuis as numbers and ranges in rising order, such as 1-36 or 1-4,9.",
        ),
        (["--seed", SEED.hex(), "--boards", "0"], "Étuis are numbered from 1 to 4294967295, not 0."),
        (["--seed", SEED.hex(), "--players", "six"], "A deal is for 3, 4 or 5 players, not six."),
        (["--seed", SEED.hex(), "--players", "6"], "A deal is for 3, 4 or 5 players, not 6."),
        (
            ["--seed", SEED.hex(), "--profile", "x"],
            "“x” is not a taker profile. Use one of these: garde-1, garde-1-south, auction-1.",
        ),
        (
            ["--seed", SEED.hex(), "--profile", "garde-1", "--players", "5"],
            "A taker profile is only for four players, not for 5: remove it.",
        ),
    ],
)
def test_deal_says_what_is_wrong(args, message):
    with pytest.raises(CommandError) as caught:
        deal(*args)
    assert (str(caught.value), caught.value.returncode) == (message, 1)
