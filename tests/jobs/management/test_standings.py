"""The command `manage.py standings`: the regulation's example, and an evening against plain arithmetic. No database."""

import csv
import io
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

GOLDEN = Path(__file__).parents[2] / "golden"
HEADER = "etui,N,E,S,W,taker,base_score\n"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "standings", *args]
    return subprocess.run(
        command, input=stdin, capture_output=True, cwd=settings.BASE_DIR, encoding="utf-8", timeout=60
    )


@pytest.fixture
def five_tables():
    """Return the regulation's étui, in which North takes at five tables, and its plays as a file."""
    (example,) = json.loads((GOLDEN / "fft_duplicate.json").read_text(encoding="utf-8"))["topage_p17_p18"]
    plays = [f"1,N{n},E{n},S{n},W{n},N,{score:+}" for n, score in enumerate(example["scores"])]
    return example, HEADER + "\n".join(plays)


def test_standings_give_the_regulations_notes(five_tables, tmp_path, capsys):
    example, text = five_tables
    path = tmp_path / "plays.csv"
    path.write_text(text, encoding="utf-8")
    call_command("standings", str(path))
    percent = {row["player"]: row["global"] for row in rows(capsys.readouterr().out)}
    assert [percent[f"N{n}"] for n in range(5)] == [f"{note}.000000" for note in example["taker_percent"]]
    for line in "ESW":
        assert [percent[f"{line}{n}"] for n in range(5)] == [f"{note}.000000" for note in example["defender_percent"]]


@pytest.mark.nightly("process")
def test_standings_run_as_a_program_from_standard_input(five_tables):
    done = run("-", stdin="\ufeff" + five_tables[1].replace("-", "−").replace(",W,", ",O,"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == [
        "player,line,attack,defence,global,rank_general,rank_alterne",
        "N1,N,100.000000,,100.000000,1,1",
    ]


def evening(rng: random.Random) -> list[dict[str, str]]:
    """Return an evening of 28 players at 7 tables, 7 positions of 4 étuis, with a few plays missing."""
    plays = []
    for position in range(7):
        for number in range(7):
            for taker in range(4):
                etui = 4 * ((number + 3 * position) % 7) + taker + 1
                seats = {line: f"{line}{(number + step * position) % 7}" for step, line in enumerate("NESW")}
                score = "" if rng.random() < 0.03 else str(rng.randrange(-160, 160, 2))
                plays.append({"etui": str(etui), **seats, "taker": "NESW"[taker], "base_score": score})
    return plays


def test_standings_of_an_evening_equal_plain_arithmetic(tmp_path, capsys):
    plays = evening(random.Random(20))
    path = tmp_path / "plays.csv"
    path.write_text(HEADER + "\n".join(",".join(play.values()) for play in plays), encoding="utf-8")
    call_command("standings", str(path))
    ranked = rows(capsys.readouterr().out)
    notes: dict[tuple[str, bool], list[Fraction]] = {}
    scored = [play for play in plays if play["base_score"]]
    for play in scored:
        own = int(play["base_score"])
        others = [int(other["base_score"]) for other in scored if other["etui"] == play["etui"] and other is not play]
        beaten = sum(Fraction((own > other) + (own >= other), 2) for other in others)
        for line in "NESW":
            attacks = line == play["taker"]
            note = 100 * beaten / len(others)
            notes.setdefault((play[line], attacks), []).append(note if attacks else 100 - note)
    mean = {key: sum(found) / len(found) for key, found in notes.items()}
    percent = {
        f"{line}{n}": mean[f"{line}{n}", True] / 4 + mean[f"{line}{n}", False] * 3 / 4
        for line in "NESW"
        for n in range(7)
    }
    assert {row["player"]: row["rank_general"] for row in ranked} == {
        player: str(1 + sum(other > value for other in percent.values())) for player, value in percent.items()
    }
    for row in ranked:
        shown = [Fraction(row[column]) for column in ("attack", "defence", "global")]
        exact = [mean[row["player"], True], mean[row["player"], False], percent[row["player"]]]
        assert all(abs(one - other) <= Fraction(1, 2_000_000) for one, other in zip(shown, exact, strict=True))


def test_standings_rank_a_free_auction_when_asked(tmp_path, capsys):
    path = tmp_path / "plays.csv"
    path.write_text(HEADER + "1,a,b,c,d,N,50\n1,e,f,g,h,,0\n", encoding="utf-8")
    call_command("standings", str(path), rules="free_auction")
    assert {row["player"]: row["global"] for row in rows(capsys.readouterr().out)} == {
        **dict.fromkeys("afgh", "100.000000"),
        **dict.fromkeys("bcde", "0.000000"),
    }


@pytest.mark.nightly("print")
def test_standings_tell_every_wrong_cell_and_print_nothing():
    done = run("-", stdin=HEADER + "1,a,b,c,d,N,60\n1,e,f,g,h,Q,60\n1,i,j,k,l,N,x\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "line 3, taker: 'Q' is not a line; write N, E, S or W.",
        "line 4, base_score: 'x' is not a base score; write it as +106 or -56, or nothing if not played.",
        "CommandError: the file has wrong lines; nothing was ranked.",
    ]


def test_standings_say_which_file_they_cannot_read(tmp_path):
    with pytest.raises(CommandError, match=r"cannot read .*none.csv"):
        call_command("standings", str(tmp_path / "none.csv"))


def test_ties_and_the_least_share_are_options(tmp_path):
    file = tmp_path / "plays.csv"
    rows = ["etui,N,E,S,W,taker,base_score", "1,a,b,c,d,N,50", "1,e,f,g,h,N,66", "2,a,b,c,d,E,66", "2,e,f,g,h,E,50"]
    rows += ["3,a,b,c,d,S,66", "3,e,f,g,h,S,50", "3,i,j,k,l,S,50"]
    file.write_text("\n".join(rows) + "\n")

    def ranks(**options):
        out = io.StringIO()
        call_command("standings", str(file), stdout=out, **options)
        return {row["player"]: row["rank_general"] for row in csv.DictReader(io.StringIO(out.getvalue()))}

    shared, fewer, told = ranks(), ranks(at_least=50), ranks(ties="tops,best_etui")
    assert all(shared.values())
    assert {player for player, rank in fewer.items() if not rank} == set("ijkl")
    assert len(set(told.values())) >= len(set(shared.values()))
    with pytest.raises(CommandError, match="unknown: height"):
        ranks(ties="height")
