"""A report as a file for other programs: what `docs/standings-file.md` specifies and `manage.py standings` reads."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from scoring.standings_file import COLUMNS, VERSION, exact_cell
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
    yield {"kind": "file", "version": VERSION, "rules": RANKING[data["auction"]].name}
    yield {"kind": "session", "session": data["session"], "coefficient": 1}
    for player in report.players:
        yield {
            "kind": "player",
            "player": names[player["id"]],
            "line": player["line"],
            "ranked": "no" if player["unranked"] else "yes",
            "penalty": player["penalty"],
            "attack": exact_cell(player["attack"]),
            "defence": exact_cell(player["defence"]),
            "global": exact_cell(player["overall"]),
            **{rank: player[rank] for rank in ("rank_general", "rank_line", "rank_alterne")},
        }
    for etui in data["etuis"]:
        for play in etui["plays"]:
            yield {
                "kind": "play",
                "session": data["session"],
                "position": play["position"],
                "table": play["table"],
                "etui": etui["number"],
                "part": play["part"],
                **{line: names[entrant] for line, entrant in play["seats"].items()},
                "taker": play["taker"] or "",
                "base_score": "" if play["base_score"] is None else play["base_score"],
                "compared": "yes" if play.get("compared", True) else "no",
                **{f"fixed_{line.lower()}": note for line, note in play.get("fixed", {}).items()},
            }


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
