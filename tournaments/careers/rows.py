"""From a session's report to what is kept of each of its players: a function of the report alone.

Notes are whole numbers over one denominator for each row, so that thousands of rows add up fast and stay exact. A
sample is `[count, sum, sum of squares]`, the squares over the denominator's square. `figures`, of the deals that count:

- `den`: the denominator; `a`, `d`, `o`: samples in attack, in defence, and where nobody is known to have taken;
- `n`: how often each note came among so many plays: `[plays compared, note, count]`;
- `b`: by the number of bouts, and in a free auction `c`: by the contract, where the facts are known: both samples, and
  the contracts made, of those he took: `[*attack, made, *defence]`;
- `best`: the best étuis, `[étui, note, plays compared, part, points ahead of the others' median]`;
- `m`: who sat with him, `[player, deals, *sample as partners in defence, *sample against each other]`.

`plays`: `[étui, line, part of the étui's plays, note]` of each deal that counts.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from scoring.fixed import Part, part_of
from scoring.intervals import Sample
from scoring.ranking import Line
from tournaments.careers.figures import MOST_BEST, PARTS, figure_of, weigh
from tournaments.rules.entry import seat_marks

FORMAT = 2  # 1 had `h`, the notes in tenths, and étuis without the points ahead
FACTS = {"b": "bouts", "c": "contract"}
LETTERS = {Part.ATTACK: "a", Part.DEFENCE: "d", Part.PASSED: "o", Part.OPEN: "o"}


class Deal(NamedTuple):
    """One play as one of its players has it. `others`: who sat with him, and whether that one took. `ahead`: by how
    many points the player did better than the median of the other plays, None without any."""

    etui: int
    line: str
    board: int
    part: Part
    note: Fraction | None
    compared: int
    ahead: Fraction | None
    facts: dict[str, Any] | None
    others: tuple[tuple[int, bool], ...]


@dataclass(slots=True)
class Seated:
    """A player of a report: as the one who is ranked, as who stands in, or as both; with the plays he sat at."""

    entrant: dict[str, Any]
    is_stand_in: bool
    deals: list[Deal] = field(default_factory=list)


class Row(NamedTuple):
    """The columns of an `Appearance` that follow from the report."""

    player: int
    entrant: int
    is_stand_in: bool
    rank: int | None
    rank_general: int | None
    ranked: int
    overall: str
    deals: int
    figures: dict[str, Any]
    plays: list[Any]


def make_rows(data: dict[str, Any], *, in_detail: bool) -> list[Row]:
    """A row for each player who sat at a play. `in_detail`: with what follows from single deals."""
    ranked = sum(player["rank_alterne"] is not None for player in data["players"])
    is_free = data["auction"] == "free"
    return [make_row(who, seat, ranked, is_free, in_detail) for who, seat in find_seats(data).items() if seat.deals]


def find_seats(data: dict[str, Any]) -> dict[int, Seated]:
    """By player: whoever stood in has the plays from there on, the one he stood in for those before."""
    entrants = {player["id"]: player for player in data["players"]}
    seats = {player["player"]: Seated(player, is_stand_in=False) for player in data["players"]}
    is_free = data["auction"] == "free"
    for etui in data["etuis"]:
        fields = find_fields(etui["plays"], is_free)
        for play in etui["plays"]:
            marks = marks_of(play, is_free)
            there = {line: entrants[entrant] for line, entrant in play["seats"].items()}
            people = {line: who_sits(entrant, play["position"]) for line, entrant in there.items()}
            for line, who in people.items():
                seat = seats.setdefault(who, Seated(there[line], is_stand_in=True))
                field = fields[play["part"], line]
                ahead = find_lead(field, marks[line], is_compared(play)) if marks else None
                seat.deals.append(read_deal(etui["number"], play, line, people, (len(field), ahead)))
    return seats


def find_fields(plays: Sequence[dict[str, Any]], is_free: bool) -> defaultdict[tuple[int, str], list[int]]:
    """Return the marks that are compared with one another, in order, by part of the étui and line."""
    fields: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for play in plays:
        if is_compared(play):
            for line, mark in marks_of(play, is_free).items():
                fields[play["part"], line].append(mark)
    for marks in fields.values():
        marks.sort()
    return fields


def is_compared(play: dict[str, Any]) -> bool:
    return play["base_score"] is not None and bool(play.get("compared", True))


def marks_of(play: dict[str, Any], is_free: bool) -> dict[str, int]:
    """Return each line's points, nothing of a play without a score: the marks in a free auction, as these are compared
    there; under an imposed contract the base score, which counts against the defenders."""
    if play["base_score"] is None:
        return {}
    taker = Line(play["taker"]) if play["taker"] else None
    marks = {str(line): mark for line, mark in seat_marks(taker, play["base_score"]).items()}
    return marks if is_free or taker is None else marks | {str(taker): play["base_score"]}


def find_lead(field: Sequence[int], mark: int, is_in: bool) -> Fraction | None:
    """Return by how many points a mark is above the median of the others of a sorted field, None without others."""
    count = len(field) - is_in
    if not count:
        return None
    own = bisect_left(field, mark) if is_in else len(field)
    low, high = (field[index + (index >= own)] for index in ((count - 1) // 2, count // 2))
    return mark - Fraction(low + high, 2)


def who_sits(entrant: dict[str, Any], position: int) -> int:
    """The player's id: his own, or that of who stood in for him in that position."""
    for each in entrant["stand_ins"]:
        if each["from"] <= position and (each["to"] is None or position <= each["to"]):
            return int(each["player"])
    return int(entrant["player"])


def read_deal(
    etui: int, play: dict[str, Any], line: str, people: dict[str, int], held: tuple[int, Fraction | None]
) -> Deal:
    """`held`: among how many plays, and how far ahead of the others."""
    note = play["notes"] and play["notes"][line]
    others = tuple((who, other == play["taker"]) for other, who in people.items() if other != line)
    part = part_of(line, play["taker"], play["base_score"])
    told = None if note is None else Fraction(note)
    return Deal(etui, line, play["part"], part, told, *held, play["facts"], others)


def make_row(who: int, seat: Seated, ranked: int, is_free: bool, in_detail: bool) -> Row:
    entrant, counted = seat.entrant, [deal for deal in seat.deals if deal.note is not None]
    overall = entrant["overall"] or ""
    if seat.is_stand_in:
        overall = mean_of(counted, is_free) if in_detail else ""
    den = lcm(*(deal.note.denominator for deal in counted if deal.note is not None))
    noted = [(deal, int(deal.note * den)) for deal in counted if deal.note is not None]
    return Row(
        player=who,
        entrant=entrant["id"],
        is_stand_in=seat.is_stand_in,
        rank=None if seat.is_stand_in else entrant["rank_alterne"],
        rank_general=None if seat.is_stand_in else entrant["rank_general"],
        ranked=ranked,
        overall=overall,
        deals=len(counted),
        figures=figure(noted, den, is_free) if in_detail and noted else {},
        plays=[[deal.etui, deal.line, deal.board, note] for deal, note in noted] if in_detail else [],
    )


def mean_of(deals: Sequence[Deal], is_free: bool) -> str:
    """The percentage of these deals, by the session's own way; "" without one that counts."""
    samples, none = dict.fromkeys(PARTS, Sample()), dict.fromkeys(PARTS, Sample())
    for deal in deals:
        if deal.note is not None:
            samples[LETTERS[deal.part]] += Sample.of([deal.note])
    found = figure_of(*weigh(*((none, samples) if is_free else (samples, none)))).mean
    return "" if found is None else str(found)


def figure(noted: Sequence[tuple[Deal, int]], den: int, is_free: bool) -> dict[str, Any]:
    samples: dict[str, list[int]] = {}
    notes: Counter[tuple[int, int]] = Counter()
    tables: dict[str, dict[str, list[int]]] = {name: {} for name in FACTS if name == "b" or is_free}
    mates: dict[int, list[int]] = {}
    for deal, note in noted:
        add(samples.setdefault(LETTERS[deal.part], [0, 0, 0]), 0, note)
        notes[deal.compared, note] += 1
        if deal.facts and deal.part in (Part.ATTACK, Part.DEFENCE):
            for name, table in tables.items():
                cell = table.setdefault(str(deal.facts[FACTS[name]]), [0] * 7)
                add(cell, 0 if deal.part == Part.ATTACK else 4, note)
                cell[3] += deal.part == Part.ATTACK and bool(deal.facts["made"])
        for who, took in deal.others:
            mate = mates.setdefault(who, [0] * 7)
            mate[0] += 1
            if deal.part in (Part.ATTACK, Part.DEFENCE):
                add(mate, 4 if deal.part == Part.ATTACK or took else 1, note)
    best = sorted(noted, key=lambda each: (-each[1], *rank_of(each[0])))[:MOST_BEST]
    return {
        "den": den,
        **samples,
        "n": [[*key, count] for key, count in sorted(notes.items())],
        **tables,
        "best": [[deal.etui, note, deal.compared, LETTERS[deal.part], write(deal.ahead)] for deal, note in best],
        "m": [[who, *mate] for who, mate in mates.items()],
    }


def rank_of(deal: Deal) -> tuple[int, bool, Fraction | int, int]:
    """Return what tells deals of one note apart, in the order of `figures.goodness`."""
    return -deal.compared, deal.ahead is None, -(deal.ahead or 0), deal.etui


def write(ahead: Fraction | None) -> str | None:
    return None if ahead is None else str(ahead)


def add(cells: list[int], at: int, note: int) -> None:
    """One note to the sample that begins there."""
    cells[at] += 1
    cells[at + 1] += note
    cells[at + 2] += note * note
