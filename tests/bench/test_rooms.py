"""The bench of the rooms: its players make legal moves, and a late or failed answer misses the goal."""

import pytest

from bench.rooms.__main__ import report
from bench.rooms.asking import Timings, choose
from bench.rooms.fours import FourPlayer, FourTable, is_asked, is_ready
from bots.matches import start_free
from deals.domain.cards import LINES, Seat
from referee.views import view
from rooms.games.moving import answer_moves
from rooms.record.moves import read_move
from rooms.record.replaying import GamePosition
from rooms.record.shown import describe_table
from rooms.record.tables import share_secret
from tests.bots.games import SEED

pytestmark = pytest.mark.nightly("process")


@pytest.mark.parametrize("etui", range(1, 9))
def test_players_make_legal_moves_to_the_end(etui):
    position, names = GamePosition(start_free(SEED, etui)), dict.fromkeys(map(str, LINES), "")
    while not position.is_over:
        position = answer_moves(position, share_secret(b"", 0, but=Seat.S), seconds=60).position
        if not position.is_over:
            asks_chelem = position.awaits_chelem and position.state.seat != Seat.S
            table = describe_table(view(position.state, Seat.S), names=names, etui=1, of=1, length=0)
            position = position.make(Seat.S, read_move(choose({"asks_chelem": asks_chelem, "table": table})))
    assert len(position.tokens) in (4, 77, 78, 79)


@pytest.mark.parametrize(
    ("cards", "errors", "missed"),
    [([0.2] * 99 + [3.0], [], False), ([0.2] * 9 + [3.0], [], True), ([0.2], ["card: 500"], True), ([], [], True)],
)
def test_late_answer_or_error_misses_the_goal(cards, errors, missed, capsys):
    found = Timings()
    found.seconds["card"], found.errors = cards, errors
    assert report(1, found, share=0.1) == missed
    assert ("missed" in capsys.readouterr().out) == (missed and not errors)


@pytest.mark.parametrize(("seen", "missed"), [([1.2] * 20, False), ([1.2] * 9 + [1.6], True), ([], True)])
def test_card_that_others_see_late_misses_the_goal(seen, missed, capsys):
    found = Timings()
    found.seconds["card"], found.seconds["seen"] = [0.2] * 20, seen
    assert report(1, found, share=0.1, fours=True) == missed
    assert ("is seen ≤ 1.5 s missed" in capsys.readouterr().out) == missed


def test_card_is_seen_once_by_each_other_player():
    found, table = Timings(), FourTable(1)
    south, north = (FourPlayer(table, seat, "", 1, found) for seat in "SN")
    table.sent[1, 0], table.sent[1, 1] = (0.0, "S"), (0.0, "N")
    for player in (south, north, north):
        player.note({"deal": 1, "length": 2})
    assert len(found.seconds["seen"]) == 2
    north.note({"deal": 2, "length": 0})
    assert len(found.seconds["seen"]) == 2


def test_player_moves_when_asked_and_wants_the_next_deal_once():
    asked = {"is_over": False, "asks_chelem": False, "game": {"asks": {"kind": "card"}}}
    assert is_asked(asked)
    assert not is_asked(asked | {"is_over": True})
    assert not is_asked(asked | {"game": {"asks": {"kind": "wait"}}})
    assert is_ready({"seats": [{"seat": "N", "ready": False}, {"seat": "S", "ready": True}]}, "S")
