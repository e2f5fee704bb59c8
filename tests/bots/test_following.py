"""The rules of the following cards: one example made by hand for each, and mostly one in which it says nothing."""

import pytest

from bots.policy import following
from bots.policy.sight import CardSight
from tests.bots.positions import NAMES, make_view

# rule, hand, the cards on the table, what else the view has, the card
EXAMPLES = [
    ("play_the_only_card", "♠3 ♥2", "♠5", {"taker": 2}, "♠3"),
    ("play_the_only_card", "♠3 ♠2", "♠5", {"taker": 2}, None),
    ("play_the_last_excuse", "♠3 *", "♠5", {"taker": 2}, "*"),
    ("play_the_last_excuse", "♠3 ♠4 *", "♠5", {"taker": 2}, None),
    ("save_the_petit_by_trumping", "1 8 ♥2", "♠5 ♠6 ♠7", {"taker": 2}, "1"),
    ("save_the_petit_by_trumping", "1 8 ♥2", "♠5 2 ♠7", {"taker": 2}, None),
    ("save_the_petit_by_trumping", "1 8 ♥2", "♠5", {"taker": 2, "without": "2♠"}, None),
    ("give_the_petit_to_a_partner", "1 8", "20 21 5", {"taker": 2}, None),
    ("give_the_petit_to_a_partner", "1 8", "21 20 5", {"taker": 2}, "1"),
    ("load_a_partners_trick", "♠D ♠4", "♠R ♠2 ♠3", {"taker": 2}, "♠D"),
    ("load_a_partners_trick", "♠D ♠4", "♠R ♠2 ♠3", {"taker": 1}, None),
    ("load_a_partners_trick", "♠D ♠4", "♠5 ♠2", {"taker": 1}, None),
    ("load_a_partners_trick", "♠C ♠4 ♥2", "♠D ♠2 ♠3", {"taker": 3, "tricks": ((3, "♠5 ♠6 ♠7 ♠8"),)}, None),
    ("win_as_the_last", "♠D ♠R ♠4", "♠C ♠2 ♠3", {"taker": 1}, "♠R"),
    ("win_as_the_last", "4 9 15", "♠C ♠2 6", {"taker": 3}, "9"),
    ("win_as_the_last", "♠D ♠R ♠4", "♠C ♠2 ♠3", {"taker": 2}, None),
    ("win_for_sure", "♠R ♠4", "♠3", {"taker": 2}, "♠R"),
    ("win_for_sure", "♠R ♠4", "♠3", {"taker": 2, "without": "2♠"}, None),
    ("win_for_sure", "♠R ♠4", "♠2 ♠3", {"taker": 3}, "♠R"),
    ("win_for_sure", "♠R ♠4", "♠3", {"taker": 0, "tricks": ((3, "♠5 ♠6 ♠7 ♠8"), (2, "♠9 ♠10 * ♠V"))}, "♠R"),
    ("win_for_sure", "♠R ♠4", "♠3", {"taker": 0, "tricks": ((3, "♠5 ♠6 ♠7 ♠8"), (2, "♠9 ♠10 ♠V ♠C"))}, None),
    ("force_the_roi_out", "♠D ♠C ♠4", "♠3", {"taker": 0}, "♠C"),
    ("force_the_roi_out", "♠D ♠C ♠4", "♠3", {"taker": 2}, None),
    ("make_the_uppercut", "16 4 ♥2", "♠3", {"taker": 1, "without": "1♠"}, "16"),
    ("make_the_uppercut", "16 4 ♥2", "♠3", {"taker": 1}, None),
    ("trump_a_partners_petit_home", "20 9 ♥2", "1 2", {"taker": 1}, "20"),
    ("trump_a_partners_petit_home", "20 9 ♥2", "5 6", {"taker": 1}, None),
    ("excuse_an_honour", "♠D * ♥2", "♠R", {"taker": 3}, "*"),
    ("excuse_an_honour", "♠D ♠2 * ♥2", "♠R", {"taker": 3}, None),
    ("excuse_an_honour", "20 19 * ♥2", "14", {"taker": 3}, "*"),
    ("excuse_a_bare_petit", "1 * ♥2", "14", {"taker": 3}, "*"),
    ("excuse_a_bare_petit", "1 3 * ♥2", "14", {"taker": 3}, None),
    ("trump_low", "1 3 9 ♥2", "♠2", {"taker": 3}, "3"),
    ("trump_low", "♠3 9 ♥2", "♠2", {"taker": 3}, None),
    ("signal_two_cards", "♠8 ♠3 9", "♠D", {"taker": 3}, "♠8"),
    ("signal_two_cards", "♠8 ♠5 ♠3 9", "♠D", {"taker": 3}, None),
    ("hold", "♠C ♠5 ♠3 9", "♠D", {"taker": 3}, "♠3"),
    ("hold", "♥C 9", "♠D", {"taker": 3}, None),
    ("throw_away_a_suit", "♥9 ♦2", "♠D", {"taker": 3}, "♦2"),
    ("throw_away_a_suit", "♥9 ♦2", "♠D", {"taker": 3, "tricks": ((1, "♦3 ♦4 ♦5 ♦6"),)}, "♥9"),
    ("play_the_excuse", "*", "♠D", {"taker": 3}, "*"),
]


@pytest.mark.parametrize(("rule", "hand", "trick", "view", "card"), EXAMPLES)
def test_rule_of_a_following_card_names_the_card(rule, hand, trick, view, card):
    sight = CardSight(make_view(hand, trick, **view))
    assert getattr(following, rule)(sight) == (None if card is None else NAMES[card])


def test_every_rule_of_a_following_card_has_an_example():
    assert {rule.__name__ for rule in following.FOLLOWING_CARDS} == {name for name, *_, card in EXAMPLES if card}
