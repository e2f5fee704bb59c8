"""The changes between two published rankings of a tournament, as codes with parameters. All functions are pure.

`publication.differences` does the same for the rankings of sessions.
"""

from collections.abc import Collection, Iterator
from typing import Any

from rankings.publication.differences import IN_MARKS, RankedFigures, compare_ranks
from tournaments.reports.tournament import PublishedTournament, RankingRound, decode_tournament

SETTINGS = ("counting", "best_of", "least_sessions", "carry_over", "ties")
Data = dict[str, Any]
Change = dict[str, Any]


def compare_tournament_versions(stored_before: Data, stored_after: Data) -> list[Change]:
    """Return the changes between two stored rankings: in the settings, in each session, and in the ranking.

    Equal data have no changes. If the data differ only in something else, the one change has the code `details`.
    """
    if stored_before == stored_after:
        return []
    before, after = decode_tournament(stored_before), decode_tournament(stored_after)
    olds, news = (
        {each.competitor: RankedFigures((each.total,), (each.rank,)) for each in ranking.players}
        for ranking in (before, after)
    )
    changes = [
        *([{"code": "counting"}] if not has_same_settings(before, after) else []),
        *compare_rounds(before, after),
        *compare_ranks(olds, news),
    ]
    if after.format.has_free_deals:
        changes = [change | {"code": IN_MARKS.get(change["code"], change["code"])} for change in changes]
    return changes or [{"code": "details"}]


def compare_rounds(before: PublishedTournament, after: PublishedTournament) -> Iterator[Change]:
    """Yield the sessions that came or went, and those with another coefficient or stage."""
    olds, news = (rounds_by_session(ranking) for ranking in (before, after))
    for number in sorted(olds.keys() | news):
        if number not in olds or number not in news:
            yield {"code": "session_came" if number in news else "session_gone", "session": number}
            continue
        if weigh_round(olds[number]) != weigh_round(news[number]):
            yield {"code": "session_weight", "session": number}


def adds_sessions_alone(stored_before: Data, stored_after: Data) -> bool:
    """Return whether the second stored ranking only adds sessions.

    Changes that follow from the added sessions are allowed.
    """
    before, after = decode_tournament(stored_before), decode_tournament(stored_after)
    if before.format != after.format or not has_same_settings(before, after):
        return False
    olds, news = (rounds_by_session(ranking) for ranking in (before, after))
    if not olds.keys() < news.keys():
        return False
    if any(describe_session(olds[number], number) != describe_session(news[number], number) for number in olds):
        return False
    return gather_results(before, olds.keys()) == gather_results(after, olds.keys())


def has_same_settings(before: PublishedTournament, after: PublishedTournament) -> bool:
    return all(getattr(before, name) == getattr(after, name) for name in SETTINGS)


def weigh_round(its_round: RankingRound) -> tuple[Any, ...]:
    """Return the coefficient, stage and level of a round, which decide how much the round counts."""
    return its_round.coefficient, its_round.stage, its_round.level


def describe_session(its_round: RankingRound, number: int) -> tuple[Any, ...]:
    """Return the data of a session in the ranking: its coefficient, stage and level, and its own data (date …)."""
    own = next(one for one in its_round.sessions if one.number == number)
    return *weigh_round(its_round), own.id, own.date, own.section


def gather_results(ranking: PublishedTournament, numbers: Collection[int]) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Return the results in the sessions with these numbers, by player id and session number.

    Whether a result counts is not included: an additional session can push another result out of a player's best ones.
    """
    return {
        (player.competitor, result.session): (result.overall, result.attack, result.defence, result.unranked)
        for player in ranking.players
        for result in player.results
        if result is not None and result.session in numbers
    }


def rounds_by_session(ranking: PublishedTournament) -> dict[int, RankingRound]:
    """Return the round of each session, by the session's number."""
    return {one.number: each for each, one in ranking.sessions}
