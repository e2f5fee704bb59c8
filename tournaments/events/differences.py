"""What is otherwise in one published ranking of a tournament than in another: codes with params, as of a session's
(`publication.differences`). Pure functions of the two."""

from collections.abc import Iterator
from typing import Any

from tournaments.publication.differences import compare_ranks

SETTINGS = ("counting", "best_of", "least_sessions", "carry_over", "ties")
Data = dict[str, Any]
Change = dict[str, Any]


def compare(before: Data, after: Data) -> list[Change]:
    """What the second says otherwise: of the settings, of each session, of the ranking, in this order."""
    if before == after:
        return []
    olds, news = (
        {player["player"]: {"rank_general": player["rank"], "overall": player["total"]} for player in data["players"]}
        for data in (before, after)
    )
    changes = [
        *([{"code": "counting"}] if any(before.get(key) != after.get(key) for key in SETTINGS) else []),
        *compare_rounds(before, after),
        *compare_ranks(olds, news),
    ]
    return changes or [{"code": "details"}]


def compare_rounds(before: Data, after: Data) -> Iterator[Change]:
    olds, news = (dict(sessions_in(data)) for data in (before, after))
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            yield {"code": "session_came" if number in news else "session_gone", "session": number}
            continue
        if any(olds[number][key] != news[number][key] for key in ("coefficient", "stage")):
            yield {"code": "session_weight", "session": number}


def sessions_in(data: Data) -> Iterator[tuple[int, Data]]:
    """The number of each session, with its round."""
    for each in data["rounds"]:
        for one in each["sessions"]:
            yield one["number"], each
