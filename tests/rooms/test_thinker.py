"""The child process of the bots: it gets views alone, loads no Django, and is replaced when it ends."""

import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from django.core.cache import caches

from bots.choosing import choose_move
from bots.levels import BotLevel, Character
from bots.matches import find_next_move, start_free
from referee.rules import seat_of
from referee.views import view
from rooms import thinker as asking
from rooms.record.moves import write_move
from rooms.thinker import NoAnswer, Thinker, choose_token, is_shared
from rooms.thinker_child import pack_question
from tests.bots.games import SEED
from tests.law.packages import PROJECT
from tests.services.waiting import wait_until

SECRET = bytes(32)
POLICY, TEN = Character(BotLevel.POLICY), Character(BotLevel.TEN)
UNASKED = {"sitecustomize", "usercustomize", "distutils"}  # an interpreter loads these by itself


@pytest.fixture
def thinker():
    made = Thinker()
    yield made
    made.stop()


def find_states(etui, moves):
    """Return the first states of an étui that the policy plays."""
    state, found = start_free(SEED, etui), []
    levels = dict.fromkeys(range(4), BotLevel.POLICY)
    for _move in range(moves):
        found.append(state)
        player, move = find_next_move(state, levels, SECRET)
        state = move.make(state, seat_of(player, 4))
    return found


STATES = find_states(1, 1) + find_states(7, 30)


@pytest.mark.nightly("story")
def test_child_answers_what_the_bots_choose(thinker):
    for state in STATES:
        for level in BotLevel.POLICY, BotLevel.TEN:
            for seat in (state.seat, seat_of((state.turn + 1) % 4, 4)):
                move = choose_move(view(state, seat), level, SECRET)
                token = "" if move is None else write_move(move)
                assert thinker.ask(view(state, seat), Character(level), SECRET) == token


def test_child_loads_no_django():
    """Check it in the child's own interpreter, after an answer."""
    code = (
        "import io, sys; from rooms.thinker_child import answer_all; sink = io.BytesIO();"
        "answer_all(io.BytesIO(sys.stdin.buffer.read()), sink);"
        "print(sink.getvalue().decode().strip(), *sorted({name.split('.')[0] for name in sys.modules}"
        " - set(sys.stdlib_module_names)))"
    )
    question = pack_question(view(STATES[0], STATES[0].seat), TEN, SECRET)
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, input=question, capture_output=True, check=True)
    told, *loaded = run.stdout.decode().split()
    assert told in "-PGSC"
    ours = {"bots", "deals", "referee", "rooms", "scoring", "wording"}
    assert {name for name in loaded if not name.startswith("_")} - ours - UNASKED == set()


def test_child_has_no_secret_in_its_environment_and_a_low_priority(thinker, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "hidden")
    thinker.ask(view(STATES[0], STATES[0].seat), POLICY, SECRET)
    pid = thinker.child.process.pid
    with open(f"/proc/{pid}/environ") as file:
        names = {each.partition("=")[0] for each in file.read().split("\0")}
    assert names - {"", "LC_CTYPE"} <= {"PATH", "LD_LIBRARY_PATH"}
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)


def test_hidden_cards_are_not_in_a_question():
    """Check that two deals which look alike for the seat are the same question."""
    state = STATES[-1]
    seat = state.seat
    others = [player for player in range(4) if seat_of(player, 4) != seat]
    hands = list(state.hands)
    hands[others[0]], hands[others[1]] = hands[others[1]], hands[others[0]]
    terms = state.terms
    dealt = list(terms.dealt)
    dealt[others[0]], dealt[others[1]] = dealt[others[1]], dealt[others[0]]
    exchanged = state._replace(hands=tuple(hands), terms=terms.change(dealt=tuple(dealt)))
    assert pack_question(view(exchanged, seat), TEN, SECRET) == pack_question(view(state, seat), TEN, SECRET)


def test_killed_child_is_replaced(thinker):
    seen = view(STATES[0], STATES[0].seat)
    answer = thinker.ask(seen, POLICY, SECRET)
    killed = thinker.child.process
    os.kill(killed.pid, 9)
    assert thinker.ask(seen, POLICY, SECRET) == answer
    assert thinker.child.process.pid != killed.pid
    wait_until(lambda: killed.poll() is not None, 5, "the killed child has ended")


def test_child_that_gives_no_answer_is_ended_within_its_limit(thinker, monkeypatch):
    seen = view(STATES[0], STATES[0].seat)
    thinker.ask(seen, POLICY, SECRET)
    began = time.monotonic()
    for limit in ("LIMIT", "STARTING"):
        monkeypatch.setattr(f"rooms.thinker.{limit}", 0.0)
    with pytest.raises(NoAnswer):
        thinker.ask(seen, POLICY, SECRET)
    assert time.monotonic() - began < 5
    monkeypatch.undo()
    assert thinker.ask(seen, POLICY, SECRET) in "-PGSC"


def test_question_that_is_broken_off_leaves_no_answer_for_the_next_one(thinker, monkeypatch):
    """Check a job whose time is over while it waits: the next question gets the answer to itself."""
    one, other = STATES[0], STATES[-1]
    thinker.ask(view(one, one.seat), POLICY, SECRET)

    class TimeIsOver(BaseException):
        """The end of a job from outside."""

    def break_off(**_options):
        raise TimeIsOver

    with monkeypatch.context() as patch:
        patch.setattr(thinker.child.answers, "get", break_off)
        with pytest.raises(TimeIsOver):
            thinker.ask(view(one, one.seat), POLICY, SECRET)
    answer = write_move(choose_move(view(other, other.seat), BotLevel.POLICY, SECRET))
    assert thinker.ask(view(other, other.seat), POLICY, SECRET) == answer


@pytest.mark.nightly("story")
def test_child_ends_with_its_parent():
    code = (
        "from rooms.thinker_child import *; from rooms.thinker import *; import os, sys, pickle;"
        "thinker.ask(*pickle.loads(sys.stdin.buffer.read())); print(thinker.child.process.pid, flush=True); os._exit(9)"
    )
    state = STATES[0]
    question = pack_question(view(state, state.seat), POLICY, SECRET)[4:]
    run = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, input=question, capture_output=True, check=False)
    pid = int(run.stdout)
    wait_until(lambda: not os.path.exists(f"/proc/{pid}") or is_zombie(pid), 10, "the child has ended")


def is_zombie(pid):
    with suppress(OSError), open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "Z"
    return True


def test_first_decisions_are_computed_once_for_all_tables(monkeypatch):
    asked = []
    monkeypatch.setattr(asking.thinker, "ask", lambda *question: asked.append(question) or "k:1")
    cards = [state for state in STATES if is_shared(view(state, state.seat), TEN)]
    assert cards
    for _table in range(3):
        for state in cards:
            assert choose_token(view(state, state.seat), TEN, SECRET, until=time.monotonic() + 1) == "k:1"
    assert len(asked) == len(cards)
    for other in ({"bot": Character(BotLevel.THIRTY)}, {"secret": b"other"}):
        told = {"bot": TEN, "secret": SECRET} | other
        choose_token(view(cards[0], cards[0].seat), until=time.monotonic() + 1, **told)
    assert len(asked) == len(cards) + 2


def test_whoever_waits_for_the_same_decision_gets_it_or_comes_back(monkeypatch):
    state = next(state for state in STATES if is_shared(view(state, state.seat), TEN))
    seen = view(state, state.seat)
    key = asking.decision_key(seen, TEN, SECRET)
    assert caches["computed"].add(f"{key}-asked", True, 60)
    with pytest.raises(NoAnswer):
        choose_token(seen, TEN, SECRET, until=time.monotonic() + 0.03)
    monkeypatch.setattr(asking, "sleep", lambda _seconds: caches["computed"].set(key, "k:5"))
    assert choose_token(seen, TEN, SECRET, until=time.monotonic() + 60) == "k:5"
