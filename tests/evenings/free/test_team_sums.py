"""The teams of donnes libres: everybody plays alone, and a team adds up the marks of its players."""

import csv
import io
from collections import defaultdict
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from clubs.models import Player, Visibility
from clubs.shown import Way, choose_shown
from evenings.sessions.ranking_rules import change_rules
from evenings.teams.changing import add_member, dissolve_team
from evenings.teams.making import WantedTeam, make_teams
from evenings.teams.substitutes import replace_member
from rankings.events.counting import refresh
from rankings.publication.report import read_for_directors
from scoring.files.standings_file import read_standings_file
from tests.archives.archive.packed import bring, export
from tests.evenings.free.test_files import run_script
from tests.factories import make_club, publish
from tests.free_tournaments import play_two_evenings, publish_again
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused
from tournaments.models import Publication, Team, TournamentPublication
from tournaments.words.figures import show_marks

pytestmark = pytest.mark.django_db
# Nom001 misses the second evening, and Nom013 comes to it alone.
TEAMS = {"Les As": (1, 4, 8, 13), "Les Petits": (2, 3, 5, 6), "Les Rois": (7, 9, 10, 12)}


def name_of(place):
    return f"Nom{place:03}"


@pytest.fixture
def evenings():
    """Return a published tournament of two evenings with three teams of four, its director, and the sums by hand."""
    tournament, by, sums = play_two_evenings(is_published=False)
    players = {player.last_name: player.pk for player in tournament.club.players.all()}
    wanted = [WantedTeam([players[name_of(place)] for place in places], name) for name, places in TEAMS.items()]
    make_teams(tournament_id=tournament.pk, wanted=wanted, by=by, now=timezone.now())
    publish_all(tournament, by)
    return tournament, by, sums


def publish_all(tournament, by):
    refresh(tournament.pk, now=timezone.now())
    for session in tournament.sessions.order_by("number"):
        publish(session, by=by)
    publish_again(tournament, by)


def add_by_hand(marks, *, drops_worst=False):
    """Return (rank, name, total) of each team. `marks` are by the player's id; whoever is missing has 0."""
    names = dict(Player.objects.values_list("last_name", "pk"))
    totals = {}
    for team, places in TEAMS.items():
        own = sorted(marks.get(names[name_of(place)], 0) for place in places)
        totals[team] = Fraction(sum(own[1:] if drops_worst else own))
    return sorted((1 + sum(other > total for other in totals.values()), team, total) for team, total in totals.items())


def over(first, second):
    """Return the marks of both evenings by player. `Counter` would leave out sums below 0."""
    return {pk: first[pk] + second[pk] for pk in first.keys() | second.keys()}


def read_teams(data):
    names = dict(Team.objects.values_list("number", "name"))
    return sorted((row["rank"], names[row["team"]], Fraction(row["total"])) for row in data["teams"])


def newest(tournament, number):
    return Publication.objects.filter(session__tournament=tournament, session__number=number).latest("version").data


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("drops_worst", [False, True])
def test_the_marks_of_a_team_equal_an_independent_sum(evenings, drops_worst):
    tournament, by, (first, second) = evenings
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), drops_worst=drops_worst)
    publish_all(tournament, by)
    told = {"drops_worst": drops_worst}
    assert read_teams(newest(tournament, 1)) == add_by_hand(first, **told)
    assert read_teams(newest(tournament, 2)) == add_by_hand(second, **told)
    whole = TournamentPublication.objects.filter(tournament=tournament).latest("version").data
    assert read_teams(whole) == add_by_hand(over(first, second), **told)
    members = [member for team in whole["teams"] for member in team["members"]]
    assert sum(not member["counts"] for member in members) == 3 * drops_worst


@pytest.mark.nightly("story")
def test_a_missing_player_brings_0_and_can_be_the_lowest(evenings):
    tournament, _by, (_first, second) = evenings
    marks = {row["player"]: Fraction(row["total"]) for row in newest(tournament, 2)["teams"][0]["members"]}
    assert marks.keys() <= second.keys()
    assert [row["absent"] for row in sorted(newest(tournament, 2)["teams"], key=lambda row: row["team"])] == [1, 0, 0]
    assert [row["absent"] for row in sorted(newest(tournament, 1)["teams"], key=lambda row: row["team"])] == [1, 0, 0]


def test_the_report_of_a_tournament_without_teams_has_no_such_key():
    tournament, _by, _sums = play_two_evenings()
    assert "teams" not in newest(tournament, 1)
    assert "teams" not in TournamentPublication.objects.get(tournament=tournament).data


def ask(name, tournament, *more, **asked):
    answer = browser_of().get(reverse(name, args=[tournament.club.slug, tournament.slug, *more]), asked)
    assert answer.status_code == 200, name
    return answer


@pytest.mark.nightly("story")
def test_pages_show_the_marks_of_teams_and_no_percentage(evenings):
    tournament, _by, (first, second) = evenings
    for marks, name, more in ((first, "ranking", [1]), (over(first, second), "tournament_ranking", [])):
        page = ask(name, tournament, *more, by="teams").content.decode()
        body = page[page.index("<tbody>") : page.index("</tbody>")]
        assert "%" not in body
        for _rank, team, total in add_by_hand(marks):
            assert team in body
            assert show_marks(total) in body
        assert "by=teams" in ask(name, tournament, *more).content.decode()
    assert "?kind=csv&amp;table=teams" in ask("tournament_ranking", tournament, by="teams").content.decode()


@pytest.mark.nightly("story")
def test_lowest_marks_have_an_asterisk_and_no_bracket_has_two_meanings(evenings):
    tournament, by, _sums = evenings
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), drops_worst=True)
    publish_all(tournament, by)
    page = ask("tournament_ranking", tournament, by="teams").content.decode()
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert ("(" in body, body.count("*</span>")) == (False, 3)
    assert body.count("<strong>") == 3
    assert "*: the lowest marks of a team" in page
    assert "In brackets" not in page
    assert "In brackets" in ask("tournament_ranking", tournament).content.decode()


@pytest.mark.nightly("story")
def test_teams_of_two_and_of_four_are_told_to_the_director(evenings):
    tournament, by, _sums = evenings
    url = reverse("prepare_teams", args=[tournament.club.slug, tournament.slug])
    browser, told = browser_of(by), "do not all have the same number of players"
    assert told not in browser.get(url).content.decode()
    spare = [tournament.club.players.get(last_name="Nom011").pk]
    pair = [WantedTeam(spare, "Les Deux")]
    make_teams(tournament_id=tournament.pk, wanted=pair, by=by, now=timezone.now())
    page = browser.get(url).content.decode()
    assert told in page
    assert "(1, 4)" in page


def test_the_desk_shows_the_same_teams(evenings):
    tournament, by, (first, _second) = evenings
    url = reverse("standings", args=[tournament.club.slug, tournament.slug, 1])
    page = browser_of(by).get(url, {"by": "teams"}).content.decode()
    for _rank, team, total in add_by_hand(first):
        assert team in page
        assert show_marks(total) in page


@pytest.mark.nightly("story")
def test_files_have_a_row_for_each_player_of_a_team(evenings):
    tournament, _by, (first, second) = evenings
    for marks, name, more in ((first, "published_file", [1, 1]), (over(first, second), "tournament_file", [1])):
        text = ask(name, tournament, *more, table="teams", kind="csv").content.decode("utf-8-sig")
        header, *rows = csv.reader(io.StringIO(text), delimiter=";")
        assert len(header) == 7
        totals = {(int(row[0]), row[2], Fraction(row[3].replace(",", "."))) for row in rows}
        assert sorted(totals) == add_by_hand(marks)
        parts = defaultdict(Fraction)
        for row in rows:
            parts[row[2]] += Fraction(row[5].replace(",", "."))
        assert dict(parts) == {team: total for _rank, team, total in add_by_hand(marks)}
        assert ask(name, tournament, *more).content[:2] == b"PK"


def read_lines(name, tournament, *more):
    lines = csv.DictReader(io.StringIO(ask(name, tournament, *more).content.decode()))
    return [line for line in lines if line["kind"] == "player"]


def sum_lines(lines):
    """Return (rank, name, total) of each team in a results file, and the same with the sum of its players' marks."""
    told = {(int(line["team_rank"]), line["team_name"], Fraction(line["team_total"])) for line in lines if line["team"]}
    parts = defaultdict(Fraction)
    for line in lines:
        if line["team_counts"] == "yes":
            parts[line["team_name"]] += Fraction(line["global"])
    return sorted(told), sorted((rank, name, parts[name]) for rank, name, _total in told)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("drops_worst", [False, True])
def test_results_files_say_the_team_of_each_player(evenings, drops_worst, tmp_path):
    tournament, by, (first, second) = evenings
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), drops_worst=drops_worst)
    tournament.teams.filter(name="Les Rois").update(name="=1+1")
    publish_all(tournament, by)
    last = Publication.objects.filter(session__tournament=tournament, session__number=1).latest("version").version
    whole = TournamentPublication.objects.filter(tournament=tournament).latest("version").version

    def add(marks):
        hand = add_by_hand(marks, drops_worst=drops_worst)
        return sorted((rank, {"Les Rois": "'=1+1"}.get(name, name), total) for rank, name, total in hand)

    lines = read_lines("results_csv", tournament, 1, last)
    if not drops_worst:  # the lowest marks can be the 0 of a missing player, who has no line
        assert sum_lines(lines) == (add(first), add(first))
    assert sum_lines(lines)[0] == add(first)
    assert {line["team"] for line in lines} == {"1", "2", "3", ""}
    lines = read_lines("tournament_csv", tournament, whole)
    by_part = {key: [line for line in lines if line["session"] == key] for key in ("", "1", "2")}
    assert [sum_lines(part)[0] for part in by_part.values()] == [add(over(first, second)), add(first), add(second)]
    text = ask("results_csv", tournament, 1, last).content.decode()
    assert read_standings_file(text).rank().players
    assert run_script(text, tmp_path) == (["12 of 12 agree"], 0)


def test_results_files_of_a_tournament_without_teams_have_no_such_columns():
    tournament, _by, _sums = play_two_evenings()
    for name, more in (("results_csv", [1, 1]), ("tournament_csv", [1])):
        assert "team" not in ask(name, tournament, *more).content.decode()


@pytest.mark.nightly("story")
def test_rankings_in_frames_have_the_teams_beneath_or_alone(evenings):
    tournament, _by, (first, second) = evenings
    for marks, name, more in (
        (first, "ranking_embedded", [1]),
        (over(first, second), "tournament_embedded", []),
    ):
        page, alone = ask(name, tournament, *more).content.decode(), ask(name, tournament, *more, by="teams").content
        assert page.count("<table") == 2
        assert alone.decode().count("<table") == 1
        with translation.override("fr"):
            for _rank, team, total in add_by_hand(marks):
                for text in (page, alone.decode()):
                    assert team in text
                    assert show_marks(total) in text
        assert "Global" not in page


@pytest.mark.nightly("print")
def test_papers_have_the_teams(evenings):
    tournament, _by, _sums = evenings
    for name, more in (("ranking_pdf", [1, 1]), ("tournament_pdf", [1])):
        assert ask(name, tournament, *more, by="teams").content[:5] == b"%PDF-"


@pytest.mark.nightly("story")
def test_programs_read_the_teams_with_marks(evenings):
    tournament, by, (first, second) = evenings
    session = tournament.sessions.get(number=1)
    for marks, path in (
        (first, f"sessions/{session.pk}/publications/latest/"),
        (first, f"sessions/{session.pk}/standings/"),
        (over(first, second), f"tournaments/{tournament.pk}/publications/latest/"),
    ):
        answer = browser_of(by).get(f"/api/v1/{path}").json()
        told = [(team["rank"], team["name"], Fraction(team["marks"]["exact"])) for team in answer["teams"]]
        assert sorted(told) == add_by_hand(marks)
        for team in answer["teams"]:
            own = sum(Fraction(member["marks"]["exact"]) for member in team["members"] if member["counts"])
            assert own == Fraction(team["marks"]["exact"])


@pytest.mark.nightly("crawl")
def test_a_hidden_player_is_not_named_among_a_team(evenings):
    tournament, by, _sums = evenings
    hidden = tournament.club.players.get(last_name="Nom004")
    choose_shown(player=hidden, shown=Visibility.HIDDEN, way=Way.ACCOUNT, by=by, now=timezone.now())
    for name, more in (
        ("ranking", [1]),
        ("tournament_ranking", []),
        ("ranking_embedded", [1]),
        ("tournament_embedded", []),
    ):
        assert "Nom004" not in ask(name, tournament, *more, by="teams").content.decode()
    for name, more in (("results_csv", [1, 1]), ("tournament_csv", [1])):
        assert "Nom004" not in ask(name, tournament, *more).content.decode()


@pytest.mark.nightly("story")
def test_a_team_that_has_played_gets_a_substitute_and_stays(evenings):
    tournament, by, _sums = evenings
    team = tournament.teams.get(name="Les As")
    told = {"tournament_id": tournament.pk, "by": by, "now": timezone.now()}
    spare = tournament.club.players.get(last_name="Nom011")
    for refused, more in ((add_member, {"player": spare.pk}), (dissolve_team, {})):
        with pytest.raises(ActionRefused):
            refused(team_id=team.pk, **told, **more)
    member = team.members.get(player__last_name="Nom013")
    last = tournament.sessions.get(number=2)
    replace_member(member_id=member.pk, player=spare.pk, session_id=last.pk, position=2, **told)
    publish_all(tournament, by)
    found = {row["team"]: {one["player"] for one in row["members"]} for row in newest(tournament, 2)["teams"]}
    assert {spare.pk, member.player_id} <= found[team.number]
    assert spare.pk not in {one["player"] for row in newest(tournament, 1)["teams"] for one in row["members"]}


@pytest.mark.nightly("story")
def test_a_version_keeps_its_teams_when_they_change(evenings):
    tournament, _by, _sums = evenings
    frozen = newest(tournament, 1)
    tournament.teams.all().update(name="")
    assert [team.name for team in read_for_directors(frozen).ranking.team_sums] != []
    assert newest(tournament, 1) == frozen


@pytest.mark.nightly("story")
def test_an_imported_archive_keeps_the_teams_and_their_marks(evenings):
    tournament, by, _sums = evenings
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), drops_worst=True)
    publish_all(tournament, by)
    packed = export(tournament)
    brought = bring(packed, make_club("loin"))
    assert brought.drops_worst
    assert export(brought) == packed
    assert read_teams(newest(brought, 2)) == read_teams(newest(tournament, 2))
    members = {member["player"] for row in newest(brought, 2)["teams"] for member in row["members"]}
    assert members <= set(brought.club.players.values_list("pk", flat=True))
