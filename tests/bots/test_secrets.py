"""The chance of the bots: a secret for each étui, and a key that depends only on what a seat has seen."""

from dataclasses import fields, replace
from hashlib import sha256
from itertools import islice

import pytest

from bots.secrets import bot_secret, decision_numbers, view_history
from deals.domain.dealing import DealingError, commitment
from referee.views import SeatView, view
from tests.bots.games import SEED, play_bots
from tests.bots.positions import make_view

# These follow from the others, or say what follows for a player whose turn it is.
DERIVED = {"rules", "phase", "turn", "called", "partner", "legal", "sizes", "leader", "cannot_have", "result"}


def test_secret_is_the_digest_that_anybody_can_compute():
    assert bot_secret(SEED, 7) == sha256(b"TDGB" + SEED + bytes([0, 0, 0, 7])).digest()
    assert len({bot_secret(SEED, etui) for etui in range(1, 100)}) == 99


def test_secret_is_never_the_published_commitment():
    """Check the shortest commitment: it hashes one byte more than a secret does."""
    assert commitment(SEED) not in {bot_secret(SEED, etui).hex() for etui in range(1, 1000)}


def test_wrong_seed_and_wrong_etui_are_refused():
    with pytest.raises(DealingError, match="31 bytes"):
        bot_secret(SEED[1:], 1)
    with pytest.raises(DealingError, match="not 0"):
        bot_secret(SEED, 0)


def test_numbers_depend_on_secret_seat_and_history():
    state = play_bots(1, 0, moves=12)
    seen = view(state, state.seat)
    first = list(islice(decision_numbers(b"a" * 32, seen), 5))
    assert first == list(islice(decision_numbers(b"a" * 32, seen), 5))
    assert first != list(islice(decision_numbers(b"b" * 32, seen), 5))
    later = view(play_bots(1, 0, moves=13), state.seat)
    assert first != list(islice(decision_numbers(b"a" * 32, later), 5))


def test_history_has_every_field_of_a_view_that_does_not_follow_from_the_others():
    seen = make_view("♠2 ♠3 21", "♠4", taker=2)
    others = {
        "seat": "W",
        "dealer": 1,
        "bids": (None,),
        "taker": 1,
        "contract": "garde",
        "chelem": 2,
        "poignees": ((1, 5),),
        "chien": 3,
        "ecart": 3,
        "ecart_trumps": 1 << 60,
        "hand": 1,
        "cards": (9,),
        "tricks": make_view("♠2", "", taker=2, tricks=((0, "♥2 ♥3 ♥4 ♥5"),)).tricks,
    }
    assert set(others) | DERIVED == {field.name for field in fields(SeatView)}
    for name, value in others.items():
        assert view_history(replace(seen, **{name: value})) != view_history(seen), name
