"""The rules of the lead: one example made by hand for each, and one in which it says nothing."""

import pytest

from bots.policy import leading
from bots.policy.sight import CardSight
from tests.bots.positions import NAMES, make_view

# rule, hand, what else the view has, the card
EXAMPLES = [
    ("lead_the_last_excuse", "♠2 *", {"taker": 0}, "*"),
    ("lead_the_last_excuse", "♠2 ♠3 *", {"taker": 0}, None),
    ("keep_the_petit_for_the_end", "♠2 1", {"taker": 0, "without": "1★ 2★ 3★"}, "♠2"),
    ("keep_the_petit_for_the_end", "♠2 1", {"taker": 0}, None),
    ("hunt_the_petit", "21 20 19 18 12 9 7 3 ♠2", {"taker": 0}, "21"),
    ("hunt_the_petit", "21 20 19 18 12 9 7 1 ♠2", {"taker": 0}, None),
    ("draw_the_last_trumps", "21 9 ♠2", {"taker": 0, "tricks": (), "without": ""}, None),
    ("cash_a_roi", "♠R ♠2 21 5", {"taker": 0}, "♠R"),
    ("cash_a_roi", "♠R ♠2 21 5", {"taker": 0, "without": "2♠"}, None),
    ("open_the_long_suit", "♠C ♠9 ♠8 ♠7 ♠3 ♥R", {"taker": 0}, "♠3"),
    ("open_the_long_suit", "♠R ♠D ♠8 ♠7 ♠3 ♥R", {"taker": 0}, "♠R"),
    ("open_the_long_suit", "♠R ♠D ♠8 ♥R", {"taker": 0}, None),
    ("exit_with_a_small_card", "♠D ♠9 ♥R 21", {"taker": 0}, "♠9"),
    ("lead_a_small_trump", "1 8 9", {"taker": 0}, "8"),
    ("lead_a_small_trump", "1 *", {"taker": 0}, "1"),
    ("lead_anything", "*", {"taker": 0}, "*"),
    ("send_the_ambulance", "21 8 ♥2", {"taker": 2, "tricks": ((2, "15 16 3 4"),)}, "21"),
    ("send_the_ambulance", "21 8 ♥2", {"taker": 2}, None),
    ("play_two_for_one", "5 9 ♥2", {"taker": 1, "tricks": ((2, "7 8 2 3"),), "without": "1♠"}, "5"),
    ("play_two_for_one", "5 9 ♥2", {"taker": 3, "tricks": ((2, "7 8 2 3"),), "without": "3♠"}, None),
    ("say_the_strong_hand", "21 18 14 12 9 7 4 ♥2", {"taker": 2}, "7"),
    ("say_the_strong_hand", "18 14 12 9 7 4 ♥2", {"taker": 2}, None),
    ("force_the_taker", "♠D ♠4 ♥2", {"taker": 2, "without": "2♠"}, "♠4"),
    ("force_the_taker", "♠D ♠4 ♥2", {"taker": 2}, None),
    ("cash_after_the_trumps", "♠D ♠4 ♥2", {"taker": 2, "without": "2♠ 2★"}, "♠D"),
    ("cash_after_the_trumps", "♠D ♠4 ♥2", {"taker": 2, "without": "2♠"}, None),
    ("obey", "♠9 ♠7 ♥R", {"taker": 2, "tricks": ((1, "♠3 ♠R ♠4 ♠6"),)}, "♠7"),
    ("obey", "♠9 ♠7 ♥R", {"taker": 2, "tricks": ((1, "♠8 ♠R ♠4 ♠6"),)}, None),
    ("return_trumps", "6 9 ♥R", {"taker": 2, "tricks": ((1, "7 8 10 12"),)}, "6"),
    ("return_trumps", "1 9 ♥R", {"taker": 2, "tricks": ((1, "7 8 10 12"),)}, None),
    ("open_a_defence_suit", "♠D ♠9 ♠8 ♠3 ♥R 5", {"taker": 2}, "♠3"),
    ("open_a_defence_suit", "♠C ♠9 ♠8 ♠3 ♥R 5", {"taker": 2}, "♠8"),
]


@pytest.mark.parametrize(("rule", "hand", "view", "card"), EXAMPLES)
def test_rule_of_the_lead_names_the_card(rule, hand, view, card):
    assert getattr(leading, rule)(CardSight(make_view(hand, **view))) == (None if card is None else NAMES[card])


def test_last_trumps_are_drawn_by_the_longer_hand():
    trumps = " ".join(str(number) for number in range(1, 22) if number not in (21, 9, 4))
    played = tuple((0, " ".join(trumps.split()[start : start + 4])) for start in (0, 4, 8, 12))
    sight = CardSight(make_view("21 9 4 ♠2", taker=0, tricks=played))
    assert sight.trumps_of_others.bit_count() == 2
    assert leading.draw_the_last_trumps(sight) == NAMES["21"]


def test_every_rule_of_the_lead_has_an_example():
    rules = {rule.__name__ for rule in (*leading.LEADS_OF_THE_TAKER, *leading.LEADS_OF_A_DEFENDER)}
    assert rules == {name for name, *_, card in EXAMPLES if card} | {"draw_the_last_trumps"}
