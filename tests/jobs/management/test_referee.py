"""The command `manage.py referee`: the vectors, wrong lines beside right ones, and its speed. No database."""

import gzip
import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from referee.games import LONGEST

GOLDEN = Path(__file__).parents[2] / "golden" / "games.jsonl.gz"
LINES = gzip.decompress(GOLDEN.read_bytes()).splitlines()


def judge(path, *args):
    """Return what the command prints for a file, as values of JSON, and its error or None."""
    out, error = io.StringIO(), None
    try:
        call_command("referee", str(path), *args, stdout=out)
    except CommandError as caught:
        error = str(caught)
    return [json.loads(line) for line in out.getvalue().splitlines()], error


def test_vectors_agree_on_every_card():
    told, error = judge(GOLDEN, "--check")
    assert error is None
    assert len(told) == 60
    assert [each["differences"] for each in told] == [[]] * 60
    assert [each["id"] for each in told] == [json.loads(line)["id"] for line in LINES]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda game: game["expected"].update(bouts=3), "expected.bouts"),
        (lambda game: game["tricks"][2].update(winner=0), "tricks[2].winner"),
        (lambda game: game["tricks"][4]["plays"][3]["legal"].pop(), "tricks[4].plays[3].legal"),
        (lambda game: game.update(expected=[]), "expected"),
    ],
    ids=["expected", "winner", "legal", "no object"],
)
def test_check_tells_each_difference_and_its_place(tmp_path, change, place):
    game = json.loads(LINES[0])
    change(game)
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(game) + "\n")
    told, error = judge(path, "--check")
    assert [each["place"] for each in told[0]["differences"]] == [place]
    assert error.startswith("1 of 1 games")
    told, error = judge(path)
    assert ("differences" in told[0], error) == (False, None)


def test_wrong_line_does_not_end_the_rest(tmp_path):
    revoke = json.loads(LINES[1])
    revoke["tricks"][0]["plays"][1]["card"] = revoke["tricks"][5]["plays"][0]["card"]
    wrong = [
        b"{",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        b"9" * 10_000,
        b'{"id": "long", "x": "' + b"x" * 2 * LONGEST + b'"}',
        json.dumps(revoke).encode(),
        json.dumps({**json.loads(LINES[2]), "players": 10**400}).encode(),
    ]
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([LINES[0], *wrong, b"", b"  ", LINES[3]]))
    told, error = judge(path)
    assert ["error" in each for each in told] == [False, *[True] * len(wrong), False]
    codes = [each["error"]["code"] for each in told[1:-1]]
    assert codes == ["json", "shape", "json", "json", "json", "too_long", codes[6], "players"]
    assert told[7]["id"] == revoke["id"]
    assert set(told[7]["error"]) == {"code", "message", "seat", "card", "trick", "legal", "source"}
    assert error.startswith(f"{len(wrong)} of {len(wrong) + 2} games")


@pytest.mark.nightly("process")
def test_command_reads_standard_input_and_says_what_it_cannot_read(tmp_path):
    command = [sys.executable, "manage.py", "referee", "-"]
    run = subprocess.run(command, input=LINES[0], capture_output=True, cwd=settings.BASE_DIR, timeout=120)
    assert (run.returncode, json.loads(run.stdout)["id"]) == (0, 19)
    with pytest.raises(CommandError, match=r"none\.jsonl"):
        call_command("referee", str(tmp_path / "none.jsonl"))
    (tmp_path / "broken.gz").write_bytes(GOLDEN.read_bytes()[:2000])
    with pytest.raises(CommandError, match=r"broken\.gz"):
        call_command("referee", str(tmp_path / "broken.gz"), stdout=io.StringIO())


RECORDS = """record 4
dealer N
taker E garde
trick ♠R ♠3 ♠7 ♠1

record 4
dealer N
taker E garde
trick ♠R ♠1 ♥7 ♠3
trick ♠D ♠2 ♠4 ♠5
claim attack

fiche 4
dealer X
"""


def test_records_are_read_with_their_faults_and_errors(tmp_path):
    path = tmp_path / "records.txt"
    path.write_text(RECORDS, encoding="utf-8")
    told, error = judge(path, "--records")
    assert [each.get("winners") for each in told] == [[1], [1, 1], None]
    assert [[fault["code"] for fault in each["faults"]] for each in told[:2]] == [[], ["denied"]]
    assert (told[0]["points"], told[0]["base_score"]) == (0, None)
    assert told[2]["error"]["code"] == "value"
    assert error.startswith("2 of 3")


@pytest.mark.nightly("process")
def test_five_hundred_games_take_less_than_five_seconds(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join((LINES * 9)[:500]))
    start = time.process_time()
    told, error = judge(path, "--check")
    assert (len(told), error) == (500, None)
    assert time.process_time() - start < 5
