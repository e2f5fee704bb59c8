"""The reader of a pasted list of teams, one on each line.

It finds the errors and doubts of each line and between lines.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from clubs.matching import KnownNames, KnownPlayer
from clubs.names import words_of
from clubs.roster import NameOrder, RosterError, RosterLine
from clubs.teams.errors import TeamError
from clubs.teams.lines import TeamSize, read_team

MOST_TEAMS = 300
TWO = "two"  # the answer that two similar names are two players


@dataclass(frozen=True, slots=True)
class AlikePlayers:
    """The question whether a player of a line is the player of an earlier line whose name is nearly the same.

    `first`: the number of the earlier line. `key`: the key of its answer, which can only be TWO.
    """

    key: str
    name: str
    other: str
    first: int


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A line of a list of teams.

    - `number`: the number of the line, from 1. `text`: its text. `key`: identifies the line for its answer.
    - `name`: the name of the team, "" if the line has none.
    - `readings`: each way to read its players, the likeliest first. `doubtful`: somebody should confirm the reading.
    - `given`: the answer: the index of a reading, or "".
    - `alike`: questions about players who may be players of earlier lines, without those that were answered.
    - `error`: why the line is not a team, or None. Then it has no readings.
    """

    number: int
    text: str
    key: str
    name: str = ""
    readings: tuple[tuple[RosterLine, ...], ...] = ()
    doubtful: bool = False
    given: str = ""
    alike: tuple[AlikePlayers, ...] = ()
    error: RosterError | None = None

    @property
    def asks(self) -> bool:
        """True if somebody has to say which reading is right."""
        return (len(self.readings) > 1 or self.doubtful) and self.answer is None

    @property
    def answer(self) -> int | None:
        """The index of the reading that was chosen. None if nobody has chosen, or if there is no such reading."""
        return next((place for place in range(len(self.readings)) if str(place) == self.given), None)

    @property
    def people(self) -> tuple[RosterLine, ...]:
        """The players of the chosen reading or, if none was chosen, of the likeliest one."""
        return self.readings[self.answer or 0] if self.readings else ()

    @property
    def settled(self) -> bool:
        """True if the line is a team and needs no answer."""
        return self.error is None and not self.asks and not self.alike


def read_teams(
    text: str, size: TeamSize, order: NameOrder = NameOrder.SEEN, answers: Mapping[str, str] | None = None
) -> list[TeamRow]:
    """Return the rows of a pasted text, in its order: one for each line that is not empty.

    `answers`: by the key of a row, the index of a reading; by the key of a question about two players, TWO. Raise
    TeamError if there are more than MOST_TEAMS lines.
    """
    lines = [(number, raw) for number, raw in enumerate(text.splitlines(), start=1) if raw.strip()]
    if len(lines) > MOST_TEAMS:
        raise TeamError("team_too_many", most=MOST_TEAMS, found=len(lines))
    times = Counter[str]()
    rows = []
    for number, raw in lines:
        times[raw] += 1
        key = f"{sha256(raw.encode(errors='replace')).hexdigest()[:12]}-{times[raw]}"
        rows.append(_read_row(number, raw, key, size, order, answers or {}))
    return _compare_rows(rows, answers or {})


def require_teams(rows: Sequence[TeamRow]) -> list[TeamRow]:
    """Return the rows. Raise the error of the first row that is not a team, or for which an answer is missing."""
    for row in rows:
        if row.error is not None:
            raise row.error
        if row.asks:
            raise TeamError("team_unclear", line=row.number, text=row.text.strip(), key=row.key)
        if row.alike:
            alike = row.alike[0]
            told = {"name": alike.name, "other": alike.other, "first": alike.first, "key": alike.key}
            raise TeamError("team_player_alike", line=row.number, **told)
    return list(rows)


def _read_row(number: int, raw: str, key: str, size: TeamSize, order: NameOrder, answers: Mapping[str, str]) -> TeamRow:
    try:
        team = read_team(raw, size, number, order)
    except RosterError as error:
        return TeamRow(number, raw, key, error=error)
    return TeamRow(number, raw, key, team.name, team.readings, team.doubtful, answers.get(key, ""))


def _compare_rows(rows: Sequence[TeamRow], answers: Mapping[str, str]) -> list[TeamRow]:
    """Return the rows, with errors and questions about names and players that an earlier line has too."""
    people = [(row, line) for row in rows for line in row.people]
    known = KnownNames(
        KnownPlayer(place, line.last_name, line.first_name, line.licence) for place, (_, line) in enumerate(people)
    )
    names: dict[tuple[str, ...], int] = {}
    compared, place = [], 0
    for row in rows:
        error = _find_name_error(row, names)
        alike: list[AlikePlayers] = []
        for line in row.people:
            twins = [each for each in _find_same(known, line) if each < place]
            if twins and error is None:
                error = _twice(row, line, *people[twins[0]])
            elif not twins:
                alike += _ask_alike(known, row, line, place, people)
            place += 1
        asked = tuple(each for each in alike if answers.get(each.key) != TWO)
        compared.append(replace(row, error=row.error or error, alike=asked))
    return compared


def _find_name_error(row: TeamRow, names: dict[tuple[str, ...], int]) -> TeamError | None:
    """Return the error if an earlier line has this team's name, ignoring accents and capitals.

    Add the name to `names`.
    """
    if not row.name:
        return None
    words = tuple(words_of(row.name)) or (row.name.casefold(),)
    first = names.setdefault(words, row.number)
    if first == row.number:
        return None
    return TeamError("team_name_twice", line=row.number, first=first, name=row.name)


def _find_same(known: KnownNames, line: RosterLine) -> list[int]:
    """Return the places of the known players who are surely the player of this line.

    They have the same licence, or the same words of the name in any order.

    Players with different licences are different, even if they have the same name.
    """
    words = words_of(f"{line.first_name} {line.last_name}")
    found = [*known.by_words.get(tuple(sorted(words)), ()), *known.by_letters.get("".join(words), ())]
    same = {who.id for who in found if not (who.licence and line.licence and who.licence != line.licence)}
    if line.licence:
        same |= {who.id for who in known.known if who.licence == line.licence}
    return sorted(same)


def _twice(row: TeamRow, line: RosterLine, first: TeamRow, other: RosterLine) -> TeamError:
    told = {"line": row.number, "name": say_name(line), "other": say_name(other)}
    if first.number == row.number:
        return TeamError("team_player_again", **told)
    return TeamError("team_player_twice", **told, first=first.number)


def _ask_alike(
    known: KnownNames, row: TeamRow, line: RosterLine, place: int, people: Sequence[tuple[TeamRow, RosterLine]]
) -> Iterator[AlikePlayers]:
    """Yield a question about the nearest earlier player with nearly the same name.

    The names differ by a letter or two, or one of them is a part of the other.
    """
    words = words_of(f"{line.first_name} {line.last_name}")
    near = [who.id for who in known.near(words)] + sorted(who.id for who in known.partly(words))
    for other in near:
        first, there = people[other]
        licences = bool(line.licence and there.licence)
        if other < place and not licences:
            yield AlikePlayers(f"{row.key}/{first.key}/{say_name(line)}", say_name(line), say_name(there), first.number)
            return


def say_name(line: RosterLine) -> str:
    """Return the name of a player as a sentence has it."""
    return f"{line.first_name} {line.last_name}".strip()
