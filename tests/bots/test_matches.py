"""The matches of the bots, their means and errors, and the command that plays them."""

import io
from math import isclose, sqrt

import pytest
from django.core.management import CommandError, call_command

from bots.levels import BotLevel
from bots.matches import MatchDeal, find_mean, play_checked, play_etui, play_match_deal
from tests.bots.games import SEED

POLICY, TEN = BotLevel.POLICY, BotLevel.TEN


def run_command(*args: str) -> str:
    out = io.StringIO()
    call_command("bots", *args, "--processes", "1", stdout=out)
    return out.getvalue()


def test_gains_are_those_of_the_exchanged_side():
    deal = MatchDeal(etui=1, both=10, attacked=50, defended=-30)
    assert (deal.attack_gain, deal.defence_gain) == (40, 40)


@pytest.mark.nightly("statistics")
def test_match_deal_plays_the_same_cards_three_times():
    assert play_match_deal(SEED, 5, (TEN, POLICY)) == MatchDeal(
        5, play_etui(SEED, 5, POLICY, POLICY), play_etui(SEED, 5, TEN, POLICY), play_etui(SEED, 5, POLICY, TEN)
    )


def test_level_gains_nothing_over_itself():
    deal = play_match_deal(SEED, 5, (POLICY, POLICY))
    assert (deal.attack_gain, deal.defence_gain) == (0, 0)


def test_mean_has_its_standard_error():
    gain = find_mean([1, 2, 3, 6])
    assert (gain.mean, gain.count, str(gain)) == (3.0, 4, "+3.0 ± 1.1")
    assert isclose(gain.error, sqrt(14 / 3 / 4))
    assert (find_mean([]).count, find_mean([4]).error, find_mean([4]).is_seen) == (0, 0.0, False)


@pytest.mark.parametrize(("values", "seen"), [([1, 2, 3, 6], False), ([2, 2, 3, 3], True), ([-2, -2, -3, -3], True)])
def test_difference_is_seen_from_three_standard_errors_on(values, seen):
    assert find_mean(values).is_seen == seen


@pytest.mark.nightly("statistics")
def test_policy_is_far_better_than_the_yardstick():
    """Check 60 étuis: the policy attacks and defends better by three standard errors."""
    from bench.strength.games import WEAK, play_task

    scores = {
        pair: [play_task((*pair, etui))[1] for etui in range(1, 61)]
        for pair in ((WEAK, WEAK), ("policy", WEAK), ("policy", "policy"), (WEAK, "policy"))
    }
    attack = find_mean(a - b for a, b in zip(scores["policy", WEAK], scores[WEAK, WEAK], strict=True))
    assert attack.mean > 3 * attack.error
    assert find_mean(scores["policy", "policy"]).mean > 20


def test_command_tells_the_gains_of_a_match():
    lines = run_command("match", "policy", "policy", "--deals", "3").splitlines()
    assert lines[0] == "3 étuis, base score of a garde: mean ± one standard error"
    assert lines[2:] == [f"policy gains over policy {side}: +0.0 ± 0.0" for side in ("attacking", "defending")]


def test_command_checks_that_moves_are_legal():
    moves = sum(play_checked(SEED, POLICY, etui) for etui in range(1, 6))
    assert run_command("check", "policy", "--deals", "5") == f"5 deals, {moves} moves, all legal\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("match", "policy", "11"), "“11” is not a level"),
        (("match", "policy", "10", "--deals", "0"), "write a number from 1"),
        (("match", "policy", "10", "--seed", "ab"), "2 hexadecimal digits"),
    ],
)
def test_command_says_what_is_wrong(args, message):
    with pytest.raises(CommandError, match=message):
        run_command(*args)
