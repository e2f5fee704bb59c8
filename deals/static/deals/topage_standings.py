"""A program that computes a published ranking again from its file, and compares: python3 topage_standings.py FILE.

`docs/standings-file.md` describes the file.
"""
import csv
import sys
from collections import defaultdict
from fractions import Fraction
from math import isqrt

AFTER = ("donnes_libres", "free_auction_3", "free_auction_5", "doublettes")  # the forms of files of version 3
ATTACK, DEFENCE, PASSED, OPEN = range(4)  # the part of a seat in a deal. OPEN: the file does not say who took

def part(play: dict[str, str], seat: str) -> int:
    return int(play["taker"] != seat) if play["taker"] else PASSED if play["base_score"] else OPEN

def counts(play: dict[str, str], seat: str) -> bool:
    """Return whether the seat has a note. A defending team has one note for three seats, in quadrettes none."""
    first = play["taker"] if points else next(each for each in "NESW" if each != play["taker"])
    return not teams or seat in (play["taker"], first)

def seats_of(play: dict[str, str]) -> list[str]:
    """Return the seats that play the deal, in a fixed order. One of five may rest."""
    return [seat for seat in "NESWF" if play.get(seat) and play.get("resting") != seat]

def deal_notes(play: dict[str, str]) -> dict[str, Fraction]:
    """Return the marks of each seat of donnes libres, multiplied by the weight of a table with so many players."""
    marks = {seat: Fraction(play[name]) for seat in "NESWF" if play[name := "marks_" + seat.lower()]}
    if play["base_score"]:
        marks = {seat: Fraction(int(play["base_score"]) * share(play, seat)) for seat in seats_of(play)}
    weight = Fraction(sessions[play["session"]].get(f"weight_{len(seats_of(play))}") or 1)
    return {seat: each * weight for seat, each in marks.items()}

def share(play: dict[str, str], seat: str) -> int:
    """Return by what the base score is multiplied for a seat. At five a partner has it once, and the taker twice."""
    called = play.get("partner") or play["taker"]
    if seat == play["taker"]:
        return len(seats_of(play)) - (1 if called == seat else 3)
    return 1 if seat == called else -1

def topage(scores: list[int]) -> list[Fraction]:
    """Return 100 x (beaten + half of those tied with) / (the other scores) for each score; a score alone gets 50."""
    rest = len(scores) - 1
    points = [sum((own > other) + (own >= other) for other in scores) - 1 for own in scores]
    return [Fraction(50 * each, rest) if rest else Fraction(50) for each in points]

def match(play: dict[str, str], plays: list[dict[str, str]]) -> list[Fraction]:
    """Return the match points of an attack: the root of the difference to the other team's attack, if it is there."""
    halves = [other for other in plays if (other["N"], other["S"]) == (play["S"], play["N"])]
    gains = [int(play["base_score"]) - int(other["base_score"]) for other in halves]
    return [Fraction((1 if d > 0 else winners - 1) * ((isqrt(4_000_000 * abs(d)) + 1) // 2), 1000) for d in gains]

def mean(notes: list[tuple[int, Fraction]], *parts: int) -> Fraction | None:
    chosen = [note for part, note in notes if part in parts or OPEN in parts]
    return sum(chosen, Fraction()) / (1 if points or marked else len(chosen)) if chosen else None

def overall(notes: list[tuple[int, Fraction]]) -> Fraction | None:
    attack, defence = mean(notes, ATTACK), mean(notes, DEFENCE)
    share = Fraction(1, 2 if teams else 4)
    if free or points or marked or attack is None or defence is None:
        return mean(notes, OPEN)
    return attack * share + defence * (1 - share)

def find_steps() -> dict[str, int]:
    """Return the step of each round: how many cuts were before it. A final is one step above all other rounds."""
    levels = {row["round"]: int(row.get("level") or 0) for row in lines["session"]}
    finals = {row["round"] for row in lines["session"] if row["stage"] == "final"}
    above = 1 + max((level for place, level in levels.items() if place not in finals), default=0)
    return {place: max(level, above) if place in finals else level for place, level in levels.items()}

def total(brought: list[tuple[dict[str, str], Fraction]]) -> tuple[int, Fraction]:
    """Return the highest step of a player, and the total: the best sessions of step 0, and all that came later."""
    weighed = [(steps[row["round"]], Fraction(row["coefficient"] or 1), value) for row, value in brought]
    weighed.sort(key=lambda each: each[2] * (1 if averaged else each[1]), reverse=True)
    later, others = ([each for each in weighed if bool(each[0]) == which] for which in (True, False))
    best = int(whole["best_of"] or len(rows))
    missed = [*steps.values()].count(0) - len(others) if marked else 0  # marks below 0 are worse than a missed session
    del others[best:]
    while missed and others and others[-1][2] < 0 and len(others) + missed > best:
        others.pop()
    reached, carried = max((step for step, *_ in later), default=0), Fraction(whole["carry_over"] or 100) / 100
    counted = [(weight * carried ** (reached - step), value) for step, weight, value in later + others]
    summed = sum((weight * value for weight, value in counted), Fraction())
    return reached, summed / sum(weight for weight, _ in counted) if averaged else summed

with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
lines = {kind: [row for row in rows if row["kind"] == kind] for kind in ("file", "session", "player", "play")}
whole = lines["file"][0] if lines["file"] else {}
many = bool(whole.get("counting"))
for row in rows if not many else []:
    row["session"], row["field"], row["round"], row["stage"] = "1", "1", "1", ""
told = [row["version"] for row in lines["file"]] + ([] if many else [row["coefficient"] for row in lines["session"]])
kinds = {row["stage"] for row in lines["session"]} <= {"", "qualifying", "final"}
kinds = kinds and (whole.get("counting") or "sum") in ("sum", "mean")
points = (winners := whole.get("rules") == "team_match") or whole.get("rules") == "quadrettes"
teams = points or whole.get("rules") == "triplettes"
marked = whole.get("rules") == "donnes_libres"
version = "2" if teams else "3" if whole.get("rules") in AFTER else "1"
if not kinds or told != ([version] if many else [version, "1"]) or len(rows) > sum(map(len, lines.values())):
    sys.exit("this script reads versions 1, 2 and 3 of the file")
seats = [seat for seat in "NESWF" if any(play.get(seat) for play in lines["play"])]
free, averaged = whole["rules"].startswith("free_auction"), whole.get("counting") == "mean"
sessions = {row["session"]: row for row in lines["session"]}
people = {(row["session"], row["player"]): row for row in lines["player"]}
boards, fixed = defaultdict(list), defaultdict(list)
notes: dict[tuple[str, str], list[tuple[int, Fraction]]] = defaultdict(list)
for play in lines["play"]:
    at = play["session"]
    if marked:
        for seat, note in deal_notes(play).items():
            notes[at, play[seat]].append((part(play, seat) if play["base_score"] else PASSED, note))
        continue
    if play["base_score"] and play["compared"] != "no":
        boards[sessions[at]["field"] if play["part"] == "1" else at, play["etui"], play["part"]].append(play)
    for seat in seats:
        if (word := play["fixed_" + seat.lower()]) and counts(play, seat):
            # Each fixed note has two values: whether the player's own mean counts if it is better, and the note.
            fixed[at, play[seat]].append((part(play, seat), *word.rpartition(" ")))
for plays in boards.values():
    scores = [int(play["base_score"]) for play in plays]
    for seat in seats:
        marks = [int(play["base_score"]) * share(play, seat) for play in plays]
        for play, own, taker in zip(plays, topage(marks), topage(scores), strict=True):
            if not play["fixed_" + seat.lower()] and counts(play, seat):
                note = own if free else taker if play["taker"] == seat else 100 - taker
                given = match(play, plays) if points else [note]
                notes[play["session"], play[seat]] += [(part(play, seat), each) for each in given]
for name, words in fixed.items():
    mine = [(mean(notes[name], of) if better else None, Fraction(word)) for of, better, _, word in words]
    for (of, *_), both in zip(words, mine, strict=True):
        notes[name].append((of, max(each for each in both if each is not None)))
value = {n: each - Fraction(people[n]["penalty"]) for n in people if (each := overall(notes[n])) is not None}
order = {n: (value[n], -int(people[n].get("tie") or 0)) for n in value if people[n]["ranked"] == "yes"}
general, in_line, alterne = (dict[tuple[str, str], int]() for _ in range(3))
for at in sessions:
    here = [n for n in order if n[0] == at]
    lined = [n for n in here if people[n]["line"]]
    in_line |= {n: 1 + sum(order[o] > order[n] and people[o]["line"] == people[n]["line"] for o in here) for n in lined}
    general |= {name: 1 + sum(order[other] > order[name] for other in here) for name in here}
    place = {name: (in_line[name], general[name]) for name in lined}
    alterne |= {name: 1 + sum(place[other] < place[name] for other in lined) for name in lined}
found = {
    n: [mean(notes[n], ATTACK), mean(notes[n], DEFENCE), *(of.get(n) for of in (value, general, in_line, alterne))]
    for n in people if n[0]
}
# For each round: the result of the section in which the player has most deals.
brought: dict[str, dict[str, tuple[int, Fraction, str]]] = defaultdict(dict)
for at, who in order:
    bring = (len(notes[at, who]), value[at, who], at)
    before = brought[who].setdefault(sessions[at]["round"], bring)
    brought[who][sessions[at]["round"]] = bring if bring[:2] > before[:2] else before
playing, steps = [name for at, name in people if not at], find_steps()
totals = {n: total([(sessions[at], v) for _, v, at in brought[n].values()]) for n in playing if n in brought}
least = min(int(whole.get("least_sessions") or 1), len({row["round"] for row in lines["session"]}))
stands = {n: (*totals[n], -int(people["", n]["tie"] or 0)) for n in totals if len(brought[n]) >= least}
for who in playing:
    rank = 1 + sum(other > stands[who] for other in stands.values()) if who in stands else None
    found["", who] = [None, None, totals[who][1] if who in totals else None, rank, None, None]
agree = 0
for key, row in people.items():
    said = [row[figure] for figure in ("attack", "defence", "global", "rank_general", "rank_line", "rank_alterne")]
    agree += (same := said == ["" if figure is None else str(figure) for figure in found[key]])
    if not same:
        where = f"session {key[0]}: " if many and key[0] else ""
        print(f"{where}{key[1]!a}: the file says {said}, its plays {[*map(str, found[key])]}")
print(agree, "of", len(people), "agree")
sys.exit(agree < len(people) or not people)
