"""The index of the known players: it finds them by licence, by words, by letters, or by a part of a name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from clubs.matching.found import Candidate, KnownPlayer, Likeness, name_key
from clubs.names import licence_key, words_of
from clubs.roster import RosterLine

MOST_CANDIDATES = 6
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

        words = words_of(f"{line.first_name} {line.last_name}")
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
        for place in {place for word in words if len(word) > 1 for place in self.by_word.get(word, ())}:
            if covers(self.words[place], words) or (len(self.words[place]) > 1 and covers(words, self.words[place])):
                yield self.known[place]


def told_apart(one: str, other: str) -> bool:
    """Return whether two similar names differ by a number or an initial.

    Such a difference is not a typing error.
    """
    for marks in (FIGURE, INITIAL):
        marks_of_both = marks.findall(one), marks.findall(other)
        if all(marks_of_both) and marks_of_both[0] != marks_of_both[1]:
            return True
    return False


def covers(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether each word of `part` is a word of `whole` or the initial of one. Each word is used only once."""
    left = list(whole)
    for word in sorted(part, key=len, reverse=True):
        match = next((each for each in left if each == word), None)
        if match is None and len(word) == 1:
            match = next((each for each in left if each.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return True
