"""A report as a file for other programs: what `docs/standings-file.md` specifies and `manage.py standings` reads."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.files.standings_file import COLUMNS, VERSION, exact_cell
from tournaments.publication.report import Report
from tournaments.standings.computing import RANKING

RUNS = tuple("=+-@＝＋－＠")


def results_csv(report: Report) -> str:
    """The file, its ranking, then a line a play in the order of the étuis; the base score is empty where the play does
    not count. Players of one name are told apart by their starting seat: "Marie Dupont (N3)"."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines(report))
    return out.getvalue()


def lines(report: Report) -> Iterator[dict[str, Any]]:
    data, names = report.data, names_of(report)
    file = {"kind": "file", "version": VERSION, "rules": RANKING[data["auction"]].name}
    yield file | {"ties": "+".join(data.get("ties", ()))}
    yield {"kind": "session", "session": data["session"], "coefficient": 1}
    yield from player_lines(report, names)
    yield from play_lines(report, names, told=bool(data.get("compared_with")))


def player_lines(report: Report, names: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """`names` by entrant."""
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
    """`told`: with the notes as they came out, since plays that are not here are in the topage."""
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
    """From 1 on, of whom something told from others of the same percentage; `firsts`: the first rank of each."""
    if not player["told"]:
        return ""
    return int(player["rank_general"] - firsts.setdefault(player["overall"], player["rank_general"]) + 1)


def told_notes(play: dict[str, Any], *, of_sections: bool) -> dict[str, str]:
    """Which notes are not those of the topage of these plays: the arbiter's, and all where other sections are in it."""
    if of_sections:
        notes = {line: str(note) for line, note in (play["notes"] or {}).items() if note is not None}
        return {"compared": "no"} | {f"fixed_{line.lower()}": note for line, note in notes.items()}
    fixed = {f"fixed_{line.lower()}": note for line, note in play.get("fixed", {}).items()}
    return {"compared": "yes" if play.get("compared", True) else "no"} | fixed


def names_of(report: Report) -> dict[int, str]:
    """Each player's name in the file: in one line, no spreadsheet's formula, and nobody else's."""
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
    """A text as a cell that no spreadsheet takes for a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(RUNS) else text
