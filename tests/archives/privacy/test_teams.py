"""The privacy of people who played in teams: their export, and the erasure of members, former members and captains."""

import io
import json
import zipfile

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.everything import PERSONAL_DATA
from archives.privacy.export import write_export
from archives.privacy.whom import rows_about, whom_of_player
from clubs.models import Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import choose_shown
from evenings.requests.asking import answer_by_link, ask_correction
from evenings.sessions.setup import create_session
from evenings.teams.naming import read_public_names
from pages.doors import session_url
from registration.people.merging import merge_players, preview_merge
from tests import shared_evenings
from tests.evenings.requests.team_world import TEAM, TwoTeams, published_triplettes
from tests.evenings.requests.world import WRONG, visit
from tests.evenings.teams.evening import make_team_tournament, triplettes_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import CorrectionRequest, Play, RequestAnswer, Team, TeamMember


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_triplettes()


session = shared_evenings.evening_read_with_nothing_cached


@pytest.fixture
def two(session):
    return TwoTeams(session)


def by_of(session):
    return session.tournament.club.memberships.get().user


def files_of(player):
    export = write_export(whom_of_player(player), told="", now=timezone.now())
    with export, zipfile.ZipFile(io.BytesIO(export.read())) as packed:
        return {name[:-5]: json.loads(packed.read(name)) for name in packed.namelist() if name.endswith("json")}


def erase_player(player, by):
    return erase(whom_of_player(player), by=by, now=timezone.now())


def ask_and_answer(two):
    told = {"play_id": two.play.pk, "text": WRONG, "now": timezone.now()}
    asked = ask_correction(link=two.asker, **told)
    return answer_by_link(link=two.others[0], request_id=asked.pk, agrees=True, now=timezone.now())


@pytest.mark.parametrize(("name", "writer"), [("requests", "asker"), ("answers", "answerer")])
def test_what_a_member_asked_or_answered_is_no_mates(two, name, writer):
    """Check that a request and an opinion are about the member who wrote them, and not about the whole team."""
    answer = ask_and_answer(two)
    (kept,) = (each for each in PERSONAL_DATA if each.name == name)
    links = {"asker": two.asker, "mate": two.mate, "answerer": two.others[0], "mate of the answerer": two.others[1]}
    rows = {who: rows_about(kept, whom_of_player(link.member.player), kept.whose) for who, link in links.items()}
    written = {"asker": answer.request_id, "answerer": answer.pk}[writer]
    assert {who: [row.pk for row in found] for who, found in rows.items()} == {
        who: [written] if who == writer else [] for who in links
    }


@pytest.mark.nightly("story")
def test_export_has_the_teams_the_attacks_and_the_links_of_the_member_alone(two):
    ask_and_answer(two)
    files = files_of(two.came.member.player)
    (team,) = files["teams"]
    assert (team["number"], team["place"], team["from_position"]) == (two.came.member_id, 2, 2)
    (seat,) = files["seats"]
    assert (seat["number"], seat["player"], seat["team"]) == (two.entrant.pk, None, two.entrant.team_id)
    plays = [play for play in Play.objects.filter(session=two.session) if two.entrant.pk in play.seat_ids.values()]
    assert {row["number"] for row in files["plays"]} == {play.pk for play in plays}
    assert {row["badge"] for row in files["plays"]} == {1, 2, 3}
    assert {"attacker"} <= set(files["results"][0])
    assert len(files["personal_links"]) == 1
    assert {"requests", "answers"} & set(files) == set()
    assert files["figures"][0]["attacks"] == 6
    assert len(files["notes"]) == len(plays) * 2
    assert len(files_of(two.asker.member.player)["requests"]) == 1
    assert len(files_of(two.others[0].member.player)["answers"]) == 1
    assert "answers" not in files_of(two.others[1].member.player)


@pytest.mark.nightly("story")
def test_export_of_a_player_who_is_in_no_team_has_nothing_of_teams(two):
    (other,) = add_players(club=two.session.tournament.club, lines=[RosterLine("Personne", "Ada")])
    assert {"teams", "seats", "plays", "results", "personal_links"} & set(files_of(other)) == set()


@pytest.mark.nightly("story")
def test_erased_member_is_a_number_everywhere_and_only_their_link_ends(two):
    ask_and_answer(two)
    player, by = two.asker.member.player, by_of(two.session)
    Team.objects.filter(pk=two.entrant.team_id).update(name=f"Chez {player.last_name}")
    last = player.last_name
    before = two.session.publications.get().data
    assert erase_player(player, by)
    assert visit(two.asker).status_code == 404
    for link in (two.mate, two.came, two.left, two.others[0]):
        assert visit(link).status_code == 200
        assert last not in words(visit(link))
    assert CorrectionRequest.objects.get().member_id == two.asker.member_id
    assert RequestAnswer.objects.get().member_id == two.others[0].member_id
    assert two.session.publications.get().data == before
    team = Team.objects.get(pk=two.entrant.team_id)
    assert team.name == ""
    assert read_public_names([team]) == {team.pk: "Team 2"}
    assert TeamMember.objects.get(pk=two.asker.member_id).player_id == player.pk
    page = browser_of().get(session_url("ranking", two.session))
    assert last not in words(page)


@pytest.mark.nightly("story")
def test_erased_captain_gives_the_team_to_another_member(two):
    team = Team.objects.get(pk=two.entrant.team_id)
    captain = team.captain
    assert captain == two.asker.member.player
    erase_player(captain, by_of(two.session))
    team.refresh_from_db()
    assert team.captain_id in set(team.members.filter(ended_at=None).values_list("player", flat=True)) - {captain.pk}
    erase_player(two.others[1].member.player, by_of(two.session))
    assert Team.objects.get(pk=two.other.team_id).captain_id == two.others[0].member.player_id


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("shown", [Visibility.HIDDEN, Visibility.INITIALS])
@pytest.mark.parametrize("whose", ["asker", "left", "came"])
def test_name_of_a_team_is_its_number_once_a_member_of_that_name_is_hidden(two, shown, whose):
    player, browser = getattr(two, whose).member.player, browser_of()
    team = Team.objects.get(pk=two.entrant.team_id)
    Team.objects.filter(pk=team.pk).update(name=f"Amis de {player.last_name}")
    type(two.session.tournament.club).objects.update(names_version=100)
    hidden = (player.last_name, f"Amis de {player.last_name}")
    pages = [("ranking", ()), ("published_etui", (1, 1)), ("feuille", (1, two.entrant.pk)), ("hall", ())]
    told = {"hall": {"ranking": ""}}
    for name, more in pages:
        assert hidden[1] in words(browser.get(session_url(name, two.session, *more), told.get(name))), name
    choose_shown(player=player, shown=shown, way="account", by=None, now=timezone.now())
    for name, more in pages:
        page = words(browser.get(session_url(name, two.session, *more), told.get(name)))
        assert [word for word in hidden if word in page] == [], name
        assert "Team 2" in page, name


def test_member_is_not_erased_while_the_team_plays(db):
    running = triplettes_session(teams=4)
    member = TeamMember.objects.filter(team__number=1).first()
    by = by_of(running) if running.tournament.club.memberships.exists() else None
    with pytest.raises(ActionRefused) as refusal:
        erase_player(member.player, by)
    assert refusal.value.code == "erasure_while_playing"


@pytest.mark.nightly("story")
def test_erased_player_leaves_a_team_that_has_not_played(rows_of_the_file):
    tournament = make_team_tournament(teams=2)
    create_session(tournament=tournament, date=timezone.localdate(), positions=3, etuis_per_position=4)
    team = tournament.teams.get(number=1)
    captain = team.captain
    Team.objects.filter(pk=team.pk).update(name=f"les {captain.last_name.lower()}")
    erase_player(captain, None)
    team.refresh_from_db()
    assert team.members.count() == 2
    assert team.captain in [member.player for member in team.members.all()]
    assert team.name == ""


def test_players_of_two_teams_or_of_one_are_never_merged(two):
    club, by = two.session.tournament.club, by_of(two.session)
    pairs = {
        "players_in_two_teams": (two.asker, two.others[0]),
        "players_in_one_team": (two.came, two.left),
    }
    for code, links in pairs.items():
        kept, gone = (link.member.player for link in links)
        assert preview_merge(kept, gone).apart.code == code
        with pytest.raises(ActionRefused) as refusal:
            merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=by, now=timezone.now())
        assert (refusal.value.code, refusal.value.params["team"]) == (code, TEAM)
        assert f"{kept.name} and {gone.name}" in str(refusal.value)


@pytest.mark.nightly("story")
def test_member_who_is_merged_with_a_player_in_no_team_keeps_link_and_results(two):
    club, by, player = two.session.tournament.club, by_of(two.session), two.asker.member.player
    (kept,) = add_players(club=club, lines=[RosterLine("Doublon", "Ada")])
    merge_players(club=club, kept_id=kept.pk, gone_id=player.pk, by=by, now=timezone.now())
    page = words(visit(two.asker))
    assert "Doublon" in page
    assert page.count("you attack") == 2
    files = files_of(kept)
    assert len(files["teams"]) == len(files["personal_links"]) == 1
    assert files["figures"][0]["attacks"] == 6
