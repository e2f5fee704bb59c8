"""The review of a card: it knows what the player knew, and nothing else; what it tells is more than chance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.levels import BotLevel
from bots.policy.following import FOLLOWING_CARDS
from bots.policy.leading import LEADS_OF_A_DEFENDER, LEADS_OF_THE_TAKER
from bots.sampling.comparing import LEAST, MOST, SURE, CardReview, choose_dearest, review_card
from handbook.answers import PAGES_OF_RULES, find_page_of_rule
from handbook.words import list_slugs
from referee.cards import cards_of
from referee.terms import DealPhase
from referee.views import view
from tests.bots.games import SEED, play_bots
from tests.referee.test_views import find_unseen, swap


@pytest.mark.nightly("statistics")
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(6, 60), st.booleans(), st.data())
def test_other_hidden_cards_give_the_same_review(etui, moves, free, data):
    state = play_bots(etui, BotLevel.POLICY, free=free, moves=moves)
    if state.phase != DealPhase.PLAY or len(unseen := find_unseen(state, state.turn)) < 2:
        return
    one, other = (data.draw(st.sampled_from(unseen)) for _ in range(2))
    seen, changed = view(state, state.seat), view(swap(state, one, other), state.seat)
    card = data.draw(st.sampled_from(list(cards_of(seen.legal))))
    if changed == seen:  # otherwise a void or a shown card forbids the exchange
        assert review_card(changed, card, SEED) == review_card(seen, card, SEED)


def find_reviews(etui, moves):
    """Return the review of each legal card at this place of a deal."""
    state = play_bots(etui, BotLevel.POLICY, moves=moves)
    seen = view(state, state.seat)
    return [review_card(seen, card, SEED) for card in cards_of(seen.legal)]


@pytest.mark.nightly("statistics")
def test_told_card_costs_three_points_and_two_errors_at_least():
    told = [review for etui in range(1, 9) for review in find_reviews(etui, 30) if review]
    assert len(told) > 5
    assert all(review.loss >= max(LEAST, SURE * review.error) and review.card != review.other for review in told)
    names = {rule.__name__ for rule in (*FOLLOWING_CARDS, *LEADS_OF_THE_TAKER, *LEADS_OF_A_DEFENDER)}
    assert {review.rule for review in told} <= names | {""}


def test_three_dearest_cards_are_told_the_dearest_first():
    told = [(at, CardReview(at, 70, loss, 1.0, "")) for at, loss in enumerate((4.0, 9.0, 3.5, 9.0, 7.0))]
    assert [at for at, _told in choose_dearest(told)] == [1, 3, 4]
    assert len(choose_dearest(told)) == MOST


def test_each_rule_leads_to_a_page_of_the_handbook():
    names = {rule.__name__ for rule in (*FOLLOWING_CARDS, *LEADS_OF_THE_TAKER, *LEADS_OF_A_DEFENDER)}
    assert PAGES_OF_RULES.keys() <= names
    found = {find_page_of_rule(rule, attacks=attacks) for rule in names for attacks in (True, False)}
    assert found <= set(list_slugs())
