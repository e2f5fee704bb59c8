"""The standings of an evening with an imposed Garde from its exported CSV, computed from the rules alone."""

import csv
import io
from fractions import Fraction


def standings(text):
    """Return exact {player: (line, attack, defence, overall, general rank, alterné rank)} from the text of the CSV."""
    plays = [play for play in csv.DictReader(io.StringIO(text)) if play["base_score"]]
    attack, defence, lines = {}, {}, {}
    for play in plays:
        mine = int(play["base_score"])
        others = [int(p["base_score"]) for p in plays if p["etui"] == play["etui"] and p is not play]
        won = sum(2 if mine > other else mine == other for other in others)
        note = Fraction(50 * won, len(others)) if others else Fraction(50)
        for line in "NESW":
            lines[play[line]] = line
            kept, worth = (attack, note) if line == play["taker"] else (defence, 100 - note)
            kept.setdefault(play[line], []).append(worth)
    overall = {}
    for player in lines:
        means = [sum(kept[player]) / len(kept[player]) if player in kept else None for kept in (attack, defence)]
        both = None not in means
        overall[player] = (*means, means[0] / 4 + 3 * means[1] / 4 if both else means[means[0] is None])
    total = {player: figures[2] for player, figures in overall.items()}
    in_line = {p: 1 + sum(total[q] > total[p] for q in lines if lines[q] == lines[p]) for p in lines}
    return {
        player: (
            lines[player],
            *overall[player],
            1 + sum(other > total[player] for other in total.values()),
            1 + sum((in_line[q], -total[q]) < (in_line[player], -total[player]) for q in lines),
        )
        for player in lines
    }
