"""Reads a pasted text against those who are known: for each line who it is, and what has to be asked."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from rapidfuzz.distance import OSA

from clubs.matching.found import NEW, OUT, Candidate, Known, Row, State, Why
from clubs.matching.names import MOST_CANDIDATES, Names
from clubs.matching.repeated import mark_repeated
from clubs.names import words_of
from clubs.roster import (
    Doubt,
    Order,
    Reading,
    RosterError,
    RosterLine,
    Stray,
    find_lone_licence,
    find_strays,
    is_nameless,
    read_line,
    read_people,
    seems_turned,
    told_order,
)

MOST_LINES = 3000
SEVERAL = re.compile(r"[;,]")
LONG_LICENCE = re.compile(r"\d{5,}\w*(-\w+)?")


def read_list(text: str, known: Iterable[Known], order: Order = Order.SEEN) -> list[Row]:
    """Every line that is not empty, in the text's order. `RosterError` where there are more than a list may have."""
    lines = list(split_lines(text))
    if len(lines) > MOST_LINES:
        raise RosterError("roster_too_many", most=MOST_LINES, found=len(lines))
    reader = Reader(Names(known), lines)
    rows = [reader.read(place, order) for place in range(len(lines))]
    if order == Order.SEEN and (seen := find_order(row for group in rows for row in group)):
        rows = [follow(group, reader.read(place, seen)) for place, group in enumerate(rows)]
    return list(mark_repeated(row for group in rows for row in group))


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; one that names three people or more, with commas between, gives a line for each."""
    for number, raw in enumerate(text.splitlines(), start=1):
        parts = [part.strip() for part in SEVERAL.split(raw) if part.strip()]
        if len(parts) > 2 and all(len(words_of(part)) > 1 and not any(map(str.isdigit, part)) for part in parts):
            yield from ((number, part) for part in parts)
        elif raw.strip():
            yield number, raw.strip()


def fingerprint(raw: str) -> str:
    return sha256(raw.encode(errors="replace")).hexdigest()[:12]


class Reader:
    """The lines of a text, and those who are known: reads any line in an order of names."""

    def __init__(self, names: Names, lines: Sequence[tuple[int, str]]) -> None:
        self.names, self.lines = names, lines
        self.strays = find_strays([raw for _number, raw in lines])
        self.keys: list[str] = []
        times = Counter[str]()
        for _number, raw in lines:
            times[raw] += 1
            self.keys.append(f"{fingerprint(raw)}-{times[raw]}")

    def read(self, place: int, order: Order) -> list[Row]:
        """Return a row for each person of a line, or one for a line that names nobody."""
        (number, raw), key = self.lines[place], self.keys[place]
        whole = self.read_whole(number, raw, key, order)
        stray = self.strays.get(place)
        if whole and whole.state == State.SURE and stray != Stray.SIGNATURE:
            return [whole]
        try:
            readings = read_people(raw, number, order)
        except RosterError as error:
            return [self.read_nobody(number, raw, key, error)]
        if whole and stray:
            doubt = Doubt.SIGNATURE if stray == Stray.SIGNATURE else Doubt.STRAY
            return [replace(whole, state=State.DOUBTFUL, doubt=doubt, likely=OUT)]
        if whole and [(each.line, each.doubt) for each in readings] == [(whole.line, None)]:
            return [replace(whole, note=readings[0].note)]
        rows = [self.look_up(number, raw, reading, key) for reading in readings]
        rows = [self.look_up_partner(row, rows) if row.line and is_nameless(row.line) else row for row in rows]
        return [replace(row, key=f"{key}-{part}" if part > 1 else key) for part, row in enumerate(rows, start=1)]

    def look_up_partner(self, row: Row, others: Sequence[Row]) -> Row:
        """Return the row of somebody without a first name, with those of the family who are not in the line."""
        there = {other.suggested for other in others}
        found = self.names.find(RosterLine(row.line.last_name, "")) if row.line else []
        found = [each for each in found if each.who.id not in there and not is_told_alike(each, others)]
        likely = str(found[0].who.id) if len(found) == 1 else NEW
        return replace(row, candidates=tuple(found[:MOST_CANDIDATES]), suggested=None, likely=likely)

    def read_whole(self, number: int, raw: str, key: str, order: Order) -> Row | None:
        """Return the row of a line all of which is one name; None where it is none."""
        line = try_order(raw, order)
        return self.look_up(number, raw, Reading(line), key) if line else None

    def look_up(self, number: int, raw: str, reading: Reading, key: str) -> Row:
        """Return whom a reading means; what is doubtful is asked, with the likely answer."""
        line = reading.line
        candidates = self.names.find(line)
        state, suggested = judge(line, candidates)
        likely = str(suggested) if suggested else NEW if reading.doubt and not candidates else ""
        if reading.doubt:
            state = State.DOUBTFUL
        shown = tuple(candidates[:MOST_CANDIDATES])
        row = Row(number, raw, state, key, line, shown, suggested, doubt=reading.doubt, note=reading.note)
        return replace(row, likely=likely, whole=reading.whole)

    def read_nobody(self, number: int, raw: str, key: str, error: RosterError) -> Row:
        """Return a line without a name, unless a licence stands there alone that somebody has."""
        if error.code != "roster_no_name":
            return Row(number, raw, State.WRONG, key, error=error)
        licence = find_lone_licence(raw)
        if who := self.names.by_licence.get(licence):
            candidate = Candidate(self.names.current[who.id], Why.LICENCE, who)
            line = RosterLine(candidate.who.last_name, candidate.who.first_name, licence)
            return Row(number, raw, State.SURE, key, line, (candidate,), who.id, likely=str(who.id))
        if LONG_LICENCE.fullmatch(licence):
            error = RosterError("roster_licence_unknown", line=number, licence=licence)
        return Row(number, raw, State.NO_NAME, key, error=error)


def follow(rows: list[Row], again: list[Row]) -> list[Row]:
    """Return the rows of a line read in the order of the other lines, unless a first name tells another order. Who was
    asked about is still asked about."""
    if any(row.state in (State.SURE, State.NO_NAME, State.WRONG) for row in rows) or len(rows) != len(again):
        return rows
    if any(row.line and seems_turned(row.line) for row in again):
        return rows
    return [
        replace(row, line=new.line) if row.state == State.PROBABLE and new.state == State.SURE else new
        for row, new in zip(rows, again, strict=True)
    ]


def judge(line: RosterLine, candidates: Sequence[Candidate]) -> tuple[State, int | None]:
    """Return what a line is by the players whom it may mean, and whom it then means."""
    if not candidates:
        return State.NEW, None
    who, why, by = candidates[0]
    same = [each for each in candidates if each.why in (Why.NAME, Why.SPELLING)]
    if why == Why.LICENCE:
        alike = words_of(f"{by.first_name} {by.last_name}"), words_of(f"{line.first_name} {line.last_name}")
        if sorted(alike[0]) == sorted(alike[1]):
            return State.SURE, who.id
        near = OSA.distance(*(" ".join(sorted(words)) for words in alike)) <= 2 or set(alike[0]) & set(alike[1])
        return State.PROBABLE, who.id if near and not same else None
    if len(same) == 1 and not (line.licence and who.licence):
        return (State.SURE if why == Why.NAME else State.PROBABLE), who.id
    if sum(each.why == Why.NAME for each in same) == 1 and not line.licence:
        return State.PROBABLE, who.id  # another has the same words in another order or spelling
    return State.PROBABLE, None


def is_told_alike(candidate: Candidate, rows: Iterable[Row]) -> bool:
    """Return whether another row offers this player too."""
    return any(candidate.who.id == each.who.id for row in rows for each in row.candidates)


def find_order(rows: Iterable[Row]) -> Order:
    """Return in which order a list writes the names of those whom the club knows, else of those whose family name is in
    capitals; as seen, where none or as many do so."""
    known, capitals = Counter[Order](), Counter[Order]()
    for row in rows:
        if row.line is None or row.state == State.NO_NAME:
            continue
        if (told := told_order(row.text)) != Order.SEEN:
            capitals[told] += 1
        else:
            known[order_of_known(row)] += 1
    family, first = known[Order.FAMILY_FIRST], known[Order.FIRST_NAME_FIRST]
    if family == first:
        family, first = capitals[Order.FAMILY_FIRST], capitals[Order.FIRST_NAME_FIRST]
    return Order.FAMILY_FIRST if family > first else Order.SEEN


def order_of_known(row: Row) -> Order:
    """Return in which order a line writes the name of a player of the club; as seen where that cannot be told."""
    line, who = row.line, next((each.who for each in row.candidates if each.who.id == row.suggested), None)
    if line is None or who is None or row.doubt or line == try_order(row.text, Order.FAMILY_FIRST):
        return Order.SEEN  # nothing known of it, or capitals and commas tell
    read, last = words_of(line.first_name), words_of(who.last_name)
    if read and read != last and set(read) <= set(words_of(who.first_name)):
        return Order.FIRST_NAME_FIRST
    return Order.FAMILY_FIRST if read and read == last[: len(read)] else Order.SEEN


def try_order(raw: str, order: Order) -> RosterLine | None:
    try:
        return read_line(raw, order=order)
    except RosterError:
        return None
