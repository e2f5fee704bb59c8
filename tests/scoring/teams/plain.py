"""The figures of teams, computed again in the plainest way. This module shares no code with `scoring`.

A play is a tuple: étui, attacking team, defending team, base score (None if it is missing or annulled).
"""

from fractions import Fraction


def plain_triplettes(plays):
    """Return global percentage of each team with a note: half its attack mean and half its defence mean."""
    attack, defence = {}, {}
    for etui, attacking, defending, score in plays:
        if score is None:
            continue
        others = [s for e, _, _, s in plays if e == etui and s is not None]
        others.remove(score)
        if others:
            halves = sum(2 if score > other else 1 if score == other else 0 for other in others)
            note = Fraction(50 * halves, len(others))
        else:
            note = Fraction(50)
        attack.setdefault(attacking, []).append(note)
        defence.setdefault(defending, []).append(100 - note)
    means = {}
    for team in attack.keys() | defence.keys():
        sides = [Fraction(sum(notes), len(notes)) for notes in (attack.get(team), defence.get(team)) if notes]
        means[team] = sum(sides) / len(sides)
    return means


def plain_root(difference):
    """Return sign(d) × √|d| in thousandths, found by counting up and comparing squares."""
    size, thousandths = abs(difference), 0
    while (2 * (thousandths + 100) - 1) ** 2 <= 4_000_000 * size:
        thousandths += 100
    while (2 * (thousandths + 1) - 1) ** 2 <= 4_000_000 * size:
        thousandths += 1
    return thousandths if difference >= 0 else -thousandths


def plain_match_points(plays, *, winners_only=False):
    """Return the sum of match points of each team in thousandths, and the number of its étuis that count."""
    totals, etuis = {}, {}
    for etui, attacking, defending, score in plays:
        for other_etui, other_attacking, other_defending, other in plays:
            mirrored = (other_etui, other_attacking, other_defending) == (etui, defending, attacking)
            if mirrored and score is not None and other is not None:
                points = plain_root(score - other)
                if winners_only and points < 0:
                    points = 0
                totals[attacking] = totals.get(attacking, 0) + points
                etuis[attacking] = etuis.get(attacking, 0) + 1
    return totals, etuis


def plain_ranks(values):
    """Return the rank of each key: one more than the number of higher values."""
    return {key: 1 + sum(other > value for other in values.values()) for key, value in values.items()}
