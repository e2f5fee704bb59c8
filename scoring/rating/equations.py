"""The equations of the rating for an imposed contract.

Each player has two unknowns, attack and defence, and each play of an étui has an equation. Its left side is the note
minus the mean note of the étui. Its right side is the prediction from the strengths at the table, minus the mean
prediction for the étui, plus chance.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from scoring.rating.search import Solution, Strengths, add_products, find_solution

ATTACK_SPREAD, DEFENCE_SPREAD = 5.0, 5.0  # the standard deviations of the prior
LINK = 0.5  # the correlation of attack and defence in the prior
ATTACK_SHARE, DEFENCE_SHARE = 0.25, 0.75  # as in the global percentage: FFT 2012 p. 17


class Row(NamedTuple):
    """The plays of an étui, with the places of the players in the lists of strengths, and the weight of the étui."""

    plays: tuple[tuple[int, int, int, int], ...]
    notes: tuple[float, ...]
    weight: float


def measure_noise(rows: Sequence[Row]) -> float:
    """Return the variance of the notes: nearly all of it is chance, because strengths explain little of one play."""
    total = weights = 0.0
    for row in rows:
        total += row.weight * fsum(note * note for note in row.notes)
        weights += row.weight * (len(row.notes) - 1)
    return max(total / weights, 1.0)


def precision() -> tuple[float, float, float]:
    """Return the inverse of the prior's covariance: of attack, of defence, and of both."""
    less = 1.0 - LINK * LINK
    attack, defence = ATTACK_SPREAD * ATTACK_SPREAD, DEFENCE_SPREAD * DEFENCE_SPREAD
    return 1.0 / (attack * less), 1.0 / (defence * less), -LINK / (ATTACK_SPREAD * DEFENCE_SPREAD * less)


def find_strengths(rows: Sequence[Row], players: int, noise: float) -> Solution:
    """Return the strengths that explain the notes best."""
    return find_solution(TakerEquations(rows, players, noise))


class TakerEquations:
    """The equations of takers against three defenders, as the search asks for them."""

    def __init__(self, rows: Sequence[Row], players: int, noise: float) -> None:
        self.rows, self.players, self.noise = rows, players, noise
        self.blocks = make_blocks(rows, players, noise)

    def gather(self) -> Strengths:
        return gather(self.rows, self.players)

    def apply(self, strengths: Strengths) -> Strengths:
        return apply(self.rows, strengths, self.noise)

    def scale(self, rest: Strengths) -> Strengths:
        return scale(rest, self.blocks)

    def list_figures(self, strengths: Strengths) -> list[float]:
        """Return the figure of each player: ¼ of the attack and ¾ of the defence."""
        pairs = zip(strengths.attack, strengths.defence, strict=True)
        return [ATTACK_SHARE * attack + DEFENCE_SHARE * defence for attack, defence in pairs]

    def list_variances(self) -> list[float]:
        return [measure_block(block) for block in self.blocks]

    def make_matrix(self) -> list[list[float]]:
        of_attack, of_defence, of_both = (self.noise * each for each in precision())
        matrix = [[0.0] * (2 * self.players) for _strength in range(2 * self.players)]
        for attack in range(self.players):
            defence = self.players + attack
            matrix[attack][attack], matrix[defence][defence] = of_attack, of_defence
            matrix[attack][defence] = matrix[defence][attack] = of_both
        for plays, _notes, weight in self.rows:
            signs = [
                {taker: 1.0} | dict.fromkeys((self.players + each for each in others), -1.0) for taker, *others in plays
            ]
            add_products(matrix, signs, weight)
        return matrix

    def list_parts(self, player: int) -> dict[int, float]:
        return {player: ATTACK_SHARE, self.players + player: DEFENCE_SHARE}


def gather(rows: Sequence[Row], players: int) -> Strengths:
    """Return the weighted sums of each player's notes, as attack and as defence."""
    attack, defence = [0.0] * players, [0.0] * players
    for row in rows:
        for (taker, one, two, three), note in zip(row.plays, row.notes, strict=True):
            part = row.weight * note
            attack[taker] += part
            defence[one] -= part
            defence[two] -= part
            defence[three] -= part
    return Strengths(attack, defence)


def apply(rows: Sequence[Row], strengths: Strengths, noise: float) -> Strengths:
    """Return the sums of `gather` for the notes that these strengths predict, with the part of the prior."""
    attacks, defences = strengths.attack, strengths.defence
    of_attack, of_defence, of_both = (noise * each for each in precision())
    attack = [of_attack * one + of_both * two for one, two in zip(attacks, defences, strict=True)]
    defence = [of_both * one + of_defence * two for one, two in zip(attacks, defences, strict=True)]
    for plays, _notes, weight in rows:
        predicted = [
            attacks[taker] - defences[one] - defences[two] - defences[three] for taker, one, two, three in plays
        ]
        mean = fsum(predicted) / len(predicted)
        for (taker, one, two, three), value in zip(plays, predicted, strict=True):
            part = weight * (value - mean)
            attack[taker] += part
            defence[one] -= part
            defence[two] -= part
            defence[three] -= part
    return Strengths(attack, defence)


Block = tuple[float, float, float]  # of a symmetric matrix for one player: attack, defence, both


def make_blocks(rows: Sequence[Row], players: int, noise: float) -> list[Block]:
    """Return the inverse of each player's own part of the equations, by which each step is scaled."""
    of_attack, of_defence, of_both = (noise * each for each in precision())
    attack, defence = [of_attack] * players, [of_defence] * players
    for plays, _notes, weight in rows:
        part = weight * (1.0 - 1.0 / len(plays))
        for taker, one, two, three in plays:
            attack[taker] += part
            defence[one] += part
            defence[two] += part
            defence[three] += part
    return [invert(one, two, of_both) for one, two in zip(attack, defence, strict=True)]


def invert(attack: float, defence: float, both: float) -> Block:
    """Return the inverse of a symmetric matrix of two rows."""
    whole = attack * defence - both * both
    return defence / whole, attack / whole, -both / whole


def scale(rest: Strengths, blocks: Sequence[Block]) -> Strengths:
    """Return each player's part of `rest`, multiplied by the player's block."""
    pairs = list(zip(rest.attack, rest.defence, blocks, strict=True))
    return Strengths(
        [block[0] * one + block[2] * two for one, two, block in pairs],
        [block[2] * one + block[1] * two for one, two, block in pairs],
    )


def measure_block(block: Block) -> float:
    """Return the variance of ¼ attack and ¾ defence, from the variances of both and their covariance."""
    attack, defence, both = block
    return (
        ATTACK_SHARE * ATTACK_SHARE * attack
        + DEFENCE_SHARE * DEFENCE_SHARE * defence
        + (2.0 * ATTACK_SHARE * DEFENCE_SHARE * both)
    )
