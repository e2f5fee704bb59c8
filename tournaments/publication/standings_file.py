"""The file of a report for other programs: `docs/standings-file.md` specifies it, `manage.py standings` reads it."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.files.standings_file import COLUMNS, VERSION, exact_cell
from scoring.formats import find_format_by_auction
from tournaments.publication.report import Report

RUNS = tuple("=+-@＝＋－＠")


def results_csv(report: Report) -> str:
    """Return the file as CSV: its ranking, then one line for each play, in the order of the étuis.

    The base score is empty if the play does not count. Players of the same name are distinguished by their starting
    seat: "Marie Dupont (N3)".
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines(report))
    return out.getvalue()


def lines(report: Report) -> Iterator[dict[str, Any]]:
    data, names = report.data, names_of(report)
    file = {"kind": "file", "version": VERSION, "rules": find_format_by_auction(data["auction"]).name}
    yield file | {"ties": "+".join(data.get("ties", ()))}
    yield {"kind": "session", "session": data["session"], "coefficient": 1}
    yield from player_lines(report, names)
    yield from play_lines(report, names, told=bool(data.get("compared_with")))


def player_lines(report: Report, names: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Yield a line for each player. `names` is by entrant."""
    firsts: dict[Any, int] = {}
    for player in report.players:
        yield {
            "kind": "player",
            "player": names[player["id"]],
            "line": player["line"],
            "ranked": "no" if player["unranked"] else "yes",
            "penalty": player["penalty"],
            "tie": place_among_equals(player, firsts),
            "attack": exact_cell(player["attack"]),
            "defence": exact_cell(player["defence"]),
            "global": exact_cell(player["overall"]),
            **{rank: player[rank] for rank in ("rank_general", "rank_line", "rank_alterne")},
        }


def play_lines(report: Report, names: Mapping[int, str], *, told: bool) -> Iterator[dict[str, Any]]:
    """Yield a line for each play.

    With `told`, each line has the notes as they were published. A reader cannot compute them from this file if plays of
    other sections were compared too.
    """
    for etui in report.data["etuis"]:
        for play in etui["plays"]:
            yield {
                "kind": "play",
                "session": report.data["session"],
                "position": play["position"],
                "table": play["table"],
                "etui": etui["number"],
                "part": play["part"],
                **{line: names[entrant] for line, entrant in play["seats"].items()},
                "taker": play["taker"] or "",
                "base_score": "" if play["base_score"] is None else play["base_score"],
                **told_notes(play, of_sections=told),
            }


def place_among_equals(player: dict[str, Any], firsts: dict[Any, int]) -> int | str:
    """Return a player's place, from 1, among players of the same percentage. Return "" if no tie-break separated them.

    `firsts` has the first rank of each percentage. Each call adds to it, so players come in the order of the ranking.
    """
    if not player["told"]:
        return ""
    return int(player["rank_general"] - firsts.setdefault(player["overall"], player["rank_general"]) + 1)


def told_notes(play: dict[str, Any], *, of_sections: bool) -> dict[str, str]:
    """Return the cells for the notes that a reader cannot compute from the scores in this file.

    They are the notes that the arbiter fixed, or all notes if plays of other sections were compared too
    (`of_sections`).
    """
    if of_sections:
        notes = {line: str(note) for line, note in (play["notes"] or {}).items() if note is not None}
        return {"compared": "no"} | {f"fixed_{line.lower()}": note for line, note in notes.items()}
    fixed = {f"fixed_{line.lower()}": note for line, note in play.get("fixed", {}).items()}
    return {"compared": "yes" if play.get("compared", True) else "no"} | fixed


def names_of(report: Report) -> dict[int, str]:
    """Return a name for each player in the file, by entrant.

    Each name is on one line, is no formula, and occurs once.
    """
    plain = {player["id"]: inert(player["name"]) for player in report.players}
    times = Counter(plain.values())
    names: dict[int, str] = {}
    for player in report.players:
        name = plain[player["id"]]
        if times[name] > 1:
            name = f"{name} ({player['line']}{player['number']})"
        while name in names.values():
            name += " *"
        names[player["id"]] = name
    return names


def inert(text: str) -> str:
    """Return the text changed so that no spreadsheet takes the cell for a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(RUNS) else text
