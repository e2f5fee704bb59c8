"""The published report of a session of teams: numbers without names, members, attackers, and changes."""

import json

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.models import ShownWord, Visibility
from clubs.shown import choose_shown
from evenings.teams.changing import rename_team
from pages.doors import session_url
from rankings.events import counting as events
from rankings.events.publishing import TOURNAMENTS
from rankings.events.report import read_tournament
from rankings.publication.differences import list_changes
from rankings.publication.publishing import SESSIONS
from rankings.publication.report import read_for_directors, read_report
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.playing import play_all, play_event, refresh, replace_member
from tests.factories import make_director, publish, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import PublishedPlayer, ResultEntry, TeamMember, TournamentPublication
from tournaments.published import Shows
from tournaments.reports.codec import encode
from tournaments.reports.session import decode_report
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


def played(**shape):
    session = triplettes_session(**shape)
    by = make_director(session.tournament.club)
    return play_all(session, by=by), by


@pytest.mark.nightly("crawl")
def test_publication_has_numbers_of_teams_with_members_and_no_name():
    session, by = played(teams=4)
    member = TeamMember.objects.get(team__number=2, place=1)
    new = replace_member(member, session, 2)
    publication = publish(session, by=by)
    text = json.dumps(publication.data, ensure_ascii=False)
    assert not [name for name in ("Les Bouts", "Fam", "Ersatz") if name in text]
    row = next(row for row in publication.data["players"] if row["team"] == 2)
    assert "player" not in row
    assert row["members"][:2] == [
        {"player": member.player_id, "place": 1, "from": 1, "to": 1},
        {"player": new.player_id, "place": 1, "from": 2, "to": None},
    ]
    assert PublishedPlayer.objects.filter(publication=publication).count() == 13
    report = decode_report(publication.data)
    assert encode(report) == publication.data
    assert report.format.name == "triplettes"


@pytest.mark.nightly("story")
def test_attacker_is_the_member_of_the_badge_or_the_one_that_the_result_names():
    session, by = played(teams=4)
    play = session.plays.select_related("etui").order_by("pk").first()
    team = session.entrants.get(pk=play.seat_ids[play.taker]).team
    named = team.members.exclude(place=play.badge).first()
    before = publish(session, by=by)
    ResultEntry.objects.filter(play=play, current=True).update(attacker=named)
    type(session).objects.filter(pk=session.pk).update(results_version=session.results_version + 1)
    after = publish(refresh(session), by=by)
    for publication, member in ((before, team.members.get(place=play.badge)), (after, named)):
        plays = [play for etui in publication.data["etuis"] for play in etui["plays"]]
        assert next(each["attacker"] for each in plays if each["id"] == play.pk) == member.player_id
    assert [change["code"] for change in after.changes] == ["attacker"]
    with override("en"):
        (change,) = list_changes(after.changes, Shows(), version=after)
    assert change.text == f"Étui {play.etui.number}, table 1: the player who attacked is corrected"


def test_members_and_ranks_are_told_by_the_teams_name():
    session, by = played(teams=4)
    publish(session, by=by)
    replace_member(TeamMember.objects.get(team__number=3, place=1), session, 2)
    type(session).objects.filter(pk=session.pk).update(results_version=session.results_version + 1)
    after = publish(refresh(session), by=by)
    with override("en"):
        texts = [change.text for change in list_changes(after.changes, Shows(), version=after)]
    assert "Team 3: the players of the team are corrected" in texts


@pytest.mark.nightly("story")
def test_report_names_teams_for_directors_and_their_members_for_everybody():
    session, by = played(teams=4)
    publication = publish(session, by=by)
    ours = next(row for row in read_for_directors(publication.data).players if row.team == 2)
    assert ours.name == "Les Bouts"
    assert [member.name for member in ours.members] == ["Prénom02 Fam102", "Prénom02 Fam202", "Prénom02 Fam302"]
    report = read_report(publication.data)
    lines = report.feuille(ours.id)
    assert len(lines) == len({line.play.id for line in lines}) == session.positions * session.etuis_per_position
    for line in lines:
        assert len(line.partners) == 1
        attacks = line.play.seats[line.play.taker] == ours.id
        assert (line.play.attacking in report.by_id[ours.id].members) == attacks
    steps = SESSIONS.podiums([publication])[publication.pk]
    assert [step.rank for step in steps][:1] == [1]
    assert all(step.player == 0 and step.name for step in steps)


@pytest.mark.nightly("story")
def test_podiums_of_two_tournaments_have_the_names_of_their_own_teams():
    publications = {}
    for name in ("Les Rois", "Les Dames"):
        session = triplettes_session(teams=4)
        by = make_director(session.tournament.club, name)
        play_all(session, by=by)
        for team in session.tournament.teams.all():
            new = {"team_id": team.pk, "name": f"{name} {team.number}"}
            rename_team(tournament_id=team.tournament_id, **new, by=by, now=timezone.now())
        publications[name] = publish(session, by=by)
    podiums = SESSIONS.podiums(list(publications.values()))
    for name, publication in publications.items():
        assert {step.name[: len(name)] for step in podiums[publication.pk]} == {name}


@pytest.mark.nightly("crawl")
def test_tournament_of_teams_is_published_with_numbers():
    tournament, sessions, by = play_event()
    for session in sessions:
        publish(session, by=by, allow_missing=True)
    events.refresh(tournament.pk, now=timezone.now())
    TOURNAMENTS.publish(tournament.pk, DirectorWord(by, timezone.now(), ""))
    publication = TournamentPublication.objects.get()
    assert publication.data["form"] == "triplettes"
    assert "Bouts" not in json.dumps(publication.data, ensure_ascii=False)
    row = next(each for each in read_tournament(publication.data, in_public=False).rows if each.team == 2)
    assert (row.name, row.played) == ("Les Bouts", 3)
    assert [len(each.members) for each in read_tournament(publication.data).rows if each.team == 3] == [4]
    assert len(TOURNAMENTS.podiums([publication])[publication.pk]) >= 3


def test_individual_report_has_no_key_of_teams():
    data = published_session().publications.get().data
    assert "form" not in data
    assert not {"team", "members"} & data["players"][0].keys()
    assert "attacker" not in data["etuis"][0]["plays"][0]


@pytest.mark.nightly("story")
def test_readers_see_the_name_of_a_team_until_a_member_with_that_name_hides():
    """Check it on a published ranking: names are joined when the page is shown."""
    session, by = played(teams=4)
    publish(session, by=by)
    team = session.tournament.teams.get(number=2)
    first = team.members.get(place=1).player
    url, told = session_url("ranking", session), {"by": by, "now": timezone.now()}
    assert "Les Bouts" in words(browser_of().get(url))
    name = f"Les {first.last_name}"
    rename_team(tournament_id=session.tournament_id, team_id=team.pk, name=name, **told)
    assert name in words(browser_of().get(url))
    choose_shown(player=first, shown=Visibility.HIDDEN, way=ShownWord.WordWay.DIRECTOR, **told)
    page = words(browser_of().get(url))
    assert name not in page
    assert "Team 2" in page
