"""The standings file: random evenings written, read and ranked again by the library and by the standalone script."""

import csv
import io
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from clubs.shown import PublicPlayer
from evenings.standings.computing import describe_player
from rankings.publication.report import PlayedEvening
from rankings.publication.standings_file import results_csv
from scoring.files.sheets import SheetError
from scoring.files.standings_file import COLUMNS, KNOWN, read_standings_file, standings_csv
from scoring.notes import FixedNote
from scoring.ranking import FREE_AUCTION, INDIVIDUAL, Line, ScoringPlay, standings
from tests.examples import draw_examples
from tournaments.reports.session import decode_report

SCRIPT = Path(__file__).parents[3] / "deals" / "static" / "deals" / "topage_standings.py"
NAMES = ("Zoé", "Zoé", "=HYPERLINK(1)", '\'quoted, "name"', "a;b", "  Ана ", "'=1+1", "=1+1", "Zoé (N1)")


FIXED_NOTES = st.builds(FixedNote, st.fractions(0, 100, max_denominator=12), st.booleans())


@st.composite
def evenings(draw):
    """Draw an evening of a few étuis with all special cases, and the report that the site computes from it.

    There are split étuis, annulled plays, exchanged seats, substitutes, stand-ins, fillers, penalties, bonuses and
    notes that the arbiter has fixed, in either auction. Anybody sits anywhere.
    """
    free = draw(st.booleans())
    ranking = FREE_AUCTION if free else INDIVIDUAL
    people = list(range(10, 10 + draw(st.integers(4, 14))))
    altered = st.none() | st.tuples(st.integers(2, 3), st.sets(st.integers(0, 23)))
    splits = {etui: draw(altered) for etui in range(1, draw(st.integers(2, 6)))}
    plays, rows = [], []
    for number in range(draw(st.integers(1, 24))):
        etui, position = draw(st.sampled_from(sorted(splits))), draw(st.integers(1, 4))
        seats = draw(st.permutations(people))[:4]
        taker = draw(st.sampled_from([*Line, None] if free else [*Line]))
        scores = st.integers(-90, 90).map(lambda half: 2 * half) if taker else st.just(0)
        score = draw(st.none() | scores)
        at, before = splits[etui] or (5, set())
        late = position > at or (position == at and number not in before)
        fixed = draw(st.just(()) | st.tuples(*[st.none() | FIXED_NOTES] * 4))
        fixed = fixed if any(fixed) else ()
        compared = not fixed or draw(st.booleans())
        plays.append(ScoringPlay((etui, late), tuple(seats), taker, score, fixed, compared))
        scored = score is not None
        rows.append(
            (
                etui,
                {
                    "id": len(rows),
                    "state": "scored" if scored else "missing",
                    "position": position,
                    "table": number,
                    "part": 1 + late,
                    "seats": dict(zip("NESW", seats, strict=True)),
                    "taker": str(taker) if taker and (scored or fixed) else None,
                    "base_score": score,
                    "fixed": {str(line): str(note) for line, note in zip(Line, fixed, strict=False) if note},
                    "compared": compared,
                },
            )
        )
    sitting = {player for play in plays for player in play.seats}
    computed = standings(
        plays,
        ranking,
        unranked={player for player in people if draw(st.integers(0, 4)) == 0},
        penalties={pk: Fraction(draw(st.integers(-100, 300)), 4) for pk in draw(st.sets(st.sampled_from(people)))},
        lines={player: Line("NESW"[player % 4]) for player in people},
    )
    players = [
        describe_player(one) | {"player": one.player, "stand_ins": [], "number": one.player // 8}
        for one in computed.players
    ]
    etuis = [
        {
            "number": etui,
            "altered_from": split and split[0],
            "altered_after": sorted(split[1]) if split else [],
            "plays": [play for at, play in rows if at == etui],
        }
        for etui, split in sorted(splits.items())
    ]
    assert len(players) == len(sitting)
    names = {person: PublicPlayer(NAMES[person % len(NAMES)], True) for person in people}
    data = {"auction": "free" if free else "imposed", "session": 1, "date": "", "players": players, "etuis": etuis}
    report = PlayedEvening(decode_report(data), names)
    assert sum(len(etui.plays) for etui in report.data.etuis) == len(rows)
    return report


def figures(rows):
    """Return each player's published figures, by their name in the file."""
    keys = ("line", "attack", "defence", "global", "rank_general", "rank_alterne")
    return {row["player"]: tuple(row[key] for key in keys) for row in rows if row.get("kind", "player") == "player"}


def run(text, folder):
    file = folder / "standings.csv"
    file.write_text(text, encoding="utf-8", newline="")
    command = [sys.executable, "-S", "-E", str(SCRIPT), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.nightly("statistics")
@given(evenings())
def test_file_gives_the_very_same_standings_to_the_last_fraction(report):
    text = results_csv(report)
    published = figures(rows(text))
    assert figures(rows(standings_csv(text, exact=True))) == published
    assert len(published) == len(report.players)
    by_line = {str(player.player): str(player.rank_line or "") for player in read_standings_file(text).rank().players}
    assert by_line == {row["player"]: row["rank_line"] for row in rows(text) if row["kind"] == "player"}


@draw_examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(evenings())
def test_script_agrees_with_every_published_figure(tmp_path, report):
    people = len(report.players)
    assert run(results_csv(report), tmp_path) == (0, [f"{people} of {people} agree"], "")


def small(*, file="file,1,individual", coefficient="1", fixed="", extra="", taker_attack="50"):
    """Return a file with one étui at one table, in which every player has the note 50."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerow(dict(zip(("kind", "version", "rules"), file.split(","), strict=True)))
    writer.writerow({"kind": "session", "coefficient": coefficient})
    for name, line in zip("abcd", "NESW", strict=True):
        attack, defence = (taker_attack, "") if line == "N" else ("", "50")
        ranks = dict.fromkeys(("rank_general", "rank_line", "rank_alterne"), 1)
        writer.writerow(
            {
                "kind": "player",
                "player": name,
                "line": line,
                "ranked": "yes",
                "penalty": "0",
                "attack": attack,
                "defence": defence,
                "global": "50",
                **ranks,
            }
        )
    writer.writerow(
        {
            "kind": "play",
            "etui": 1,
            "part": 1,
            **dict(zip("NESW", "abcd", strict=True)),
            "taker": "N",
            "base_score": 60,
            "fixed_s": fixed,
        }
    )
    return out.getvalue() + extra


def test_script_names_whoever_the_file_ranks_otherwise(tmp_path):
    assert run(small(), tmp_path)[:2] == (0, ["4 of 4 agree"])
    code, lines, _ = run(small(taker_attack="51"), tmp_path)
    assert (code, lines[1]) == (1, "3 of 4 agree")
    assert lines[0].startswith("'a': the file says ['51', '', '50', '1', '1', '1'], its plays ['50',")


COMMAS = "," * (len(COLUMNS) - 1) + "\n"
NO_PENALTY = "is no penalty; write it as 2.5 or 5/2, a bonus as -2.5."
KINDS = "the kinds are: file, session, player, play."


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"file": "file,4,individual"},
            "line 2, version: '4': this program reads versions 1, 2, 3.",
        ),
        (
            {"coefficient": "2"},
            "line 3, coefficient: only 1 is known to this program.",
        ),
        (
            {"extra": f"session{COMMAS}"},
            "line 9, kind: there is a second session line; this program reads one.",
        ),
        (
            {"extra": f"season{COMMAS}"},
            f"line 9, kind: 'season' is no kind of line; {KINDS}",
        ),
    ],
)
def test_what_a_later_version_may_say_is_refused_rather_than_passed_over(change, problem, tmp_path):
    with pytest.raises(SheetError) as refused:
        standings_csv(small(**change))
    assert str(refused.value) == problem
    error = "this script reads versions 1, 2 and 3 of the file\n"
    assert run(small(**change), tmp_path) == (1, [], error)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("individual", "emmanuel", "line 2, rules: 'emmanuel' is unknown; the rules are: individual, free_auction."),
        (",b,E,", ",a,E,", "line 5, player: the name is missing, or comes twice."),
        (",b,E,", ",b,Q,", "line 5, line: 'Q' is not a line; write N, E, S or W."),
        (",b,E,yes,", ",b,E,oui,", "line 5, ranked: 'oui': write yes or no."),
        (",b,E,yes,0", ",b,E,yes,1/0", f"line 5, penalty: '1/0' {NO_PENALTY}"),
    ],
)
def test_wrong_player_is_told_with_his_line(old, new, problem):
    with pytest.raises(SheetError) as refused:
        standings_csv(small().replace(old, new, 1))
    assert str(refused.value).splitlines()[0] == problem


@pytest.mark.parametrize("note", ["101", "-1", "1/0", "better", "60%", "9" * 5000])
def test_wrong_fixed_note_is_told_with_its_column(note):
    with pytest.raises(SheetError) as refused:
        standings_csv(small(fixed=note))
    assert str(refused.value).startswith(f"line 8, fixed_s: “{note[:40]}” is not a note from 0 to 100")


def test_play_is_compared_or_not():
    with pytest.raises(SheetError, match="line 8, compared: 'perhaps': write yes or no"):
        standings_csv(small().replace(",60,,", ",60,perhaps,"))


def test_file_line_is_needed_where_lines_have_kinds():
    text = "".join(line for line in small().splitlines(keepends=True) if not line.startswith("file"))
    with pytest.raises(SheetError, match="there is no file line"):
        standings_csv(text)


def test_columns_of_the_docs_are_those_of_the_file():
    docs = (Path(__file__).parents[3] / "docs" / "standings-file.md").read_text(encoding="utf-8")
    assert {name for name in KNOWN if f"`{name}`" not in docs} == {"marks_e", "marks_s", "marks_w"}, (
        "marks_n to marks_f"
    )
    rows = [line for line in docs.splitlines() if line.startswith("| `")]
    described = {name for row in rows for name in re.findall(r"`([a-z_0-9]+)`(?:,? (?:and )?`[a-z_0-9]+`)*:", row)}
    assert len(described) > 25
    assert described - KNOWN == set()


def test_script_is_read_at_a_glance():
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 170
