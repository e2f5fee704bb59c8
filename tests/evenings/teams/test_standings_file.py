"""The file of a session and of a tournament of teams: version 2, which the script and the command compute again."""

import csv
import io
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from scoring.files.sheets import SheetError
from scoring.files.standings_file import read_standings_file
from tests.evenings.teams.playing import play_event
from tests.factories import publish, published_session
from tests.worlds import kept_world
from tournaments.models import TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SCRIPT = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"


@pytest.fixture
def event():
    return publish_event()


@kept_world
def publish_event():
    """Return the published sessions of an event with notes that the arbiter fixed, and its director."""
    _tournament, sessions, by = play_event()
    for play in sessions[1].plays.select_related("etui").filter(etui__number=5)[:2]:
        defender = next(line for line in "NESW" if line != play.taker)
        notes = {defender: "better 60"} if play.pk % 2 else {play.taker: "40"}
        adjust_play(play_id=play.pk, notes=notes, reason="carte vue", by=by, now=timezone.now())
    for session in sessions:
        publish(session, by=by, allow_missing=True)
    return sessions, by


def run_script(folder, text):
    file = folder / "file.csv"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-S", "-E", str(SCRIPT), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def print_ranking(folder, text):
    file, out = folder / "file.csv", io.StringIO()
    file.write_text(text, encoding="utf-8")
    call_command("standings", str(file), "--exact", stdout=out)
    return list(csv.DictReader(io.StringIO(out.getvalue().partition("\n\n")[0])))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_script_and_command_compute_a_session_of_teams_again(event, tmp_path, place):
    text = results_csv(read_report(event[0][place].publications.get().data))
    done = run_script(tmp_path, text)
    assert (done.stdout, done.returncode) == ("8 of 8 agree\n", 0)
    told = {row["player"]: row for row in csv.DictReader(io.StringIO(text)) if row["kind"] == "player"}
    for row in print_ranking(tmp_path, text):
        same = ("line", "attack", "defence", "global", "rank_general", "rank_alterne")
        assert {name: row[name] for name in same} == {name: told[row["player"]][name] for name in same}


def test_file_of_a_session_of_teams_names_team_line_and_attacker(event):
    text = results_csv(read_report(event[0][1].publications.get().data))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (rows[0]["version"], rows[0]["rules"]) == ("2", "triplettes")
    teams = [row for row in rows if row["kind"] == "player"]
    assert {row["team"]: row["line"] for row in teams} == {
        str(number): "NS" if number <= 4 else "EW" for number in range(1, 9)
    }
    for row in rows:
        if row["kind"] == "play":
            seats = {line: row[line] for line in "NESW"}
            assert len({*seats.values()}) == 2
            assert row["attacker"]


def test_script_finds_a_wrong_percentage_of_a_team(event, tmp_path):
    text = results_csv(read_report(event[0][0].publications.get().data))
    line = next(line for line in text.splitlines() if line.startswith("player"))
    wrong = line.replace(",1,,,", ",2,,,", 1)
    assert wrong != line
    assert run_script(tmp_path, text.replace(line, wrong)).stdout.endswith("7 of 8 agree\n")


def test_script_and_command_compute_a_tournament_of_teams_again(event, tmp_path):
    sessions, by = event
    tournament = sessions[0].tournament
    events.refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    text = write_tournament_csv(TournamentPublication.objects.get())
    done = run_script(tmp_path, text)
    assert (done.stdout, done.returncode) == ("32 of 32 agree\n", 0)
    rows = csv.DictReader(io.StringIO(text))
    told = {row["player"]: row for row in rows if row["kind"] == "player" and not row["session"]}
    for row in print_ranking(tmp_path, text):
        assert (row["rank"], row["total"]) == (told[row["player"]]["rank_general"], told[row["player"]]["global"])


def test_version_and_rules_go_together():
    text = results_csv(read_report(published_session().publications.get().data))
    assert text.splitlines()[1].startswith("file,1,individual")
    for wrong in ("file,1,triplettes", "file,2,individual", "file,3,triplettes"):
        with pytest.raises(SheetError):
            read_standings_file(text.replace("file,1,individual", wrong))
