"""The other ways to rate the simulated players of `bench.rating`: openskill, and least squares with one strength.

The site uses neither of them. `bench.rating` prints how well they order the players, beside the site's rating.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from scoring.rating.equations import ATTACK_SHARE, ATTACK_SPREAD, DEFENCE_SHARE
from scoring.rating.players import RatedEtui


def find_means(etuis: Sequence[RatedEtui]) -> dict[int, float]:
    """Return the global percentage of each player over all étuis."""
    attack, defence = defaultdict(list), defaultdict(list)
    for etui in etuis:
        for play in etui.plays:
            attack[play.taker].append(play.note)
            for each in play.defenders:
                defence[each].append(100 - play.note)
    players = attack.keys() | defence.keys()
    return {
        player: ATTACK_SHARE * fmean(attack[player] or [50]) + DEFENCE_SHARE * fmean(defence[player] or [50])
        for player in players
    }


def rate_by_openskill(etuis: Sequence[RatedEtui], session: int) -> dict[int, float]:
    """Return the mean strength that openskill's Plackett–Luce gives each player.

    It rates one session after another: all players of a session are ranked by their global percentage of that session.
    `session` is the number of étuis of a session.
    """
    from openskill.models import PlackettLuce  # a tool of development: the site does not have it

    model: Any = PlackettLuce()
    ratings: dict[int, Any] = {}
    for first in range(0, len(etuis), session):
        means = find_means(etuis[first : first + session])
        there = sorted(means)
        teams = [[ratings.get(player) or model.rating()] for player in there]
        rated = model.rate(teams, scores=[means[player] for player in there])
        ratings |= {player: team[0] for player, team in zip(there, rated, strict=True)}
    return {player: float(rating.mu) for player, rating in ratings.items()}


def rate_by_one_strength(etuis: Sequence[RatedEtui]) -> dict[int, float]:
    """Return the strength of each player by least squares on notes, if attack and defence are the same strength.

    The prior has the spread of attack in the site's rating. The equations are solved directly.
    """
    players = sorted({player for etui in etuis for play in etui.plays for player in (play.taker, *play.defenders)})
    place = {player: at for at, player in enumerate(players)}
    matrix = [[0.0] * len(players) for _player in players]
    right = [0.0] * len(players)
    notes = [play.note for etui in etuis for play in etui.plays]
    middle = fmean(notes)
    for at in range(len(players)):
        matrix[at][at] = fmean((note - middle) ** 2 for note in notes) / ATTACK_SPREAD**2
    for etui in etuis:
        signs = [
            {place[play.taker]: 1.0, **dict.fromkeys((place[each] for each in play.defenders), -1.0)}
            for play in etui.plays
        ]
        mean = defaultdict[int, float](float)
        for row in signs:
            for at, sign in row.items():
                mean[at] += sign / len(signs)
        for row, play in zip(signs, etui.plays, strict=True):
            whole = {at: row.get(at, 0.0) - less for at, less in mean.items()}
            for at, sign in whole.items():
                right[at] += sign * (play.note - 50)
                for other, also in whole.items():
                    matrix[at][other] += sign * also
    return dict(zip(players, solve(matrix, right), strict=True))


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of linear equations by elimination. The matrix is symmetric and positive definite."""
    size = len(right)
    for at in range(size):
        for below in range(at + 1, size):
            share = matrix[below][at] / matrix[at][at]
            if share:
                matrix[below] = [one - share * other for one, other in zip(matrix[below], matrix[at], strict=True)]
                right[below] -= share * right[at]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(matrix[at][other] * found[other] for other in range(at + 1, size))
        found[at] = (right[at] - rest) / matrix[at][at]
    return found
