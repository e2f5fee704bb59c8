"""The changes between two published rankings of a tournament, as codes with params. Pure functions of the two.

`publication.differences` has those of a session's rankings, in the same form.
"""

from collections.abc import Collection, Iterator
from typing import Any

from tournaments.publication.differences import compare_ranks

SETTINGS = ("counting", "best_of", "least_sessions", "carry_over", "ties")
RESULT = ("overall", "attack", "defence", "unranked")
Data = dict[str, Any]
Change = dict[str, Any]


def compare_tournament_versions(before: Data, after: Data) -> list[Change]:
    """Return the changes from `before` to `after`: in the settings, in each session, in the ranking, in this order.

    Equal data give no change, and data that differ only elsewhere give the code `details`.
    """
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


def adds_sessions_alone(before: Data, after: Data) -> bool:
    """Return whether `after` has further sessions, and says the same as `before` of the sessions that both count."""
    if any(before.get(key) != after.get(key) for key in ("auction", *SETTINGS)):
        return False
    olds, news = (dict(sessions_in(data)) for data in (before, after))
    if not olds.keys() < news.keys():
        return False
    if any(describe_session(olds[number], number) != describe_session(news[number], number) for number in olds):
        return False
    return gather_results(before, olds.keys()) == gather_results(after, olds.keys())


def describe_session(its_round: Data, number: int) -> tuple[Any, ...]:
    """Return what a session is in the ranking: its weight, its date and its section."""
    own = next(one for one in its_round["sessions"] if one["number"] == number)
    return its_round["coefficient"], its_round["stage"], own


def gather_results(data: Data, numbers: Collection[int]) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the results of the sessions with these numbers, by player and session number.

    Whether a result counts is left out: with a further session, another one may be among the best.
    """
    return {
        (player["player"], result["session"]): tuple(result[key] for key in RESULT)
        for player in data["players"]
        for result in player["results"]
        if result is not None and result["session"] in numbers
    }


def sessions_in(data: Data) -> Iterator[tuple[int, Data]]:
    """Yield the number of each session, with its round."""
    for each in data["rounds"]:
        for one in each["sessions"]:
            yield one["number"], each
