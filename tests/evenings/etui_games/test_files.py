"""The file of a published ranking with tables of three or five: any program computes the same ranking from it."""

import subprocess
import sys
from decimal import Decimal

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty
from rankings.publication.publishing import SESSIONS
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from scoring.files.sheets import SheetError
from scoring.files.standings_file import read_standings_file
from tests.etui_games import make_etui_tournament, play_etuis, start_etui_session
from tests.factories import make_club, make_director
from tournaments.models import Penalty
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
SCRIPT = settings.BASE_DIR / "deals" / "static" / "deals" / "topage_standings.py"


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def published(request):
    """Publish a session with a fixed note, an assigned score, a deal outside the topage and a penalty."""
    size, now = request.param, timezone.now()
    club = make_club()
    by = make_director(club)
    session = start_etui_session(size, 3, by=by, etuis=3, tournament=make_etui_tournament(size, club))
    play_etuis(session, by)
    first, second, third = session.plays.order_by("pk")[:3]
    said = {"reason": "décision", "by": by, "now": now}
    called = {"partner": "E"} if size == 5 else {}
    adjust_play(play_id=first.pk, notes={"S": "better 60"}, **said)
    adjust_play(play_id=second.pk, score=-62, taker="N", **called, **said)
    adjust_play(play_id=third.pk, score=40, taker="E", notes={"N": "30"}, compared=False, **called, **said)
    entrant = session.entrants.get(number=1)
    sanction = Sanction(Penalty.PenaltyKind.PENALTY, Decimal("2.5"))
    give_penalty(session_id=session.pk, entrant_id=entrant.pk, sanction=sanction, **said)
    publication = SESSIONS.publish(session.pk, DirectorWord(by, now))
    return size, results_csv(read_report(publication.data)), read_report(publication.data)


def test_the_command_and_the_script_agree_with_the_published_ranking(published, tmp_path, capsys):
    size, text, report = published
    file = read_standings_file(text)
    assert (file.rules.name, file.sheet.rows[0].line) == (f"free_auction_{size}", 2)
    ranked = {player.player: player for player in file.rank().players}
    for player in report.players:
        found = ranked[player.name]
        assert (found.overall, found.rank_general) == (player.overall, player.rank_general)
    path = tmp_path / "session.csv"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
    count = 3 * size
    assert (done.stdout.strip().splitlines()[-1], done.returncode) == (f"{count} of {count} agree", 0), done.stderr
    call_command("standings", str(path))
    assert len(capsys.readouterr().out.splitlines()) == count + 1


def test_wrong_cells_are_named(published):
    size, text, _report = published
    lines = text.splitlines()
    head = lines[0].split(",")
    at = next(place for place, line in enumerate(lines) if line.startswith("play,"))
    for column, value in [("taker", "W" if size == 3 else "X"), ("N", ""), ("F", "")][: 2 if size == 3 else 3]:
        cells = lines[at].split(",")
        cells[head.index(column)] = value
        with pytest.raises(SheetError) as caught:
            read_standings_file("\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :]]))
        assert [(problem.line, problem.column) for problem in caught.value.problems] == [(at + 1, column)]


def test_a_taker_among_five_needs_a_partner(published):
    size, text, _report = published
    if size == 3:
        return
    lines = text.splitlines()
    place = lines[0].split(",").index("partner")
    at, cells = next(
        (at, cells) for at, line in enumerate(lines) if (cells := line.split(","))[0] == "play" and cells[place]
    )
    cells[place] = ""
    with pytest.raises(SheetError) as caught:
        read_standings_file("\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :]]))
    assert [problem.column for problem in caught.value.problems] == ["partner"]
