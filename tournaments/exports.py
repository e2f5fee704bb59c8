"""A report as files for other programs. The CSV of results is what `manage.py standings` reads."""

import csv
import io
from collections import Counter

from tournaments.report import Report

COLUMNS = ["position", "table", "etui", "N", "E", "S", "W", "taker", "base_score"]


def results_csv(report: Report) -> str:
    """One line a play, in the order of étuis; the base score is empty where the play does not count.

    Players of one name are told apart by their starting seat: "Marie Dupont (N3)".
    """
    times = Counter(player["name"] for player in report.players)
    names = {
        player["id"]: player["name"]
        if times[player["name"]] == 1
        else f"{player['name']} ({player['line']}{player['number']})"
        for player in report.players
    }
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for etui in report.data["etuis"]:
        for play in etui["plays"]:
            seats = [names[play["seats"][line]] for line in "NESW"]
            score = "" if play["base_score"] is None else play["base_score"]
            writer.writerow([play["position"], play["table"], etui["number"], *seats, play["taker"] or "", score])
    return out.getvalue()
