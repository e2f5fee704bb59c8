"""Ranks a published session again from its file (docs/standings-file.md) and compares; needs Python alone.

python3 topage_standings.py FILE
"""
import csv
import sys
from collections import defaultdict
from fractions import Fraction


def topage(scores: list[int]) -> list[Fraction]:
    """100 x (beaten + half of those tied with) / (the other scores); a score alone gets 50."""
    rest = len(scores) - 1
    points = [sum((own > other) + (own >= other) for other in scores) - 1 for own in scores]
    return [Fraction(50 * each, rest) if rest else Fraction(50) for each in points]

def mean(notes: list[Fraction]) -> Fraction | None:
    return sum(notes, Fraction()) / len(notes) if notes else None

def overall(attack: list[Fraction], defence: list[Fraction], passed: list[Fraction]) -> Fraction | None:
    if free or (attacking := mean(attack)) is None or (defending := mean(defence)) is None:
        return mean(attack + defence + passed)
    return attacking / 4 + defending * 3 / 4

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
lines = {kind: [row for row in rows if row["kind"] == kind] for kind in ("file", "session", "player", "play")}
known = [row["version"] + row["coefficient"] for row in lines["file"] + lines["session"]] == ["1", "1"]
if not known or len(rows) > sum(map(len, lines.values())) or any(row["fixed_" + x] for row in rows for x in "nesw"):
    sys.exit("this script reads version 1 of the file: one session, without fixed notes")
free = lines["file"][0]["rules"] == "free_auction"
people = {row["player"]: row for row in lines["player"]}
compared: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
notes: dict[str, tuple[list[Fraction], ...]] = defaultdict(lambda: ([], [], []))  # attack, defence, passed out
for play in lines["play"]:
    if play["base_score"]:
        compared[play["etui"], play["part"]].append(play)
for plays in compared.values():
    scores = [int(play["base_score"]) for play in plays]
    for seat in "NESW":
        marks = [int(play["base_score"]) * (3 if play["taker"] == seat else -1) for play in plays]
        for play, own, taker in zip(plays, topage(marks), topage(scores), strict=True):
            note = own if free else taker if play["taker"] == seat else 100 - taker
            notes[play[seat]][2 if not play["taker"] else play["taker"] != seat].append(note)
means = {name: overall(*notes[name]) for name in people}
value = {name: each - Fraction(people[name]["penalty"]) for name, each in means.items() if each is not None}
ranked = [name for name in value if people[name]["ranked"] == "yes"]
in_line = {n: 1 + sum(value[o] > value[n] for o in ranked if people[o]["line"] == people[n]["line"]) for n in ranked}
general = {name: 1 + sum(value[other] > value[name] for other in ranked) for name in ranked}
place = {name: (in_line[name], -value[name]) for name in ranked}
alterne = {name: 1 + sum(place[other] < place[name] for other in ranked) for name in ranked}
agree = 0
for name, row in people.items():
    found = [*map(mean, notes[name][:2]), *(figures.get(name) for figures in (value, general, in_line, alterne))]
    told = [row[figure] for figure in ("attack", "defence", "global", "rank_general", "rank_line", "rank_alterne")]
    agree += (same := told == ["" if figure is None else str(figure) for figure in found])
    if not same:
        print(f"{name!a}: the file says {told}, its plays {[*map(str, found)]}")
print(agree, "of", len(people), "agree")
sys.exit(agree < len(people) or not people)
