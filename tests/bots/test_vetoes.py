"""The vetoes: no bot leads the Petit or gives it away, and nothing else of its play changes."""

from hashlib import sha256

import pytest

from bots.choosing import choose_card
from bots.levels import CHARACTERS, BotLevel, Character
from bots.matches import find_next_move, start_takeable
from bots.moves import CardMove
from bots.policy import deciding
from bots.policy.deciding import choose_by_policy, forbid_the_petit
from bots.secrets import bot_secret
from deals.domain.cards import PETIT
from referee.cards import EXCUSE_BIT
from referee.rules import seat_of
from referee.terms import DealPhase
from referee.views import view
from tests.bots.games import SEED
from tests.bots.positions import make_view, mask

TEN = Character(BotLevel.TEN)
# The digest of the first 200 takeable étuis that four bots of level 10 of version 2 played.
VERSION_2 = "b92deb5008764d96"


def legal_after(hand, trick="", *, taker, **told):
    """Return the legal cards that the vetoes leave player 0."""
    return forbid_the_petit(make_view(hand, trick, taker=taker, **told)).legal


HAND = "1 9 15 ♠R ♠2 ♥3"


@pytest.mark.parametrize("taker", [0, 1])
def test_petit_is_not_led_while_the_other_side_may_have_a_trump(taker):
    assert legal_after(HAND, taker=taker) == mask("9 15 ♠R ♠2 ♥3")
    assert legal_after(HAND, taker=taker, without="1★ 2★ 3★") == mask(HAND)


def test_defender_may_lead_the_petit_if_only_partners_have_trumps():
    assert legal_after(HAND, taker=1, without="1★") == mask(HAND)
    assert legal_after(HAND, taker=1, without="2★ 3★") == mask("9 15 ♠R ♠2 ♥3")


def test_petit_is_not_led_behind_an_excuse():
    assert not legal_after(HAND, "*", taker=1) & 1 << PETIT


def test_petit_is_not_given_to_a_trick_of_the_other_side():
    hand = "1 3 ♠R"
    assert legal_after(hand, "♥4 18 ♥5", taker=2) == mask("3")  # the taker has trumped high
    assert legal_after(hand, "♥4 ♥7 18", taker=2) == mask("1 3")  # a partner has
    assert legal_after(hand, "♥4 ♥7 ♥5", taker=2) == mask("1 3")  # the Petit wins
    assert legal_after(hand, "♥4 18", taker=3) == mask("3")  # the partner behind is expected to follow suit
    assert legal_after(hand, "♥4 18", taker=3, without="1♥") == mask("1 3")  # the partner may overtrump
    assert legal_after(hand, "♥4 18", taker=3, without="1♥ 1★") == mask("3")
    assert legal_after(hand, "♥4 18", taker=0) == mask("3")  # both others are enemies of the taker


def test_petit_that_is_the_only_legal_card_is_played():
    assert legal_after("1", taker=1) == mask("1")
    assert legal_after("1 ♠R", "♥4 18 ♥5", taker=2) == mask("1")
    assert legal_after("1 * ♠R", "♥4 18 ♥5", taker=2) == EXCUSE_BIT


def play_etui(etui, bot):
    """Return the cards of an étui that four bots play, and the decisions in which a veto forbids a card."""
    state, forbidden, cards = start_takeable(SEED, etui), [], []
    secret = bot_secret(SEED, etui)
    while state.phase != DealPhase.OVER:
        player, move = find_next_move(state, dict.fromkeys(range(4), bot), secret)
        seen = view(state, seat_of(player, 4))
        if isinstance(move, CardMove):
            cards.append(move.card)
            if forbid_the_petit(seen) is not seen:
                forbidden.append((seen, move.card))
        state = move.make(state, seat_of(player, 4))
    played = [card for trick in state.tricks for card in trick.cards]
    told = repr((state.terms.ecart, state.terms.poignees, played)).encode()
    return forbidden, sha256(told).hexdigest()[:16]


@pytest.mark.parametrize("etuis", [6, pytest.param(150, marks=pytest.mark.nightly("statistics"))])
def test_no_bot_leads_or_gives_the_petit_against_a_veto(etuis):
    for etui in range(1, etuis + 1):
        for bot in (BotLevel.POLICY, *CHARACTERS[:5:2]) if etuis > 6 else (BotLevel.POLICY,):
            for seen, card in play_etui(etui, bot)[0]:
                assert card != PETIT, (etui, bot, seen)


@pytest.mark.nightly("statistics")
def test_policy_by_itself_never_names_a_forbidden_petit():
    for etui in range(1, 151):
        forbidden = [forbid_the_petit(seen) for seen, _card in play_etui(etui, BotLevel.POLICY)[0]]
        assert PETIT not in map(choose_by_policy, forbidden)


@pytest.mark.nightly("statistics")
def test_cards_without_a_veto_are_those_of_version_2(monkeypatch):
    """Check 200 étuis, card by card, by one digest."""
    monkeypatch.setattr(deciding, "VETOES", ())
    told = "".join(play_etui(etui, BotLevel.TEN)[1] for etui in range(1, 201))
    assert sha256(told.encode()).hexdigest()[:16] == VERSION_2


@pytest.mark.parametrize("most", [3, pytest.param(100, marks=pytest.mark.nightly("statistics"))])
def test_veto_changes_only_the_choice_of_the_petit(most, monkeypatch):
    forbidden = play_etui(2, BotLevel.POLICY)[0][-most:]
    assert forbidden
    with_vetoes = [choose_card(seen, TEN, SEED) for seen, _card in forbidden]
    monkeypatch.setattr(deciding, "VETOES", ())
    without = [choose_card(seen, TEN, SEED) for seen, _card in forbidden]
    assert all(one == other or other == PETIT for one, other in zip(with_vetoes, without, strict=True))
