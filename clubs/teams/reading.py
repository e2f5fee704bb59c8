"""The reader of a pasted list of teams, one on each line or, in a table, also one person on each row.

It finds the errors and doubts of each team. `clubs.matching` reads its players, like those of any other list.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.answers import RowQuestion
from clubs.lists.columns import NAMES, PEOPLE, ColumnKind
from clubs.lists.reading import Cells, ListRow, PastedList, read_pasted
from clubs.matching import KnownPlayer, LineState, ListLine, fingerprint, match_lines
from clubs.names import words_of
from clubs.roster import NameOrder, RosterError
from clubs.teams.errors import TeamError
from clubs.teams.lines import PARTS, TeamSize, TeamWay, check_team_name, read_team, size_error
from wording import Refusal

MOST_TEAMS = 300
WANTED = PEOPLE | {ColumnKind.TEAM}


@dataclass(frozen=True, slots=True)
class PastedTeam:
    """A team of a pasted list.

    - `number`: the number of its first line, from 1. `text`: its text. `key`: identifies it for its answer.
    - `name`: its name, "" if it has none.
    - `ways`: each way to read its line, the likeliest first. `doubtful`: somebody should confirm the way.
    - `given`: the answer: the index of a way, or "".
    - `lines`: the words or the cells of its players. `players`: its rows with their answers.
    - `error`: why no team can be made of it, or None.
    """

    number: int
    text: str
    key: str
    name: str = ""
    ways: tuple[TeamWay, ...] = ()
    doubtful: bool = False
    given: str = ""
    lines: tuple[ListLine, ...] = ()
    players: tuple[RowQuestion, ...] = ()
    error: RosterError | Refusal | None = None

    @property
    def answer(self) -> int | None:
        """The index of the way that was chosen. None if nobody has chosen, or if there is no such way."""
        return next((place for place in range(len(self.ways)) if str(place) == self.given), None)

    @property
    def asks(self) -> bool:
        """True if somebody has to say which way is right."""
        return (len(self.ways) > 1 or self.doubtful) and self.answer is None

    @property
    def settled(self) -> bool:
        """True if the team can be made without another answer."""
        return self.error is None and not self.asks and all(player.settled for player in self.players)


def read_teams(
    pasted: str | PastedList,
    size: TeamSize,
    known: Iterable[KnownPlayer] = (),
    answers: Mapping[str, str] | None = None,
    order: NameOrder = NameOrder.SEEN,
) -> list[PastedTeam]:
    """Return the teams of a pasted list, in its order, with the players of the club whom each row may mean.

    `answers`: by the key of a team, the index of a way; by the key of a row, its answer. `order` comes before the order
    that the heading says. Raise TeamError if there are more than MOST_TEAMS teams.
    """
    answers = answers or {}
    if isinstance(pasted, str):
        pasted = read_pasted(pasted, WANTED)
    rows = [*join_rows(pasted)]
    if len(rows) > MOST_TEAMS:
        raise TeamError("team_too_many", most=MOST_TEAMS, found=len(rows))
    times = Counter[str]()
    teams = []
    for place, row in enumerate(rows, start=1):
        times[row.text] += 1
        key = f"team-{fingerprint(row.text)}-{times[row.text]}"
        teams.append(read_row(PastedTeam(row.number, row.text, key, given=answers.get(key, "")), row, place, size))
    players: dict[int, list[RowQuestion]] = {}
    for matched_row in match_lines([line for team in teams for line in team.lines], known, order or pasted.order):
        players.setdefault(matched_row.team, []).append(RowQuestion(matched_row, answers.get(matched_row.key, "")))
    names: dict[tuple[str, ...], int] = {}
    people: dict[int, int] = {}
    matched = []
    for place, team in enumerate(teams, start=1):
        own = tuple(players.get(place, ()))
        error = team.error or find_name_error(team, names) or find_twice(team, own, people)
        matched.append(replace(team, players=own, error=error or find_size_error(team, own, size)))
    return matched


def join_rows(pasted: PastedList) -> Iterator[ListRow]:
    """Yield a row for each team. In a table with one person on each row, the rows with one name make a team."""
    named: dict[str, list[ListRow]] = {}
    for row in pasted.rows:
        name = row.people[0].get(ColumnKind.TEAM, "") if len(row.people) == 1 else ""
        named.setdefault(name.casefold() or str(row.number), []).append(row)
    for rows in named.values():
        text = "\n".join(row.text for row in rows)
        yield ListRow(rows[0].number, text, tuple(cells for row in rows for cells in row.people))


def read_row(team: PastedTeam, row: ListRow, place: int, size: TeamSize) -> PastedTeam:
    """Return the team with its name and the lines of its players, or with the error of its line."""
    people = [cells for cells in row.people if NAMES & set(cells)]
    try:
        name = check_team_name(row.people[0].get(ColumnKind.TEAM, "") if row.people else "", team.number)
        if people and not names_several(people):
            lines = tuple(ListLine(team.number, say_cells(cells), cells, place) for cells in people)
            return replace(team, name=name, lines=lines)
        read = read_team(f"{name}: {people[0][ColumnKind.NAME]}" if people else row.text, size, team.number)
    except RosterError as error:
        return replace(team, error=error)
    team = replace(team, ways=read.ways, doubtful=read.doubtful)
    team_way = team.ways[team.answer or 0]
    lines = tuple(ListLine(team.number, words, None, place) for words in team_way.players)
    return replace(team, name=team_way.name, lines=lines)


def names_several(people: Sequence[Cells]) -> bool:
    """Return whether one cell has the names of the whole team."""
    return len(people) == 1 and PARTS.search(people[0].get(ColumnKind.NAME, "")) is not None


def say_cells(cells: Cells) -> str:
    return " ; ".join(cell for kind, cell in cells.items() if kind != ColumnKind.TEAM)


def find_name_error(team: PastedTeam, names: dict[tuple[str, ...], int]) -> TeamError | None:
    """Return the error if an earlier team has this name, ignoring accents and capitals. Add the name to `names`."""
    words = tuple(words_of(team.name)) or (team.name.casefold(),)
    first = names.setdefault(words, team.number) if team.name else team.number
    return TeamError("team_name_twice", line=team.number, first=first, name=team.name) if first != team.number else None


def find_twice(team: PastedTeam, players: Iterable[RowQuestion], lines: dict[int, int]) -> RosterError | None:
    """Return the error if a player is twice on the list. Add the known players to `lines`, with their lines."""
    error: RosterError | None = None
    for player in players:
        row, first = player.row, None
        if row.state == LineState.TWICE and row.error:
            first = row.error.params["first"]
        elif player.means is not None:
            first = lines.get(player.means)
            lines.setdefault(player.means, team.number)
        if first is not None and row.line and error is None:
            params = {"line": team.number, "name": f"{row.line.first_name} {row.line.last_name}".strip()}
            is_again = first == team.number
            error = (
                TeamError("team_player_again", **params)
                if is_again
                else RosterError("roster_twice", first=first, **params)
            )
    return error


def find_size_error(team: PastedTeam, players: Iterable[RowQuestion], size: TeamSize) -> TeamError | None:
    """Return the error if a wrong number of players is left, as far as is known."""
    count = sum(player.counts for player in players)
    return None if size.least <= count <= size.most else size_error(team.number, size, count)
