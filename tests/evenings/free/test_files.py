"""The file of a published evening of donnes libres: any program computes the same ranking from it."""

import csv
import io
import subprocess
import sys

import pytest
from django.conf import settings

from pages.doors import session_url
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from scoring.files.sheets import SheetError
from scoring.files.standings_file import read_standings_file
from tests.evenings.free.test_reading import play_evening
from tests.factories import publish
from tests.pages.browsing import browser_of
from tournaments.models import Session

pytestmark = pytest.mark.django_db
SCRIPT = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"


@pytest.fixture
def published(tmp_path):
    """Publish an evening with a sheet, a mort, a decided deal, a penalty and weights of odd tables."""
    session, by = play_evening()
    report = read_report(publish(session, by=by).data)
    session = Session.objects.select_related("tournament__club").get(pk=session.pk)
    return session, results_csv(report), report


def run_script(text, folder):
    path = folder / "session.csv"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines(), done.returncode


@pytest.mark.nightly("process")
def test_command_and_script_agree_with_the_published_ranking(published, tmp_path):
    _session, text, report = published
    ranked = {player.player: player for player in read_standings_file(text).rank().players}
    for player in report.players:
        found = ranked[player.name]
        assert (found.overall, found.attack, found.defence) == (player.overall, player.attack, player.defence)
        assert (found.rank_general, found.deals) == (player.rank_general, player.deals)
    assert run_script(text, tmp_path) == (["12 of 12 agree"], 0)


@pytest.mark.nightly("story")
def test_readers_get_the_file_if_they_see_the_feuilles(published):
    session, text, _report = published
    assert browser_of().get(session_url("results_csv", session, 1)).content.decode() == text
    assert "results.csv" in browser_of().get(session_url("ranking", session)).content.decode()
    Session.objects.filter(pk=session.pk).update(shows_feuilles=False)
    assert browser_of().get(session_url("results_csv", session, 1)).status_code == 404


@pytest.mark.nightly("story")
def test_marks_stand_in_the_file_only_if_no_base_score_gives_them(published):
    rows = [row for row in csv.DictReader(io.StringIO(published[1])) if row["kind"] == "play"]
    sheet = next(row for row in rows if row["deals"] == "2")
    assert [sheet[f"marks_{seat}"] for seat in "neswf"] == ["120", "-40", "-40", "-40", ""]
    assert {row["resting"] for row in rows} == {"", "W", "F"}
    assert not any(row["base_score"] and row["marks_n"] for row in rows)


@pytest.mark.nightly("story")
def test_script_notices_a_changed_mark(published, tmp_path):
    lines, status = run_script(published[1].replace(",120,", ",160,"), tmp_path)
    assert (lines[-1], status) == ("11 of 12 agree", 1)


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("N", ""),
        ("taker", "X"),
        ("partner", "X"),
        ("resting", "X"),
        ("marks_n", "ten"),
        ("base_score", "1.5"),
        ("deals", "0"),
        ("weight_3", "0"),
        ("weight_5", "heavy"),
    ],
)
def test_wrong_cell_is_named(published, column, text):
    rows = list(csv.DictReader(io.StringIO(published[1])))
    kind = "session" if column.startswith("weight") else "play"
    row = next(row for row in rows if row["kind"] == kind and row["table" if kind == "play" else "kind"] in ("2", kind))
    row[column] = text
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with pytest.raises(SheetError) as caught:
        read_standings_file(out.getvalue())
    assert column in {problem.column for problem in caught.value.problems}
