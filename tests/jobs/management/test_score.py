"""The command `manage.py score`: the figures of given files, and the errors of a wrong file. No database."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

GOLDEN = Path(__file__).parents[2] / "golden"
VECTORS = ["fft_examples.csv", "rule_page_examples.csv"]
EXPECTED = {  # computed column → column of the given file
    "fft_examples.csv": {"taker": "taker_score", "partner": "partner_score", "defender": "defender_score"},
    "rule_page_examples.csv": {"base_score": "base_score", "taker": "taker", "defender": "defender"},
}


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "manage.py", "score", *args]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=settings.BASE_DIR, timeout=60)


@pytest.mark.parametrize("name", VECTORS)
def test_score_gives_the_figures_of_the_vectors(name, capsys):
    call_command("score", str(GOLDEN / name))
    given = rows((GOLDEN / name).read_text(encoding="utf-8"))
    computed = rows(capsys.readouterr().out)
    assert len(computed) == len(given)
    for ours, theirs in zip(computed, given, strict=True):
        figures = {column: ours[column] or "0" for column in EXPECTED[name]}
        assert figures == {column: theirs[expected] for column, expected in EXPECTED[name].items()}
        assert ours["base_score"] == str(-int(ours["defender"]))
        assert ours["source"] == theirs["source"]


def test_score_keeps_other_columns_and_puts_its_own_last(capsys):
    call_command("score", str(GOLDEN / "rule_page_examples.csv"))
    assert capsys.readouterr().out.splitlines()[0] == (
        "source,example,players,contract,bouts,points,petit_au_bout,poignee_attack,poignee_defence,chelem,"
        "made,base_score,taker,partner,defender"
    )


@pytest.mark.nightly("process")
def test_score_runs_as_a_program_from_a_file_and_from_standard_input():
    path = GOLDEN / "fft_examples.csv"
    from_file, from_stdin = run(str(path)), run("-", stdin=b"\xef\xbb\xbf" + path.read_bytes())
    assert (from_file.returncode, from_file.stderr) == (0, b"")
    assert (from_stdin.returncode, from_stdin.stdout) == (0, from_file.stdout)
    assert [row["base_score"] for row in rows(from_file.stdout.decode())] == [
        *("106", "76", "-42", "92", "582"),
        *("-26", "26", "-26", "26"),
    ]


@pytest.mark.nightly("print")
def test_score_tells_every_wrong_row_and_prints_nothing():
    done = run("-", stdin=b"contract,bouts,points\ngarde,2,49\ngarde,2,92\ngarde,x,49\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == [
        "line 3, points: The attack’s points run from 0 to 91, not 92: correct the points.",
        "line 4, bouts: “x” is not a number: write bouts in digits.",
        "CommandError: the file has wrong lines; nothing was scored.",
    ]


def test_score_says_which_file_it_cannot_read(tmp_path):
    latin = tmp_path / "latin.csv"
    latin.write_bytes("contract,bouts,points,note\ngarde,2,49,été\n".encode("latin-1"))
    with pytest.raises(CommandError, match=r"latin.csv is not UTF-8 \(byte 39\); save it as CSV UTF-8"):
        call_command("score", str(latin))
    with pytest.raises(CommandError, match=r"cannot read .*none.csv: No such file or directory; check the path"):
        call_command("score", str(tmp_path / "none.csv"))
