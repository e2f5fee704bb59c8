"""The table's screen where the tables deal: three to five players, who deals and rests, and one agreement a game."""

import pytest

from scoring.contract import Contract, DealResult
from tests.evenings.tables.phones import Device
from tests.free_evenings import lay_out_tables
from tournaments.models import Session
from tournaments.rules.entry import Facts, Fiche

pytestmark = pytest.mark.django_db


def device_at(session, number=1):
    device = Device(session.tables.get(number=number))
    device.send("join")
    return device


def stop_of(device, position=1):
    return next(stop for stop in device.state()["stops"] if stop["position"] == position)


def garde(taker, *, partner=None, players=4, half_points=98):
    called = None if partner is None else partner != taker
    result = DealResult(players, Contract.GARDE, 2, half_points, partner=called)
    return Facts(taker, result, partner=partner)


@pytest.mark.parametrize(
    ("size", "order"), [(3, ["N", "S", "E"]), (4, ["N", "W", "S", "E"]), (5, ["N", "F", "W", "S", "E"])]
)
def test_state_names_dealer_and_leader_of_each_deal(size, order):
    device = device_at(lay_out_tables([size], games=1, deals=6))
    stop = stop_of(device)
    assert list(stop["seats"]) == order
    assert [play["deal"] for play in stop["plays"]] == [1, 2, 3, 4, 5, 6]
    assert [play["dealer"] for play in stop["plays"]] == [order[deal % size] for deal in range(6)]
    assert [play["leader"] for play in stop["plays"]] == [order[(deal + 1) % size] for deal in range(6)]
    assert all("resting" not in play and "seats" not in play for play in stop["plays"])


def test_dealer_rests_with_a_mort():
    stop = stop_of(device_at(lay_out_tables([5], games=1, deals=5, mort=True)))
    assert [play["resting"] for play in stop["plays"]] == ["N", "F", "W", "S", "E"]
    assert [play["leader"] for play in stop["plays"]] == ["F", "W", "S", "E", "N"]


def test_deals_are_numbered_in_each_game():
    device = device_at(lay_out_tables([4], games=3, deals=4))
    assert [play["deal"] for play in stop_of(device, 2)["plays"]] == [1, 2, 3, 4]
    assert [play["etui"] for play in stop_of(device, 2)["plays"]] == [5, 6, 7, 8]


def test_game_without_seats_is_no_rest():
    state = device_at(lay_out_tables([4, 3], games=3, seated=1)).state()
    assert [(stop["rest"], stop.get("unseated")) for stop in state["stops"]] == [
        (False, None),
        (False, True),
        (False, True),
    ]
    assert state["next"] == []


@pytest.mark.parametrize(
    ("size", "entry", "marks"),
    [
        (3, garde("S", players=3), {"N": -66, "E": -66, "S": 132}),
        (5, garde("F", partner="E", players=5), {"N": -66, "E": 66, "S": -66, "W": -66, "F": 132}),
        (5, garde("F", partner="F", players=5), {"N": -66, "E": -66, "S": -66, "W": -66, "F": 264}),
        (3, Fiche("N", -40), {"N": -80, "E": 40, "S": 40}),
    ],
)
def test_marks_of_a_deal_by_seat(size, entry, marks):
    device = device_at(lay_out_tables([size], games=1, deals=1))
    (play,) = stop_of(device)["plays"]
    assert device.send("enter", play=play["id"], entry=entry, seat="N").status == "received"
    assert device.play(play["id"])["score"]["marks"] == marks
    assert device.play(play["id"])["entry"].get("partner") == getattr(entry, "partner", None)


def test_one_player_agrees_to_every_deal_whoever_took():
    session = lay_out_tables([4], games=1, deals=2, check_by=Session.Check.SAME)
    device = device_at(session)
    plays = stop_of(device)["plays"]
    for play, taker in zip(plays, "NE", strict=True):
        device.send("enter", play=play["id"], entry=garde(taker), seat="N")
    for play in plays:
        assert device.send("check", play=play["id"], agrees=True, seat="N", version=1).status == "refused"
        assert device.send("check", play=play["id"], agrees=True, seat="S", version=1).status == "received"
    assert [play["state"] for play in stop_of(device)["plays"]] == ["confirmed", "confirmed"]
