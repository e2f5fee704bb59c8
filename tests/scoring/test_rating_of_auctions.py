"""The rating for the free auction: against an exact solution, in any order, and with players of known strength."""

import random
from fractions import Fraction
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.auctions import SimulatedAuctions
from bench.rating import compare_auctions
from scoring.rating.auction import (
    SPREAD,
    AuctionEtui,
    AuctionPlay,
    SeatEquations,
    make_auction_row,
    predict_seats,
    rate_auction,
)
from scoring.rating.players import weigh_day
from scoring.rating.search import Strengths
from tests.scoring.test_rating import eliminate


def make_auctions(seed=1, *, etuis=12, tables=3, players=14, first=0):
    """Return étuis of random tables with random notes, over two years."""
    chance = random.Random(seed)
    found = []
    for _etui in range(etuis):
        there = chance.sample(range(first, first + players), 4 * tables)
        plays = [
            AuctionPlay(tuple(there[at : at + 4]), tuple(25.0 * chance.randrange(5) for _seat in range(4)))
            for at in range(0, 4 * tables, 4)
        ]
        found.append(AuctionEtui(chance.randrange(700), tuple(plays)))
    return found


def solve_exactly(etuis):
    """Return the strength by player, from the normal equations in fractions, with nothing of the search."""
    players, matrix, right, _noise = write_equations(etuis)
    return dict(zip(players, eliminate(matrix, right), strict=True))


def write_equations(etuis):
    """Return the players, the matrix, the right side and the noise, in fractions."""
    players = sorted({each for etui in etuis for play in etui.plays for each in play.players})
    place, newest = {player: at for at, player in enumerate(players)}, max(etui.day for etui in etuis)
    rows = [make_auction_row(etui, place, weigh_day(newest - etui.day)) for etui in etuis]
    noise = Fraction(SeatEquations(rows, len(players)).noise)
    matrix = [[noise / Fraction(SPREAD) ** 2 * (row == column) for column in place.values()] for row in place.values()]
    right = [Fraction()] * len(players)
    for etui in etuis:
        weight = Fraction(weigh_day(newest - etui.day))
        for seat in range(4):
            vectors, notes = [], [Fraction(play.notes[seat]) for play in etui.plays]
            for play in etui.plays:
                vector = [Fraction()] * len(players)
                for at, player in enumerate(play.players):
                    vector[place[player]] = Fraction(1) if at == seat else Fraction(-1, 3)
                vectors.append(vector)
            middle = [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
            for vector, note in zip(vectors, notes, strict=True):
                row = [one - two for one, two in zip(vector, middle, strict=True)]
                for one in range(len(players)):
                    right[one] += weight * row[one] * (note - sum(notes) / len(notes))
                    for two in range(len(players)):
                        matrix[one][two] += weight * row[one] * row[two]
    return players, matrix, right, noise


def test_interval_in_an_auction_is_that_of_the_exact_equations():
    etuis = make_auctions(etuis=30, tables=2, players=8)
    players, matrix, _right, noise = write_equations(etuis)
    column = [Fraction(player == players[5]) for player in players]
    variance_of_one = float(noise * eliminate(matrix, column)[5])
    assert rate_auction(etuis)[players[5]].within == pytest.approx(1.959964 * variance_of_one**0.5, rel=0.005)


def test_strengths_in_an_auction_are_those_of_the_exact_equations():
    etuis = make_auctions()
    exact, ratings = solve_exactly(etuis), rate_auction(etuis)
    assert {player: round(float(each), 2) for player, each in exact.items()} == {
        player: each.figure for player, each in ratings.items()
    }
    assert any(abs(rating.figure) > 0.1 for rating in ratings.values())
    assert {(each.attack, each.defence) for each in ratings.values()} == {(None, None)}


def make_equations(etuis, weights):
    players = sorted({each for etui in etuis for play in etui.plays for each in play.players})
    place = {player: at for at, player in enumerate(players)}
    rows = [make_auction_row(etui, place, weight) for etui, weight in zip(etuis, weights, strict=True)]
    return SeatEquations(rows, len(players))


def test_noise_of_an_auction_is_the_variance_of_the_notes_of_each_seat():
    notes = [(0.0, 50.0, 100.0, 25.0), (50.0, 0.0, 100.0, 75.0), (100.0, 100.0, 0.0, 25.0)]
    etui = AuctionEtui(0, tuple(AuctionPlay(tuple(range(4 * at, 4 * at + 4)), four) for at, four in enumerate(notes)))
    noise = fmean(variance(seat) for seat in zip(*notes, strict=True))
    assert make_equations([etui], [1.0]).noise == pytest.approx(noise)
    assert make_equations([etui, etui], [1.0, 0.25]).noise == pytest.approx(noise)  # weights cancel out
    equal = AuctionEtui(0, tuple(play._replace(notes=(50.0,) * 4) for play in etui.plays))
    assert make_equations([equal], [1.0]).noise == 1  # never 0, which would divide nothing


def test_own_part_of_a_player_in_an_auction_is_the_diagonal_of_the_equations():
    etuis = make_auctions(etuis=6)
    equations = make_equations(etuis, [1.0, 0.5, 0.25] * 2)
    units = [[float(at == other) for other in range(equations.players)] for at in range(equations.players)]
    diagonal = [equations.apply(Strengths(unit, [])).attack[at] for at, unit in enumerate(units)]
    assert equations.own == pytest.approx(diagonal)
    assert equations.list_variances() == pytest.approx([1 / each for each in diagonal])


@pytest.mark.parametrize("strengths", [(3.0, 0.0, 0.0, 0.0), (0.0, 6.0, 0.0, 0.0), (1.0, -2.0, 4.0, 7.0)])
def test_predicted_note_is_the_own_strength_less_the_mean_of_the_three_others(strengths):
    expected = [own - (sum(strengths) - own) / 3 for own in strengths]
    assert predict_seats(*strengths) == pytest.approx(expected)


@given(st.randoms(use_true_random=False))
def test_order_of_auctions_changes_no_digit(chance):
    etuis = make_auctions()
    moved = [each._replace(plays=tuple(chance.sample(each.plays, len(each.plays)))) for each in etuis]
    assert rate_auction(chance.sample(moved, len(moved))) == rate_auction(etuis)


def test_auctions_of_two_circles_have_scales_of_their_own():
    apart = [*make_auctions(1), *make_auctions(2, first=100, tables=2, players=9)]
    assert {each.group for each in rate_auction(apart).values()} == {0, 100}


def test_auction_that_was_played_once_tells_nothing():
    assert rate_auction([AuctionEtui(1, (AuctionPlay((1, 2, 3, 4), (50.0,) * 4),)), AuctionEtui(2, ())]) == {}


@pytest.mark.parametrize(
    "play", [AuctionPlay((1, 2, 3, 1), (50.0,) * 4), AuctionPlay((1, 2, 3, 4), (50.0, 50.0, 50.0, 101.0))]
)
def test_auction_that_cannot_be_is_refused(play):
    with pytest.raises(ValueError, match=r"twice|0 to 100"):
        rate_auction([AuctionEtui(1, (play, AuctionPlay((5, 6, 7, 8), (50.0,) * 4)))])


@pytest.mark.nightly("statistics")
def test_rating_of_auctions_is_nearer_to_the_true_order_than_the_mean_note():
    pairs = [compare_auctions(seed, 10) for seed in range(3)]
    means, ratings = (fmean(each) for each in zip(*pairs, strict=True))
    assert ratings > means
    means, ratings = compare_auctions(3, 60, apart=True)
    assert ratings > means + 0.1


@pytest.mark.nightly("statistics")
def test_interval_in_auctions_holds_the_true_figure_in_95_of_100_cases():
    held = total = 0
    for seed in range(4):
        field = SimulatedAuctions(seed)
        ratings = rate_auction(field.play(10))
        middle = fmean(field.strength)
        pairs = {player: (each, field.strength[player] - middle) for player, each in ratings.items()}
        scale = sum(each.figure * true for each, true in pairs.values()) / sum(
            true**2 for _each, true in pairs.values()
        )
        held += sum(abs(each.figure - scale * true) <= each.within for each, true in pairs.values())
        total += len(pairs)
    assert 0.95 * total <= held < total
