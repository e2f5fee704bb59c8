"""The command `manage.py movement`: the plan of an evening in a shell, as text and as JSON."""

import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from movements import Seating, compute_figures, plan_tables, propose_plans, to_csv, write_figures, write_plays

THREE_TABLES = """\
Tables: 3. Positions: 1. Étuis per position: 2.
The étuis go from table to table, each at one table at a time.
6 étuis to prepare.
Nobody meets anybody twice.
Nobody rests.
Fairness of comparisons: 0%.
Everybody plays 2 of the 6 étuis.
Somebody never attacks, nobody more than 1 time.
After each position, in tables: North stays, East +1, South +2, West +3, étuis −1.

Position 1
table    N    E    S    W  étuis
    1    1    1    1    1  1-2
    2    2    2    2    2  3-4
    3    3    3    3    3  5-6
"""


TWO_TABLES = """\
Tables: 2. Positions: 2. Étuis per position: 1.
All tables play the same étuis in each position.
2 copies of each étui, or tables wait for them.
2 étuis to prepare, 4 with their copies.
Irregular changes of table: follow the guide cards.
4 meetings are repeated, none more than twice.
In theory, no meeting would have to be repeated.
Nobody rests.
Fairness of comparisons: 100%.
Everybody plays every étui.
Somebody never attacks, nobody more than 1 time.

Position 1
table    N    E    S    W  étuis
    1    1    1    1    1  1
    2    2    2    2    2  1

Position 2
table    N    E    S    W  étuis
    1    1    1    2    2  2
    2    2    2    1    1  2
"""
FIVE_PLAYERS = """\
1. 5 players: 1 table; all rest in turn, one in each position. A floating player takes that seat on any line, \
ranked on the floating player’s own.
   2 étuis to prepare.
   Nobody meets anybody twice.
   1 player rests in each position.
   Nobody rests twice.
   Fairness of comparisons: 0%.
   Everybody plays from 0 to 2 of the 2 étuis.
   Somebody never attacks, nobody more than 1 time.
2. 5 players: 2 tables with 3 more who play unranked; nobody rests.
   The étuis go from table to table, each at one table at a time.
   4 étuis to prepare.
   Nobody meets anybody twice.
   Nobody rests.
   Fairness of comparisons: 0%.
   Everybody plays 2 of the 4 étuis.
   Somebody never attacks, nobody more than 1 time.

Tables: 1. Positions: 1. Étuis per position: 2.

Position 1
table    N    E    S    W  étuis
    1    1    1    1    1  1-2
rest: N2
"""


def movement(*args):
    out = io.StringIO()
    call_command("movement", *args, stdout=out)
    return out.getvalue()


def shell(*args, **options):
    command = [sys.executable, "manage.py", "movement", *args]
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60, **options)


def written(plan):
    """Return what the command should say of a plan, from the plan itself."""
    resting = [[f"{'NESW'[member.line]}{member.number}" for member in there] for there in plan.list_resting()]
    worth = compute_figures(plan)
    told = {
        **write_figures(Seating.LINES, worth),
        "exempt": [len(there) for there in resting],
        "perfect": worth.perfect,
    }
    return {**write_plays(plan), "exempt": resting, "figures": told}


@pytest.mark.nightly("print")
def test_movement_prints_json_in_a_shell():
    done = shell("--tables", "7", "--positions", "5", "--etuis", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    plan = plan_tables(7, 5, 3)
    assert {name: said[name] for name in ("tables", "positions", "plays")} == {
        "tables": 7,
        "positions": 5,
        "plays": [
            {
                "position": play.position,
                "table": play.table,
                "etuis": list(play.etuis),
                **dict(zip("NESW", (who.number for who in play.people), strict=True)),
            }
            for play in plan.stops
        ],
    }
    assert said["exempt"] == [[]] * 5
    assert (said["figures"]["perfect"], said["figures"]["balance"]) == (
        True,
        compute_figures(plan_tables(7, 5, 3)).balance,
    )


@pytest.mark.nightly("process")
def test_movement_ends_a_shell_with_1_and_one_line_when_wrong():
    done = shell("--tables", "151", "--positions", "152", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "CommandError: A plan has 1 to 150 tables, not 151: change their number.\n"


@pytest.mark.parametrize(
    ("args", "plan"),
    [
        (["--tables", "6", "--positions", "5"], plan_tables(6, 5)),
        (["--tables", "6", "--etuis", "3"], plan_tables(6, 5, 3)),
        (["--tables", "2", "--positions", "4"], plan_tables(2, 4)),
        (["--tables", "7", "--positions", "5", "--barometer"], plan_tables(7, 5, barometer=True)),
        (["--tables", "4", "--barometer"], plan_tables(4, 4, barometer=True)),
    ],
)
def test_movement_takes_another_rule_where_the_cyclic_one_ends(args, plan):
    assert json.loads(movement(*args, "--json")) == written(plan)


def test_movement_tells_what_another_rule_is_worth():
    assert movement("--tables", "2", "--positions", "2", "--etuis", "1") == TWO_TABLES


def test_movement_proposes_for_any_number_of_players():
    first, *others = propose_plans(30, 5)
    said = json.loads(movement("--players", "30", "--json"))
    assert {name: said[name] for name in written(first.plan)} == written(first.plan)
    assert [len(there) for there in said["exempt"]] == [2] * 5
    assert (said["code"], said["text"]) == (
        "rovers",
        "30 players: 7 tables with 2 floating players, who sit in for other players in each position.",
    )
    assert [(other["code"], other["text"], other["figures"]) for other in said["alternatives"]] == [
        (
            "filler",
            "30 players: 8 tables with 2 more who play unranked; nobody rests.",
            written(others[0].plan)["figures"],
        )
    ]


def test_proposals_to_read_say_what_each_is_worth_and_show_the_first():
    assert movement("--players", "5", "--positions", "1", "--etuis", "2") == FIVE_PLAYERS


@pytest.mark.parametrize("write", [to_csv, lambda plan: json.dumps(write_plays(plan))])
def test_movement_reads_a_plan_and_tells_what_it_is_worth(tmp_path, write):
    file = tmp_path / "plan"
    file.write_text(write(plan_tables(5, 3)))
    said = movement("--import", str(file)).splitlines()
    # a CSV has no announcement, so the plan counts as irregular
    assert [line for line in said if "Irregular" not in line] == [
        "Tables: 5. Positions: 3. Étuis per position: 4.",
        "The étuis go from table to table, each at one table at a time.",
        "20 étuis to prepare.",
        "Nobody meets anybody twice.",
        "Nobody rests.",
        "Fairness of comparisons: 90%.",
        "Everybody plays 12 of the 20 étuis.",
        "Everybody attacks 3 times.",
    ]


def test_movement_reads_what_it_writes(tmp_path):
    file = tmp_path / "plan.json"
    file.write_text(movement("--players", "29", "--json"))
    assert json.loads(movement("--import", str(file), "--json")) == written(propose_plans(29, 5)[0].plan)


@pytest.mark.nightly("process")
def test_plan_with_faults_ends_a_shell_with_1_and_a_line_for_each_mistake():
    text = to_csv(plan_tables(5, 3, 1)).replace("2,1,1,5,4,3", "2,1,2,5,4,3")
    done = shell("--import", "-", input=text)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "Position 2: North 2 sits at tables 1 and 2.\nCommandError: - holds no plan that can be played; faults: 2.\n"
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
        (["--tables", "0"], "A plan has 1 to 150 tables, not 0: change their number."),
        (["--tables", "5", "--positions", "0"], "A plan has 1 to 150 positions, not 0: change their number."),
        (
            ["--tables", "151", "--positions", "2", "--barometer"],
            "A plan has 1 to 150 tables, not 151: change their number.",
        ),
        (["--players", "3"], "A plan is for 4 to 600 players, not 3: change their number."),
        (["--players", "x"], "--players 'x': write a whole number."),
        (["--import", "/no/such/file"], "cannot read /no/such/file: No such file or directory; check the path."),
        (
            ["--tables", "5", "--etuis", "25"],
            "A table plays 1 to 24 étuis in a position, not 25: change the number of étuis per position.",
        ),
    ],
)
def test_movement_says_what_is_wrong(args, message):
    with pytest.raises(CommandError) as caught:
        movement(*args)
    assert (str(caught.value), caught.value.returncode) == (message, 1)
