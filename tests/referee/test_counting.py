"""The count at the end of a deal: the Excuse, the petit au bout, the chelem, points and bouts of both sides."""

import pytest

from deals.domain.cards import CARDS, EXCUSE, PETIT, half_points
from referee.cards import mask_of
from referee.counting import count_result, count_tricks, find_chelem, find_petit_au_bout
from referee.rules import PlayRules
from referee.terms import DealTerms, Trick, find_winner
from scoring.values import Chelem, Contract, DealResult, Side

CHIEN = (56 + 3, 56 + 4, 0, 14, 28, 42)  # 3 points


def terms_of(contract=Contract.GARDE_SANS, taker=0, chelem=None, rules=None):
    """Return the terms of a deal of four whose hands nobody asks for."""
    return DealTerms((0, 0, 0, 0), mask_of(CHIEN), 3, rules or PlayRules(), (), taker, contract, chelem=chelem)


def trick(winner, *cards, leader=0):
    return Trick(leader, cards, winner)


LOW = (1, 2, 3, 4)  # four cards of half a point


def attack_gets(tricks, last, **options):
    """Return the half points and bouts of both sides beside the chien, which counts 6 half points for the attack."""
    won = count_tricks(terms_of(**options), tricks, last)
    assert won.attack + won.defence == 6 + sum(half_points(card) for each in tricks for card in each.cards)
    return won.attack - 6, won.attack_bouts, won.defence, won.defence_bouts


@pytest.mark.parametrize(
    ("owner", "winner", "expected"),
    [
        (0, 0, (12, 1, 0, 0)),
        (0, 1, (8, 1, 4, 0)),
        (1, 0, (4, 0, 8, 1)),
        (1, 2, (0, 0, 12, 1)),
    ],
    ids=["attack, attack", "attack, defence", "defence, attack", "defence, partner"],
)
def test_excuse_stays_with_its_side_for_a_half_point_card(owner, winner, expected):
    cards = [1, 2, 3]
    cards.insert(owner, EXCUSE)
    assert attack_gets([trick(winner, *cards)], last=18) == expected


@pytest.mark.parametrize(
    ("owner", "winner", "expected"),
    [
        (0, 1, (0, 0, 12, 1)),
        (1, 0, (12, 1, 0, 0)),
        (1, 2, (8, 1, 4, 0)),
    ],
    ids=["attack, defence", "defence, attack", "defence, partner"],
)
def test_excuse_in_the_last_trick_goes_to_the_other_side(owner, winner, expected):
    """Check that no option changes it at four: points would have halves. Seeded games try the option at five."""
    cards = [1, 2, 3]
    cards.insert(owner, EXCUSE)
    tricks = [trick(0, *LOW), trick(1, *LOW), trick(winner, *cards)]
    before = attack_gets(tricks[:2], 3)
    for rules in (PlayRules(), PlayRules(lost_excuse_is_paid=False)):
        told = attack_gets(tricks, 3, rules=rules)
        assert tuple(now - then for now, then in zip(told, before, strict=True)) == expected


@pytest.mark.parametrize(
    ("winners", "owner", "wins", "strict"),
    [
        ([0, 0], 0, True, True),
        ([0, 1], 0, False, False),
        ([1, 2], 3, True, False),
        ([1, 0], 3, False, False),
        ([1, 1], 0, False, False),
        ([0, 0], 1, False, False),
    ],
)
def test_excuse_wins_the_last_trick_for_a_side_that_won_every_trick(winners, owner, wins, strict):
    cards = [1, 2, 3]
    cards.insert(owner, EXCUSE)
    best = (owner + 1) % 4
    before = [trick(winner, *LOW) for winner in winners]
    for rules, expected in ((PlayRules(), wins), (PlayRules(defence_excuse_wins=False), strict)):
        found = find_winner(terms_of(rules=rules), before, tuple(cards), 0, best)
        assert found == (owner if expected else best)


@pytest.mark.parametrize(
    ("before", "last", "side"),
    [
        (trick(0, *LOW), trick(0, PETIT, 2, 3, 4), Side.ATTACK),
        (trick(0, *LOW), trick(1, PETIT, 2, 3, 4), Side.DEFENCE),
        (trick(0, PETIT, 2, 3, 4), trick(0, *LOW), Side.NONE),
        (trick(0, PETIT, 2, 3, 4), trick(0, EXCUSE, 2, 3, 4), Side.ATTACK),
        (trick(0, PETIT, 2, 3, 4), trick(1, EXCUSE, 2, 3, 4), Side.NONE),
        (trick(0, 2, 3, 4, 5), trick(0, EXCUSE, PETIT, 3, 4), Side.ATTACK),
        (trick(3, PETIT, 2, 3, 4), trick(2, 1, 2, EXCUSE, 4), Side.DEFENCE),
    ],
)
def test_petit_au_bout_is_in_the_last_trick_or_before_an_excuse_that_wins_it(before, last, side):
    assert find_petit_au_bout(terms_of(), [before, last]) == side


@pytest.mark.parametrize(
    ("winners", "announced", "unannounced"),
    [
        ([0, 0], Chelem.ANNOUNCED_MADE, Chelem.UNANNOUNCED_MADE),
        ([0, 1], Chelem.ANNOUNCED_FAILED, Chelem.NONE),
        ([1, 2], Chelem.ANNOUNCED_SUFFERED, Chelem.SUFFERED),
    ],
)
def test_chelem_is_read_from_the_winners(winners, announced, unannounced):
    tricks = [trick(winner, *LOW) for winner in winners]
    assert find_chelem(terms_of(chelem=0), tricks) == announced
    assert find_chelem(terms_of(), tricks) == unannounced


@pytest.mark.parametrize(
    ("contract", "points"), [(Contract.GARDE_SANS, 91 - 4), (Contract.GARDE_CONTRE, 91 - 4 - 3)], ids=str
)
def test_chelem_without_the_excuse_is_87_points_or_less_the_chien(contract, points):
    rest = [card for card in range(CARDS) if card not in (*CHIEN, EXCUSE)]
    first = trick(0, 76, EXCUSE, *[rest.pop(0) for _ in range(2)])
    rest.remove(76)
    tricks = [first] + [trick(0, *rest[at : at + 4]) for at in range(0, len(rest), 4)]
    result = count_result(terms_of(contract), tricks)
    petit = Side.ATTACK if PETIT in tricks[-1].cards else Side.NONE
    assert result == DealResult(4, contract, 2, 2 * points, petit, chelem=Chelem.UNANNOUNCED_MADE)
