"""The screen of a table in quadrettes: both teams, who attacks and who defends in which seat, and match points."""

import pytest
from django.utils import timezone

from evenings.standings import computing
from tests.evenings.tables.phones import Device
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, start
from tests.factories import enter, garde, make_director
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def prepared():
    return prepare(make_quadrettes(4), positions=3)


def table_of(session, attacker=2, position=1):
    return session.plays.filter(position=position, south__team__number=attacker).first().table


def stop_at(table, position=1):
    device = Device(table)
    device.send("join")
    return device.state()["stops"][position - 1]


@pytest.mark.nightly("story")
def test_screen_names_both_teams_and_who_sits_where(prepared):
    line_up(prepared, 2, "3124")
    session = start(prepared)
    play = session.plays.filter(position=1, south__team__number=2).first()
    other = play.north.team.number
    stop = stop_at(play.table)
    assert (stop["teams"], stop["attacking"]) == (
        {"N": {"name": "Les Bouts"}, "E": {"name": play.north.team.numbered}},
        "N",
    )
    attack = stop["plays"][0]["attack"]
    names = {"S": find_member(2, 3)} | {
        seat: find_member(other, place) for seat, place in (("N", 2), ("E", 3), ("W", 4))
    }
    assert attack["seats"] == {seat: member.player.name for seat, member in names.items()}
    assert {each["taker"] for each in stop["plays"]} == {"S"}
    assert {each["leader"] for each in stop["plays"]} != {"S"}  # the étui's dealer says who leads


@pytest.mark.nightly("story")
def test_change_of_a_line_up_shows_from_its_position_on(prepared):
    session = start(prepared)
    table = table_of(session, attacker=1)
    defending = session.plays.filter(position=1, table=table).first().north.team.number
    device = Device(table)
    device.send("join")
    before = device.state()["stops"]
    Session.objects.update(position=1)
    line_up(session, defending, "4231", reason="Zoé est malade")
    after = device.state()["stops"]
    assert [each["attack"]["seats"] for each in after[0]["plays"]] == [
        each["attack"]["seats"] for each in before[0]["plays"]
    ]
    session.refresh_from_db()
    later = session.plays.filter(position=2, north__team__number=defending).first()
    seats = stop_at(later.table, 2)["plays"][0]["attack"]["seats"]
    assert {seat: seats[seat] for seat in "NEW"} == {
        seat: find_member(defending, place).player.name for seat, place in (("N", 2), ("E", 3), ("W", 1))
    }


@pytest.mark.nightly("story")
def test_attacker_moves_on_and_the_three_others_stay(prepared):
    session = start(prepared)
    play = session.plays.filter(position=1).order_by("table", "etui").first()
    device = Device(play.table)
    device.send("join")
    there = {each["line"]: each for each in device.state()["next"]}
    later = session.plays.filter(position=2)
    attacks = later.filter(south=play.south_id).first().table.number
    defends = later.filter(north=play.north_id).first().table.number
    assert (there["N"]["table"], there["E"]["table"]) == (attacks, defends)
    assert all(each["part"] and "tables" not in each for each in there.values())


@pytest.mark.parametrize("shows", ["topage", "ranking"])
def test_live_results_are_in_match_points(prepared, shows):
    session = start(prepared)
    Session.objects.update(shows_after=shows, position=1)
    by = make_director(session.tournament.club)
    play = session.plays.filter(position=1).order_by("table", "etui").first()
    half = session.plays.get(position=1, etui=play.etui, south=play.north_id, north=play.south_id)
    enter(play, garde("S", points=60), by=by)
    enter(half, garde("S", points=40), by=by)
    computing.refresh(session.pk, now=timezone.now())
    device = Device(play.table)
    device.send("join")
    after = device.state()["stops"][0]["plays"][0]["after"]
    figures = (
        [each["percent"] for each in after["players"]]
        if shows == "ranking"
        else [each["notes"] and each["notes"]["S"] for each in after["plays"]]
    )
    told = [figure for figure in figures if figure]
    assert len(told) == 2
    assert told[0].startswith("+")
    assert {figure[-3:] for figure in told} == {" MP"}
    assert {figure.strip("+-") for figure in told} == {told[0].strip("+")}
