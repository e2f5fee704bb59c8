"""The rating for the free auction: against an exact solution, in any order, and with players of known strength."""

import random
from fractions import Fraction
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.auctions import SimulatedAuctions
from bench.rating import compare_auctions
from scoring.rating.auction import SPREAD, AuctionEtui, AuctionPlay, SeatEquations, make_auction_row, rate_auction
from scoring.rating.players import weigh_day
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
    return dict(zip(players, eliminate(matrix, right), strict=True))


def test_strengths_in_an_auction_are_those_of_the_exact_equations():
    etuis = make_auctions()
    exact, ratings = solve_exactly(etuis), rate_auction(etuis)
    assert {player: round(float(each), 2) for player, each in exact.items()} == {
        player: each.figure for player, each in ratings.items()
    }
    assert any(abs(rating.figure) > 0.1 for rating in ratings.values())
    assert {(each.attack, each.defence) for each in ratings.values()} == {(None, None)}


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


def test_rating_of_auctions_is_nearer_to_the_true_order_than_the_mean_note():
    pairs = [compare_auctions(seed, 10) for seed in range(3)]
    means, ratings = (fmean(each) for each in zip(*pairs, strict=True))
    assert ratings > means
    means, ratings = compare_auctions(3, 60, apart=True)
    assert ratings > means + 0.1


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
