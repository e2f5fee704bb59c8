"""The report on a tournament's standings, live or published, with the players' present names."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from clubs.models import Visibility
from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from tournaments.reports.codec import extend
from tournaments.reports.tournament import (
    PublishedTournament,
    RankingRound,
    RoundResult,
    RoundSession,
    TournamentPlayer,
    decode_tournament,
)

NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSession(RoundSession):
    """A session of a round with its day, and with the version that counts; 0 if its current results count."""

    day: dt.date
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRound(RankingRound):
    """A round with its place from 1. `parted` is True if it has several sections."""

    sessions: Sequence[ShownSession]
    place: int

    @property
    def first(self) -> ShownSession:
        """The first session of the round."""
        return self.sessions[0]

    @property
    def parted(self) -> bool:
        return len(self.sessions) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownResult(RoundResult):
    """A player's result in a round, with the section in which the player sat, or "" if the round has one section."""

    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCompetitor(TournamentPlayer):
    """A player of a tournament with the name to show. The other added fields are those of `PublicPlayer`."""

    results: tuple[ShownResult | None, ...]
    name: str
    named: bool
    shown: str = Visibility.NAME
    known_as: int | None = None
    category: str = ""
    series: str = ""
    ladies: str = ""

    @property
    def moved(self) -> int | None:
        """The ranks gained since the round before. None if the player had no rank before, or has none now."""
        return None if self.rank is None or self.before is None else self.before - self.rank

    @property
    def figure(self) -> Fraction | None:
        """The figure by which the player is ranked."""
        return self.total

    @property
    def is_noted(self) -> bool:
        """True if a tie-break separated the player from others."""
        return bool(self.told)


class TournamentReport:
    """The standings of a tournament with the names to show. `data` are the standings without names.

    `versions` has the version of each counted session, by the session's id as text.
    """

    def __init__(
        self, data: PublishedTournament, names: Mapping[int, PublicPlayer], versions: Mapping[str, int] = NOTHING
    ) -> None:
        self.data = data
        self.rounds = show_rounds(data, versions)
        sections = {one.number: one.section for each in self.rounds for one in each.sessions if each.parted}
        self.players = [show_competitor(player, names[player.player], sections) for player in data.players]

    @property
    def weighted(self) -> bool:
        """True if any session has a coefficient other than 1."""
        return any(each.coefficient != 1 for each in self.rounds)

    @property
    def is_sum(self) -> bool:
        return self.data.counting == "sum"

    @property
    def has_final(self) -> bool:
        """True if a final has been played."""
        return any(player.in_final for player in self.players)


def read_tournament_report(data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING) -> TournamentReport:
    """Return the report from stored data, with the names that everybody may see. One query."""
    ranking = decode_tournament(data)
    return TournamentReport(ranking, call_in_public(each.player for each in ranking.players), versions)


def read_tournament_for_directors(data: Mapping[str, Any]) -> TournamentReport:
    """Return the report from stored data with the names of all its players, for directors. One query."""
    ranking = decode_tournament(data)
    return TournamentReport(ranking, call_for_directors(each.player for each in ranking.players))


def show_rounds(ranking: PublishedTournament, versions: Mapping[str, int] = NOTHING) -> list[ShownRound]:
    """Return the rounds of a ranking with their places, and their sessions with days and versions."""
    return [
        extend(
            ShownRound,
            each,
            place=place,
            sessions=[
                extend(ShownSession, one, day=dt.date.fromisoformat(one.date), version=versions.get(str(one.id), 0))
                for one in each.sessions
            ],
        )
        for place, each in enumerate(ranking.rounds, start=1)
    ]


def show_competitor(player: TournamentPlayer, called: PublicPlayer, sections: Mapping[int, str]) -> ShownCompetitor:
    """Return the player with the name to show. `sections` has the names of the sections by the session's number."""
    results = tuple(
        result and extend(ShownResult, result, section=sections.get(result.session, "")) for result in player.results
    )
    return extend(ShownCompetitor, player, results=results, **called._asdict())
