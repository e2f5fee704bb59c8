"""The reading of a pasted list of teams: lines such as "Name: A, B, C", or a table with a heading.

Players are separated by semicolons, tabs, or bars and dashes between blanks, if the line has any, otherwise by commas.
A comma may also separate a family name from a first name: "Dupont, Marie" may be one player or two.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from typing import ClassVar, NamedTuple

from clubs.answers import RowQuestion
from clubs.lists import NAMES, PEOPLE, Cells, ColumnKind, ListLine, PastedList
from clubs.matching import MatchRow, make_row_keys, say_name
from clubs.names import hidden_in, simplify_name, words_of
from clubs.roster import MAX_NAME, RosterError, RosterLine, read_people
from clubs.roster.lines import LABELS, find_strays
from clubs.roster.readings import AND, FIRST_NAMES
from wording import Refusal, Texts
from wording import gettext_noop as _


class TeamError(RosterError):
    """The error for a pasted line that is not a team. `params` has the number of the line."""

    field = "teams"
    messages: ClassVar[Texts] = {
        "team_size": _(
            "Line %(line)s of the list: a team has %(least)s players, and this one has %(found)s. Separate the players "
            "by commas, and write a colon after the team’s name."
        ),
        "team_size_range": _(
            "Line %(line)s of the list: a team has %(least)s to %(most)s players, and this one has %(found)s. Separate "
            "the players by commas, and write a colon after the team’s name."
        ),
        "team_name_long": _("Line %(line)s of the list: the name of a team has at most %(most)s letters. Shorten it."),
        "team_too_long": _(
            "Line %(line)s of the list has more than %(most)s letters: write each team on a line of its own."
        ),
        "team_too_many": _("A list has at most %(most)s teams, and this one has %(found)s: send it in parts."),
        "team_name_twice": _(
            "Line %(line)s of the list: “%(name)s” is already the name of the team on line %(first)s. Give one of them "
            "another name."
        ),
        "team_player_again": _("Line %(line)s of the list names %(name)s twice. Remove one of the two."),
        "team_unclear": _(
            "Line %(line)s of the list, “%(text)s”, can be read in more than one way: say which words are one player."
        ),
    }


MOST_LETTERS = 1200  # the most letters of a line
BULLET = re.compile(r"^\s*(?:[>*•·▪◦‣|–—-]+\s*|\(?\d{1,4}(?:\s*[.);\t]|\s+[–—-](?=\s))\s*)+")
STRONG = re.compile(r"[;\t]|\s+[/|]\s+|\s+[–—-]\s+(?=[^\W\d])")
PARTS = re.compile(r"[,;\t]")
SEVERAL = re.compile(rf"[,;:\t]|{STRONG.pattern}|{AND.pattern}", re.IGNORECASE)
PEOPLE_IN_BRACKETS = re.compile(r"([^()[\],;\t]*[^\W\d_][^()[\],;\t]*)[([]([^()[\]]*[,;/][^()[\]]*)[)\]]\s*")


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
    """A way to read a team: its name, "" if it has none, and the words or the cells of each player or couple.

    `doubtful`: somebody should check it, even if there is no other way.
    """

    name: str = ""
    players: tuple[ListLine, ...] = ()
    doubtful: bool = False


class _Part(NamedTuple):
    """A part of a line between separators. `joins`: whether a comma stands before it, and no stronger separator."""

    text: str
    joins: bool


def read_team(raw: str, size: TeamSize, number: int = 1) -> list[TeamWay]:
    """Return each way to read the line of a team, the likeliest first.

    If the line has one cell more than the team has players, the first cell is the name of the team.
    Raise RosterError or TeamError, with the number of the line, if the line cannot be read. Raise TeamError also if no
    way to read it gives a right number of players.
    """
    if len(raw) > MOST_LETTERS:
        raise TeamError("team_too_long", line=number, most=MOST_LETTERS)
    name, body = split_team_name(raw, number)
    parts = _split_parts(body)
    ways, nearest = _fit_parts(name, parts, size, number)
    if not name and len(parts) > 1 and (_names_team(parts) or not (ways or parts[1].joins)):
        first = parts[0].text
        named, _count = _fit_parts(check_team_name(first, number), parts[1:], size, number)
        ways = [*(each._replace(doubtful=each.doubtful or _has_first_name(first)) for each in named), *ways]
    if not ways:
        raise size_error(number, size, nearest)
    return ways


def _fit_parts(name: str, parts: Sequence[_Part], size: TeamSize, number: int) -> tuple[list[TeamWay], int]:
    """Return the ways to read the parts that give a right number of players, the likeliest first.

    Return also the number of players that is nearest to a right one.
    """
    if len(parts) > 2 * size.most:  # a player has at most two parts
        return [], len(parts)
    fits: dict[tuple[RosterLine, ...], tuple[int, TeamWay]] = {}
    counts: list[int] = []
    for groups in _group(parts):
        players = tuple(ListLine(number, ", ".join(group)) for group in groups)
        people = tuple(line for player in players for line in _read_words(player.text, number))
        counts.append(len(people))
        if size.least <= len(people) <= size.most:
            faults = sum(map(_is_unlikely, groups))
            fits.setdefault(people, (faults, TeamWay(name, players, _leaves_first_name(groups))))
    ways = [each for _faults, each in sorted(fits.values(), key=lambda fit: fit[0])]
    return ways, min(counts, key=lambda count: (abs(count - size.least), count))


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
    if in_brackets := PEOPLE_IN_BRACKETS.fullmatch(raw):  # “Les As (A, B, C)”
        return check_team_name(BULLET.sub("", in_brackets[1]), number), in_brackets[2]
    if not colon or PARTS.search(before) or any(simplify_name(before).strip() in words for words in LABELS.values()):
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


def _split_parts(body: str) -> list[_Part]:
    """Return the parts of a line that have text. A number alone, such as a licence, belongs to the part before it."""
    found: list[_Part] = []
    for cell in STRONG.split(body):
        for place, text in enumerate(cell.split(",")):
            text = " ".join(text.split())
            if found and text and not any(map(str.isalpha, text)):
                found[-1] = found[-1]._replace(text=f"{found[-1].text} {text}")
            elif text:
                found.append(_Part(text, place > 0))
    return found


def _group(parts: Sequence[_Part]) -> Iterator[list[tuple[str, ...]]]:
    """Yield each way to group the parts into players. A player is one part, or two parts with a comma between them.

    If semicolons or the like separate the players, the way with the most pairs around commas comes first.
    """
    if not parts:
        yield []
    if len(parts) > 1 and parts[1].joins and can_be_one(parts[0].text, parts[1].text):
        yield from ([(parts[0].text, parts[1].text), *rest] for rest in _group(parts[2:]))
    if parts:
        yield from ([(parts[0].text,), *rest] for rest in _group(parts[1:]))


def can_be_one(left: str, right: str) -> bool:
    """Return whether two parts may be the family name and the first name of one player.

    Return True for one word on each side. Several words before a first name are a family name if none of them is a
    first name.
    """
    one, other = _name_words(left), _name_words(right)
    if len(one) == len(other) == 1:
        return True
    return bool(one) and _is_first_name(right) and FIRST_NAMES.isdisjoint(one)


def _name_words(text: str) -> list[str]:
    """Return the words of a part that have letters, compared without accents. “Jean-Marc” is one word."""
    return [simplify_name(word) for word in text.split() if any(map(str.isalpha, word))]


def _is_first_name(text: str) -> bool:
    words = [piece for word in _name_words(text) for piece in word.split()]
    return bool(words) and FIRST_NAMES.issuperset(words)


def _has_first_name(text: str) -> bool:
    return not FIRST_NAMES.isdisjoint(words_of(text))


def _names_team(parts: Sequence[_Part]) -> bool:
    """Return whether the first part names the team, because only the others have a first name beside another."""
    players = [part.text for part in parts[1:]]
    return not _has_first_name(parts[0].text) and all(_has_first_name(text) and " " in text for text in players)


def _is_unlikely(group: tuple[str, ...]) -> bool:
    """Return whether parts are unlikely to be one player: a first name alone, or two parts without just one of them."""
    return sum(map(_is_first_name, group)) != len(group) - 1


def _leaves_first_name(groups: Sequence[tuple[str, ...]]) -> bool:
    """Return whether a player is only a first name although the part beside it may be the family name."""
    return any(
        len(one) == len(other) == 1 and can_be_one(one[0], other[0]) and (_is_unlikely(one) or _is_unlikely(other))
        for one, other in pairwise(groups)
    )


MOST_TEAMS = 300
WANTED = PEOPLE | {ColumnKind.TEAM}


@dataclass(frozen=True, slots=True)
class PastedTeam:
    """A team of a pasted list.

    - `number`: the number of its first line, from 1. `text`: its text. `key`: identifies it for its answer.
    - `given`: the answer: the index of a way, or "".
    - `ways`: each way to read it, the likeliest first. `players`: its rows with their answers.
    - `error`: why no team can be made of it, or None.
    """

    number: int
    text: str
    key: str
    given: str = ""
    ways: tuple[TeamWay, ...] = ()
    players: tuple[RowQuestion, ...] = ()
    error: RosterError | Refusal | None = None

    @property
    def answer(self) -> int | None:
        """The index of the way that was chosen. None if nobody has chosen, or if there is no such way."""
        return next((place for place in range(len(self.ways)) if str(place) == self.given), None)

    @property
    def read(self) -> TeamWay:
        """The way that was chosen, or else the likeliest. It has no players if the line cannot be read."""
        return self.ways[self.answer or 0] if self.ways else TeamWay()

    @property
    def name(self) -> str:
        return self.read.name

    @property
    def doubtful(self) -> bool:
        """True if somebody should choose a way, or confirm the only one."""
        return len(self.ways) > 1 or any(each.doubtful for each in self.ways)

    @property
    def asks(self) -> bool:
        """True if somebody has to say which way is right."""
        return self.doubtful and self.answer is None

    @property
    def settled(self) -> bool:
        """True if the team can be made without another answer."""
        return self.error is None and not self.asks and all(player.settled for player in self.players)


def read_teams(
    pasted: PastedList, size: TeamSize, answers: Mapping[str, str], match: Callable[[list[ListLine]], list[MatchRow]]
) -> list[PastedTeam]:
    """Return the teams of a pasted list, in its order, with the players of the club whom each row may mean.

    `answers`: by the key of a team, the index of a way; by the key of a row, its answer. `match` returns the rows of
    the lines of players. Raise TeamError if there are more than MOST_TEAMS teams.
    """
    groups = join_lines(join_blocks([line for line in pasted.rows if not is_no_team(line)], size))
    if len(groups) > MOST_TEAMS:
        raise TeamError("team_too_many", most=MOST_TEAMS, found=len(groups))
    texts = ["\n".join({line.number: line.text for line in lines}.values()) for lines in groups]
    keys = [f"team-{key}" for key in make_row_keys(texts)]
    teams = []
    for lines, text, key in zip(groups, texts, keys, strict=True):
        team = PastedTeam(lines[0].number, text, key, answers.get(key, ""))
        try:
            teams.append(replace(team, ways=tuple(list_ways(lines, text, size))))
        except RosterError as refusal:
            teams.append(replace(team, error=refusal))
    lines = [line._replace(team=place) for place, team in enumerate(teams, start=1) for line in team.read.players]
    players = defaultdict[int, list[RowQuestion]](list)
    for row in match(lines):
        players[row.team].append(RowQuestion(row, answers.get(row.key, "")))
    names: dict[tuple[str, ...], int] = {}
    people: dict[int, int] = {}
    matched = []
    for place, team in enumerate(teams, start=1):
        whole = replace(team, players=tuple(players[place]))
        count = sum(player.counts for player in whole.players)
        wrong = None if size.least <= count <= size.most else size_error(team.number, size, count)
        matched.append(replace(whole, error=team.error or find_repeated(whole, names, people) or wrong))
    return matched


def is_no_team(line: ListLine) -> bool:
    """Return whether a row of a table names nobody, and no team. A sum such as “Total : 12 équipes” is no team."""
    cells = line.cells
    is_named = cells is None or any(map(str.isalpha, "".join(cells.get(kind, "") for kind in NAMES)))
    return not is_named and bool(not name_of(line) or find_strays([name_of(line)]))


def join_blocks(lines: list[ListLine], size: TeamSize) -> list[ListLine]:
    """Return the lines of free text, each block as one line if each player is on a line, and each team is a block.

    Blank lines part the blocks. The first line of a block may be the name of the team.
    """
    numbered = groupby(enumerate(lines), lambda each: each[1].number - each[0])
    blocks = [[line for _place, line in block] for _gap, block in numbered]
    is_part = any(line.cells is not None or SEVERAL.search(BULLET.sub("", line.text).rstrip(" :")) for line in lines)
    if is_part or not all(size.least <= len(block) <= size.most + 1 for block in blocks):
        return lines
    return [
        first._replace(text=" ; ".join([first.text.rstrip(" :"), *(BULLET.sub("", player.text) for player in players)]))
        for first, *players in blocks
    ]


def join_lines(lines: Sequence[ListLine]) -> list[list[ListLine]]:
    """Return the lines of each team. In a table with one person on each row, the rows with one name make a team.

    A row without a name belongs to the team above it, as merged cells show it.
    """
    people = Counter(line.number for line in lines)
    teams: dict[object, list[ListLine]] = {}
    name = ""
    for line in lines:
        is_one = people[line.number] == 1
        cells = line.cells or {ColumnKind.NAME: line.text}
        above = "" if names_several([cells]) else name
        name = (name_of(line) or above) if is_one else ""
        teams.setdefault(name.casefold() or line.number, []).append(line._replace(cells=cells) if name else line)
    return list(teams.values())


def name_of(line: ListLine) -> str:
    return (line.cells or {}).get(ColumnKind.TEAM, "")


def list_ways(lines: Sequence[ListLine], text: str, size: TeamSize) -> list[TeamWay]:
    """Return each way to read the lines of a team, the likeliest first. A table has one. Raise as `read_team` does."""
    number = lines[0].number
    people = [line.cells for line in lines if line.cells and NAMES & set(line.cells)]
    if not people:
        return read_team(text, size, number)
    name = check_team_name(name_of(lines[0]), number)
    if names_several(people):
        return read_team(f"{name}: {people[0][ColumnKind.NAME]}", size, number)
    texts = [" ; ".join(cell for kind, cell in cells.items() if kind != ColumnKind.TEAM) for cells in people]
    return [TeamWay(name, tuple(ListLine(number, *each) for each in zip(texts, people, strict=True)))]


def names_several(people: Sequence[Cells]) -> bool:
    """Return whether one cell has the names of the whole team."""
    cell = people[0].get(ColumnKind.NAME, "") if len(people) == 1 else ""
    return bool(PARTS.search(cell) or STRONG.search(cell))


def key_of_name(name: str) -> tuple[str, ...]:
    """Return the key by which two names of teams are one: their words, or the name itself if it has none."""
    return tuple(words_of(name)) or (name.casefold(),)


def find_repeated(team: PastedTeam, names: dict[tuple[str, ...], int], people: dict[int, int]) -> RosterError | None:
    """Return the error if the name or a player of a team is on the list before, ignoring accents and capitals.

    Add the name to `names` and, if it is new, the known players to `people`, with the line of the team.
    """
    first = names.setdefault(key_of_name(team.name), team.number) if team.name else team.number
    if first != team.number:
        return TeamError("team_name_twice", line=team.number, first=first, name=team.name)
    errors: list[RosterError] = []
    for player in team.players:
        row, means = player.row, player.means
        before = row.repeats or people.get(means or 0)
        if means is not None:
            people.setdefault(means, team.number)
        if before and row.line:
            told = {"line": team.number, "name": say_name(row.line)}
            twice = RosterError("roster_twice", first=before, **told)
            errors.append(TeamError("team_player_again", **told) if before == team.number else twice)
    return errors[0] if errors else None
