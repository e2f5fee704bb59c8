"""The CSV file of a session's report, for other programs. Its format is specified in `docs/standings-file.md`.

The command `manage.py standings` reads such files.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rankings.publication.report import RANKS, PlayedEvening
from rankings.ranking import RankedRow
from scoring.files.standings_file import (
    COLUMNS,
    DEAL_COLUMNS,
    FIFTH_COLUMNS,
    MARKS,
    RULES,
    SUM_COLUMNS,
    TEAM_COLUMNS,
    WEIGHTS,
    exact_cell,
)
from scoring.formats import FREE_DEALS, IN_GAMES, MEETING_TEAMS, Format
from scoring.plays import SEATS
from tournaments.reports.session import ReportedPlay
from wording.table import FORMULA_SIGNS


def results_csv(report: PlayedEvening) -> str:
    """Return the file as CSV text: the ranking, then one line for each play, in the order of the étuis.

    The base score is empty if the play does not count. Players with the same name are told apart by their starting
    seat, for example "Marie Dupont (N3)".
    """
    columns = (*COLUMNS, *list_more_columns(report.data.format, has_teams=bool(report.ranking.team_sums)))
    return write_file_lines(columns, lines(report))


def write_file_lines(columns: Sequence[str], cells: Iterable[Mapping[str, Any]]) -> str:
    """Return lines as CSV text, each given as cells by column."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(cells)
    return out.getvalue()


def list_more_columns(format: Format, *, has_teams: bool = False) -> tuple[str, ...]:
    """Return the columns that files of this format have beside those of version 1.

    `has_teams`: whether teams add up the results of their players.
    """
    return (*MORE_COLUMNS.get(format.name, ()), *(SUM_COLUMNS if has_teams else ()))


def find_file_version(format: Format) -> str:
    """Return the version of the files of this format."""
    return next(version for version, formats in RULES.items() if format.name in formats)


def lines(report: PlayedEvening) -> Iterator[dict[str, Any]]:
    """Yield the lines of the file, as cells by column: the file, the session, its players, its plays."""
    data, names = report.data, names_of(report)
    file = {"kind": "file", "version": find_file_version(data.format), "rules": data.format.name}
    yield file | {"ties": "+".join(data.ties)}
    yield {"kind": "session", "session": data.session, "coefficient": 1, **write_weights(report)}
    yield from player_lines(report, names)
    yield from play_lines(report, names, told=bool(data.compared_with))


def player_lines(report: PlayedEvening, names: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Yield a line for each player. `names` has the names by the entrant's id."""
    firsts: dict[Any, int] = {}
    teams = write_team_sums(report.ranking.team_sums)
    for player in report.players:
        yield {
            "kind": "player",
            "player": names[player.id],
            "line": player.line,
            "ranked": "no" if player.unranked else "yes",
            "penalty": player.penalty,
            "tie": place_among_equals(player, firsts),
            "attack": exact_cell(player.attack),
            "defence": exact_cell(player.defence),
            "global": exact_cell(player.overall),
            **{rank: getattr(player, rank) for rank in RANKS},
            **({"team": player.team} if player.team else {}),
            **teams.get(player.competitor, {}),
        }


def write_team_sums(teams: Sequence[RankedRow]) -> dict[int, dict[str, Any]]:
    """Return the cells of each player about the team that adds up results, by the player's id."""
    return {
        member.player: {
            "team": team.team,
            "team_name": inert(team.name),
            "team_rank": team.rank,
            "team_total": exact_cell(team.total),
            "team_counts": "yes" if member.counts else "no",
        }
        for team in teams
        for member in team.members
    }


def play_lines(report: PlayedEvening, names: Mapping[int, str], *, told: bool) -> Iterator[dict[str, Any]]:
    """Yield a line for each play. `names` has the names by the entrant's id.

    With `told`, each line has all published notes. They are needed if plays of other sections were compared too,
    because a program that reads only this file cannot compute the notes.
    """
    attackers = {member.player: inert(member.name) for player in report.players for member in player.members}
    write_more = MORE_CELLS.get(report.data.format.name)
    for etui in report.data.etuis:
        for play in etui.plays:
            yield {
                "kind": "play",
                "session": report.data.session,
                "position": play.position,
                "table": play.table,
                "etui": etui.number,
                "part": play.part,
                **{line: names[entrant] for line, entrant in play.seats.items()},
                "taker": play.taker or "",
                "base_score": "" if play.base_score is None else play.base_score,
                **told_notes(play, of_sections=told),
                **({"partner": play.partner} if play.partner else {}),
                **(write_more(play, attackers) if write_more else {}),
            }


def write_weights(report: PlayedEvening) -> dict[str, str]:
    """Return the cells with the weights of odd tables, which only reports of donnes libres have."""
    return {WEIGHTS[int(players)]: weight for players, weight in report.data.weights.items()}


def write_attacker(play: ReportedPlay, attackers: Mapping[int, str]) -> dict[str, Any]:
    """Return the cell that only plays of teams have. `attackers` has the names of all members, by player id."""
    return {"attacker": attackers.get(play.attacker, "")}


def write_marks(play: ReportedPlay, _attackers: Mapping[int, str]) -> dict[str, Any]:
    """Return the cells that only plays of donnes libres have. Marks that follow from a base score are left out."""
    marks = (play.marks or {}) if play.base_score is None else {}
    named = {name: marks[seat] for seat, name in zip(SEATS, MARKS, strict=True) if seat in marks}
    return {"resting": play.resting, "deals": play.covers or "", **named}


# By format: the columns beside those of version 1, and the function that writes the cells that its plays alone have.
MORE_COLUMNS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(MEETING_TEAMS, TEAM_COLUMNS),
    **dict.fromkeys(IN_GAMES, FIFTH_COLUMNS),
    FREE_DEALS.name: (*FIFTH_COLUMNS, *DEAL_COLUMNS),
}
MORE_CELLS: Mapping[str, Callable[[ReportedPlay, Mapping[int, str]], dict[str, Any]]] = {
    **dict.fromkeys(MEETING_TEAMS, write_attacker),
    FREE_DEALS.name: write_marks,
}


def place_among_equals(player: RankedRow, firsts: dict[Any, int]) -> int | str:
    """Return the player's place, from 1, among the players with the same percentage; "" if no tie-break was used.

    `firsts` has the first rank of each percentage. Each call adds to it, so players must come in the order of the
    ranking.
    """
    if not player.told or player.rank_general is None:
        return ""
    return player.rank_general - firsts.setdefault(player.overall, player.rank_general) + 1


def told_notes(play: ReportedPlay, *, of_sections: bool) -> dict[str, str]:
    """Return cells with the notes that a program cannot compute from the scores in this file.

    These are the notes that the arbiter fixed. With `of_sections`, plays of other sections were compared too; then all
    notes of the play are returned.
    """
    if of_sections:
        notes = {line: str(note) for line, note in (play.notes or {}).items() if note is not None}
        return {"compared": "no"} | {f"fixed_{line.lower()}": note for line, note in notes.items()}
    fixed = {f"fixed_{line.lower()}": note for line, note in play.fixed.items()}
    return {"compared": "yes" if play.compared else "no"} | fixed


def names_of(report: PlayedEvening) -> dict[int, str]:
    """Return a name for each player, by the entrant's id.

    Each name is different and on one line, and no spreadsheet reads it as a formula.
    """
    plain = {player.id: inert(player.name) for player in report.players}
    return tell_names_apart(plain, {player.id: f"{player.line}{player.number}" for player in report.players})


def tell_names_apart(plain: Mapping[int, str], seats: Mapping[int, str]) -> dict[int, str]:
    """Return names of which no two are equal. Equal ones get their `seats` behind them, and then a star."""
    times, names = Counter(plain.values()), dict[int, str]()
    for who, name in plain.items():
        name = f"{name} ({seats[who]})" if times[name] > 1 else name
        while name in names.values():
            name += " *"
        names[who] = name
    return names


def inert(text: str) -> str:
    """Return the text on one line, changed if needed so that no spreadsheet reads it as a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text
