"""The matching of the lines of a pasted list with the players that the club knows.

A match is *sure* if the line has the player's licence, or if only this player has the name in the line, ignoring
capitals. It is *probable* if the names differ by accents, hyphens, order, one or two letters, an initial, or a missing
name. Somebody has to confirm a probable match. A line is *doubtful* if it may be no player, two players, a name with a
remark, or the person of another line. Somebody has to answer, and a likely answer is proposed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple, Protocol

from rapidfuzz import process
from rapidfuzz.distance import OSA

from clubs.lists import ColumnKind, ListLine, PastedList, read_named_cells, read_pasted, whole_name
from clubs.names import licence_key, words_of
from clubs.roster.lines import (
    Doubt,
    NameOrder,
    RosterError,
    RosterLine,
    find_strays,
    list_headings,
    part_line,
    read_line,
    told_order,
)
from clubs.roster.readings import (
    NAMELESS,
    Reading,
    are_turned,
    find_gone,
    find_lone_licence,
    order_by_first_name,
    part_people,
    read_people,
    seems_turned,
    try_line,
)

Words = tuple[str, ...]
# The possible answers besides the number of a player. NEW is a new player. WHOLE is a new player whose name includes
# the remarks. LICENSED is a new player with the licence of the federation's list. SAME is the person of an earlier
# line. OUT is nobody.
NEW, WHOLE, LICENSED, SAME, OUT = "new", "whole", "licence", "same", "out"


class LineState(StrEnum):
    """The state of a line. Only SURE and NEW need no answer.

    PROBABLE asks which player the line means. DOUBTFUL asks whether the line is a player at all.
    """

    SURE = "sure"
    PROBABLE = "probable"
    DOUBTFUL = "doubtful"
    NEW = "new"
    TWICE = "twice"
    NO_NAME = "no_name"
    WRONG = "wrong"


class Likeness(StrEnum):
    """The ways in which a player is like the line, nearest first."""

    LICENCE = "licence"
    NAME = "name"
    SPELLING = "spelling"
    LETTERS = "letters"
    PART = "part"


class HasName(Protocol):
    """Any object with a family name and a first name, such as a known player or a line of a list."""

    @property
    def last_name(self) -> str: ...

    @property
    def first_name(self) -> str: ...


class KnownPlayer(NamedTuple):
    """A player on the club's list, and the number by which the caller knows the player.

    With `former`, the name is that of a row that was merged into this player. It finds the player but is never shown.
    """

    id: int
    last_name: str
    first_name: str
    licence: str = ""
    former: bool = False


class Candidate(NamedTuple):
    """A player that a line may mean. `by` has the name that is like the line; it may be a former name."""

    who: KnownPlayer
    why: Likeness
    by: KnownPlayer


class MatchedLine(NamedTuple):
    """A line of a list, and the number of the player on the club's list that it means; None for a new player."""

    line: RosterLine
    player: int | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A person that a line names, with the players (candidates) that it may mean, nearest first.

    - `number`: the number of the line, from 1. `text`: the text of the line. `line`: the name read from it, or None.
    - `written`: the part of the text that has the whole name, "" if columns say which is the family name.
    - `key`: identifies the line by its text, and by a count if the list has the text more than once.
    - `suggested`: the number of the player who is found; None if somebody has to decide.
    - `likely`: the answer that the form proposes beforehand, "" for none.
    - `whole`: the line read as if a remark in it, such as "(late)", were part of the name.
    - `licensed`: the line with the licence of the only person of this name on the federation's list, or None.
    - `first`: the row of an earlier line that may be the same person.
    - `team`: the place of the person's team in a list of teams, from 1, else 0.
    """

    number: int
    text: str
    state: LineState
    key: str
    line: RosterLine | None = None
    candidates: tuple[Candidate, ...] = ()
    suggested: int | None = None
    error: RosterError | None = None
    doubt: Doubt | None = None
    likely: str = ""
    note: str = ""
    whole: RosterLine | None = None
    licensed: RosterLine | None = None
    first: "MatchRow | None" = None
    written: str = ""
    team: int = 0

    @property
    def licence(self) -> str:
        """The licence as licences are compared, or ""."""
        return licence_key(self.line.licence) if self.line else ""

    @property
    def repeats(self) -> int | None:
        """The number of the earlier line that surely names the same person, or None."""
        return self.error.params["first"] if self.error and self.state == LineState.TWICE else None

    @property
    def words(self) -> Words:
        return words_in(self.line) if self.line else ()

    @property
    def answers(self) -> dict[str, MatchedLine | None]:
        """Each possible answer, with the line and the player whom it takes, None if it takes nobody new.

        A new player has another licence, or another name without a licence, than each candidate.
        """
        line, found = self.line, dict[str, MatchedLine | None]()
        if self.first:
            found[SAME] = None
        if line:
            found |= {str(each.who.id): MatchedLine(line, each.who.id) for each in self.candidates}
        if self.licensed:
            found[LICENSED] = MatchedLine(self.licensed)
        for answer, new in ((NEW, line), (WHOLE, self.whole)):
            if new and not any(is_taken_by(each.by, new) for each in self.candidates):
                found[answer] = MatchedLine(new)
        return found | {OUT: None}

    @property
    def may_be_new(self) -> bool:
        """True if the row may be a new player with this name and licence, although it has candidates."""
        return NEW in self.answers


def is_taken_by(player: KnownPlayer, line: RosterLine) -> bool:
    """Return whether no other player than this one can have the line's licence or, without one, its name."""
    licence = licence_key(line.licence)
    return licence_key(player.licence) == licence and bool(licence or name_key(player) == name_key(line))


def say_name(named: HasName) -> str:
    return f"{named.first_name} {named.last_name}".strip()


def words_in(named: HasName) -> Words:
    """Return the words of a name in an order of their own, by which two names are the same."""
    return tuple(sorted(words_of(say_name(named))))


def name_key(named: HasName) -> tuple[str, str]:
    """Return family name and first name without capitals. Two players without licence cannot have the same."""
    return named.last_name.casefold(), named.first_name.casefold()


MOST_CANDIDATES = 12
LONG_NAME = 14  # a name with at least this number of letters may have two wrong ones
FIGURE, INITIAL = re.compile(r"\d"), re.compile(r"\b[^\W\d]\b")


class KnownNames:
    """An index of the known players, with one table for each way to look for them."""

    def __init__(self, known: Iterable[KnownPlayer]) -> None:
        self.by_licence: dict[str, KnownPlayer] = {}
        self.by_words: dict[tuple[str, ...], list[KnownPlayer]] = defaultdict(list)
        # keys are names without spaces, in both orders
        self.by_letters: dict[str, list[KnownPlayer]] = defaultdict(list)
        self.by_word: dict[str, list[int]] = defaultdict(list)
        self.current: dict[int, KnownPlayer] = {}  # number of a player → the player, with the present name
        self.known: list[KnownPlayer] = []
        self.words: list[list[str]] = []
        # Two texts for each player: one with the first name first, one with the family name first
        self.written: list[str] = []
        for place, who in enumerate(known):
            last, first = words_of(who.last_name), words_of(who.first_name)
            words = first + last
            self.known.append(who)
            self.words.append(words)
            self.written += [" ".join(words), " ".join(last + first)]
            self.by_words[tuple(sorted(words))].append(who)
            for letters in {"".join(words), "".join(last + first)}:
                self.by_letters[letters].append(who)
            if who.licence and not (who.former and licence_key(who.licence) in self.by_licence):
                self.by_licence[licence_key(who.licence)] = who
            if not who.former or who.id not in self.current:
                self.current[who.id] = who
            for word in set(words):
                self.by_word[word].append(place)

    def find(self, line: RosterLine) -> list[Candidate]:
        """Return the players that a line may mean, the nearest first."""
        candidates: dict[int, Candidate] = {}

        def offer(by: KnownPlayer, why: Likeness) -> None:
            candidates.setdefault(by.id, Candidate(self.current[by.id], why, by))

        words = words_of(say_name(line))
        if holder := self.by_licence.get(licence_key(line.licence)):
            offer(holder, Likeness.LICENCE)
        same = self.by_words.get(tuple(sorted(words)), [])
        for who in same:
            if name_key(who) == name_key(line):
                offer(who, Likeness.NAME)
        for who in [*same, *self.by_letters.get("".join(words), ())]:
            offer(who, Likeness.SPELLING)
        if not candidates:
            for who in self.near(words):
                offer(who, Likeness.LETTERS)
            for who in self.partly(words):
                offer(who, Likeness.PART)
        return list(candidates.values())

    def near(self, words: list[str]) -> Iterator[KnownPlayer]:
        """Yield the players whose name differs by one letter, or by two if it is long. A space counts as a letter."""
        query = " ".join(words)
        most = 2 if len(query) >= LONG_NAME else 1
        if len(query) < 4:
            return
        matches = process.extract(
            query, self.written, scorer=OSA.distance, score_cutoff=most, limit=2 * MOST_CANDIDATES
        )
        for name, _distance, place in matches:
            if not told_apart(name, query):
                yield self.known[place // 2]

    def partly(self, words: list[str]) -> Iterator[KnownPlayer]:
        """Yield the players whose name has all of these words, or a word for each initial among them.

        Yield also the players whose name has fewer words, if all of them are among these words.
        """
        found = {place for word in words if len(word) > 1 for place in self.by_word.get(word, ())}
        for place in sorted(found, key=lambda place: self.written[2 * place + 1]):
            if covers(self.words[place], words) or (len(self.words[place]) > 1 and covers(words, self.words[place])):
                yield self.known[place]


def told_apart(one: str, other: str) -> bool:
    """Return whether two similar names differ by a number or an initial, which is no typing error."""
    marks = ((pattern.findall(one), pattern.findall(other)) for pattern in (FIGURE, INITIAL))
    return any(left and right and left != right for left, right in marks)


def covers(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether each word of `part` is a word of `whole` or the initial of one. Each word is used only once."""
    left = list(whole)
    for word in sorted(part, key=len, reverse=True):
        found = [each for each in left if each == word or (len(word) == 1 and each.startswith(word))]
        if not found:
            return False
        left.remove(word if word in found else found[0])
    return True


class EarlierRows:
    """The rows of the earlier lines, found by player or by the words of a name."""

    def __init__(self) -> None:
        self.by_player: dict[int, MatchRow] = {}
        self.by_words: dict[Words, list[MatchRow]] = defaultdict(list)
        self.by_licence: dict[str, MatchRow] = {}

    def keep(self, row: MatchRow) -> None:
        if row.suggested is not None:
            self.by_player.setdefault(row.suggested, row)
        if row.licence:
            self.by_licence.setdefault(row.licence, row)
        self.by_words[row.words].append(row)

    def find_holder(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row of another name that has the licence of this row, unless the row's player is known."""
        holder = self.by_licence.get(row.licence) if row.suggested is None else None
        return holder if holder and holder.words != row.words else None

    def find_twin(self, row: MatchRow) -> MatchRow | None:
        """Return the earlier row that may be the same person, or None.

        It means the same player, or has the same words and no different licence.
        """
        if row.suggested is not None:
            return self.by_player.get(row.suggested)
        alike = [each for each in self.by_words[row.words] if each.suggested is None]
        same = [each for each in alike if each.licence == row.licence]
        one_bare = [each for each in alike if not (each.licence and row.licence)]
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
        if first is None or (first.key in paired and first.licence != row.licence):
            if row.likely != OUT:
                seen.keep(row)
            yield row
        elif (likely := ask_about_twin(first, row)) and row.likely != OUT:
            paired.add(first.key)
            seen.keep(row)
            yield as_same(first, row, likely)
        else:
            error = RosterError("roster_twice", line=row.number, first=first.number, name=say_name(row.line))
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
    if are_turned(one, other):
        is_order_clear = all(is_order_told(each) for each in (first, row))
        return NEW if is_order_clear else SAME
    licences = {licence_key(each.who.licence) for each in row.candidates if each.who.id == row.suggested}
    is_one_bare = bool(first.licence) != bool(row.licence)
    return SAME if is_one_bare and not {first.licence, row.licence} - {""} <= licences else ""


def is_order_told(row: MatchRow) -> bool:
    """Return whether columns, capitals or commas say which part of a name is the family name."""
    return not row.written or all(read_line(row.written, order=order) == row.line for order in NameOrder)


MOST_LINES = 3000
LONG_LICENCE = re.compile(r"\d{5}\w*+(-\w+)?")


def read_list(text: str, known: Iterable[KnownPlayer], order: NameOrder = NameOrder.SEEN) -> list[MatchRow]:
    """Return the rows of a text, in its order: one for each person of each line that is not empty.

    Raise RosterError if there are more than MOST_LINES lines.
    """
    return match_rows(read_pasted(text), known, order)


def match_rows(pasted: PastedList, known: Iterable[KnownPlayer], order: NameOrder = NameOrder.SEEN) -> list[MatchRow]:
    """Return the rows of a list, as `read_list` does. `order` comes before the order that the heading says."""
    lines = [
        line._replace(text=text)
        for line in pasted.rows
        for text in (part_people(line.text) if line.cells is None else [line.text])
    ]
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


def make_row_keys(texts: Iterable[str]) -> Iterator[str]:
    """Yield a key for each text: its digest, and how often the text has come by then."""
    times = Counter[str]()
    for text in texts:
        times[text] += 1
        yield f"{sha256(text.encode(errors='replace')).hexdigest()[:12]}-{times[text]}"


class Reader:
    """A reader for the lines of a text. It knows the players, and reads a line in either order of names."""

    def __init__(self, names: KnownNames, lines: Sequence[ListLine]) -> None:
        self.names, self.lines = names, lines
        self.strays = find_strays([line.text for line in lines if not line.team])
        self.headings = list_headings([line.text for line in lines])
        self.keys = list(make_row_keys(line.text for line in lines))

    def read(self, place: int, order: NameOrder) -> list[MatchRow]:
        """Return one row for each person of a line, or a single row if the line names nobody."""
        line, key, stray = self.lines[place], self.keys[place], self.strays.get(place)
        alone = try_line(line.text, order) if line.cells is None else None  # the line as one name and nothing else
        whole = self.look_up(line, Reading(alone), key) if alone else None
        is_away = stray in (Doubt.SIGNATURE, Doubt.GONE)
        is_sure = bool(whole and whole.state == LineState.SURE and not is_away and not find_gone(line.text))
        if whole and is_sure and not part_line(line.text).unknown:
            return [whole]
        try:
            if line.cells is None:
                readings = read_people(line.text, line.number, order)
            else:
                readings = read_named_cells(line.cells, line.number, order)
        except RosterError as error:
            return [self.read_nobody(line, key, error)]
        if whole and stray and not is_sure:
            note = self.headings[place] if stray == Doubt.GONE else ""
            return [replace(whole, state=LineState.DOUBTFUL, doubt=stray, likely=OUT, note=note)]
        if whole and [(each.line, each.doubt) for each in readings] == [(whole.line, None)]:
            return [replace(whole, note=readings[0].note)]
        rows = self.tell_apart([self.look_up(line, reading, key) for reading in readings], key)
        return rows if line.cells is None else list(map(ask_if_stray, rows))

    def tell_apart(self, rows: list[MatchRow], key: str) -> list[MatchRow]:
        """Return the rows of a line's people, each with its own key and, if it has no first name, its candidates."""
        rows = [
            self.look_up_partner(row, rows) if row.line and row.line.first_name in NAMELESS else row for row in rows
        ]
        return [replace(row, key=f"{key}-{part}" if part > 1 else key) for part, row in enumerate(rows, start=1)]

    def look_up_partner(self, row: MatchRow, others: Sequence[MatchRow]) -> MatchRow:
        """Return the row of a person without a first name.

        Its candidates are the players with that family name, without those that the other rows of the line mean.
        """
        taken = {each.who.id for other in others for each in other.candidates}
        candidates = self.names.find(RosterLine(row.line.last_name, "")) if row.line else []
        candidates = [each for each in candidates if each.who.id not in taken]
        likely = str(candidates[0].who.id) if len(candidates) == 1 else NEW
        return replace(row, candidates=tuple(candidates[:MOST_CANDIDATES]), suggested=None, likely=likely)

    def look_up(self, of: ListLine, reading: Reading, key: str) -> MatchRow:
        """Return the row for a reading of the line, with its candidates.

        If the reading is doubtful, the row asks a question and proposes the likely answer.
        """
        candidates = self.names.find(reading.line)
        state, suggested = judge(reading.line, candidates)
        likely = str(suggested) if suggested else NEW if reading.doubt and not candidates else ""
        likely = OUT if reading.doubt == Doubt.GONE else likely
        state, shown = LineState.DOUBTFUL if reading.doubt else state, tuple(candidates[:MOST_CANDIDATES])
        row = MatchRow(of.number, of.text, state, key, reading.line, shown, suggested, likely=likely, team=of.team)
        written = of.text if of.cells is None else whole_name(of.cells)
        return replace(row, doubt=reading.doubt, note=reading.note, whole=reading.whole, written=written)

    def read_nobody(self, of: ListLine, key: str, error: RosterError) -> MatchRow:
        """Return the row of a line without a name. If the line is a player's licence, the row means that player."""
        row = MatchRow(of.number, of.text, LineState.WRONG, key, error=error, team=of.team)
        if error.code != "roster_no_name":
            return row
        licence = find_lone_licence(of.text if of.cells is None else of.cells.get(ColumnKind.LICENCE, ""))
        if who := self.names.by_licence.get(licence_key(licence)):
            candidate = Candidate(self.names.current[who.id], Likeness.LICENCE, who)
            line = RosterLine(candidate.who.last_name, candidate.who.first_name, licence)
            sure = replace(row, state=LineState.SURE, line=line, candidates=(candidate,), suggested=who.id, error=None)
            return replace(sure, likely=str(who.id))
        if LONG_LICENCE.fullmatch(licence):
            error = RosterError("roster_licence_unknown", line=of.number, licence=licence)
        return replace(row, state=LineState.NO_NAME, error=error)


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
        alike = words_in(by), words_in(line)
        if alike[0] == alike[1]:
            return LineState.SURE, who.id
        near = OSA.distance(*map(" ".join, alike)) <= 2 or set(alike[0]) & set(alike[1])
        return LineState.PROBABLE, who.id if near and not same else None
    if len(same) == 1 and not (line.licence and who.licence):
        return (LineState.SURE if why == Likeness.NAME else LineState.PROBABLE), who.id
    if sum(each.why == Likeness.NAME for each in same) == 1 and not line.licence:
        return LineState.PROBABLE, who.id  # another player has the same words in another order or spelling
    return LineState.PROBABLE, None


def find_order(rows: Iterable[MatchRow]) -> NameOrder:
    """Return the order in which the list writes names.

    It is FAMILY_FIRST if more lines of known players begin with the family name than with the first name. If both are
    equally many, the lines with family names in capitals decide, then the frequent first names. Those that are frequent
    family names too do not count. Otherwise it is SEEN: each line is read by itself.
    """
    known, capitals, first_names = Counter[NameOrder](), Counter[NameOrder](), Counter[NameOrder]()
    for row in rows:
        if row.line is None or not row.written or row.state == LineState.NO_NAME:
            continue
        if (order := told_order(row.written)) != NameOrder.SEEN:
            capitals[order] += 1
            continue
        known[order_of_known(row)] += 1
        first_names[order_by_first_name(row.line, row.written)] += 1
    votes = [
        (each[NameOrder.FAMILY_FIRST], each[NameOrder.FIRST_NAME_FIRST]) for each in (known, capitals, first_names)
    ]
    family, first = next((each for each in votes if each[0] != each[1]), (0, 0))
    return NameOrder.FAMILY_FIRST if family > first else NameOrder.SEEN


def order_of_known(row: MatchRow) -> NameOrder:
    """Return the order in which a line writes the name of a known player, or SEEN if this cannot be seen."""
    line, who = row.line, next((each.who for each in row.candidates if each.who.id == row.suggested), None)
    if line is None or who is None or row.doubt or line == try_line(row.written, NameOrder.FAMILY_FIRST):
        return NameOrder.SEEN  # no player is known, or capitals and commas already show the order
    read, last = words_of(line.first_name), words_of(who.last_name)
    if read and read != last and set(read) <= set(words_of(who.first_name)):
        return NameOrder.FIRST_NAME_FIRST
    return NameOrder.FAMILY_FIRST if read and read == last[: len(read)] else NameOrder.SEEN
