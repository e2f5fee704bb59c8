"""The file of a session's plays (`docs/standings-file.md`), and the ranking computed from it as CSV text."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring.errors import ScoringError
from scoring.files.sheets import Problem, Sheet, SheetError, SheetRow, cell, read_sheet, six_decimals
from scoring.formats import (
    FORMATS,
    FREE_AUCTION,
    INDIVIDUAL,
    MEETING_TEAMS,
    TRIPLETTES,
    Format,
    Unit,
)
from scoring.notes import FixedNote, read_fixed, read_fixed_points
from scoring.plays import FIFTH, SEATS, Line, ScoringPlay, SeatNotes, place_in_seats
from scoring.ranking import PlayerStanding, Standings, check_plays, note_plays, standings
from scoring.ties import TieBreak, TieRules

MARKS = ("marks_n", "marks_e", "marks_s", "marks_w", "marks_f")  # in the order of SEATS
WEIGHTS = {3: "weight_3", 5: "weight_5"}  # by the number of players who play a deal
DEAL_COLUMNS = ("resting", "deals", *MARKS, *WEIGHTS.values())
WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
WEIGHT = re.compile(r"[0-9]{1,3}(/[1-9][0-9]{0,4}|\.[0-9]{1,4})?")
LEAST = 3  # people at a table


def find_deal_problems(line: int, cells: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the problems of a play of donnes libres. `line` is the number of its line in the file."""
    seated = {seat for seat in SEATS if cells.get(seat)}
    if not cells.get("etui"):
        yield Problem(line, "etui", "is empty; every play has the number of its deal.")
    if len(seated) < LEAST or ("F" in seated and len(seated) < len(SEATS)):
        yield Problem(line, "N", "a table has three players, four, or five; the fifth sits on F.")
    for name in ("taker", "partner", "resting"):
        if (seat := cells.get(name, "").upper()) and seat not in seated:
            yield Problem(line, name, f"'{cells[name]}': nobody sits there.")
    for name in ("base_score", *MARKS):
        if (text := cells.get(name, "")) and not WHOLE.fullmatch(_ascii_sign(text)):
            yield Problem(line, name, f"'{text}' is no whole number; write it as +106 or -56, or nothing.")
    if cells.get("base_score") and not cells.get("taker"):
        yield Problem(line, "taker", "is empty; a base score needs a taker.")
    if cells.get("base_score") and any(cells.get(name) for name in MARKS):
        yield Problem(line, "base_score", "the marks follow from it; leave out one of them.")
    if (deals := cells.get("deals") or "1") and not (deals.isdecimal() and 0 < int(deals[:4]) < 100):
        yield Problem(line, "deals", f"'{deals}': write how many deals the marks are for, or nothing.")


def read_deal_play(cells: Mapping[str, str]) -> ScoringPlay:
    """Return the play of a line without problems."""
    names = {seat: cells[seat] for seat in SEATS if cells.get(seat)}
    resting, deals = cells.get("resting", "").upper(), int(cells.get("deals") or 1)
    marks = {seat: _number(cells[name]) for seat, name in zip(SEATS, MARKS, strict=True) if cells.get(name)}
    seats = place_in_seats(names)
    players = tuple(
        None if seat == resting and seat not in marks else who for seat, who in zip(SEATS, seats, strict=False)
    )
    etui = cells["etui"], cells.get("part") or "1"
    if marks:
        marks_of_seats = tuple(marks.get(seat) for seat in SEATS[: len(seats)])
        rests = resting if resting in marks else ""
        return ScoringPlay(etui, players, None, None, marks=marks_of_seats, deals=deals, resting=rests)
    score = _number(cells["base_score"]) if cells.get("base_score") else None
    taker, partner = (cells.get(name, "").upper() or None for name in ("taker", "partner"))
    return ScoringPlay(etui, players, taker, score, partner=partner, deals=deals)


def read_weights(row_line: int, cells: Mapping[str, str], weights: dict[int, Fraction]) -> Iterator[Problem]:
    """Read the weights of odd tables from the line of a session into `weights`. Yield the problems."""
    for players, name in WEIGHTS.items():
        if not (text := cells.get(name, "")):
            continue
        if WEIGHT.fullmatch(text) and Fraction(text):
            weights[players] = Fraction(text)
        else:
            yield Problem(row_line, name, f"'{text}' is no weight; write a number above 0, as 1.22 or 61/50.")


def _number(text: str) -> int:
    return int(_ascii_sign(text))


def _ascii_sign(number: str) -> str:
    return number.replace("−", "-")


VERSION, VERSION_OF_TEAMS, VERSION_OF_SEATS = "1", "2", "3"
# The formats that a file of each version may name. Version 2 is for teams that meet, version 3 for all others that came
# later, such as tables of 3 to 5 players and doublettes.
FIRST = (INDIVIDUAL.name, FREE_AUCTION.name)
RULES = {
    VERSION: {name: FORMATS[name] for name in FIRST},
    VERSION_OF_TEAMS: {name: FORMATS[name] for name in MEETING_TEAMS},
    VERSION_OF_SEATS: {name: each for name, each in FORMATS.items() if name not in (*FIRST, *MEETING_TEAMS)},
}
PLAY_COLUMNS = ("etui", *Line, "taker", "base_score")
FIXED = ("fixed_n", "fixed_e", "fixed_s", "fixed_w")
FIXED_BY_SEAT = (*FIXED, "fixed_f")  # in the order of SEATS
FIGURES = ("attack", "defence", "global", "rank_general", "rank_line", "rank_alterne")
COLUMNS = (
    *("kind", "version", "rules", "ties", "session", "coefficient"),
    *("position", "table", "etui", "part", *Line, "taker", "base_score", "compared", *FIXED),
    *("player", "line", "ranked", "penalty", "tie", *FIGURES),
)
TEAM_COLUMNS = ("team", "attacker")  # the columns that only version 2 has
# The columns that only files of version 3 have, in which teams add up the results of their players.
SUM_COLUMNS = ("team", "team_name", "team_rank", "team_total", "team_counts")
FIFTH_COLUMNS = (FIFTH, "partner", "fixed_f")  # the columns that only version 3 has
TOURNAMENT_COLUMNS = ("counting", "best_of", "least_sessions", "carry_over", "stage", "round", "field")
LEVEL = "level"  # the column that only files of tournaments with cuts have
KNOWN = {*COLUMNS, *TOURNAMENT_COLUMNS, LEVEL, *TEAM_COLUMNS, *SUM_COLUMNS, *FIFTH_COLUMNS, *DEAL_COLUMNS}
KINDS = ("file", "session", "player", "play")
STANDING_COLUMNS = ("player", "line", "attack", "defence", "global", "rank_general", "rank_alterne")
TEAM_LINES = ("", *TRIPLETTES.lines)  # the line is "" for a team that changes sides
LINES = {str(line): line for line in Line} | {"O": Line.W}  # O for Ouest, the French West
NAMES = {name.lower(): name for name in PLAY_COLUMNS} | {"o": "W", "f": FIFTH}
COUNTS = {3: "three", 4: "four", 5: "five"}
BASE_SCORE = re.compile(r"[+-]?[0-9]{1,6}")
PENALTY = re.compile(r"-?[0-9]{1,9}(/[1-9][0-9]{0,8}|\.[0-9]{1,9})?")


@dataclass(slots=True)
class StandingsFile:
    """The content of a session's file.

    `plays`: the plays. `at`: the line number of each play in the file. `lines`, `unranked`, `penalties` and `places`
    (the order of players with equal percentages) come from the lines about players. `weights`: where the tables deal,
    the weights of odd tables by the number of players.
    """

    sheet: Sheet
    rules: Format = INDIVIDUAL
    plays: list[ScoringPlay] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    lines: dict[str, str] = field(default_factory=dict)
    unranked: set[str] = field(default_factory=set)
    penalties: dict[str, Fraction] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    weights: dict[int, Fraction] = field(default_factory=dict)

    def rank(
        self,
        rules: Format | None = None,
        *,
        ties: Sequence[TieBreak] = (),
        least_share: int = 0,
        notes: Sequence[SeatNotes | None] | None = None,
    ) -> Standings:
        """Return the standings of the file. Raise SheetError if plays contradict one another.

        If the file gives an order of equal players, that order is used first, then the criteria `ties`. Players are
        unranked if the file says so, or if they have less than `least_share` per cent of the deals. `notes`: the notes
        of the plays, if they were already computed because plays of other files are compared with these.
        """
        settings: dict[str, Any] = {
            "unranked": self.unranked,
            "penalties": self.penalties,
            "lines": self.lines,
            "least_share": least_share,
        }
        rules = rules or self.rules
        apart = TieRules((TieBreak.DRAW, *ties) if self.places else ties, places=self.places)
        try:
            if self.weights and notes is None:
                check_plays(self.plays, rules)
                notes = note_plays(self.plays, rules, self.weights)
            return standings(self.plays, rules, ties=apart, notes=notes, **settings)
        except ScoringError as error:
            index = error.params["play"]
            assert isinstance(index, int)
            raise SheetError([Problem(self.at[index], error.field, str(error))]) from error


def standings_csv(
    text: str,
    rules: Format | None = None,
    *,
    exact: bool = False,
    ties: Sequence[TieBreak] = (),
    least_share: int = 0,
) -> str:
    """Return the standings of a file as CSV text: one row for each player, with STANDING_COLUMNS.

    The file may also have only plays (PLAY_COLUMNS). Percentages have six decimals, or are fractions if `exact` is
    True. The best player comes first, unranked players last. `rules` default to those of the file, or to the individual
    format. `ties` and `least_share` are those of `StandingsFile.rank`.
    """
    file = read_standings_file(text)
    figure = exact_cell if exact else six_decimals
    return file.sheet.write(
        STANDING_COLUMNS,
        (standing_cells(player, figure) for player in file.rank(rules, ties=ties, least_share=least_share).players),
    )


def standing_cells(player: PlayerStanding, figure: Callable[[Fraction | None], str]) -> tuple[str, ...]:
    """Return the cells of a player's row, in the order of STANDING_COLUMNS. `figure` writes a percentage."""
    return (
        str(player.player),
        player.line,
        *map(figure, (player.attack, player.defence, player.overall)),
        cell(player.rank_general),
        cell(player.rank_alterne),
    )


def exact_cell(value: Fraction | None) -> str:
    """Return a fraction as text like `5/2`, or "" for None."""
    return "" if value is None else str(value)


def read_standings_file(text: str) -> StandingsFile:
    """Return the content of a standings file.

    Raise SheetError with every line that is wrong, or that needs a later version of the file format.
    """
    sheet = read_sheet(text, PLAY_COLUMNS, NAMES)
    file = StandingsFile(sheet)
    problems = list(find_unknown(sheet))
    counted = Counter[str]()
    for row in sheet.rows:
        cells = sheet.fields(row)
        kind = cells.get("kind", "play")
        counted[kind] += 1
        if kind not in KINDS:
            faults = [no_kind(row, kind)]
        elif kind in ("file", "session") and counted[kind] > 1:
            faults = [Problem(row.line, "kind", f"there is a second {kind} line; this program reads one.")]
        else:
            faults = list(READERS[kind](file, row, cells))
        problems += faults
    if "kind" in sheet.names and not counted["file"]:
        problems.append(Problem(sheet.rows[0].line if sheet.rows else 1, "kind", "there is no file line."))
    if problems:
        raise SheetError(problems)
    return file


def find_unknown(sheet: Sheet) -> Iterator[Problem]:
    """Yield a problem for each column that the file format does not have.

    A file that has only plays, without a column `kind`, may have other columns.
    """
    if "kind" in sheet.names:
        for name in sheet.names:
            if name and name not in KNOWN:
                yield Problem(1, name, "is no column of versions 1, 2 and 3 of the file.")


def no_kind(row: SheetRow, kind: str) -> Problem:
    """Return the problem of a line whose `kind` the file format does not have."""
    return Problem(row.line, "kind", f"'{kind}' is no kind of line; the kinds are: {', '.join(KINDS)}.")


def _read_file(file: StandingsFile, row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    if cells.get("counting"):
        yield Problem(row.line, "counting", "this is the file of a tournament; it is read alone.")
    yield from read_rules(file, row, cells)


def read_rules(file: StandingsFile, row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    """Read the version of the file and the name of its format. Yield the problems."""
    if (version := cells.get("version", "")) not in RULES:
        yield Problem(row.line, "version", f"'{version}': this program reads versions {', '.join(RULES)}.")
    rules = RULES.get(version, RULES[VERSION])
    if (name := cells.get("rules", "")) in rules:
        file.rules = rules[name]
    else:
        yield Problem(row.line, "rules", f"'{name}' is unknown; the rules are: {', '.join(rules)}.")


def _read_session(file: StandingsFile, row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    if cells.get("coefficient", "") not in ("", "1"):
        yield Problem(row.line, "coefficient", "only 1 is known to this program.")
    yield from read_weights(row.line, cells, file.weights)


def _read_player(file: StandingsFile, row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    player, line = cells.get("player", ""), cells.get("line", "").upper()
    if not player or player in file.lines:
        yield Problem(row.line, "player", "the name is missing, or comes twice.")
    if file.rules.is_for_teams:
        if line not in TEAM_LINES:
            yield Problem(row.line, "line", f"'{line}' is not a line of teams; write NS or EW, or nothing.")
    elif not file.rules.lines:
        if line:
            yield Problem(row.line, "line", f"'{line}': nobody has a line here; write nothing.")
    elif line not in LINES:
        yield Problem(row.line, "line", f"'{line}' is not a line; write N, E, S or W.")
    if (ranked := cells.get("ranked", "")) not in ("yes", "no"):
        yield Problem(row.line, "ranked", f"'{ranked}': write yes or no.")
    elif ranked == "no":
        file.unranked.add(player)
    if not PENALTY.fullmatch(penalty := cells.get("penalty") or "0"):
        yield Problem(row.line, "penalty", f"'{penalty}' is no penalty; write it as 2.5 or 5/2, a bonus as -2.5.")
    else:
        file.penalties[player] = Fraction(penalty)
    yield from read_place(file.places, row, cells)
    has_own_lines = file.rules.is_for_teams or not file.rules.lines
    file.lines[player] = line if has_own_lines else LINES.get(line, Line.N)


def read_place(places: dict[str, int], row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    """Read the place of a player among players with equal percentages, if the file has one. Yield the problems."""
    if (tie := cells.get("tie", "")) and not tie.isdecimal():
        yield Problem(row.line, "tie", f"'{tie}' is no place among equals; write 1, 2 …, or nothing.")
    elif tie:
        places[cells.get("player", "")] = int(tie[:9])


def _read_play(file: StandingsFile, row: SheetRow, cells: Mapping[str, str]) -> Iterator[Problem]:
    if file.rules.has_free_deals:
        yield from (problems := list(find_deal_problems(row.line, cells)))
        if not problems:
            file.at.append(row.line)
            file.plays.append(read_deal_play(cells))
        return
    problems = list(_play_problems(row.line, cells, file.rules))
    if not problems:
        base_score = cells["base_score"]
        file.at.append(row.line)
        file.plays.append(
            ScoringPlay(
                etui=(cells["etui"], cells.get("part") or "1"),
                seats=tuple(cells[seat] for seat in file.rules.seats),
                taker=read_seat(cells["taker"]),
                partner=read_seat(cells.get("partner", "")),
                base_score=int(_ascii_sign(base_score)) if base_score else None,
                fixed=_read_fixed_notes(cells, file.rules),
                compared=cells.get("compared") != "no",
            )
        )
    yield from problems


def _play_problems(line: int, cells: Mapping[str, str], rules: Format) -> Iterator[Problem]:
    for name in ("etui", *rules.seats):
        if not cells.get(name):
            yield Problem(line, name, f"is empty; every play has an étui and {COUNTS[rules.size]} players.")
    for name in ("taker", *(["partner"] if FIFTH in rules.seats else [])):
        if (seat := cells.get(name, "")) and read_seat(seat) not in rules.seats:
            *others, last = rules.seats
            yield Problem(line, name, f"'{seat}' is not a line; write {', '.join(others)} or {last}.")
    if FIFTH in rules.seats and cells["base_score"] and cells["taker"] and not cells.get("partner"):
        yield Problem(line, "partner", "is empty; name the seat that the taker called, the taker's own if alone.")
    if cells["base_score"] and not BASE_SCORE.fullmatch(_ascii_sign(cells["base_score"])):
        message = f"'{cells['base_score']}' is not a base score; write it as +106 or -56, or nothing if not played."
        yield Problem(line, "base_score", message)
    if (compared := cells.get("compared", "")) not in ("", "yes", "no"):
        yield Problem(line, "compared", f"'{compared}': write yes or no.")
    try:
        _read_fixed_notes(cells, rules)
    except ScoringError as error:
        yield Problem(line, error.field, str(error))


def _read_fixed_notes(cells: Mapping[str, str], rules: Format) -> tuple[FixedNote | None, ...]:
    """Return the fixed note of each seat, or () if no seat has one."""
    read = read_fixed_points if rules.unit is Unit.MATCH_POINTS else read_fixed
    fixed = tuple(read(note, name) if (note := cells.get(name)) else None for name in FIXED_BY_SEAT[: len(rules.seats)])
    return fixed if any(fixed) else ()


def read_seat(text: str) -> str | None:
    """Return the seat with this letter, or None if there is none."""
    return FIFTH if text.upper() == FIFTH else LINES.get(text.upper())


READERS = {"file": _read_file, "session": _read_session, "player": _read_player, "play": _read_play}
