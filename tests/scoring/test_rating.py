"""The rating: against an exact solution, in any order of plays, and with players of known strength."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.rating import SimulatedField
from scoring.rating.equations import ATTACK_SPREAD, DEFENCE_SPREAD, LINK, measure_noise
from scoring.rating.players import (
    RatedEtui,
    RatedPlay,
    make_row,
    rate,
    weigh_day,
)


def make_plays(seed=1, *, etuis=12, tables=3, players=14, first=0):
    """Return étuis of random tables with random notes, over two years."""
    chance = random.Random(seed)
    found = []
    for _etui in range(etuis):
        there = chance.sample(range(first, first + players), 4 * tables)
        plays = [
            RatedPlay(there[at], (there[at + 1], there[at + 2], there[at + 3]), 25.0 * chance.randrange(5))
            for at in range(0, 4 * tables, 4)
        ]
        found.append(RatedEtui(chance.randrange(700), tuple(plays)))
    return found


def solve_exactly(etuis):
    """Return attack and defence by player, from the normal equations in fractions, with nothing of `rate` but noise."""
    place, matrix, right, _noise = make_equations(etuis)
    found = eliminate(matrix, right)
    return {player: (found[2 * at], found[2 * at + 1]) for player, at in place.items()}


def measure_exactly(etuis, player):
    """Return the variance of a player's figure, from the same equations."""
    place, matrix, right, noise = make_equations(etuis)
    parts = [Fraction()] * len(right)
    parts[2 * place[player]], parts[2 * place[player] + 1] = Fraction(1, 4), Fraction(3, 4)
    found = eliminate(matrix, list(parts))
    return float(noise * sum(part * one for part, one in zip(parts, found, strict=True)))


def make_equations(etuis):
    """Return the place of each player, the matrix, the right side and the noise, in fractions."""
    players = sorted({each for etui in etuis for play in etui.plays for each in (play.taker, *play.defenders)})
    place = {player: number for number, player in enumerate(players)}
    size, newest = 2 * len(players), max(etui.day for etui in etuis)
    noise = Fraction(measure_noise([make_row(etui, place, weigh_day(newest - etui.day)) for etui in etuis]))
    attack, defence, both = Fraction(ATTACK_SPREAD) ** 2, Fraction(DEFENCE_SPREAD) ** 2, Fraction(LINK)
    both *= Fraction(ATTACK_SPREAD) * Fraction(DEFENCE_SPREAD)
    whole = attack * defence - both * both
    matrix = [[Fraction() for _column in range(size)] for _row in range(size)]
    right = [Fraction() for _row in range(size)]
    for at in range(len(players)):
        matrix[2 * at][2 * at] = noise * defence / whole
        matrix[2 * at + 1][2 * at + 1] = noise * attack / whole
        matrix[2 * at][2 * at + 1] = matrix[2 * at + 1][2 * at] = -noise * both / whole
    for etui in etuis:
        weight = Fraction(weigh_day(newest - etui.day))
        vectors = []
        for play in etui.plays:
            vector = [Fraction() for _column in range(size)]
            vector[2 * place[play.taker]] = Fraction(1)
            for each in play.defenders:
                vector[2 * place[each] + 1] = Fraction(-1)
            vectors.append(vector)
        mean = [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
        notes = [Fraction(play.note) for play in etui.plays]
        middle = sum(notes) / len(notes)
        for vector, note in zip(vectors, notes, strict=True):
            row = [one - two for one, two in zip(vector, mean, strict=True)]
            for one in range(size):
                if row[one]:
                    right[one] += weight * row[one] * (note - middle)
                    for two in range(size):
                        matrix[one][two] += weight * row[one] * row[two]
    return place, matrix, right, noise


def eliminate(matrix, right):
    size = len(right)
    for at in range(size):
        for below in range(at + 1, size):
            times = matrix[below][at] / matrix[at][at]
            if times:
                matrix[below] = [one - times * two for one, two in zip(matrix[below], matrix[at], strict=True)]
                right[below] -= times * right[at]
    found = [Fraction()] * size
    for at in reversed(range(size)):
        known = sum((matrix[at][other] * found[other] for other in range(at + 1, size)), Fraction())
        found[at] = (right[at] - known) / matrix[at][at]
    return found


def test_strengths_are_those_of_the_exact_equations():
    etuis = make_plays()
    exact, ratings = solve_exactly(etuis), rate(etuis)
    assert set(exact) == set(ratings)
    for player, (attack, defence) in exact.items():
        rating = ratings[player]
        assert (rating.attack, rating.defence) == (round(float(attack), 2), round(float(defence), 2))
        assert rating.figure == round(float(attack / 4 + defence * 3 / 4), 2)
    assert any(abs(rating.figure) > 0.1 for rating in ratings.values())


def test_interval_is_that_of_the_exact_equations():
    """Check players who are all there each time: the search alone would leave out what none of their notes tells."""
    etuis = make_plays(etuis=30, tables=2, players=8)
    ratings = rate(etuis)
    for player in (0, 5):
        assert ratings[player].within == pytest.approx(1.959964 * measure_exactly(etuis, player) ** 0.5, rel=0.005)


@pytest.mark.nightly("statistics")
@given(st.randoms(use_true_random=False))
def test_order_of_etuis_plays_and_defenders_changes_no_digit(chance):
    etuis = make_plays()
    moved = []
    for etui in chance.sample(etuis, len(etuis)):
        plays = [play._replace(defenders=tuple(chance.sample(play.defenders, 3))) for play in etui.plays]
        moved.append(etui._replace(plays=tuple(chance.sample(plays, len(plays)))))
    assert rate(moved) == rate(etuis)


def test_same_plays_give_these_digits_everywhere():
    ratings = rate(make_plays(7, etuis=40))
    assert [(player, each.figure, each.within) for player, each in sorted(ratings.items())][:4] == GOLDEN


GOLDEN = [(0, -0.15, 7.99), (1, -2.67, 7.96), (2, -0.44, 8.0), (3, -0.3, 8.07)]


def test_correction_that_is_corrected_back_changes_nothing():
    etuis = make_plays()
    first = etuis[0].plays[0]
    wrong = [etuis[0]._replace(plays=(first._replace(note=100 - first.note), *etuis[0].plays[1:])), *etuis[1:]]
    assert rate(wrong) != rate(etuis)
    assert rate([etuis[0], *wrong[1:]]) == rate(etuis)


def test_play_of_a_year_ago_counts_half():
    assert weigh_day(0) == 1
    assert weigh_day(365) == pytest.approx(0.5, abs=1e-12)
    assert weigh_day(730) == pytest.approx(0.25, abs=1e-12)


def test_time_that_passes_without_an_evening_changes_nothing():
    etuis = make_plays()
    later = [etui._replace(day=etui.day + 5_000) for etui in etuis]
    assert rate(later) == rate(etuis)


def test_players_who_never_met_have_scales_of_their_own():
    apart = [*make_plays(1), *make_plays(2, first=100, tables=2, players=9)]
    ratings = rate(apart)
    assert {rating.group for rating in ratings.values()} == {0, 100}
    assert {player for player, rating in ratings.items() if rating.group == 0} == set(range(14))
    linked = rate([*apart, RatedEtui(1, (RatedPlay(0, (1, 2, 3), 100), RatedPlay(100, (101, 102, 103), 0)))])
    assert {rating.group for rating in linked.values()} == {0}


def test_rating_is_provisional_below_a_hundred_deals():
    etui = RatedEtui(1, (RatedPlay(1, (2, 3, 4), 100), RatedPlay(5, (6, 7, 8), 0)))
    assert rate([etui] * 99)[1].is_provisional
    assert not rate([etui] * 100)[1].is_provisional
    assert rate([etui] * 100)[1].deals == 100


def test_etui_that_was_played_once_tells_nothing():
    assert rate([RatedEtui(1, (RatedPlay(1, (2, 3, 4), 50),)), RatedEtui(2, ())]) == {}


@pytest.mark.parametrize(
    "play", [RatedPlay(1, (2, 3, 1), 50), RatedPlay(1, (2, 3, 3), 50), RatedPlay(1, (2, 3, 4), 101)]
)
def test_play_that_cannot_be_is_refused(play):
    with pytest.raises(ValueError, match=r"twice|0 to 100"):
        rate([RatedEtui(1, (play, RatedPlay(5, (6, 7, 8), 50)))])


def test_more_deals_make_a_rating_surer():
    few, many = (rate(make_plays(etuis=count))[0].within for count in (12, 120))
    assert many < few


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("sessions", [10, 60])
def test_interval_holds_the_true_figure_in_95_of_100_cases(sessions, linked):
    held = total = 0
    for seed in range(5):
        field = SimulatedField(seed, linked=linked)
        ratings = rate(field.play_plainly(sessions))
        for player, rating in ratings.items():
            held += abs(rating.figure - field.true_figure(player)) <= rating.within
            total += 1
    assert held >= 0.95 * total
    assert held < total


@pytest.mark.nightly("statistics")
def test_rating_beats_the_mean_where_circles_seldom_meet():
    means, ratings = SimulatedField(3).compare_orders(60, apart=True)
    assert ratings > means + 0.1
