"""The ranking of a triplettes event, computed from the regulation alone, with nothing of the site.

Each team has one note for an étui: the attacking team that of the topage, the defending team 100 minus it.
"""

from fractions import Fraction


def find_percentages(plays, penalties):
    """Return {team: (attack, defence, global)} of one session.

    `plays`: (étui, attacking team, defending team, base score or None). `penalties`: {team: points}.
    """
    counted = [play for play in plays if play[3] is not None]
    notes = {}
    for number, attacking, defending, score in counted:
        others = [other[3] for other in counted if other[0] == number]
        others.remove(score)
        beaten = sum(1 for other in others if score > other) + Fraction(sum(1 for o in others if score == o), 2)
        note = 100 * beaten / len(others) if others else Fraction(50)
        notes.setdefault(attacking, ([], []))[0].append(note)
        notes.setdefault(defending, ([], []))[1].append(100 - note)
    found = {}
    for team, (attack, defence) in notes.items():
        means = [sum(part) / len(part) if part else None for part in (attack, defence)]
        known = [mean for mean in means if mean is not None]
        found[team] = (*means, sum(known) / len(known) - Fraction(penalties.get(team, 0)))
    return found


def find_ranks(totals):
    """Return {team: rank}; equal totals share a rank."""
    return {team: 1 + sum(other > total for other in totals.values()) for team, total in totals.items()}


def find_alternate_ranks(totals, lines):
    """Return {team: rank} of the classement alterné over two lines: first the two winners, then the two seconds."""
    own = {t: 1 + sum(totals[u] > totals[t] for u in totals if lines[u] == lines[t]) for t in totals}
    return {t: 1 + sum((own[u], -totals[u]) < (own[t], -totals[t]) for u in totals) for t in totals}
