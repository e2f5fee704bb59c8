"""`manage.py movement`: the plan of an evening from a shell, to read and as JSON."""

import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tournaments.domain.movements import cyclic

THREE_TABLES = """\
Tables: 3. Positions: 1. Étuis a position: 2.
After each position, in tables: North stays, East +1, South +2, West +3, étuis −1.

Position 1
table    N    E    S    W  étuis
    1    1    1    1    1  1-2
    2    2    2    2    2  3-4
    3    3    3    3    3  5-6
"""


def movement(*args):
    out = io.StringIO()
    call_command("movement", *args, stdout=out)
    return out.getvalue()


def shell(*args):
    command = [sys.executable, "manage.py", "movement", *args]
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60)


def test_movement_prints_json_in_a_shell():
    done = shell("--tables", "7", "--positions", "5", "--etuis", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    plan = cyclic(7, 5, 3)
    assert json.loads(done.stdout) == {
        "tables": 7,
        "positions": 5,
        "plays": [
            {
                "position": play.position,
                "table": play.table,
                "etuis": list(play.etuis),
                "N": play.north,
                "E": play.east,
                "S": play.south,
                "W": play.west,
            }
            for play in plan.plays
        ],
    }


def test_movement_ends_a_shell_with_1_and_one_line_when_wrong():
    done = shell("--tables", "6", "--positions", "5", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "CommandError: The cyclic movement of 6 tables can play 2 of 5 positions;"
        " the nearest table counts that can play them all are 5 and 7.\n"
    )


def test_movement_to_read():
    assert movement("--tables", "3", "--positions", "1", "--etuis", "2") == THREE_TABLES


def test_movement_without_positions_lasts_as_long_as_it_stays_perfect():
    assert json.loads(movement("--tables", "11", "--json"))["positions"] == 11


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "--tables '': write a whole number."),
        (["--tables", "5", "--positions", "x"], "--positions 'x': write a whole number."),
        (["--tables", "5", "--etuis", "1.5"], "--etuis '1.5': write a whole number."),
        (["--tables", "0"], "0 tables: a movement has 1 to 199."),
        (["--tables", "5", "--positions", "0"], "0 positions: a movement has 1 to 199."),
        (["--tables", "5", "--etuis", "25"], "25 étuis a position: a table plays 1 to 24."),
    ],
)
def test_movement_says_what_is_wrong(args, message):
    with pytest.raises(CommandError) as caught:
        movement(*args)
    assert (str(caught.value), caught.value.returncode) == (message, 1)
