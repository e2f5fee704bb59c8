"""The reader of a pasted list. It finds the player of each line, and the question to ask if that is not sure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

from rapidfuzz.distance import OSA

from clubs.lists import Cells, ColumnKind, ListLine, PastedList, read_named_cells, read_pasted, whole_name
from clubs.matching.found import NEW, OUT, SAME, Candidate, KnownPlayer, Likeness, LineState, MatchRow
from clubs.matching.names import MOST_CANDIDATES, KnownNames
from clubs.names import licence_key, words_of
from clubs.roster import (
    Doubt,
    NameOrder,
    Reading,
    RosterError,
    RosterLine,
    are_first_names,
    find_lone_licence,
    find_strays,
    is_nameless,
    is_turned,
    read_line,
    read_people,
    seems_turned,
    told_order,
    try_line,
)
from clubs.roster.lines import ADDRESS

Words = tuple[str, ...]


class EarlierRows:
    """The rows of the earlier lines, found by player or by the words of a name."""

    def __init__(self) -> None:
        self.by_player: dict[int, MatchRow] = {}
        self.by_words: dict[Words, list[MatchRow]] = defaultdict(list)
        self.by_licence: dict[str, MatchRow] = {}

    def keep(self, row: MatchRow) -> None:
        if row.suggested is not None:
            self.by_player.setdefault(row.suggested, row)
        if row.line and row.line.licence:
            self.by_licence.setdefault(licence_key(row.line.licence), row)
        self.by_words[words_in(row.line)].append(row)

    def find_holder(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row of another name that has the licence of this row, unless the row's player is known."""
        if row.line is None or not row.line.licence or row.suggested is not None:
            return None
        holder = self.by_licence.get(licence_key(row.line.licence))
        return holder if holder and words_in(holder.line) != words_in(row.line) else None

    def find_twin(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row that may be the same person, or None.

        It means the same player, or has the same words and no different licence.
        """
        if row.suggested is not None:
            return self.by_player.get(row.suggested)
        licence = licence_key(row.line.licence) if row.line else ""
        twins = [each for each in self.by_words[words_in(row.line)] if each.suggested is None and each.line]
        same = [each for each in twins if each.line and licence_key(each.line.licence) == licence]
        one_bare = [each for each in twins if each.line and not (each.line.licence and licence)]
        return next(iter([*same, *one_bare]), None)


def mark_repeated(rows: Iterable[MatchRow]) -> Iterator[MatchRow]:
    """Yield the rows. A row is marked if an earlier row has the same person.

    It is an error if it is surely the same person, and a question if it may be another person with the same name. It is
    also a question if a row has the licence of another name. Another person then has no licence.
    """
    seen = EarlierRows()
    paired: set[str] = set()  # keys of rows that were already asked about with a later row
    for row in rows:
        if row.line and (holder := seen.find_holder(row)):
            question = as_same(holder, replace(row, line=replace(row.line, licence="")), "")
            seen.keep(question)
            yield question
            continue
        if row.line is None or (row.suggested is None and row.candidates):
            yield row
            continue
        first = seen.find_twin(row)
        if first is None or (
            first.key in paired and first.line and licence_key(first.line.licence) != licence_key(row.line.licence)
        ):
            if row.likely != OUT:
                seen.keep(row)
            yield row
        elif (likely := ask_about_twin(first, row)) and row.likely != OUT:
            paired.add(first.key)
            seen.keep(row)
            yield as_same(first, row, likely)
        else:
            name = f"{row.line.first_name} {row.line.last_name}".strip()
            error = RosterError("roster_twice", line=row.number, first=first.number, name=name)
            yield replace(row, state=LineState.TWICE, error=error, doubt=None)


def as_same(first: MatchRow, row: MatchRow, likely: str) -> MatchRow:
    """Return the row with the question whether it is the same person as in the earlier row."""
    others = tuple(each for each in row.candidates if each.who.id != first.suggested)
    question = replace(row, state=LineState.DOUBTFUL, doubt=Doubt.SAME, likely=likely, first=first, suggested=None)
    return replace(question, candidates=others)


def ask_about_twin(first: MatchRow, row: MatchRow) -> str:
    """Return the likely answer if two rows may be one person or two, or "" if they are surely one person."""
    one, other = first.line, row.line
    if one is None or other is None:
        return ""
    if is_turned(one, other) and are_first_names(other):
        is_order_clear = all(is_order_told(each) for each in (first, row))
        return NEW if is_order_clear else SAME
    if bool(one.licence) != bool(other.licence):
        licences = {licence_key(each.who.licence) for each in row.candidates if each.who.id == row.suggested}
        return "" if {licence_key(one.licence), licence_key(other.licence)} - {""} <= licences else SAME
    return ""


def is_order_told(row: MatchRow) -> bool:
    """Return whether columns, capitals or commas say which part of a name is the family name."""
    return not row.written or all(read_line(row.written, order=order) == row.line for order in NameOrder)


def words_in(line: RosterLine | None) -> Words:
    return tuple(sorted(words_of(f"{line.first_name} {line.last_name}"))) if line else ()


MOST_LINES = 3000
SEVERAL = re.compile(r"[;,]")
LONG_LICENCE = re.compile(r"\d{5}\w*+(-\w+)?")


def read_list(text: str, known: Iterable[KnownPlayer], order: NameOrder = NameOrder.SEEN) -> list[MatchRow]:
    """Return the rows of a text, in its order: one for each person of each line that is not empty.

    Raise RosterError if there are more than MOST_LINES lines.
    """
    return match_rows(read_pasted(text), known, order)


def match_rows(pasted: PastedList, known: Iterable[KnownPlayer], order: NameOrder = NameOrder.SEEN) -> list[MatchRow]:
    """Return the rows of a list, as `read_list` does. `order` comes before the order that the heading says."""
    lines = [part for line in pasted.rows for part in split_line(line)]
    if len(lines) > MOST_LINES:
        raise RosterError("roster_too_many", most=MOST_LINES, found=len(lines))
    return match_lines(lines, known, order or pasted.order)


def match_lines(
    lines: Sequence[ListLine], known: Iterable[KnownPlayer], order: NameOrder = NameOrder.SEEN
) -> list[MatchRow]:
    """Return the rows of these lines. If no order is given, the whole list shows the order of names."""
    reader = Reader(KnownNames(known), lines)
    rows = [reader.read(place, order) for place in range(len(lines))]
    if order == NameOrder.SEEN and (seen := find_order(row for group in rows for row in group)):
        rows = [follow(group, reader.read(place, seen)) for place, group in enumerate(rows)]
    return list(mark_repeated(row for group in rows for row in group))


def split_line(line: ListLine) -> list[ListLine]:
    """Return the lines of each person, if a line of free text has several of them.

    Each is before an address, as in the copy of a mail, or three or more are separated by commas.
    """
    ends = [found.end() for found in ADDRESS.finditer(line.text) if "@" in found[0] and line.cells is None]
    parts = [line.text[start:end].strip(" ;,\t") for start, end in pairwise([0, *ends, len(line.text)])]
    if sum(bool(words_of(ADDRESS.sub(" ", part))) for part in parts) > 1 < len(ends):
        return [ListLine(line.number, part) for part in parts if part]
    parts = [part.strip() for part in SEVERAL.split(line.text) if part.strip() and line.cells is None]
    if len(parts) > 2 and all(len(words_of(part)) > 1 and not any(map(str.isdigit, part)) for part in parts):
        return [ListLine(line.number, part) for part in parts]
    return [line]


def fingerprint(raw: str) -> str:
    return sha256(raw.encode(errors="replace")).hexdigest()[:12]


class Reader:
    """A reader for the lines of a text. It knows the players, and reads a line in either order of names."""

    def __init__(self, names: KnownNames, lines: Sequence[ListLine]) -> None:
        self.names, self.lines = names, lines
        beside = {place: Doubt.STRAY for place, line in enumerate(lines) if line.beside}
        self.strays = find_strays([line.text for line in lines if not line.team]) | beside
        self.keys: list[str] = []
        times = Counter[str]()
        for line in lines:
            times[line.text] += 1
            self.keys.append(f"{fingerprint(line.text)}-{times[line.text]}")

    def read(self, place: int, order: NameOrder) -> list[MatchRow]:
        """Return one row for each person of a line, or a single row if the line names nobody."""
        team, rows = self.lines[place].team, self.read_line(place, order)
        return [replace(row, team=team) for row in rows] if team else rows

    def read_line(self, place: int, order: NameOrder) -> list[MatchRow]:
        line, key = self.lines[place], self.keys[place]
        number, raw, cells = line.number, line.text, line.cells
        if cells is not None:
            return list(map(ask_if_stray, self.read_cells(line, cells, key, order)))
        whole = self.read_whole(number, raw, key, order)
        stray = self.strays.get(place)
        if whole and whole.state == LineState.SURE and stray != Doubt.SIGNATURE:
            return [whole]
        try:
            readings = read_people(raw, number, order)
        except RosterError as error:
            return [self.read_nobody(number, raw, key, error)]
        if whole and stray:
            return [replace(whole, state=LineState.DOUBTFUL, doubt=stray, likely=OUT)]
        if whole and [(each.line, each.doubt) for each in readings] == [(whole.line, None)]:
            return [replace(whole, note=readings[0].note)]
        rows = [self.look_up(number, raw, reading, key) for reading in readings]
        return self.tell_apart(rows, key)

    def read_cells(self, line: ListLine, cells: Cells, key: str, order: NameOrder) -> list[MatchRow]:
        """Return one row for each person of a row whose columns are named."""
        try:
            readings = read_named_cells(cells, line.number, order)
        except RosterError as error:
            row = self.read_nobody(line.number, cells.get(ColumnKind.LICENCE, ""), key, error)
            return [replace(row, text=line.text)]
        rows = [self.look_up(line.number, line.text, reading, key) for reading in readings]
        rows = [replace(row, likely=OUT) if row.doubt == Doubt.GONE else row for row in rows]
        return self.tell_apart([replace(row, written=whole_name(cells)) for row in rows], key)

    def tell_apart(self, rows: list[MatchRow], key: str) -> list[MatchRow]:
        """Return the rows of a line's people, each with its own key and, if it has no first name, its candidates."""
        rows = [self.look_up_partner(row, rows) if row.line and is_nameless(row.line) else row for row in rows]
        return [replace(row, key=f"{key}-{part}" if part > 1 else key) for part, row in enumerate(rows, start=1)]

    def look_up_partner(self, row: MatchRow, others: Sequence[MatchRow]) -> MatchRow:
        """Return the row of a person without a first name.

        Its candidates are the players with that family name, without those that the other rows of the line mean.
        """
        taken = {other.suggested for other in others}
        candidates = self.names.find(RosterLine(row.line.last_name, "")) if row.line else []
        candidates = [each for each in candidates if each.who.id not in taken and not is_told_alike(each, others)]
        likely = str(candidates[0].who.id) if len(candidates) == 1 else NEW
        return replace(row, candidates=tuple(candidates[:MOST_CANDIDATES]), suggested=None, likely=likely)

    def read_whole(self, number: int, raw: str, key: str, order: NameOrder) -> MatchRow | None:
        """Return the row of a line that has one name and nothing else. Return None for any other line."""
        line = try_line(raw, order)
        return self.look_up(number, raw, Reading(line), key) if line else None

    def look_up(self, number: int, raw: str, reading: Reading, key: str) -> MatchRow:
        """Return the row for a reading of the line, with its candidates.

        If the reading is doubtful, the row asks a question and proposes the likely answer.
        """
        line = reading.line
        candidates = self.names.find(line)
        state, suggested = judge(line, candidates)
        likely = str(suggested) if suggested else NEW if reading.doubt and not candidates else ""
        if reading.doubt:
            state = LineState.DOUBTFUL
        shown = tuple(candidates[:MOST_CANDIDATES])
        row = MatchRow(number, raw, state, key, line, shown, suggested, doubt=reading.doubt, note=reading.note)
        return replace(row, likely=likely, whole=reading.whole, written=raw)

    def read_nobody(self, number: int, raw: str, key: str, error: RosterError) -> MatchRow:
        """Return the row of a line without a name. If the line is a player's licence, the row means that player."""
        if error.code != "roster_no_name":
            return MatchRow(number, raw, LineState.WRONG, key, error=error)
        licence = find_lone_licence(raw)
        if who := self.names.by_licence.get(licence_key(licence)):
            candidate = Candidate(self.names.current[who.id], Likeness.LICENCE, who)
            line = RosterLine(candidate.who.last_name, candidate.who.first_name, licence)
            return MatchRow(number, raw, LineState.SURE, key, line, (candidate,), who.id, likely=str(who.id))
        if LONG_LICENCE.fullmatch(licence):
            error = RosterError("roster_licence_unknown", line=number, licence=licence)
        return MatchRow(number, raw, LineState.NO_NAME, key, error=error)


def ask_if_stray(row: MatchRow) -> MatchRow:
    """Return a row of a table, as a question if its name may be a sum or a remark: “Total”, “Total ; 2 joueurs”."""
    parts = f"{row.line.last_name} {row.line.first_name}" if row.line else ""
    named = row.written or (parts if any(map(str.isdigit, parts)) else "")
    if not named or row.state == LineState.SURE or not find_strays([named]):
        return row
    return replace(row, state=LineState.DOUBTFUL, doubt=Doubt.STRAY, likely=OUT)


def follow(rows: list[MatchRow], again: list[MatchRow]) -> list[MatchRow]:
    """Return the rows of a line that was read twice: `rows` first, `again` in the order of names of the other lines.

    If a first name shows that the second reading is wrong, `rows` are returned. A row that needed an answer after the
    first reading still needs one, unless it is a player of a team.
    """
    if any(row.state in (LineState.SURE, LineState.NO_NAME, LineState.WRONG) for row in rows) or len(rows) != len(
        again
    ):
        return rows
    if any(row.line and seems_turned(row.line) for row in again):
        return rows
    states = LineState.PROBABLE, LineState.SURE
    return [
        replace(row, line=new.line) if (row.state, new.state) == states and not row.team else new
        for row, new in zip(rows, again, strict=True)
    ]


def judge(line: RosterLine, candidates: Sequence[Candidate]) -> tuple[LineState, int | None]:
    """Return the state of a line with these candidates, and the number of the player that it most probably means.

    The number is None if no player is probable enough.
    """
    if not candidates:
        return LineState.NEW, None
    who, why, by = candidates[0]
    same = [each for each in candidates if each.why in (Likeness.NAME, Likeness.SPELLING)]
    if why == Likeness.LICENCE:
        alike = words_of(f"{by.first_name} {by.last_name}"), words_of(f"{line.first_name} {line.last_name}")
        if sorted(alike[0]) == sorted(alike[1]):
            return LineState.SURE, who.id
        near = OSA.distance(*(" ".join(sorted(words)) for words in alike)) <= 2 or set(alike[0]) & set(alike[1])
        return LineState.PROBABLE, who.id if near and not same else None
    if len(same) == 1 and not (line.licence and who.licence):
        return (LineState.SURE if why == Likeness.NAME else LineState.PROBABLE), who.id
    if sum(each.why == Likeness.NAME for each in same) == 1 and not line.licence:
        return LineState.PROBABLE, who.id  # another player has the same words in another order or spelling
    return LineState.PROBABLE, None


def is_told_alike(candidate: Candidate, rows: Iterable[MatchRow]) -> bool:
    """Return whether this player is among the candidates of one of these rows."""
    return any(candidate.who.id == each.who.id for row in rows for each in row.candidates)


def find_order(rows: Iterable[MatchRow]) -> NameOrder:
    """Return the order in which the list writes names.

    It is FAMILY_FIRST if more lines of known players begin with the family name than with the first name. If both are
    equally many, the lines with family names in capitals decide, then in teams the frequent first names. Otherwise it
    is SEEN: each line is read by itself.
    """
    known_orders, capitals, first_names = Counter[NameOrder](), Counter[NameOrder](), Counter[NameOrder]()
    for row in rows:
        if row.line is None or not row.written or row.state == LineState.NO_NAME:
            continue
        if (order := told_order(row.written)) != NameOrder.SEEN:
            capitals[order] += 1
            continue
        known_orders[order_of_known(row)] += 1
        if row.team and row.line != try_line(row.written, NameOrder.FAMILY_FIRST):
            turned = replace(row.line, last_name=row.line.first_name, first_name=row.line.last_name)
            first_names[NameOrder.FAMILY_FIRST] += seems_turned(row.line)
            first_names[NameOrder.FIRST_NAME_FIRST] += seems_turned(turned)
    for votes in (known_orders, capitals, first_names):
        if votes[NameOrder.FAMILY_FIRST] != votes[NameOrder.FIRST_NAME_FIRST]:
            more = votes[NameOrder.FAMILY_FIRST] > votes[NameOrder.FIRST_NAME_FIRST]
            return NameOrder.FAMILY_FIRST if more else NameOrder.SEEN
    return NameOrder.SEEN


def order_of_known(row: MatchRow) -> NameOrder:
    """Return the order in which a line writes the name of a known player, or SEEN if this cannot be seen."""
    line, who = row.line, next((each.who for each in row.candidates if each.who.id == row.suggested), None)
    if line is None or who is None or row.doubt or line == try_line(row.written, NameOrder.FAMILY_FIRST):
        return NameOrder.SEEN  # no player is known, or capitals and commas already show the order
    read, last = words_of(line.first_name), words_of(who.last_name)
    if read and read != last and set(read) <= set(words_of(who.first_name)):
        return NameOrder.FIRST_NAME_FIRST
    return NameOrder.FAMILY_FIRST if read and read == last[: len(read)] else NameOrder.SEEN
