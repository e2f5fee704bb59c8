"""The shared data of a session of teams: members, line-ups, who sits where, and names without further queries."""

import pytest

from evenings.plays.common import read_common
from evenings.teams.lineups import read_seat_places
from tests.evenings.teams.evening import triplettes_session
from tests.evenings.teams.test_quadrettes import line_up, make_quadrettes, prepare, start
from tests.factories import make_club, make_tournament, started_session
from tournaments.models import Team, TeamMember

pytestmark = pytest.mark.django_db


def list_seats(session, *, parted=False):
    """Return the places of each team by position and entrant. The first étui of a position at a table decides.

    The attacking team has N where North or South takes, or where the positions are parted.
    """
    found, seen = {}, set()
    plays = session.plays.select_related("table", "etui").order_by("position", "table__number", "etui__number")
    for play in plays:
        if (place := (play.position, play.table.number)) not in seen:
            seen.add(place)
            teams = set(play.seat_ids.values())
            attacking = play.seat_ids[play.taker]
            for entrant in teams:
                has_north = (entrant == attacking) == (parted or play.taker in "NS")
                found.setdefault((play.position, entrant), []).append((place[1], "N" if has_north else "E"))
    return found


def test_triplettes_sit_north_south_and_east_west_and_have_no_line_ups():
    session = triplettes_session()
    common = read_common(session.pk)
    assert common.seats == list_seats(session)
    members = TeamMember.objects.filter(team__entries__session=session)
    assert {member.pk for member in common.members} == set(members.values_list("pk", flat=True))
    assert (common.line_ups, common.parted) == ({}, set())


def test_quadrettes_attack_at_one_table_and_defend_at_another_by_their_line_ups():
    draft = prepare(make_quadrettes(4), positions=3)
    line_up(draft, 2, "3124")
    session = start(draft)
    common = read_common(session.pk)
    assert common.seats == list_seats(session, parted=True)
    assert {len(places) for places in common.seats.values()} == {2}
    assert common.parted == {1, 2, 3}
    assert common.line_ups == read_seat_places(session)
    assert {member.place for member in common.members} == {1, 2, 3, 4}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("by_name", [False, True])
def test_names_of_teams_and_players_take_no_query(django_assert_num_queries, by_name):
    session = triplettes_session()
    Team.objects.filter(entries__session=session, number=1).update(name="Les Sauges")
    people = read_common(session.pk).people
    single = read_common(started_session(make_tournament(make_club("autre"))).pk).people
    with django_assert_num_queries(0):
        names = {who.get_name(by_name=by_name) for who in (*people.values(), *single.values())}
    assert len(names) == len(people) + len(single)
    assert "Les Sauges" in names


def test_single_players_have_no_members_and_one_seat_in_each_position():
    session = started_session()
    common = read_common(session.pk)
    assert (common.members, common.line_ups, common.parted) == ((), {}, set())
    rows = session.plays.values_list("position", "table__number", "north", "east", "south", "west").distinct()
    assert common.seats == {
        (position, entrant): ((table, line),)
        for position, table, *entrants in rows
        for line, entrant in zip("NESW", entrants, strict=True)
    }
    assert set(common.etuis) == set(session.plays.values_list("etui", flat=True))
    assert {"cards"} == set().union(*(etui.get_deferred_fields() for etui in common.etuis.values()))
