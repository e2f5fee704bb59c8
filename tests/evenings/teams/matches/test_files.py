"""The files of team matches: the standings file that anybody computes again, archives, exports, the API."""

import csv
import io

import pytest
from django.utils import timezone

from evenings.changes.quarters import decide_match
from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from pages.doors import session_url
from rankings.events import counting as events
from rankings.events.matches import find_matches
from rankings.events.publishing import TOURNAMENTS
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from tests.api.conftest import Client as Program
from tests.archives.archive.packed import bring, export, read_texts
from tests.evenings.teams.matches.evening import hand_in, make_matches, play_matches, prepare_match, start
from tests.evenings.teams.matches.test_leagues import give_bonus, win
from tests.evenings.teams.playing import refresh
from tests.evenings.teams.test_standings_file import print_ranking, run_script
from tests.factories import make_club, make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.worlds import kept_world
from tournaments.models import LineUp, MatchDecision, Publication, Tournament, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return publish_event()


@kept_world
def publish_event():
    """Return two published sessions of matches with a bonus, an annulled half and fixed points, and their director."""
    tournament = make_matches(4)
    by, now = make_director(tournament.club), timezone.now()
    sessions = []
    for teams in ([1, 2, 3, 4], [1, 3, 4, 2]):
        session = start(prepare_match(tournament, teams))
        hand_in(session, teams[0], 1, "4123")
        hand_in(session, teams[1], 1, "5123")
        sessions.append(play_matches(session, by=by))
    give_bonus(sessions[0], 2, "3.5", by)
    plays = list(sessions[1].plays.select_related("etui").order_by("pk"))
    annul_play(play_id=plays[0].pk, reason="carte vue", by=by, now=now)
    adjust_play(play_id=plays[9].pk, notes={"S": "5"}, reason="carte vue", by=by, now=now)
    for session in sessions:
        publish(refresh(session), by=by, allow_missing=True)
    events.refresh(tournament.pk, now=now)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, now, ""))
    return tournament, sessions, by


def test_script_and_command_compute_team_matches_again(event, tmp_path):
    for session in event[1]:
        text = results_csv(read_report(session.publications.get().data))
        assert text.splitlines()[1].startswith("file,2,team_match")
        done = run_script(tmp_path, text)
        assert (done.stdout, done.returncode) == ("4 of 4 agree\n", 0)
        told = {row["player"]: row for row in csv.DictReader(io.StringIO(text)) if row["kind"] == "player"}
        for row in print_ranking(tmp_path, text):
            same = ("attack", "defence", "global", "rank_general", "rank_alterne")
            assert {name: row[name] for name in same} == {name: told[row["player"]][name] for name in same}
        # By the rules of quadrettes the loser of an étui would have points below 0.
        assert "0 of 4 agree" in run_script(tmp_path, text.replace("file,2,team_match", "file,2,quadrettes")).stdout
    text = write_tournament_csv(TournamentPublication.objects.get())
    done = run_script(tmp_path, text)
    assert (done.stdout, done.returncode) == ("12 of 12 agree\n", 0)


@pytest.mark.nightly("process")
def test_archive_brings_line_ups_of_quarters_settings_and_decisions(event):
    tournament, _sessions, by = event
    Tournament.objects.filter(pk=tournament.pk).update(meeting="tree", win_points=3)
    ids = {team.number: team.pk for team in tournament.teams.all()}
    told = {"tournament_id": tournament.pk, "by": by, "now": timezone.now()}
    decide_match(winner_id=ids[4], loser_id=ids[2], reason="tirage au sort", **told)
    tournament.refresh_from_db()
    packed = export(tournament)
    there = bring(packed, make_club("ailleurs", "Club d’ailleurs"))
    assert (there.meeting, there.win_points, there.draw_points) == ("tree", 3, 1)
    assert LineUp.objects.filter(session__tournament=there, quarter=1).count() == 4
    (decision,) = MatchDecision.objects.filter(tournament=there)
    assert (decision.winner.number, decision.loser.number, decision.reason) == (4, 2, "tirage au sort")
    assert read_texts(export(there)) == read_texts(packed)
    here, far = (find_matches(each, in_public=True) for each in (tournament, there))
    assert [each.result for each in here.played] == [each.result for each in far.played]


@pytest.mark.guard("a league by the API")
def test_api_reads_the_league_and_decides_a_draw_of_a_knock_out(event):
    tournament, _sessions, by = event
    path = f"tournaments/{tournament.pk}/matches/"
    found = Program(None).get(path)
    assert (found["meeting"], [row["played"] for row in found["table"]]) == ("league", [2, 2, 2, 2])
    league = find_matches(tournament, in_public=True)
    assert [row["team"] for row in found["table"]] == [row.team for row in league.table]
    assert [row["points"] for row in found["table"]] == [row.points for row in league.table]
    assert [len(each["matches"]) for each in found["rounds"]] == [2, 2, 2]
    assert sum(match["home_points"] is not None for each in found["rounds"] for match in each["matches"]) == 4
    other = make_matches(2, name="Coupe")
    Tournament.objects.filter(pk=other.pk).update(meeting="tree")
    win(Tournament.objects.get(pk=other.pk), [(1, 2)], make_director(other.club, "autre"), draw=(1,))
    one, two = other.teams.order_by("number")
    path, told = f"tournaments/{other.pk}/matches/", {"winner": two.pk, "loser": one.pk}
    director = Program(other.club.memberships.get(user__username="autre").user)
    assert director.refused("POST", path, told | {"reason": " "}, status=400)
    answer = director.post(path, told | {"reason": "plus d’étuis"}, status=201)
    assert answer["rounds"][0]["matches"][0] | {"session": 1} == {
        "home": 1,
        "away": 2,
        "session": 1,
        "home_points": "0.000",
        "away_points": "0.000",
        "winner": 2,
        "decided": "plus d’étuis",
        "meetings": [
            {
                "session": 1,
                "version": 1,
                "home_points": "0.000",
                "away_points": "0.000",
                "home_bonus": None,
                "away_bonus": None,
            }
        ],
    }
    assert Program(None).get(path) == answer
    assert Program(by).get(f"tournaments/{tournament.pk}/matches/")["table"] == found["table"]


@pytest.mark.nightly("process")
def test_pages_of_an_evening_of_matches_answer(event):
    _tournament, sessions, by = event
    names = [
        "session",
        "standings",
        "bulk",
        "log",
        "session_plan",
        "changes",
        "prints",
        "hall",
        "line_ups",
        "penalties",
    ]
    for language in ("en", "fr"):
        browser = browser_of(by)
        browser.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        for name in names:
            answer = browser.get(session_url(name, sessions[0]), follow=True)
            assert answer.status_code == 200, name
            assert "%(" not in words(answer)
    assert Publication.objects.count() == 2
