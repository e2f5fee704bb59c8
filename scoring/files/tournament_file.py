"""The file of a tournament's sessions (`docs/standings-file.md`), and the ranking computed from it as CSV text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.files.sheets import Problem, Sheet, SheetError, SheetRow, cell, read_sheet, six_decimals
from scoring.files.standings_file import (
    KINDS,
    LEVEL,
    NAMES,
    PLAY_COLUMNS,
    READERS,
    STANDING_COLUMNS,
    StandingsFile,
    exact_cell,
    find_unknown,
    no_kind,
    read_place,
    read_rules,
    read_weights,
    standing_cells,
)
from scoring.ranking import Format, PlayerStanding, Standings, note_plays
from scoring.ties import TieBreak
from scoring.tournament import Result, ResultCounting, Round, RoundStage, TournamentRules, rank_tournament

COEFFICIENT = re.compile(r"[0-9]{1,9}(/[1-9][0-9]{0,8}|\.[0-9]{1,9})?")
NUMBER = re.compile(r"[1-9][0-9]{0,8}")
LEVELS = re.compile(r"[0-9]{1,3}")
PER_CENT = re.compile(r"100|[0-9]{1,2}")
Cells = Mapping[str, str]


class Weight(NamedTuple):
    """The weight of a session in its tournament. `level` says after how many cuts it is.

    Sessions with the same `round` are sections of one session. The plays of all sessions with the same `field` are
    compared with each other.
    """

    coefficient: Fraction
    stage: RoundStage
    level: int
    round: int
    field: str

    @property
    def of_round(self) -> tuple[Fraction, RoundStage, int]:
        """The data that all sections of a round have in common."""
        return self.coefficient, self.stage, self.level


@dataclass(slots=True)
class TournamentFile:
    """The content of a tournament's file: the data of the whole tournament, and the file of each session.

    `weights` and `sessions` have the number of the session, as written in the file, as their key.
    """

    sheet: Sheet
    whole: StandingsFile
    counted: TournamentRules = field(default_factory=TournamentRules)
    weights: dict[str, Weight] = field(default_factory=dict)
    sessions: dict[str, StandingsFile] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def rank_sessions(
        self, rules: Format | None = None, *, ties: Sequence[TieBreak] = (), least_share: int = 0
    ) -> dict[str, Standings]:
        """Return the standings of each session by its number, computed by `StandingsFile.rank`.

        The plays of a session are compared with those of all sessions of the same field.
        """
        rules = rules or self.whole.rules
        if rules.has_free_deals:  # nothing is compared, and each session has its own weights of odd tables
            return {
                number: session.rank(rules, ties=ties, least_share=least_share)
                for number, session in self.sessions.items()
            }
        plays = [
            play._replace(etui=(self.weights[number].field if play.etui[1] == "1" else number, *play.etui))  # type: ignore[index,misc]
            for number, session in self.sessions.items()
            for play in session.plays
        ]
        notes = iter(note_plays(plays, rules))
        return {
            number: session.rank(rules, ties=ties, least_share=least_share, notes=[next(notes) for _ in session.plays])
            for number, session in self.sessions.items()
        }

    def rounds(self, ranked: Mapping[str, Standings]) -> list[Round]:
        """Return one Round for each round, with the results of all its sections.

        A player who sat in two sections of a round has two results. The ranked result counts. If both are ranked, the
        one with more deals counts; if the deals are equal too, the one with the higher percentage.
        """
        brought: dict[int, dict[Any, PlayerStanding]] = {}
        first: dict[int, Weight] = {}
        for number, standings in ranked.items():
            weight = self.weights[number]
            first.setdefault(weight.round, weight)
            mine = brought.setdefault(weight.round, {})
            for player in standings.players:
                mine[player.player] = max(mine.get(player.player, player), player, key=_worth)
        return [Round(results_of(brought[place].values()), *first[place].of_round) for place in sorted(brought)]

    def rules(self, ties: Sequence[TieBreak] = ()) -> TournamentRules:
        """Return the rules of the tournament, with the order of equal players from the file, then by `ties`."""
        places = self.whole.places
        criteria = (TieBreak.DRAW, *ties) if places else tuple(ties)
        return replace(self.counted, ties=criteria, places=places, missed_is_zero=self.whole.rules.has_free_deals)


def _worth(player: PlayerStanding) -> tuple[bool, int, Fraction]:
    return player.rank_general is not None, player.deals, player.overall or Fraction()


def results_of(players: Iterable[PlayerStanding]) -> dict[Any, Result]:
    """Return the result of each player who has a rank in the session, by player."""
    return {
        player.player: Result(player.overall, player.attack, player.defence)
        for player in players
        if player.overall is not None and player.rank_general is not None
    }


def rank_tournament_file(
    text: str,
    rules: Format | None = None,
    *,
    exact: bool = False,
    ties: Sequence[TieBreak] = (),
    least_share: int = 0,
) -> str:
    """Return the ranking of a tournament's file as CSV text.

    The text of `ranking_csv` comes first, then an empty line. Then comes one row for each player of each session, with
    the number of the session and STANDING_COLUMNS. The options are those of `standings_file.standings_csv`.
    """
    file = read_tournament_file(text)
    figure = exact_cell if exact else six_decimals
    ranked = file.rank_sessions(rules, ties=ties, least_share=least_share)
    ranking = ranking_csv(file.sheet, file.rounds(ranked), file.rules(ties), figure)
    sessions = file.sheet.write(
        ("session", *STANDING_COLUMNS),
        (
            (number, *standing_cells(player, figure))
            for number, standings in ranked.items()
            for player in standings.players
        ),
    )
    return f"{ranking}\n{sessions}"


def ranking_csv(
    sheet: Sheet, rounds: Sequence[Round], rules: TournamentRules, figure: Callable[[Fraction | None], str]
) -> str:
    """Return the ranking of a tournament as CSV text, one row for each player.

    The columns are rank, name, total, number of sessions played, then the percentage in each session. `figure` writes a
    percentage as text. The cell of a session that the player missed is empty.
    """
    columns = ("rank", "player", "total", "sessions", *(f"session_{place}" for place in range(1, len(rounds) + 1)))
    results = [played.results for played in rounds]
    return sheet.write(
        columns,
        (
            (
                cell(standing.rank),
                str(standing.player),
                figure(standing.total),
                str(standing.played),
                *(figure(column[standing.player].overall) if standing.player in column else "" for column in results),
            )
            for standing in rank_tournament(rounds, rules)
        ),
    )


def is_tournament(text: str) -> bool:
    """Return whether the file is one of a whole tournament. Raise SheetError if it lacks the columns of plays."""
    sheet = read_sheet(text, PLAY_COLUMNS, NAMES)
    return any(cells.get("kind") == "file" and cells.get("counting") for cells in map(sheet.fields, sheet.rows))


def read_tournament_file(text: str) -> TournamentFile:
    """Return the content of a tournament's file.

    Raise SheetError with every line that is wrong, or that needs a later version of the file format.
    """
    sheet = read_sheet(text, PLAY_COLUMNS, NAMES)
    file = TournamentFile(sheet, StandingsFile(sheet))
    rows: dict[str, list[tuple[SheetRow, Cells]]] = {kind: [] for kind in KINDS}
    cells: Cells
    problems = list(find_unknown(sheet))
    for row in sheet.rows:
        cells = sheet.fields(row)
        if (kind := cells.get("kind", "")) in rows:
            rows[kind].append((row, cells))
        else:
            problems.append(no_kind(row, kind))
    problems += [Problem(row.line, "kind", "there is a second file line.") for row, _ in rows["file"][1:]]
    for kind in KINDS:  # the sessions are read before their players and plays
        for row, cells in rows[kind]:
            problems += TOURNAMENT_READERS[kind](file, row, cells)
    problems += [
        Problem(row.line, "field", f"'{weight.field}' is no session of the file.")
        for row, cells in rows["session"]
        if (weight := file.weights.get(cells["session"])) and weight.field not in file.weights
    ]
    if problems:
        raise SheetError(sorted(problems, key=lambda problem: problem.line))
    return file


def _read_file(file: TournamentFile, row: SheetRow, cells: Cells) -> Iterator[Problem]:
    yield from read_rules(file.whole, row, cells)
    settings = {name: cells.get(name, "") for name in ("counting", "best_of", "least_sessions", "carry_over")}
    patterns = {"best_of": (NUMBER, "1 or more"), "least_sessions": (NUMBER, "1 or more")}
    patterns["carry_over"] = (PER_CENT, "per cent from 0 to 100")
    problems = [
        Problem(row.line, name, f"'{settings[name]}': write a whole number, {what}, or nothing.")
        for name, (pattern, what) in patterns.items()
        if settings[name] and not pattern.fullmatch(settings[name])
    ]
    if settings["counting"] not in set(ResultCounting):
        problems.append(
            Problem(row.line, "counting", f"'{settings['counting']}': write {' or '.join(ResultCounting)}.")
        )
    yield from problems
    if not problems:
        file.counted = TournamentRules(
            ResultCounting(settings["counting"]),
            int(settings["best_of"]) if settings["best_of"] else None,
            int(settings["least_sessions"] or 1),
            Fraction(int(settings["carry_over"] or 100), 100),
        )


def _read_session(file: TournamentFile, row: SheetRow, cells: Cells) -> Iterator[Problem]:
    number, stage, place = (cells.get(name, "") for name in ("session", "stage", "round"))
    coefficient = cells.get("coefficient") or "1"
    if not number or number in file.weights:
        yield Problem(row.line, "session", "the number is missing, or comes twice.")
    if not COEFFICIENT.fullmatch(coefficient) or not Fraction(coefficient):
        yield Problem(row.line, "coefficient", f"'{coefficient}': write a number above 0, as 2 or 3/2.")
        coefficient = "1"
    if stage not in set(RoundStage):
        yield Problem(row.line, "stage", f"'{stage}': write {' or '.join(filter(None, RoundStage))}, or nothing.")
        stage = ""
    if not NUMBER.fullmatch(place):
        yield Problem(row.line, "round", f"'{place}': write the place of the session, 1 or more.")
        place = "1"
    level = cells.get(LEVEL) or "0"
    if not LEVELS.fullmatch(level):
        yield Problem(row.line, LEVEL, f"'{level}': write how many cuts there were before, from 1, or nothing.")
        level = "0"
    field = cells.get("field") or number
    weight = Weight(Fraction(coefficient), RoundStage(stage), int(level), int(place), field)
    sections = [each for each in file.weights.values() if each.round == weight.round]
    if any(each.of_round[:2] != weight.of_round[:2] for each in sections):
        yield Problem(row.line, "round", f"sessions of round {place} have one coefficient and one stage.")
    if any(each.level != weight.level for each in sections):
        yield Problem(row.line, LEVEL, f"sessions of round {place} have one level.")
    file.weights[number] = weight
    file.sessions[number] = session = StandingsFile(file.sheet, file.whole.rules)
    yield from read_weights(row.line, cells, session.weights)


def _read_player(file: TournamentFile, row: SheetRow, cells: Cells) -> Iterator[Problem]:
    if cells.get("session"):
        yield from _read_in_session(file, row, cells)
        return
    if not (name := cells.get("player", "")) or name in file.names:
        yield Problem(row.line, "player", "the name is missing, or comes twice.")
    file.names.add(name)
    yield from read_place(file.whole.places, row, cells)


def _read_in_session(file: TournamentFile, row: SheetRow, cells: Cells) -> Iterator[Problem]:
    number = cells.get("session", "")
    if number not in file.sessions:
        yield Problem(row.line, "session", f"'{number}' is no session of the file.")
    else:
        yield from READERS[cells["kind"]](file.sessions[number], row, cells)


TOURNAMENT_READERS: Mapping[str, Callable[[TournamentFile, SheetRow, Cells], Iterator[Problem]]] = {
    "file": _read_file,
    "session": _read_session,
    "player": _read_player,
    "play": _read_in_session,
}
