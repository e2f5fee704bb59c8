"""The bench of the rooms: its players make legal moves, and a late or failed answer misses the goal."""

import pytest

from bench.rooms.__main__ import Timings, choose, report
from bots.matches import start_free
from deals.domain.cards import LINES, Seat
from referee.views import view
from rooms.games.answering import answer_moves, share_secret
from rooms.record.moves import read_move
from rooms.record.replaying import GamePosition
from rooms.record.shown import describe
from tests.bots.games import SEED


@pytest.mark.parametrize("etui", range(1, 9))
def test_players_make_legal_moves_to_the_end(etui):
    position, names = GamePosition(start_free(SEED, etui)), dict.fromkeys(map(str, LINES), "")
    while not position.is_over:
        position = answer_moves(position, share_secret(b"", but=Seat.S), level=0, seconds=60).position
        if not position.is_over:
            asks_chelem = position.awaits_chelem and position.state.seat != Seat.S
            table = describe(view(position.state, Seat.S), names=names, etui=1, of=1, length=0)
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
