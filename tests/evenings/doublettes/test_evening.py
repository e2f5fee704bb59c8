"""An evening of doublettes, from its teams to the files and archives of its ranking."""

import csv
import io
import re
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from evenings.plays.common import common_of, read_outcome
from pages.desk.podium import PLACES, list_hall_places
from pages.public import all_kinds
from rankings.events.counting import refresh
from rankings.events.publishing import TOURNAMENTS
from rankings.listing import read_all_podiums
from scoring.files.standings_file import read_standings_file
from tests.archives.archive.packed import bring, export
from tests.evenings.doublettes.evening import make_doublettes, start_doublettes
from tests.evenings.free.test_files import run_script
from tests.factories import enter_all, make_club, publish
from tests.pages.browsing import browser_of
from tests.worlds import kept_world
from tournaments.models import Play, Publication, TeamMember, TournamentPublication
from tournaments.versions import DirectorWord
from tournaments.words.figures import percent

pytestmark = pytest.mark.django_db


def find_together(session):
    """Return the plays at which the two players of a team sit together."""
    teams = dict(TeamMember.objects.filter(tournament=session.tournament_id).values_list("player", "team"))
    found = []
    for play in Play.objects.filter(session=session).select_related("north", "east", "south", "west"):
        here = [teams[each.player_id] for each in (play.north, play.east, play.south, play.west)]
        found += [play] if len({*here}) < len(here) else []
    return found


@pytest.fixture
def played():
    return play_two_sessions()


@kept_world
def play_two_sessions():
    """Return the first session of a published tournament of two sessions, of which the second counts twice."""
    tournament, by = make_doublettes()
    session, second = start_doublettes(tournament), start_doublettes(tournament, coefficient=2)
    for each in (session, second):
        enter_all(each, by=by)
        publish(each, by=by)
    refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    return session, by


def test_players_of_a_team_take_seats_that_never_meet():
    tournament, _by = make_doublettes()
    assert find_together(start_doublettes(tournament)) == []


def test_a_team_adds_up_the_percentages_of_its_players(played):
    session, _by = played
    whole = dict[int, Fraction]()
    for coefficient, publication in enumerate(Publication.objects.order_by("session__number"), start=1):
        data = publication.data
        assert data["form"] == "doublettes"
        teams = add_by_hand(data)
        assert {row["team"]: Fraction(row["total"]) for row in data["teams"]} == teams
        best_first = sorted(teams.values(), reverse=True)
        assert [row["rank"] for row in data["teams"]] == [1 + best_first.index(total) for total in best_first]
        whole = {team: whole.get(team, 0) + coefficient * total for team, total in teams.items()}
    data = TournamentPublication.objects.get(tournament=session.tournament).data
    assert {row["team"]: Fraction(row["total"]) for row in data["teams"]} == whole
    assert data["form"] == "doublettes"


def add_by_hand(data):
    """Return the sum of each team's percentages in a published session, by the team's number."""
    overall = {row["player"]: Fraction(row["overall"]) for row in data["players"]}
    teams = {}
    for team, player in TeamMember.objects.values_list("team__number", "player"):
        teams[team] = teams.get(team, 0) + overall[player]
    return teams


def name_in_short(row):
    """Return the last word of a team's name: its number, or "As" of "Les As", the first team."""
    return "As" if row["team"] == 1 else str(row["team"])


@pytest.mark.nightly("story")
def test_podium_has_teams_in_every_medium(played, monkeypatch):
    session, _by = played
    monkeypatch.setattr(all_kinds, "draw_podium", lambda _heading, steps, **_more: [f"{each.name} " for each in steps])
    places = [session.tournament.club.slug, session.tournament.slug]
    media = [
        (session.publications.get(), "ranking", "podium", [*places, session.number]),
        (TournamentPublication.objects.get(), "tournament_ranking", "tournament_podium", places),
    ]
    for version, page, picture, place in media:
        firsts = [(row["rank"], name_in_short(row)) for row in version.data["teams"] if row["rank"] <= 3]
        podium = browser_of().get(reverse(page, args=place)).context["podium"]
        assert [(row.rank, row.player.name.split()[-1]) for row in podium] == firsts
        assert [(step.rank, step.name.split()[-1]) for step in read_all_podiums([version])[version]] == firsts
        drawn = browser_of().get(reverse(picture, args=[*place, version.version])).content.decode()
        assert re.findall(r"\w+(?= (?:Équipe|Les|$))", drawn) == [name for _rank, name in firsts]
    common, outcome = common_of(session), read_outcome(session.pk)
    rows = session.publications.get().data["teams"]
    for hall in (list_hall_places(common, outcome, PLACES), list_hall_places(common, outcome)):
        assert [each.name.split()[-1] for each in hall] == [name_in_short(row) for row in rows[: len(hall)]]
    assert all(place.members.count(",") == 1 for place in list_hall_places(common, outcome, PLACES))
    answer = browser_of().get(f"/api/v1/sessions/{session.pk}/publications/latest/").json()
    assert answer["reference"] == "teams"


def ask(name, session, *more, browser=None, **asked):
    tournament = session.tournament
    answer = (browser or browser_of()).get(reverse(name, args=[tournament.club.slug, tournament.slug, *more]), asked)
    assert answer.status_code == 200, name
    return answer


def list_names():
    """Return the names of the players of each team, by the team's number."""
    names = {}
    for team, player in TeamMember.objects.values_list("team__number", "player__last_name"):
        names.setdefault(team, set()).add(player)
    return names


def test_pages_and_frames_show_the_teams_first_in_per_cent(played):
    session, by = played
    data = Publication.objects.get(session=session).data
    for name in ("ranking", "ranking_embedded"):
        page = ask(name, session, 1).content.decode()
        with translation.override("fr" if "embedded" in name else "en"):
            assert all(percent(Fraction(row["total"])) in page for row in data["teams"])
        assert "the marks" not in page
    assert "Les As" in ask("tournament_ranking", session).content.decode()
    assert "Les As" in ask("tournament_embedded", session).content.decode()
    alone = ask("tournament_ranking", session, by="general").content.decode()
    assert "att." in alone or "Nom001" in alone
    desk = ask("standings", session, 1, browser=browser_of(by), by="teams").content.decode()
    assert "Les As" in desk


def test_programs_read_the_teams_with_percentages(played):
    session, by = played
    data = Publication.objects.get(session=session).data
    told = [(row["team"], row["rank"], row["total"]) for row in data["teams"]]
    for path in (f"sessions/{session.pk}/publications/latest/", f"sessions/{session.pk}/standings/"):
        answer = browser_of(by).get(f"/api/v1/{path}").json()
        assert [(each["team"], each["rank"], each["total"]["exact"]) for each in answer["teams"]] == told
        assert {each["marks"] for each in answer["teams"]} == {None}
    found = browser_of(by).get(f"/api/v1/tournaments/{session.tournament_id}/").json()
    assert found["format"] == "doublettes"


def test_files_have_the_team_of_each_player_and_the_script_agrees(played, tmp_path):
    session, _by = played
    text = ask("results_csv", session, 1, 1).content.decode()
    lines = [line for line in csv.DictReader(io.StringIO(text)) if line["kind"] == "player"]
    totals = {}
    for line in lines:
        totals.setdefault((line["team"], line["team_total"]), []).append(Fraction(line["global"]))
    assert all(sum(own) == Fraction(total) for (_team, total), own in totals.items())
    assert len(totals) == 10
    assert len(read_standings_file(text).rank().players) == 20
    assert run_script(text, tmp_path) == (["20 of 20 agree"], 0)
    whole = ask("tournament_csv", session, 1).content.decode()
    assert run_script(whole, tmp_path) == (["60 of 60 agree"], 0)
    table = ask("published_file", session, 1, 1, table="teams", kind="csv").content.decode("utf-8-sig")
    header, *rows = csv.reader(io.StringIO(table), delimiter=";")
    assert ("Percentage" in header, "Marks" in header, len(rows)) == (True, False, 20)


def test_papers_have_the_teams(played):
    session, _by = played
    for name, more in (("ranking_pdf", [1, 1]), ("tournament_pdf", [1])):
        assert ask(name, session, *more).content[:5] == b"%PDF-"


@pytest.mark.nightly("story")
def test_an_imported_archive_keeps_the_teams_and_their_sums(played):
    session, _by = played
    packed = export(session.tournament)
    brought = bring(packed, make_club("loin"))
    assert brought.format == "doublettes"
    assert export(brought) == packed
    before, after = (
        [(row["team"], row["total"]) for row in each.sessions.get(number=2).publications.get().data["teams"]]
        for each in (session.tournament, brought)
    )
    assert before == after
