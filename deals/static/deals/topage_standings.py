"""Ranks a published session again from its file (docs/standings-file.md) and compares; needs Python alone.

python3 topage_standings.py FILE
"""
import csv
import sys
from collections import defaultdict
from fractions import Fraction

ATTACK, DEFENCE, PASSED, OPEN = range(4)  # what a seat had in a deal; open: nobody knows who took

def part(play: dict[str, str], seat: str) -> int:
    return int(play["taker"] != seat) if play["taker"] else PASSED if play["base_score"] else OPEN

def topage(scores: list[int]) -> list[Fraction]:
    """100 x (beaten + half of those tied with) / (the other scores); a score alone gets 50."""
    rest = len(scores) - 1
    points = [sum((own > other) + (own >= other) for other in scores) - 1 for own in scores]
    return [Fraction(50 * each, rest) if rest else Fraction(50) for each in points]

def mean(notes: list[tuple[int, Fraction]], *parts: int) -> Fraction | None:
    chosen = [note for part, note in notes if part in parts or OPEN in parts]
    return sum(chosen, Fraction()) / len(chosen) if chosen else None

def overall(notes: list[tuple[int, Fraction]]) -> Fraction | None:
    attack, defence = mean(notes, ATTACK), mean(notes, DEFENCE)
    return mean(notes, OPEN) if free or attack is None or defence is None else attack / 4 + defence * 3 / 4

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
lines = {kind: [row for row in rows if row["kind"] == kind] for kind in ("file", "session", "player", "play")}
known = [row["version"] + row["coefficient"] for row in lines["file"] + lines["session"]] == ["1", "1"]
if not known or len(rows) > sum(map(len, lines.values())):
    sys.exit("this script reads version 1 of the file: one session")
free = lines["file"][0]["rules"] == "free_auction"
people = {row["player"]: row for row in lines["player"]}
boards, fixed, notes = defaultdict(list), defaultdict(list), defaultdict(list)
for play in lines["play"]:
    if play["base_score"] and play["compared"] != "no":
        boards[play["etui"], play["part"]].append(play)
    for seat in "NESW":
        if word := play["fixed_" + seat.lower()]:
            fixed[play[seat]].append((part(play, seat), *word.rpartition(" ")))  # better, or not; the note
for plays in boards.values():
    scores = [int(play["base_score"]) for play in plays]
    for seat in "NESW":
        marks = [int(play["base_score"]) * (3 if play["taker"] == seat else -1) for play in plays]
        for play, own, taker in zip(plays, topage(marks), topage(scores), strict=True):
            if not play["fixed_" + seat.lower()]:
                note = own if free else taker if play["taker"] == seat else 100 - taker
                notes[play[seat]].append((part(play, seat), note))
for name, words in fixed.items():
    mine = [(mean(notes[name], of) if better else None) or Fraction() for of, better, _, _ in words]
    notes[name] += [(of, max(Fraction(word), each)) for (of, _, _, word), each in zip(words, mine, strict=True)]
value = {n: each - Fraction(people[n]["penalty"]) for n in people if (each := overall(notes[n])) is not None}
order = {n: (value[n], -int(people[n].get("tie") or 0)) for n in value if people[n]["ranked"] == "yes"}
in_line = {n: 1 + sum(order[o] > order[n] for o in order if people[o]["line"] == people[n]["line"]) for n in order}
general = {name: 1 + sum(order[other] > order[name] for other in order) for name in order}
place = {name: (in_line[name], general[name]) for name in order}
alterne = {name: 1 + sum(place[other] < place[name] for other in order) for name in order}
agree = 0
for name, row in people.items():
    means = [mean(notes[name], ATTACK), mean(notes[name], DEFENCE)]
    found = [*means, *(figures.get(name) for figures in (value, general, in_line, alterne))]
    told = [row[figure] for figure in ("attack", "defence", "global", "rank_general", "rank_line", "rank_alterne")]
    agree += (same := told == ["" if figure is None else str(figure) for figure in found])
    if not same:
        print(f"{name!a}: the file says {told}, its plays {[*map(str, found)]}")
print(agree, "of", len(people), "agree")
sys.exit(agree < len(people) or not people)
