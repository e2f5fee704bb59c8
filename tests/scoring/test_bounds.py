"""The limits of a result: what the cards forbid is refused and nothing else, by hand, by counting and by dealing."""

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bounds import CHIEN, MADE, SUFFERED
from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side, check_cards, check_figures
from tests.examples import draw_examples
from tests.scoring.certificates import certificate, refereed
from tests.scoring.results import is_valid, result, valid_points

SIMPLE, DOUBLE, TRIPLE = ((poignee,) for poignee in Poignee)
HIDDEN = (Contract.GARDE_SANS, Contract.GARDE_CONTRE)


def refusal(deal: DealResult) -> tuple[str, str]:
    with pytest.raises(ScoringError) as caught:
        check_figures(deal)
    return caught.value.code, caught.value.field


def accepted(players: int, contract: Contract, chelem: Chelem = Chelem.NONE) -> dict[int, set[float]]:
    """Return bouts → the points that `check_figures` accepts with them."""
    points: dict[int, set[float]] = {}
    for bouts, half_points in valid_points(players, contract, chelem):
        points.setdefault(bouts, set()).add(half_points / 2)
    return points


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"players": 2}, "players", "players"),
        ({"players": 6}, "players", "players"),
        ({"players": 5}, "partner", "partner"),
        ({"partner": True}, "partner", "partner"),
        ({"partner": False}, "partner", "partner"),
        ({"players": 3, "partner": False}, "partner", "partner"),
        ({"contract": "petite"}, "unknown_value", "contract"),
        ({"chelem": "lost"}, "unknown_value", "chelem"),
        ({"petit_au_bout": "taker"}, "unknown_value", "petit_au_bout"),
        ({"poignees_attack": ("huge",)}, "unknown_value", "poignees_attack"),
        ({"poignees_defence": ("huge",)}, "unknown_value", "poignees_defence"),
        ({"bouts": 4}, "bouts", "bouts"),
        ({"bouts": -1}, "bouts", "bouts"),
        ({"half_points": 183}, "points_range", "points"),
        ({"half_points": -1}, "points_range", "points"),
        ({"half_points": 97}, "points_half", "points"),
        ({"poignees_attack": SIMPLE + SIMPLE}, "poignees_one_hand", "poignees_attack"),
        ({"players": 3, "poignees_attack": SIMPLE + SIMPLE}, "poignees_one_hand", "poignees_attack"),
        ({"players": 5, "partner": False, "poignees_attack": SIMPLE + SIMPLE}, "poignees_one_hand", "poignees_attack"),
        ({"poignees_attack": DOUBLE, "poignees_defence": SIMPLE}, "poignees_trumps", "poignees_defence"),
        ({"poignees_defence": SIMPLE * 3}, "poignees_trumps", "poignees_defence"),
        ({"players": 5, "partner": True, "poignees_attack": TRIPLE + DOUBLE}, "poignees_trumps", "poignees_attack"),
        ({"chelem": Chelem.ANNOUNCED_MADE}, "chelem_made_points", "points"),
        ({"chelem": Chelem.UNANNOUNCED_MADE, "bouts": 3, "half_points": 174}, "chelem_made_points", "points"),
        ({"chelem": Chelem.ANNOUNCED_FAILED, "half_points": 174}, "chelem_failed_points", "points"),
        ({"chelem": Chelem.SUFFERED}, "chelem_suffered_points", "points"),
        ({"chelem": Chelem.ANNOUNCED_SUFFERED, "bouts": 0, "half_points": 40}, "chelem_suffered_points", "points"),
        (
            {"chelem": Chelem.ANNOUNCED_MADE, "half_points": 174, "petit_au_bout": Side.DEFENCE},
            "petit_au_bout_chelem",
            "petit_au_bout",
        ),
        (
            {"chelem": Chelem.SUFFERED, "bouts": 0, "half_points": 6, "petit_au_bout": Side.ATTACK},
            "petit_au_bout_chelem",
            "petit_au_bout",
        ),
    ],
)
def test_check_refuses_what_cannot_be(changes, code, field):
    assert refusal(result(**changes)) == (code, field)


@pytest.mark.parametrize(
    "changes",
    [
        {"poignees_attack": SIMPLE, "poignees_defence": SIMPLE},
        {"poignees_defence": SIMPLE + SIMPLE},
        {"players": 5, "partner": True, "poignees_attack": SIMPLE + DOUBLE},
        {"players": 5, "partner": False, "poignees_attack": SIMPLE, "poignees_defence": TRIPLE},
        {"players": 3, "half_points": 81},
        {"bouts": 0, "petit_au_bout": Side.ATTACK},
        {"bouts": 3, "petit_au_bout": Side.DEFENCE},
        {"bouts": 0, "half_points": 0},
        {"bouts": 0, "half_points": 0, "chelem": Chelem.SUFFERED},
        {"bouts": 3, "half_points": 182},
        {"half_points": 174},
        {"half_points": 174, "chelem": Chelem.ANNOUNCED_MADE, "petit_au_bout": Side.ATTACK},
        {"half_points": 90, "chelem": Chelem.ANNOUNCED_FAILED, "petit_au_bout": Side.DEFENCE},
    ],
)
def test_check_lets_pass_what_is_only_unlikely(changes):
    assert is_valid(result(**changes))


@pytest.mark.parametrize("contract", [Contract.PRISE, Contract.GARDE, Contract.GARDE_SANS])
@pytest.mark.parametrize(
    ("players", "limits"),
    [
        (3, {0: (0, 78), 1: (4, 82.5), 2: (8.5, 87), 3: (13, 91)}),
        (4, {0: (0, 78), 1: (4, 82), 2: (9, 87), 3: (13, 91)}),
        (5, {0: (0, 78), 1: (4, 82.5), 2: (8.5, 87), 3: (13, 91)}),
    ],
)
def test_points_are_bounded_by_the_bouts_of_each_side(players, limits, contract):
    assert {bouts: (min(p), max(p)) for bouts, p in accepted(players, contract).items()} == limits


@pytest.mark.parametrize(
    ("players", "highest"),
    [
        (3, {0: 76, 1: 80, 2: 84, 3: 88}),
        (4, {0: 76, 1: 80, 2: 84, 3: 88}),
        (5, {0: 77.5, 1: 81.5, 2: 85.5, 3: 89.5}),
    ],
)
def test_points_in_a_garde_contre_leave_the_defence_its_chien(players, highest):
    assert {bouts: max(p) for bouts, p in accepted(players, Contract.GARDE_CONTRE).items()} == highest


@pytest.mark.parametrize(
    ("changes", "code", "limit"),
    [
        ({"half_points": 176}, "points_too_high", "87"),
        ({"bouts": 1, "half_points": 166}, "points_too_high", "82"),
        ({"players": 3, "bouts": 1, "half_points": 166}, "points_too_high", "82.5"),
        ({"contract": Contract.GARDE_CONTRE, "bouts": 3, "half_points": 182}, "points_too_high", "88"),
        ({"half_points": 16}, "points_too_low", "9"),
        ({"players": 3, "half_points": 16}, "points_too_low", "8.5"),
    ],
)
def test_points_out_of_bounds_are_refused_with_the_limit(changes, code, limit):
    with pytest.raises(ScoringError) as caught:
        check_figures(result(**changes))
    assert (caught.value.code, caught.value.field, str(caught.value.params["limit"])) == (code, "points", limit)


@pytest.mark.parametrize("contract", [Contract.PRISE, Contract.GARDE, Contract.GARDE_SANS])
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("chelem", sorted(MADE))
def test_a_chelem_made_is_91_points_or_87_without_the_excuse(chelem, players, contract):
    assert accepted(players, contract, chelem) == {2: {87}, 3: {91}}


def held_without_trick(players: int, kinds: list[tuple[float, int]], bouts_within: int) -> dict[int, set[float]]:
    """Return bouts → the points of a side that holds a chien's number of cards but no trick.

    It may have kept its Excuse. `kinds` are the cards other than bouts, as (value, how many there are). Every
    combination of them is counted.
    """
    held: dict[int, set[float]] = {}
    for bouts in range(min(bouts_within, CHIEN[players]) + 1):
        for counts in product(*(range(min(number, 6) + 1) for _, number in kinds)):
            if sum(counts) + bouts == CHIEN[players]:
                points = 4.5 * bouts + sum(count * value for count, (value, _) in zip(counts, kinds, strict=True))
                held.setdefault(bouts, set()).add(points)
                if bouts < 3:
                    held.setdefault(bouts + 1, set()).add(points + 4)
    return held


ANY_CARD = [(4.5, 4), (3.5, 4), (2.5, 4), (1.5, 4), (0.5, 59)]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("chelem", sorted(MADE))
def test_a_chelem_made_in_garde_contre_leaves_the_defence_its_chien_and_excuse(chelem, players):
    theirs = held_without_trick(players, ANY_CARD, bouts_within=3)
    expected = {3 - bouts: {91 - points for points in held} for bouts, held in theirs.items()}
    assert accepted(players, Contract.GARDE_CONTRE, chelem) == expected


def test_points_that_no_chelem_gives_are_refused_with_those_that_it_gives():
    with pytest.raises(ScoringError) as caught:
        check_figures(result(chelem=Chelem.ANNOUNCED_MADE, half_points=98))
    assert caught.value.params["possible"] == "87 (bouts: 2), 91 (bouts: 3)"
    with pytest.raises(ScoringError) as caught:
        check_figures(result(chelem=Chelem.ANNOUNCED_FAILED, half_points=172))
    assert str(caught.value.params["limit"]) == "85"
    chien = held_without_trick(4, ANY_CARD, bouts_within=3)
    with pytest.raises(ScoringError) as caught:
        check_figures(result(chelem=Chelem.SUFFERED, contract=Contract.GARDE_SANS, half_points=98))
    told = [f"{min(points):g}–{max(points):g} (bouts: {bouts})" for bouts, points in sorted(chien.items())]
    assert caught.value.params["possible"] == ", ".join(told)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("chelem", sorted(SUFFERED))
@pytest.mark.parametrize("contract", Contract)
def test_a_chelem_suffered_leaves_the_attack_at_most_its_own_cards_and_excuse(contract, chelem, players):
    if contract == Contract.GARDE_CONTRE:
        own = {0: {0}, 1: {4}}
    elif contract == Contract.GARDE_SANS:
        own = held_without_trick(players, ANY_CARD, bouts_within=3)
    else:
        own = held_without_trick(players, ANY_CARD[1:], bouts_within=0)
    highest = {bouts: max(points) for bouts, points in accepted(players, contract, chelem).items()}
    assert highest == {bouts: max(points) for bouts, points in own.items()}


@pytest.mark.parametrize(
    ("players", "contract", "highest"),
    [
        (3, Contract.GARDE, {0: 77.5, 1: 81.5, 2: 85.5, 3: 89.5}),
        (4, Contract.GARDE, {0: 77, 1: 81, 2: 85, 3: 89}),
        (5, Contract.GARDE, {0: 76.5, 1: 80.5, 2: 84.5, 3: 88.5}),
        (4, Contract.GARDE_CONTRE, {0: 74, 1: 78, 2: 82, 3: 86}),
        (5, Contract.GARDE_CONTRE, {0: 75, 1: 79, 2: 83, 3: 87}),
    ],
)
def test_a_chelem_failed_leaves_the_defence_a_trick(players, contract, highest):
    points = accepted(players, contract, Chelem.ANNOUNCED_FAILED)
    assert {bouts: max(p) for bouts, p in points.items()} == highest


@pytest.mark.parametrize("contract", Contract)
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("bouts", range(4))
@pytest.mark.parametrize("weak", [Side.ATTACK, Side.DEFENCE])
def test_least_of_a_side_with_a_trick_passes_and_one_point_less_does_not(weak, bouts, players, contract):
    """Check the least points of either side: (players + own cards) ÷ 2 + 4 × bouts."""
    result = refereed(certificate(players, weak, bouts), contract)
    owned = CHIEN[players] * ((contract == Contract.GARDE_CONTRE) == (weak == Side.DEFENCE))
    least = players + owned + 8 * bouts
    assert (result.bouts, result.half_points) == ((bouts, least) if weak == Side.ATTACK else (3 - bouts, 182 - least))
    check_figures(result)
    check_cards(result)
    beyond = replace(result, half_points=result.half_points + (-2 if weak == Side.ATTACK else 2))
    with pytest.raises(ScoringError) as caught:
        check_cards(beyond)
    assert (caught.value.code, caught.value.field) == ("trick_for_each", "chelem")
    for chelem in Chelem:
        if chelem != Chelem.NONE:
            check_cards(replace(beyond, chelem=chelem))


def test_garde_with_no_bout_and_78_points_is_asked_whether_one_side_won_every_trick():
    with pytest.raises(ScoringError, match=r"the attack has 5 to 77 points, not 78\. Did one side win every trick\?"):
        check_cards(result(bouts=0, half_points=156))


@pytest.mark.parametrize(("bouts", "side"), [(0, Side.ATTACK), (3, Side.DEFENCE)])
def test_petit_au_bout_is_a_bout_of_who_has_it(bouts, side):
    with pytest.raises(ScoringError) as caught:
        check_cards(result(bouts=bouts, petit_au_bout=side))
    assert (caught.value.code, caught.value.field) == ("petit_without_bout", "petit_au_bout")
    check_figures(result(bouts=bouts, petit_au_bout=side))


# The 78 cards in half points. Bouts are named.
BOUT_VALUE = {"21": 9, "petit": 9, "excuse": 9}
OTHERS = [9] * 4 + [7] * 4 + [5] * 4 + [3] * 4 + [1] * 59


@pytest.mark.nightly("statistics")
@draw_examples(500)
@given(
    st.sampled_from([3, 4, 5]),
    st.sampled_from(Contract),
    st.sampled_from(["attack", "defence", "attack but one", "defence but one", "even"]),
    st.sampled_from([-1, 0, 1]),
    st.randoms(use_true_random=False),
)
def test_check_accepts_every_deal_that_can_be_played(players, contract, who_wins, richness, rng):
    """Check deals with random cards (the chien or écart poor, plain or rich) and with any winners of the tricks."""
    cards: list[str | int] = [*BOUT_VALUE, *OTHERS]
    assert sum(BOUT_VALUE.get(card, card) for card in cards) == 182
    size = CHIEN[players]
    allowed = cards if contract in HIDDEN else [card for card in cards if card not in BOUT_VALUE and card != 9]
    own = sorted(allowed, key=lambda card: (-richness * BOUT_VALUE.get(card, card), rng.random()))[:size]
    for card in own:
        cards.remove(card)
    rng.shuffle(cards)
    tricks = [cards[start : start + players] for start in range(0, len(cards), players)]
    winners = trick_winners(who_wins, len(tricks), rng)
    holder = rng.choice([Side.ATTACK, Side.DEFENCE])
    if "excuse" in tricks[-1] and set(winners[:-1]) == {holder}:
        winners[-1] = holder  # the Excuse wins if it is played last by a side that has won every trick
    half_points, bouts = attack_total(contract, own, tricks, winners, holder)
    if set(winners) == {Side.ATTACK}:
        chelems = [*MADE]
    elif set(winners) == {Side.DEFENCE}:
        chelems = [*SUFFERED]
    else:
        chelems = [Chelem.NONE, Chelem.ANNOUNCED_FAILED]
    bare = DealResult(players, contract, bouts, half_points, partner=players == 5 or None)
    for chelem in chelems:
        check_figures(replace(bare, chelem=chelem))
        check_cards(replace(bare, chelem=chelem))


def trick_winners(who_wins: str, tricks: int, rng: random.Random) -> list[Side]:
    if who_wins == "even":
        return [rng.choice([Side.ATTACK, Side.DEFENCE]) for _ in range(tricks)]
    most = Side.ATTACK if who_wins.startswith("attack") else Side.DEFENCE
    winners = [most] * tricks
    if who_wins.endswith("but one"):
        winners[rng.randrange(tricks)] = Side.DEFENCE if most == Side.ATTACK else Side.ATTACK
    return winners


def attack_total(
    contract: Contract, own: list[str | int], tricks: list[list[str | int]], winners: list[Side], holder: Side
) -> tuple[int, int]:
    """Return the attack's half points and bouts. `holder` is the side that plays the Excuse."""
    owner = Side.DEFENCE if contract == Contract.GARDE_CONTRE else Side.ATTACK
    piles = [(card, owner) for card in own]
    debtor = None  # the side that owes a half-point card for the Excuse
    for trick, winner in zip(tricks, winners, strict=True):
        piles += [(card, winner) for card in trick if card != "excuse"]
        if "excuse" in trick:
            lost = trick is tricks[-1] and set(winners) != {holder}
            keeper = (Side.DEFENCE if holder == Side.ATTACK else Side.ATTACK) if lost else holder
            piles.append(("excuse", keeper))
            debtor = keeper if keeper != winner else None
    half_points = sum(BOUT_VALUE.get(card, card) for card, side in piles if side == Side.ATTACK)
    half_points += {Side.ATTACK: -1, Side.DEFENCE: 1, None: 0}[debtor]
    return half_points, sum(card in BOUT_VALUE for card, side in piles if side == Side.ATTACK)
