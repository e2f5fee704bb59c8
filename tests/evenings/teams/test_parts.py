"""The part of each member in the plays of a team, and the order in which a table names its teams: each in one place."""

import pytest

from evenings.plans.teams.evening_plan import list_member_ways
from evenings.plans.teams.printing import read_printed_plan
from outgoing.paper.pdf import make_heading
from outgoing.paper.teams import plan as papers
from scoring.formats import QUADRETTES, TRIPLETTES
from scoring.teams import TeamTable, find_parted, order_teams
from tests.evenings.teams.accidents.test_emmanuel import start_emmanuel
from tests.outgoing.paper.test_pdf import flat
from tournaments.reports.parts import MemberPart, read_team_parts
from tournaments.reports.session import RankedPlayer, ReportedMember, ReportedPlay

ATTACK, DEFENCE, WAIT, AWAY, UNKNOWN = MemberPart
ONE, OTHER = 10, 20


def team(*players: tuple[int, int, int | None], id: int = ONE) -> RankedPlayer:
    """Return a team with members in order of their places, each given as (player, first, last position)."""
    members = [
        ReportedMember(player=who, place=place, first=first, last=last)
        for place, (who, first, last) in enumerate(players, start=1)
    ]
    return RankedPlayer(id=id, line="", number=1, team=1, members=members)


def play(position: int, attacking: int, attacker: int = 0, taker: str | None = "S") -> ReportedPlay:
    other = OTHER if attacking == ONE else ONE
    seats = {line: attacking if line == "S" else other for line in "NESW"}
    told = {"taker": taker, "attacker": attacker, "state": "scored"}
    return ReportedPlay(id=position, position=position, table=1, seats=seats, **told)


def parts_of(found, asked: ReportedPlay, members) -> list[MemberPart]:
    return [found.find(asked, asked.taker, (each.player,), (each,)) for each in members]


def test_in_triplettes_one_attacks_two_wait_and_three_defend():
    mine = team((1, 1, None), (2, 1, None), (3, 1, None))
    found = read_team_parts(TRIPLETTES, mine, [])
    assert parts_of(found, play(1, ONE, 2), mine.members) == [WAIT, ATTACK, WAIT]
    assert parts_of(found, play(1, OTHER, 9), mine.members) == [DEFENCE] * 3
    assert parts_of(found, play(1, ONE, taker=None), mine.members) == [UNKNOWN] * 3


def test_former_member_is_away_but_attacked_if_the_result_says_so():
    mine = team((1, 1, 2), (2, 3, None))
    found = read_team_parts(TRIPLETTES, mine, [])
    assert parts_of(found, play(3, OTHER), mine.members) == [AWAY, DEFENCE]
    assert parts_of(found, play(3, ONE, 1), mine.members) == [ATTACK, WAIT]


def test_in_quadrettes_the_attacker_is_away_while_the_three_others_defend():
    mine = team((1, 1, None), (2, 1, None), (3, 1, None), (4, 1, None))
    plays = [play(1, ONE, 1), play(1, OTHER, 9), play(2, OTHER, 9), play(3, ONE, 4), play(3, OTHER, 9)]
    found = read_team_parts(QUADRETTES, mine, plays)
    assert parts_of(found, plays[0], mine.members) == [ATTACK, AWAY, AWAY, AWAY]
    assert parts_of(found, plays[1], mine.members) == [AWAY, DEFENCE, DEFENCE, DEFENCE]
    # In position 2 the team attacks nobody: the same member as before is away.
    assert parts_of(found, plays[2], mine.members) == [AWAY, DEFENCE, DEFENCE, DEFENCE]
    assert parts_of(found, plays[4], mine.members) == [DEFENCE, DEFENCE, DEFENCE, AWAY]


def test_with_five_members_nobody_knows_who_defended():
    mine = team(*((who, 1, None) for who in (1, 2, 3, 4, 5)))
    plays = [play(1, ONE, 1), play(1, OTHER, 9)]
    found = read_team_parts(QUADRETTES, mine, plays)
    assert parts_of(found, plays[1], mine.members) == [AWAY, *[UNKNOWN] * 4]


def test_tables_name_attack_and_defence_where_a_team_sits_at_several():
    tables = [
        TeamTable(1, 1, frozenset({1, 2})),
        TeamTable(1, 2, frozenset({1, 3})),
        TeamTable(2, 1, frozenset({1, 2})),
    ]
    assert find_parted([*tables, tables[2]]) == {1}
    assert order_teams("A", "D", "E", parted=True) == ("A", "D")
    assert [order_teams("A", "D", taker, parted=False) for taker in "NESW"] == [
        ("A", "D"),
        ("D", "A"),
        ("A", "D"),
        ("D", "A"),
    ]


@pytest.mark.nightly("print")
@pytest.mark.django_db
def test_papers_of_emmanuel_with_one_etui_name_attack_and_each_players_table():
    """Take one étui a table: an étui of East or West does not make the attacking team the one of the line."""
    session = start_emmanuel(etuis=1)
    evening = read_printed_plan(session, make_heading(session))
    plays = {(play.position, play.table.number): play for play in session.plays.select_related("table", "etui")}
    for position in evening.positions:
        for sitting in position.sittings:
            found = plays[position.number, sitting.table]
            assert sitting.teams[0].id == found.seat_ids[found.taker]
    poster = flat(papers.poster(evening, language="en"))
    assert (poster.count("Attack"), "NS" in poster, "EW" in poster) == (4 * 12, False, False)
    starts = {way.member.name: way.stops[0].sitting.table for way in list_member_ways(evening)}
    listed = flat(papers.team_list(evening, language="en"))
    attacking = {sitting.teams[0].id for sitting in evening.positions[0].sittings}
    for way in list_member_ways(evening):
        if way.team.id in attacking:
            assert f"{way.member.name} (Table {starts[way.member.name]} )" in listed
