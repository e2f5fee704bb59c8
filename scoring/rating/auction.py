"""The rating for the free auction: one strength a player, from the notes of all four seats.

Nobody knows beforehand who takes, and the decision to take belongs to a player's strength. So the rating does not part
attack and defence. A note compares a seat with the same seat at the other tables. The note of each seat less 50 is the
player's strength less the mean strength of the three others, and chance. The mean of this over the plays of the étui is
taken off, seat by seat. All else is as in `players`: weights, groups, sums in a fixed order, one rounding at the end.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from scoring.rating.players import DIGITS, NORMAL, PlayerRating, find_groups, weigh_day
from scoring.rating.search import Strengths, add_products, find_solution

SPREAD = 5.0  # the standard deviation of the prior, as that of attack and of defence
OTHERS = 1.0 / 3.0  # the share of each of the three others in the strength of the opposition
Four = tuple[int, int, int, int]


class AuctionPlay(NamedTuple):
    """A compared play of an étui in a free auction: the players' ids and their notes from 0 to 100, by line."""

    players: Four
    notes: tuple[float, float, float, float]


class AuctionEtui(NamedTuple):
    """The compared plays of an étui. `day` is the number of the day on which it was played."""

    day: int
    plays: tuple[AuctionPlay, ...]


class AuctionRow(NamedTuple):
    """The plays of an étui, with places in the lists of strengths. Notes are less the mean note of their seat."""

    plays: tuple[Four, ...]
    notes: tuple[tuple[float, ...], ...]
    weight: float


def rate_auction(etuis: Iterable[AuctionEtui]) -> dict[int, PlayerRating]:
    """Return the rating of each player of these étuis, by id. The plays of the newest day count most.

    Étuis with fewer than two plays are left out. Raise `ValueError` if a player sits twice at a table, or if a note is
    not from 0 to 100.
    """
    sorted_etuis = sorted(etui._replace(plays=tuple(sorted(etui.plays))) for etui in etuis if len(etui.plays) > 1)
    deals: Counter[int] = Counter()
    for etui in sorted_etuis:
        for play in etui.plays:
            check_seats(play)
            deals.update(play.players)
    players = sorted(deals)
    if not players:
        return {}
    place = {player: number for number, player in enumerate(players)}
    newest = max(etui.day for etui in sorted_etuis)
    rows = [make_auction_row(etui, place, weigh_day(newest - etui.day)) for etui in sorted_etuis]
    strength, _none, variance = find_solution(SeatEquations(rows, len(players)))
    groups = find_groups([play.players for play in etui.plays] for etui in sorted_etuis)
    return {
        player: PlayerRating(
            round(strength[at], DIGITS),
            None,
            None,
            round(NORMAL * sqrt(variance[at]), DIGITS),
            deals[player],
            groups[player],
        )
        for player, at in place.items()
    }


def check_seats(play: AuctionPlay) -> None:
    """Raise `ValueError` if a player sits twice at the table, or if a note is not from 0 to 100."""
    if len(set(play.players)) != 4:
        raise ValueError(f"a player sits twice at a table: {play}")
    if not all(0 <= note <= 100 for note in play.notes):
        raise ValueError(f"a note is not from 0 to 100: {play}")


def make_auction_row(etui: AuctionEtui, place: Mapping[int, int], weight: float) -> AuctionRow:
    """Return the étui with its weight, with places in lists instead of ids."""
    means = [fsum(seat) / len(etui.plays) for seat in zip(*(play.notes for play in etui.plays), strict=True)]
    plays: tuple[Four, ...] = tuple(tuple(place[each] for each in play.players) for play in etui.plays)  # type: ignore[misc]
    notes = tuple(tuple(note - mean for note, mean in zip(play.notes, means, strict=True)) for play in etui.plays)
    return AuctionRow(plays, notes, weight)


class SeatEquations:
    """The equations of four seats with one strength a player, as the search asks for them."""

    def __init__(self, rows: Sequence[AuctionRow], players: int) -> None:
        self.rows, self.players = rows, players
        self.noise = self.measure_noise()
        self.own = [self.noise / (SPREAD * SPREAD)] * players  # each player's own part of the equations
        for plays, _notes, weight in rows:
            part = weight * (1.0 - 1.0 / len(plays)) * (1.0 + OTHERS)
            for play in plays:
                for player in play:
                    self.own[player] += part

    def measure_noise(self) -> float:
        """Return the variance of the notes: nearly all of it is chance."""
        total = weights = 0.0
        for plays, notes, weight in self.rows:
            total += weight * fsum(note * note for four in notes for note in four)
            weights += weight * 4 * (len(plays) - 1)
        return max(total / weights, 1.0)

    def gather(self) -> Strengths:
        sums = [0.0] * self.players
        for plays, notes, weight in self.rows:
            for play, four in zip(plays, notes, strict=True):
                add_seats(sums, play, four, weight)
        return Strengths(sums, [])

    def apply(self, strengths: Strengths) -> Strengths:
        each = strengths.attack
        less = self.noise / (SPREAD * SPREAD)
        sums = [less * one for one in each]
        for plays, _notes, weight in self.rows:
            predicted = [
                predict_seats(each[one], each[two], each[three], each[four]) for one, two, three, four in plays
            ]
            means = [fsum(seat) / len(predicted) for seat in zip(*predicted, strict=True)]
            for play, four in zip(plays, predicted, strict=True):
                add_seats(sums, play, [value - mean for value, mean in zip(four, means, strict=True)], weight)
        return Strengths(sums, [])

    def scale(self, rest: Strengths) -> Strengths:
        return Strengths([one / own for one, own in zip(rest.attack, self.own, strict=True)], [])

    def list_figures(self, strengths: Strengths) -> list[float]:
        return strengths.attack

    def list_variances(self) -> list[float]:
        return [1.0 / own for own in self.own]

    def make_matrix(self) -> list[list[float]]:
        less = self.noise / (SPREAD * SPREAD)
        matrix = [[less * (one == other) for other in range(self.players)] for one in range(self.players)]
        for plays, _notes, weight in self.rows:
            for seat in range(4):  # each seat has a mean of its own
                terms = [{each: 1.0 if each == play[seat] else -OTHERS for each in play} for play in plays]
                add_products(matrix, terms, weight)
        return matrix

    def list_parts(self, player: int) -> dict[int, float]:
        return {player: 1.0}


def predict_seats(one: float, two: float, three: float, four: float) -> tuple[float, float, float, float]:
    """Return what the strengths of four players predict for the note of each: own less the mean of the others."""
    whole = OTHERS * (one + two + three + four)
    share = 1.0 + OTHERS
    return share * one - whole, share * two - whole, share * three - whole, share * four - whole


def add_seats(sums: list[float], play: Four, notes: Sequence[float], weight: float) -> None:
    """Add the notes of four seats to the sums of their players: the own note less a third of the three others."""
    whole = OTHERS * (notes[0] + notes[1] + notes[2] + notes[3])
    for player, note in zip(play, notes, strict=True):
        sums[player] += weight * ((1.0 + OTHERS) * note - whole)
