"""The defenders of a match between teams of five: the line-up names them, in reports and careers."""

import pytest
from django.utils import timezone

from evenings.changes.quarters import hand_in_quarter, play_without_line_ups
from evenings.standings import computing
from evenings.teams.lineups import SeenLineUp
from pages.doors import session_url
from rankings.careers.rows import read_parts, seat_members
from rankings.publication.building import build_report
from tests.api.conftest import Client as Program
from tests.evenings.teams.matches.evening import (
    attack,
    find_member,
    hand_in,
    list_badges,
    make_matches,
    play_matches,
    prepare_match,
    start,
)
from tests.evenings.teams.playing import refresh, replace_member
from tests.factories import enter, make_director, publish
from tests.pages.browsing import browser_of
from tournaments.errors import Conflict
from tournaments.models import LineUp, Publication
from tournaments.reports.parts import MemberPart
from tournaments.reports.session import decode_report

pytestmark = pytest.mark.django_db
LINE_UPS = {1: {1: "2134", 2: "3451"}, 2: {1: "5431", 2: "1235"}, 3: {1: "1345", 2: "4512"}, 4: {1: "3512", 2: "2345"}}


@pytest.fixture
def report():
    """Return the published report of a match of two teams of five. LINE_UPS has the places in S, N, E, W."""
    session = start(prepare_match(make_matches(2)))
    by = make_director(session.tournament.club)
    for quarter, teams in LINE_UPS.items():
        for team, places in teams.items():
            hand_in(session, team, quarter, places)
    publish(play_matches(session, by=by), by=by)
    return decode_report(Publication.objects.get().data)


@pytest.mark.nightly("story")
def test_report_names_the_defenders_of_the_line_up(report):
    teams = {row.id: row.team for row in report.players}
    players = {(number, place): find_member(number, place).player_id for number in (1, 2) for place in range(1, 6)}
    for etui in report.etuis:
        for play in etui.plays:
            attacking, defending = teams[play.seats["S"]], teams[play.seats["N"]]
            places = LINE_UPS[play.position][defending]
            assert play.defenders == tuple(players[defending, int(place)] for place in places[1:])
            assert play.attacker == players[attacking, int(LINE_UPS[play.position][attacking][0])]
            # An independent reading of the seats of a career: South attacks, the others sit as the line-up says.
            seats = seat_members(play, read_parts(report))
            assert [seats[line] for line in "SNEW"] == [play.attacker, *play.defenders]


@pytest.mark.nightly("story")
def test_member_attacks_or_defends_only_where_the_line_up_says_so(report):
    parts = read_parts(report)
    counts = {}
    for row in report.players:
        for member in row.members:
            told = [
                parts[row.id].find(play, play.taker, (member.player,), (member,))
                for etui in report.etuis
                for play in etui.plays
            ]
            counts[row.team, member.place] = (told.count(MemberPart.ATTACK), told.count(MemberPart.DEFENCE))
            assert MemberPart.UNKNOWN not in told
    expected = {
        (team, place): (
            4 * sum(quarter[team][0] == str(place) for quarter in LINE_UPS.values()),
            4 * sum(str(place) in quarter[team][1:] for quarter in LINE_UPS.values()),
        )
        for team in (1, 2)
        for place in range(1, 6)
    }
    assert counts == expected


@pytest.mark.nightly("story")
def test_substitute_takes_over_the_seat_in_the_line_up():
    session = start(prepare_match(make_matches(2)))
    by = make_director(session.tournament.club)
    for quarter, teams in LINE_UPS.items():
        for team, places in teams.items():
            hand_in(session, team, quarter, places)
    first = find_member(1, 1)
    new = replace_member(first, session, 3)
    session = play_matches(session, by=by)
    report = decode_report(build_report(session, computing.compute(session.pk).data))
    mine = {row.id for row in report.players if row.team == 1}
    found = {play.position: play.defenders for etui in report.etuis for play in etui.plays if play.seats["N"] in mine}
    assert found[1][0] == found[2][2] == first.player_id
    assert found[4][1] == new.player_id


def test_nothing_of_a_quarter_that_was_not_played_is_in_a_report():
    session = start(prepare_match(make_matches(2)))
    by = make_director(session.tournament.club)
    for team in (1, 2):
        hand_in(session, team, 4, "5123")
    enter(session.plays.filter(position=1).select_related("etui", "table").first(), attack(None), by=by)
    session = refresh(session)
    report = decode_report(build_report(session, computing.compute(session.pk).data))
    assert {play.defenders for etui in report.etuis for play in etui.plays} == {()}
    play_without_line_ups(session_id=session.pk, quarter=1, by=by, now=timezone.now())
    report = decode_report(build_report(session, computing.compute(session.pk).data))
    known = [play for etui in report.etuis for play in etui.plays if play.defenders]
    assert [len(play.defenders) for play in known] == [3]


@pytest.mark.nightly("story")
def test_program_of_a_director_hands_in_a_quarter_and_says_what_it_has_seen():
    session = start(prepare_match(make_matches(2)))
    program = Program(make_director(session.tournament.club))
    path = f"sessions/{session.pk}/line-ups/"
    rows = program.get(path)
    assert [(row["number"], row["quarter"], row["chosen"]) for row in rows] == [
        (number, quarter, False) for number in (1, 2) for quarter in (1, 2, 3, 4)
    ]
    one = f"{path}{rows[0]['team']}/"
    members = {seat: find_member(1, place).pk for seat, place in zip("SNEW", (4, 1, 2, 3), strict=True)}
    other = members | {"N": find_member(1, 5).pk}
    assert program.refused("PUT", one, {"members": members}, status=422) == "quarter_unknown"
    assert program.refused("PUT", one, {"members": members, "quarter": 5}, status=422) == "quarter_unknown"
    told = program.put(one, {"members": members, "quarter": 2, "seen": None})
    assert (told["quarter"], told["chosen"], told["members"]) == (2, True, members)
    assert program.refused("PUT", one, {"members": other, "quarter": 2, "seen": None}, status=409) == (
        "line_up_meanwhile"
    )
    again = {"members": members, "quarter": 3, "seen": None}
    assert program.refused("PUT", one, again, status=422) == "line_up_attacks_again"
    assert program.put(one, {"members": other, "quarter": 2, "seen": members})["members"] == other
    assert program.put(one, {"members": members, "quarter": 2})["members"] == members
    assert LineUp.objects.count() == 3
    hand_in(session, 2, 2, "5123")
    assert list_badges(session, 2) == {1: {4}, 2: {5}}
    assert program.refused("PUT", one, {"members": other, "quarter": 2}, status=422) == "line_up_seen"
    assert program.put(one, {"members": other, "quarter": 2, "reason": "malade"})["members"] == other


def test_form_of_a_director_does_not_overwrite_a_line_up_that_came_in_meanwhile():
    session = start(prepare_match(make_matches(2)))
    browser = browser_of(make_director(session.tournament.club))
    url = f"{session_url('line_ups', session)}?quarter=1"
    pk = find_member(1, 1).team_id
    browser.get(url)
    hand_in(session, 1, 1, "4123")
    sent = {f"in-{pk}": "on", f"seen-{pk}": ""} | {
        f"{seat}-{pk}": find_member(1, place).pk for seat, place in zip("SNEW", (5, 1, 2, 3), strict=True)
    }
    answer = browser.post(url, sent)
    assert answer.status_code == 409
    assert LineUp.objects.get().attacker.place == 4
    shown = browser.get(url).content.decode()
    stored = "-".join(str(find_member(1, place).pk) for place in (4, 1, 2, 3))
    assert f'value="{stored}"' in shown
    assert browser.post(url, sent | {f"seen-{pk}": stored}).status_code == 302
    assert LineUp.objects.latest("pk").attacker.place == 5


def test_service_refuses_what_somebody_else_has_changed():
    session = start(prepare_match(make_matches(2)))
    hand_in(session, 1, 1, "4123")
    members = {seat: find_member(1, place).pk for seat, place in zip("SNEW", (5, 1, 2, 3), strict=True)}
    told = {"session_id": session.pk, "team_id": find_member(1, 1).team_id, "quarter": 1, "members": members}
    for seen in (SeenLineUp(None), SeenLineUp(members)):
        with pytest.raises(Conflict, match="line_up_meanwhile"):
            hand_in_quarter(**told, seen=seen, by=None, now=timezone.now())
