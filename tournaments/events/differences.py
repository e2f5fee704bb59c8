"""The changes between two published rankings of a tournament, as codes with parameters. All functions are pure.

`publication.differences` does the same for the rankings of sessions.
"""

from collections.abc import Collection, Iterator
from typing import Any

from tournaments.publication.differences import compare_ranks

SETTINGS = ("counting", "best_of", "least_sessions", "carry_over", "ties")
RESULT = ("overall", "attack", "defence", "unranked")
Data = dict[str, Any]
Change = dict[str, Any]


def compare_tournament_versions(before: Data, after: Data) -> list[Change]:
    """Return the changes from `before` to `after`, in this order: in the settings, in each session, in the ranking.

    Equal data have no changes. If the data differ only in something else, the one change has the code `details`.
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
    """Yield the sessions that came or went, and those with another coefficient or stage."""
    olds, news = (dict(sessions_in(data)) for data in (before, after))
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            yield {"code": "session_came" if number in news else "session_gone", "session": number}
            continue
        if any(olds[number][key] != news[number][key] for key in ("coefficient", "stage")):
            yield {"code": "session_weight", "session": number}


def adds_sessions_alone(before: Data, after: Data) -> bool:
    """Return whether `after` differs from `before` only by additional sessions and what follows from them."""
    if any(before.get(key) != after.get(key) for key in ("auction", *SETTINGS)):
        return False
    olds, news = (dict(sessions_in(data)) for data in (before, after))
    if not olds.keys() < news.keys():
        return False
    if any(describe_session(olds[number], number) != describe_session(news[number], number) for number in olds):
        return False
    return gather_results(before, olds.keys()) == gather_results(after, olds.keys())


def describe_session(its_round: Data, number: int) -> tuple[Any, ...]:
    """Return what the ranking knows of a session: its coefficient, its stage, and its own data (date, section …)."""
    own = next(one for one in its_round["sessions"] if one["number"] == number)
    return its_round["coefficient"], its_round["stage"], own


def gather_results(data: Data, numbers: Collection[int]) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the results in the sessions with these numbers, by player id and session number.

    Whether a result counts is not included: an additional session can push another result out of a player's best ones.
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
