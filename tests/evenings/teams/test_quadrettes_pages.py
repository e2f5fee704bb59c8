"""The pages of quadrettes: match points in place of percentages, the matches of an étui, feuilles and rankings."""

import csv
import io
import re
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.standings import computing
from pages.doors import session_url
from rankings.careers.keeping import refresh as refresh_careers
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from rankings.events.standings_file import write_tournament_csv
from rankings.publication.report import read_report
from rankings.publication.standings_file import results_csv
from tests.evenings.teams.playing import play_all
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, start
from tests.evenings.teams.test_standings_file import print_ranking, run_script
from tests.factories import make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.worlds import kept_world
from tournaments.models import Appearance, TeamMember, TournamentPublication
from tournaments.versions import DirectorWord
from tournaments.words.figures import show_match_points

pytestmark = pytest.mark.django_db
PER_CENT = re.compile(r"\d\s?%")


@pytest.fixture
def event():
    return play_event()


@kept_world
def play_event():
    """Return two published sessions of quadrettes, and their director. In the first one a half is annulled."""
    tournament = make_quadrettes(6)
    by, sessions = make_director(tournament.club), []
    for place in range(2):
        session = start(prepare(tournament, positions=5, dealt=bool(place)))
        if not place:
            annul_play(play_id=session.plays.first().pk, reason="carte vue", by=by, now=timezone.now())
        sessions.append(play_all(session, by=by))
    for session in sessions:
        publish(session, by=by, allow_missing=True)
    events.refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    return sessions, by


def address(name, session, *more):
    return reverse(name, args=[session.tournament.club.slug, session.tournament.slug, session.number, *more])


def read(session, url, language="en", by=None):
    browser = browser_of(by) if by else browser_of()
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    answer = browser.get(url)
    assert answer.status_code == 200, url
    return words(answer)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_of_a_published_event_shows_a_percentage(event, language):
    (session, _other), _by = event
    entrant = session.entrants.get(number=1).pk
    urls = [
        address("ranking", session),
        address("feuille", session, 1, entrant),
        address("published_etui", session, 1, 1),
        address("published_etuis", session, 1),
        session_url("hall", session),
        reverse("tournament", args=[session.tournament.club.slug, session.tournament.slug]),
        reverse("tournament_ranking", args=[session.tournament.club.slug, session.tournament.slug]),
    ]
    for url in urls:
        assert PER_CENT.findall(read(session, url, language)) == [], url


def test_ranking_shows_the_sums_and_how_they_are_made(event):
    session = event[0][0]
    page = read(session, address("ranking", session))
    for row in session.standings.data["players"]:
        assert show_match_points(Fraction(row["overall"])) in page
    assert "all teams by the sum of their match points" in page
    assert "the better one gains √d match points" in page
    page = read(session, address("ranking", session), "fr")
    assert "Points de match" in page
    assert re.search(r"[+−]\d+,\d{3} PM", page)


def test_etui_lists_its_matches_the_largest_gain_first_and_the_open_one_last(event):
    session = event[0][0]
    annulled = session.plays.order_by("pk").first()
    page = read(session, address("published_etui", session, 1, annulled.etui.number))
    matches = page[page.index("The matches") : page.index("Every play")]
    gains = re.findall(r"(\+\d+\.\d{3}|0\.000) MP", matches)
    assert len(gains) == 2
    assert gains == sorted(gains, key=Fraction, reverse=True)
    assert "– –: no match points for either team. One half is missing or annulled" in " ".join(matches.split())


def test_feuille_names_the_attacker_and_gives_points_to_attacks_alone(event):
    session = event[0][1]
    entrant = session.entrants.get(number=1)
    page = read(session, address("feuille", session, 1, entrant.pk))
    row = next(row for row in session.standings.data["players"] if row["id"] == entrant.pk)
    assert f"Match points {show_match_points(Fraction(row['overall']))}" in page
    assert page.count(" MP ") >= 20
    assert "Badge" not in page
    for word in ("blue", "white", "red"):
        assert f" {word} " not in page


def test_tournament_adds_up_the_match_points(event):
    session = event[0][0]
    url = reverse("tournament_ranking", args=[session.tournament.club.slug, session.tournament.slug])
    assert "the sum of the match points of the sessions" in read(session, url)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("name", ["session", "standings", "bulk", "log", "session_plan", "changes", "prints", "hall"])
def test_pages_of_the_desk_answer(event, name):
    sessions, by = event
    assert read(sessions[0], session_url(name, sessions[0]), "fr", by)


def test_play_says_who_attacked_without_a_badge(event):
    sessions, by = event
    session = sessions[1]
    play = session.plays.first()
    page = read(session, f"{session_url('session', session)}plays/{play.pk}/", by=by)
    assert re.search(r"Prénom\d+ Fam1\d+ attacked\.", page)
    grid = read(session, session_url("bulk", session), by=by)
    assert "Attacker, if out of turn" not in grid


def test_careers_list_rank_and_deals_and_enter_no_percentage(event):
    session = event[0][1]
    refresh_careers(session.pk)
    ranks = {row["id"]: row["rank_general"] for row in session.standings.data["players"]}
    rows = {row.player: row for row in Appearance.objects.filter(session=session)}
    members = TeamMember.objects.filter(tournament=session.tournament)
    assert set(rows) == set(members.values_list("player_id", flat=True))
    attacker = rows[members.get(team__number=1, place=1).player_id]
    defender = rows[members.get(team__number=1, place=2).player_id]
    assert (attacker.deals, defender.deals) == (20, 20)
    for row in rows.values():
        assert (row.overall, row.figures, row.plays) == ("", {}, [])
        assert row.rank_general == ranks[row.entrant]
    page = read(session, reverse("player", args=[attacker.player]))
    assert f"{attacker.rank} of 6" in page
    assert PER_CENT.findall(page) == []


@pytest.mark.nightly("story")
def test_script_and_command_compute_quadrettes_again(event, tmp_path):
    sessions, by = event
    play = sessions[1].plays.select_related("etui").last()
    adjust_play(play_id=play.pk, notes={"S": "-3.162"}, reason="carte vue", by=by, now=timezone.now())
    computing.refresh(sessions[1].pk, now=timezone.now())
    publish(sessions[1], by=by, allow_missing=True)
    for session in sessions:
        text = results_csv(read_report(session.publications.order_by("-version").first().data))
        assert text.splitlines()[1].startswith("file,2,quadrettes")
        done = run_script(tmp_path, text)
        assert (done.stdout, done.returncode) == ("6 of 6 agree\n", 0)
        told = {row["player"]: row for row in csv.DictReader(io.StringIO(text)) if row["kind"] == "player"}
        for row in print_ranking(tmp_path, text):
            same = ("attack", "defence", "global", "rank_general", "rank_alterne")
            assert {name: row[name] for name in same} == {name: told[row["player"]][name] for name in same}
        team = next(line for line in text.splitlines() if line.startswith("player"))
        wrong = text.replace(team, team.replace("/1000", "/1001").replace("/125,", "/126,").replace("/250,", "/251,"))
        assert run_script(tmp_path, wrong).stdout.endswith("5 of 6 agree\n")


def test_script_computes_a_tournament_of_quadrettes_again(event, tmp_path):
    done = run_script(tmp_path, write_tournament_csv(TournamentPublication.objects.get()))
    assert (done.stdout, done.returncode) == ("18 of 18 agree\n", 0)
