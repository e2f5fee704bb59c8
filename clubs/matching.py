"""Who the lines of a list are, held against the players who are known: for sure, probably, new, twice, no name. Pure.

*Sure* is who alone has these words for a name, written as on the list but for capitals; or whose licence stands beside
them. *Probable* is who differs by accents, hyphens, the order of names, a letter or two (measured by rapidfuzz), an
initial, a name more or less: that is asked, never taken for granted.
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

from clubs.names import words_of
from clubs.roster import Order, RosterError, RosterLine, read_line

MOST_LINES = 3000
MOST_CANDIDATES = 6
LONG_NAME = 14  # letters, from which on a name is still near with two of them wrong
FIGURE, INITIAL = re.compile(r"\d"), re.compile(r"\b[^\W\d]\b")
SEVERAL = re.compile(r"\s*[;,]\s*")


class State(StrEnum):
    """What a line is. Only of who is SURE or NEW nothing need be asked."""

    SURE = "sure"
    PROBABLE = "probable"
    NEW = "new"
    TWICE = "twice"
    NO_NAME = "no_name"
    WRONG = "wrong"


class Why(StrEnum):
    """How a candidate is like the line, nearest first."""

    LICENCE = "licence"
    NAME = "name"
    SPELLING = "spelling"
    LETTERS = "letters"
    PART = "part"


class Named(Protocol):
    """Whoever has a name: somebody known, a line of a list, a row of the club's."""

    @property
    def last_name(self) -> str: ...

    @property
    def first_name(self) -> str: ...


class Known(NamedTuple):
    """Somebody on the list, by the number that whoever asks knows him by."""

    id: int
    last_name: str
    first_name: str
    licence: str = ""


class Candidate(NamedTuple):
    """Somebody whom a line may mean."""

    who: Known
    why: Why


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its number from 1, its text, how it is read or what is wrong, whom it may mean, the nearest first.

    `suggested` is the one whom it most probably means, by his number; None where that is for a reader to say. `key`
    stands for the line's text, wherever in a list it stands, and which time it stands there.
    """

    number: int
    text: str
    state: State
    key: str
    line: RosterLine | None = None
    candidates: tuple[Candidate, ...] = ()
    suggested: int | None = None
    error: RosterError | None = None

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return self.state in (State.SURE, State.NEW)

    @property
    def may_be_new(self) -> bool:
        """Whether somebody of this very name and licence may be put on the list beside the candidates."""
        line = self.line
        return line is not None and not any(
            candidate.who.licence == line.licence and (line.licence or name_key(candidate.who) == name_key(line))
            for candidate in self.candidates
        )


def name_key(named: Named) -> tuple[str, str]:
    """Family name and first name but for capitals: what two players without licence may not share."""
    return named.last_name.casefold(), named.first_name.casefold()


def read_list(text: str, known: Iterable[Known], order: Order = Order.SEEN) -> list[Row]:
    """Every line that is not empty, in the text's order. `RosterError` where there are more than a list may have."""
    lines = list(split_lines(text))
    if len(lines) > MOST_LINES:
        raise RosterError("roster_too_many", most=MOST_LINES, found=len(lines))
    names = Names(known)
    times = Counter[str]()
    rows = []
    for number, raw in lines:
        times[raw] += 1
        rows.append(read_row(number, raw, names, order, key=f"{fingerprint(raw)}-{times[raw]}"))
    if order == Order.SEEN and (seen := find_order(rows)):
        rows = [
            read_row(row.number, row.text, names, seen, key=row.key) if row.state == State.NEW else row for row in rows
        ]
    return list(mark_repeated(rows))


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; one that names three people or more, with commas between, gives a line for each."""
    for number, raw in enumerate(text.splitlines(), start=1):
        parts = [part for part in SEVERAL.split(raw.strip()) if part]
        if len(parts) > 2 and all(len(words_of(part)) > 1 and not any(map(str.isdigit, part)) for part in parts):
            yield from ((number, part) for part in parts)
        elif raw.strip():
            yield number, raw.strip()


def fingerprint(raw: str) -> str:
    return sha256(raw.encode(errors="replace")).hexdigest()[:12]


def read_row(number: int, raw: str, names: "Names", order: Order, *, key: str) -> Row:
    try:
        line = read_line(raw, number, order)
    except RosterError as error:
        return Row(number, raw, State.NO_NAME if error.code == "roster_no_name" else State.WRONG, key, error=error)
    candidates = names.find(line)
    state, suggested = judge(line, candidates)
    return Row(number, raw, state, key, line, tuple(candidates[:MOST_CANDIDATES]), suggested)


def judge(line: RosterLine, candidates: Sequence[Candidate]) -> tuple[State, int | None]:
    """What a line is by those whom it may mean, and whom it then means."""
    if not candidates:
        return State.NEW, None
    who, why = candidates[0]
    same = [each for each in candidates if each.why in (Why.NAME, Why.SPELLING)]
    if why == Why.LICENCE:
        alike = words_of(f"{who.first_name} {who.last_name}"), words_of(f"{line.first_name} {line.last_name}")
        if sorted(alike[0]) == sorted(alike[1]):
            return State.SURE, who.id
        near = OSA.distance(*(" ".join(sorted(words)) for words in alike)) <= 2 or set(alike[0]) & set(alike[1])
        return State.PROBABLE, who.id if near and not same else None
    if len(same) == 1 and not (line.licence and who.licence):
        return (State.SURE if why == Why.NAME else State.PROBABLE), who.id
    return State.PROBABLE, None


def find_order(rows: Iterable[Row]) -> Order:
    """In which order a list writes the names of those whom the club knows; as seen, where none or as many do so."""
    family = first = 0
    for row in rows:
        if row.line is None or row.suggested is None or row.line == read_line(row.text, order=Order.FAMILY_FIRST):
            continue  # nothing known of it, or capitals and commas tell
        who = next(each.who for each in row.candidates if each.who.id == row.suggested)
        read, last = words_of(row.line.first_name), words_of(who.last_name)
        if read and read != last and set(read) <= set(words_of(who.first_name)):
            first += 1
        elif read and read == last[: len(read)]:
            family += 1
    return Order.FAMILY_FIRST if family > first else Order.SEEN


def mark_repeated(rows: Iterable[Row]) -> Iterator[Row]:
    """Who stands on the list twice: by his number, else by his name and licence. Namesakes are asked about."""
    seen: dict[object, int] = {}
    for row in rows:
        if row.line is None or (row.state == State.PROBABLE and row.suggested is None):
            yield row
            continue
        name = f"{row.line.first_name} {row.line.last_name}".strip()
        who: object = row.suggested or (tuple(sorted(words_of(name))), row.line.licence)
        if who in seen:
            error = RosterError("roster_twice", line=row.number, first=seen[who], name=name)
            yield replace(row, state=State.TWICE, error=error)
        else:
            seen[who] = row.number
            yield row


class Names:
    """Those who are known, by every way in which they are looked up."""

    def __init__(self, known: Iterable[Known]) -> None:
        self.by_licence: dict[str, Known] = {}
        self.by_words: dict[tuple[str, ...], list[Known]] = defaultdict(list)
        self.by_letters: dict[str, list[Known]] = defaultdict(list)  # in both orders, without what parts the words
        self.by_word: dict[str, list[int]] = defaultdict(list)
        self.known: list[Known] = []
        self.words: list[list[str]] = []
        self.written: list[str] = []  # twice for each: the first name first, the family name first
        for place, who in enumerate(known):
            last, first = words_of(who.last_name), words_of(who.first_name)
            words = first + last
            self.known.append(who)
            self.words.append(words)
            self.written += [" ".join(words), " ".join(last + first)]
            self.by_words[tuple(sorted(words))].append(who)
            for letters in {"".join(words), "".join(last + first)}:
                self.by_letters[letters].append(who)
            if who.licence:
                self.by_licence[who.licence] = who
            for word in set(words):
                self.by_word[word].append(place)

    def find(self, line: RosterLine) -> list[Candidate]:
        """Whom a line may mean, the nearest first."""
        found: dict[int, Candidate] = {}

        def offer(who: Known, why: Why) -> None:
            found.setdefault(who.id, Candidate(who, why))

        words = words_of(f"{line.first_name} {line.last_name}")
        if line.licence in self.by_licence:
            offer(self.by_licence[line.licence], Why.LICENCE)
        same = self.by_words.get(tuple(sorted(words)), [])
        for who in same:
            if name_key(who) == name_key(line):
                offer(who, Why.NAME)
        for who in [*same, *self.by_letters.get("".join(words), ())]:
            offer(who, Why.SPELLING)
        if not found:
            for who in self.near(words):
                offer(who, Why.LETTERS)
            for who in self.partly(words):
                offer(who, Why.PART)
        return list(found.values())

    def near(self, words: list[str]) -> Iterator[Known]:
        """Whose name differs by a letter, by two where it is long; a space is a letter."""
        query = " ".join(words)
        most = 2 if len(query) >= LONG_NAME else 1
        if len(query) < 4:
            return
        found = process.extract(query, self.written, scorer=OSA.distance, score_cutoff=most, limit=2 * MOST_CANDIDATES)
        for name, _distance, place in found:
            if not told_apart(name, query):
                yield self.known[place // 2]

    def partly(self, words: list[str]) -> Iterator[Known]:
        """Whose name has every word of this one, or an initial for it; or fewer words, all of them in this one."""
        for place in {place for word in words if len(word) > 1 for place in self.by_word.get(word, ())}:
            if covers(self.words[place], words) or (len(self.words[place]) > 1 and covers(words, self.words[place])):
                yield self.known[place]


def told_apart(one: str, other: str) -> bool:
    """Whether two names that are nearly alike differ by a number or an initial, which is meant and no slip."""
    for marks in (FIGURE, INITIAL):
        found = marks.findall(one), marks.findall(other)
        if all(found) and found[0] != found[1]:
            return True
    return False


def covers(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Whether every word of `part` stands in `whole`, each once, or is the initial of one that stands there."""
    left = list(whole)
    for word in sorted(part, key=len, reverse=True):
        match = next((each for each in left if each == word), None)
        if match is None and len(word) == 1:
            match = next((each for each in left if each.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return True
