"""The reader of one line of a team: its name, and its players in each way in which the line can be read.

Players are separated by semicolons, tabs, or bars and dashes between blanks, if the line has any, otherwise by commas.
A comma may also separate a family name from a first name: "Dupont, Marie" may be one player or two.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clubs.names import hidden_in, simplify_name, words_of
from clubs.roster import MAX_NAME, RosterError, RosterLine, read_people
from clubs.roster.cells import LABELS
from clubs.roster.couples import FIRST_NAMES
from clubs.teams.errors import TeamError

MOST_LETTERS = 1200  # the most letters of a line
BULLET = re.compile(r"^\s*(?:[>*•·▪◦‣|–—-]+\s*|\(?\d{1,4}\s*[.);\t]\s*)+")
STRONG = re.compile(r"[;\t]|\s+[/|]\s+|\s+[–—-]\s+(?=[^\W\d])")
PARTS = re.compile(r"[,;\t]")


class TeamSize(NamedTuple):
    """The fewest and the most players of a team."""

    least: int
    most: int


# The sizes of teams by the name of their form (FFT 2012, the chapters on teams). Teams of two in doublettes, and of
# 2 or 4 in donnes libres, add up the results of their players.
TEAM_SIZES: Mapping[str, TeamSize] = {
    "doublettes": TeamSize(2, 2),
    "triplettes": TeamSize(3, 3),
    "quadrettes": TeamSize(4, 4),
    "team_match": TeamSize(4, 6),
    "donnes_libres": TeamSize(2, 4),
}


class TeamWay(NamedTuple):
    """A way to read a line: the name of the team, "" if it has none, and the words of each player or couple."""

    name: str
    players: tuple[str, ...]


class TeamText(NamedTuple):
    """A line of a team: each way to read it, the likeliest first.

    `doubtful`: somebody should check the line, even if there is only one way to read it.
    """

    ways: tuple[TeamWay, ...]
    doubtful: bool


class _Part(NamedTuple):
    """A part of a line between separators. `joins`: whether a comma stands before it, and no stronger separator."""

    text: str
    joins: bool


def read_team(raw: str, size: TeamSize, number: int = 1) -> TeamText:
    """Return the team of a line. One cell more than a team has players names the team.

    Raise RosterError or TeamError, with the number of the line, if the line cannot be read. Raise TeamError also if no
    way to read it gives a right number of players.
    """
    if len(raw) > MOST_LETTERS:
        raise TeamError("team_too_long", line=number, most=MOST_LETTERS)
    name, body = split_team_name(raw, number)
    parts = [*_split_parts(body)]
    ways, doubtful, nearest = _fit_parts(name, parts, size, number)
    first = parts[0].text if parts else ""
    if not name and len(parts) > 1 and (_names_team(parts) or not (ways or parts[1].joins)):
        named, is_doubtful, _count = _fit_parts(check_team_name(first, number), parts[1:], size, number)
        doubtful = doubtful or (bool(named) and (is_doubtful or _has_first_name(first)))
        ways = [*named, *ways]
    if not ways:
        raise size_error(number, size, nearest)
    return TeamText(tuple(ways), doubtful)


def _fit_parts(name: str, parts: Sequence[_Part], size: TeamSize, number: int) -> tuple[list[TeamWay], bool, int]:
    """Return the ways to read the parts that give a right number of players, the likeliest first.

    Return also whether one of them is doubtful, and the number of players that is nearest to a right one.
    """
    if len(parts) > 2 * size.most:  # a player has at most two parts
        return [], False, len(parts)
    fits: dict[tuple[RosterLine, ...], tuple[int, bool, TeamWay]] = {}
    counts: list[int] = []
    for groups in _group(parts):
        texts = tuple(", ".join(group) for group in groups)
        people = tuple(line for text in texts for line in _read_words(text, number))
        counts.append(len(people))
        if size.least <= len(people) <= size.most:
            faults = sum(map(_count_faults, groups)) + sum(_is_lone_first_name(each) for each in groups)
            fits.setdefault(people, (faults, _leaves_first_name(groups), TeamWay(name, texts)))
    ways = sorted(fits.values(), key=lambda each: each[0])
    nearest = min(counts, key=lambda count: (abs(count - size.least), count))
    return [team_way for *_told, team_way in ways], any(doubtful for _faults, doubtful, _way in ways), nearest


@lru_cache(maxsize=256)
def _read_words(text: str, number: int) -> tuple[RosterLine, ...]:
    """Return the people that the words of a player name. Most ways to read a line have the same players."""
    return tuple(reading.line for reading in read_people(text, number))


def size_error(number: int, size: TeamSize, found: int) -> TeamError:
    """Return the error of a line with a wrong number of players."""
    code = "team_size" if size.least == size.most else "team_size_range"
    return TeamError(code, line=number, found=found, least=size.least, most=size.most)


def split_team_name(raw: str, number: int) -> tuple[str, str]:
    """Return the name of a team, "" if the line has none, and the rest of the line.

    The name ends at the first colon. The line has no name if a separator stands before the colon, or a label such as
    “Club”. Raise RosterError if the name has a hidden character or is a formula, and TeamError if it is too long.
    """
    before, colon, after = raw.partition(":")
    labels = {word for words in LABELS.values() for word in words}
    if not colon or PARTS.search(before) or simplify_name(before).strip() in labels:
        return "", BULLET.sub("", raw)
    return check_team_name(BULLET.sub("", before), number), after


def check_team_name(text: str, number: int) -> str:
    """Return the name of a team. Raise RosterError or TeamError if it cannot be one."""
    name = " ".join(text.split())
    if code := hidden_in(name):
        raise RosterError("roster_hidden", line=number, character=code)
    if name.startswith(("=", "+", "@")):
        raise RosterError("roster_formula", line=number, text=name[:MAX_NAME])
    if len(name) > MAX_NAME:
        raise TeamError("team_name_long", line=number, most=MAX_NAME)
    return name


def _split_parts(body: str) -> Iterator[_Part]:
    """Yield the parts of a line that have text. A number alone, such as a licence, belongs to the part before it."""
    held: _Part | None = None
    strong = bool(STRONG.search(body))
    for cell in STRONG.split(body):
        for place, text in enumerate(cell.split(",")):
            text = " ".join(text.split())
            if not text:
                continue
            if held is not None and not any(map(str.isalpha, text)):
                held = _Part(f"{held.text} {text}", held.joins)
                continue
            if held is not None:
                yield held
            held = _Part(text, place > 0 or not strong)
    if held is not None:
        yield held


def _group(parts: Sequence[_Part]) -> Iterator[list[tuple[str, ...]]]:
    """Yield each way to group the parts into players. A player is one part, or two parts with a comma between them.

    If semicolons or the like separate the players, the way with the most pairs around commas comes first.
    """
    if not parts:
        yield []
        return
    ways: list[list[tuple[str, ...]]] = []
    if len(parts) > 1 and parts[1].joins and can_be_one(parts[0].text, parts[1].text):
        ways += [[(parts[0].text, parts[1].text), *rest] for rest in _group(parts[2:])]
    ways += [[(parts[0].text,), *rest] for rest in _group(parts[1:])]
    yield from ways


def can_be_one(left: str, right: str) -> bool:
    """Return whether two parts may be the family name and the first name of one player.

    Return True for one word on each side. Several words before a first name are a family name if none of them is a
    first name.
    """
    one, other = _name_words(left), _name_words(right)
    if not one or not other:
        return False
    if len(one) == len(other) == 1:
        return True
    return _is_first_name(right) and not any(word in FIRST_NAMES for word in one)


def _name_words(text: str) -> list[str]:
    """Return the words of a part that have letters, compared without accents. “Jean-Marc” is one word."""
    words = [
        simplify_name(word).replace(" ", "") if "-" not in word else "-".join(words_of(word)) for word in text.split()
    ]
    return [word for word in words if any(map(str.isalpha, word))]


def _is_first_name(text: str) -> bool:
    words = [piece for word in _name_words(text) for piece in word.split("-")]
    return bool(words) and all(word in FIRST_NAMES for word in words)


def _has_first_name(text: str) -> bool:
    return any(word in FIRST_NAMES for word in words_of(text))


def _names_team(parts: Sequence[_Part]) -> bool:
    """Return whether the first part names the team, because only the others have a first name beside another."""
    players = [part.text for part in parts[1:]]
    return not _has_first_name(parts[0].text) and all(_has_first_name(text) and " " in text for text in players)


def _count_faults(group: tuple[str, ...]) -> int:
    """Return 1 if two parts are unlikely to be one player, because both or none of them are first names."""
    return int(len(group) == 2 and _is_first_name(group[0]) == _is_first_name(group[1]))


def _is_lone_first_name(group: tuple[str, ...]) -> bool:
    return len(group) == 1 and _is_first_name(group[0])


def _leaves_first_name(groups: Sequence[tuple[str, ...]]) -> bool:
    """Return whether a player is only a first name although the part beside it may be the family name."""
    return any(
        len(one) == len(other) == 1
        and can_be_one(one[0], other[0])
        and (_is_lone_first_name(one) or _is_lone_first_name(other))
        for one, other in pairwise(groups)
    )
