"""The plays that the table of strength needs: a bot against the yardstick, and a level against another."""

from bench.strength.yardstick import move_weakly
from bots.choosing import choose_move
from bots.levels import PLAYERS, BotLevel
from bots.matches import play_etui, start_takeable
from bots.secrets import bot_secret
from deals.domain.etui import taker_and_dealer
from referee.rules import player_at
from referee.terms import DealPhase
from referee.views import view
from scoring.contract import score_deal

WEAK = "yardstick"
SEED = bytes(range(32))
Task = tuple[str, str, int]  # who attacks, who defends, and the étui


def play_task(task: Task) -> tuple[Task, int]:
    """Return a task with its base score."""
    attack, defence, etui = task
    if WEAK in (attack, defence):
        return task, play_against_yardstick(etui, attack, defence)
    return task, play_etui(SEED, etui, find_level(attack), find_level(defence))


def find_level(name: str) -> BotLevel:
    return next(level for level in BotLevel if level.title == name)


def play_against_yardstick(etui: int, attack: str, defence: str) -> int:
    """Return the base score of a takeable étui, if one side, or each, is the weak player."""
    state, secret = start_takeable(SEED, etui), bot_secret(SEED, etui)
    taker = player_at(taker_and_dealer(etui)[0], PLAYERS)
    names = {player: attack if player == taker else defence for player in range(PLAYERS)}
    levels = {player: BotLevel.POLICY if name == WEAK else find_level(name) for player, name in names.items()}
    while state.phase != DealPhase.OVER:
        if names[state.turn] == WEAK:
            state = move_weakly(state).make(state, state.seat)
            continue
        # A weak taker who does not lead is not asked for a chelem: only the player whose turn it is moves here.
        move = choose_move(view(state, state.seat), levels[state.turn], secret)
        assert move is not None
        state = move.make(state, state.seat)
    assert state.result is not None
    return score_deal(state.result).base_score
