"""The values of a tournament's ranking over its sessions, live or published, frozen and typed.

Players are given by their ids in the club's list. The stored keys belong to a format and never change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from scoring.formats import Format, find_format_by_auction
from tournaments.reports.codec import (
    EXACT,
    TUPLE,
    Data,
    Exact,
    Key,
    ReadData,
    StoredValue,
    ValueCodec,
    decode,
    each_of,
    encode,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSession(StoredValue):
    """A session of a round. `section` is its name among the sections of the round, "" if it has none."""

    id: int
    number: int
    date: str
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRound(StoredValue):
    """A round as the ranking counts it: one session, or all sections of a session together."""

    coefficient: Annotated[Fraction, EXACT] = Fraction(1)
    stage: str = ""
    sessions: Annotated[Sequence[RoundSession], each_of(RoundSession)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult(StoredValue):
    """A player's result in a round. `session`: the number of the session in which the player sat.

    `counts`: whether the result is in the total. `unranked`: why the session does not rank the player, or "".
    """

    session: int
    overall: Exact = None
    attack: Exact = None
    defence: Exact = None
    counts: bool = False
    unranked: str = ""


def read_results(results: Sequence[Mapping[str, Any] | None]) -> ReadData:
    """Return the results of a player, None for each round that the player missed."""
    return ReadData(tuple(None if row is None else decode(RoundResult, row) for row in results), True)


def write_results(results: Sequence[RoundResult | None]) -> list[Data | None]:
    """Return the results of a player as they are stored."""
    return [None if result is None else encode(result) for result in results]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlayer(StoredValue):
    """A player of a tournament. `before`: the rank without the last session.

    `told`: the tie-break that separated the player from others with the same total, or None. `results` has one result
    for each round. `total` and `rank` are None for a player whom no session ranks.
    """

    player: int
    rank: int | None = None
    before: int | None = None
    told: str | None = None
    total: Exact = None
    played: int = 0
    in_final: bool = False
    results: Annotated[tuple[RoundResult | None, ...], ValueCodec(read_results, write_results)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTournament(StoredValue):
    """The ranking of a tournament as a publication freezes it, and as a job stores it while sessions are played.

    `ties`: the tie-breaks that separate players with the same total, in order.
    """

    format_version: Annotated[int, Key("format")] = 0
    auction: str
    counting: str
    best_of: int | None = None
    least_sessions: int = 1
    carry_over: int | None = None
    ties: Annotated[tuple[str, ...], TUPLE] = ()
    rounds: Annotated[Sequence[RankingRound], each_of(RankingRound)] = ()
    players: Annotated[Sequence[TournamentPlayer], each_of(TournamentPlayer)] = ()

    @property
    def format(self) -> Format:
        """The format that its sessions are played in."""
        return find_format_by_auction(self.auction)

    @property
    def sessions(self) -> Iterator[tuple[RankingRound, RoundSession]]:
        """Each session with its round, in their order."""
        return ((each, one) for each in self.rounds for one in each.sessions)


def decode_tournament(data: Mapping[str, Any]) -> PublishedTournament:
    """Return the ranking of a tournament from stored data. The data may come from any earlier release."""
    return decode(PublishedTournament, data)


def encode_tournament(ranking: PublishedTournament) -> Data:
    """Return a tournament's ranking as data to store.

    A ranking that was decoded gives exactly the data it came from.
    """
    return encode(ranking)
