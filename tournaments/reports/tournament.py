"""The values of a tournament's ranking over its sessions, as frozen classes with typed fields.

Publications store such rankings, and a job stores one while sessions are played. Players are given by their ids in the
club's list. The keys under which the fields are stored never change, because old publications have them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from tournaments.reports.codec import (
    EXACT,
    Exact,
    StoredValue,
    decode,
    each_of,
)
from tournaments.reports.session import StoredCompetitor, StoredRanking


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSession(StoredValue):
    """A session of a round. `section` is its name if the round has several sections, else ""."""

    id: int
    number: int
    date: str
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRound(StoredValue):
    """A round of the ranking: one session, or several sections that count as one.

    `level` is 0 before the first cut, 1 after it, 2 after the second cut.
    """

    coefficient: Annotated[Fraction, EXACT] = Fraction(1)
    stage: str = ""
    level: int = 0
    sessions: Annotated[Sequence[RoundSession], each_of(RoundSession)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult(StoredValue):
    """A player's result in a round. `session` is the number of the session in which the player played.

    `counts` is True if the result is part of the player's total. `unranked` says why the session does not rank the
    player, or is "".
    """

    session: int
    overall: Exact = None
    attack: Exact = None
    defence: Exact = None
    counts: bool = False
    unranked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlayer(StoredCompetitor):
    """A player or a team of a tournament. `before` is the rank without the last session.

    `told` is the tie-break that separated the player from others with the same total, or None. `results` has one item
    for each round, None if the player missed it. `total` and `rank` are None for a player without a rank in any
    session.
    """

    rank: int | None = None
    before: int | None = None
    told: str | None = None
    total: Exact = None
    played: int = 0
    in_final: bool = False
    results: Annotated[Sequence[RoundResult | None], each_of(RoundResult)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTournament(StoredRanking):
    """The ranking of a tournament, with the settings by which its sessions count."""

    counting: str
    best_of: int | None = None
    least_sessions: int = 1
    carry_over: int | None = None
    rounds: Annotated[Sequence[RankingRound], each_of(RankingRound)] = ()
    players: Annotated[Sequence[TournamentPlayer], each_of(TournamentPlayer)] = ()

    @property
    def sessions(self) -> Iterator[tuple[RankingRound, RoundSession]]:
        """All sessions in their order, as pairs (round, session)."""
        return ((each, one) for each in self.rounds for one in each.sessions)


def decode_tournament(data: Mapping[str, Any]) -> PublishedTournament:
    """Return the ranking of a tournament from stored data. Any release of the site may have written the data."""
    return decode(PublishedTournament, data)
