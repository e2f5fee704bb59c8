"""The report on a tournament's standings, live or published, with the players' present names."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _

from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from rankings.columns import FILE, PAGE, RankingShape, make_step
from rankings.publication.teams import name_number, name_teams_beside, show_team_sums
from rankings.rows import RankedMember, RankedRow, StepResult, show_stored
from scoring.formats import Format, Unit
from tournaments.models import Session
from tournaments.reports.codec import extend
from tournaments.reports.tournament import (
    PublishedTournament,
    RankingRound,
    RoundSession,
    TournamentPlayer,
    decode_tournament,
)

NOTHING: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSession(RoundSession):
    """A session of a round with its day.

    `version` is the number of the version that counts, or 0 for the current results.
    """

    day: dt.date
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRound(RankingRound):
    """A round with its place from 1. `parted` is True if it has several sections.

    `turn` is 1 before the first cut, 2 after it, 3 after the second cut; 0 in a tournament without cuts.
    """

    sessions: Sequence[ShownSession]
    place: int
    turn: int = 0

    @property
    def first(self) -> ShownSession:
        """The first session of the round."""
        return self.sessions[0]

    @property
    def parted(self) -> bool:
        return len(self.sessions) > 1


class TournamentReport:
    """The standings of a tournament with the names to show. `data` are the standings without names.

    `names` has the names of its people by player id, `teams` those of its teams by number. `versions` has the version
    of each counted session, by the session's id as text.
    """

    def __init__(
        self,
        data: PublishedTournament,
        names: Mapping[int, PublicPlayer],
        teams: Mapping[int, str],
        versions: Mapping[str, int] = NOTHING,
    ) -> None:
        self.data = data
        self.rounds = show_rounds(data, versions)
        sections = {one.number: one.section for each in self.rounds for one in each.sessions if each.parted}
        self.players = [
            show_team(player, names, teams, sections)
            if player.team
            else show_competitor(player, names[player.player], sections)
            for player in data.players
        ]
        if not data.format.in_per_cent:
            self.players = [measure_competitor(player, data.format) for player in self.players]
        self.team_sums = show_team_sums(data.teams, data.format, names, teams)

    @property
    def is_of_teams(self) -> bool:
        return self.data.format.is_for_teams

    @property
    def weighted(self) -> bool:
        """True if any session has a coefficient other than 1."""
        return any(each.coefficient != 1 for each in self.rounds)

    @property
    def in_match_points(self) -> bool:
        """True if the totals are sums of match points, not of percentages."""
        return self.data.format.unit is Unit.MATCH_POINTS

    @property
    def in_marks(self) -> bool:
        """True if the totals are sums of marks, because the tables deal."""
        return self.data.format.unit is Unit.MARKS

    @property
    def in_per_cent(self) -> bool:
        return self.data.format.in_per_cent

    @property
    def is_sum(self) -> bool:
        return self.data.counting == "sum"

    @property
    def shape(self) -> RankingShape:
        """The properties from which the columns of the ranking follow, with one column for each round."""
        steps = [
            make_step(f"round_{each.place}", name_round(each), place, each, on=PAGE | FILE, figure="overall")
            for place, each in enumerate(self.rounds)
        ]
        unit, mean = self.data.format.unit, not self.is_sum
        return RankingShape(unit=unit, over_steps=True, mean=mean, teams=self.is_of_teams, more=steps)

    @property
    def has_final(self) -> bool:
        """True if a final has been played."""
        return any(player.in_final for player in self.players)


def read_tournament_report(data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING) -> TournamentReport:
    """Return the report from stored data, with the names that everybody may see.

    This takes one query, or two if teams play.
    """
    ranking = decode_tournament(data)
    called = call_in_public(who for each in ranking.players for who in each.people)
    return TournamentReport(ranking, called, name_teams_of(ranking, in_public=True), versions)


def read_tournament_for_directors(data: Mapping[str, Any]) -> TournamentReport:
    """Return the report from stored data with the names of all its players, for directors.

    This takes one query, or two if teams play.
    """
    ranking = decode_tournament(data)
    called = call_for_directors(who for each in ranking.players for who in each.people)
    return TournamentReport(ranking, called, name_teams_of(ranking, in_public=False))


def name_teams_of(ranking: PublishedTournament, *, in_public: bool) -> dict[int, str]:
    """Return the names of the teams in a ranking, by number.

    A ranking without sessions has no teams.
    """
    numbers = {each.team for each in ranking.players if each.team} | {each.team for each in ranking.teams}
    session = next((one.id for _round, one in ranking.sessions), 0)
    return name_teams_beside(session, numbers, in_public=in_public)


def show_rounds(ranking: PublishedTournament, versions: Mapping[str, int] = NOTHING) -> list[ShownRound]:
    """Return the rounds of a ranking with their places, and their sessions with days and versions."""
    has_cuts = any(each.level for each in ranking.rounds)
    return [
        extend(
            ShownRound,
            each,
            place=place,
            turn=each.level + 1 if has_cuts else 0,
            sessions=[
                extend(ShownSession, one, day=dt.date.fromisoformat(one.date), version=versions.get(str(one.id), 0))
                for one in each.sessions
            ],
        )
        for place, each in enumerate(ranking.rounds, start=1)
    ]


def say_round_name(each: ShownRound) -> str:
    """Return the name of a round between cuts, such as "round 2" or "final". "" in a tournament without cuts."""
    if not each.turn:
        return ""
    if each.stage == Session.Stage.FINAL:
        return str(Session.Stage.FINAL.label)
    return _("round %(number)s") % {"number": each.turn}


def name_round(played: ShownRound) -> str:
    """Return the heading of a round: the number and the date of its first session, and its name between cuts."""
    first = played.first
    name = _("Session %(number)s, %(date)s") % {"number": first.number, "date": f"{first.day:%d/%m/%Y}"}
    return f"{name} ({between_cuts})" if (between_cuts := say_round_name(played)) else name


def show_competitor(player: TournamentPlayer, called: PublicPlayer, sections: Mapping[int, str]) -> RankedRow:
    """Return the player with the name to show. `sections` has the names of the sections by the session's number."""
    results = tuple(
        each and show_stored(StepResult, each, section=sections.get(each.session, "")) for each in player.results
    )
    return show_stored(RankedRow, player, results=results, **called._asdict())


def measure_competitor(player: RankedRow, format: Format) -> RankedRow:
    """Return the player or the team with figures in the unit of the format, such as marks or match points."""
    results = tuple(each and replace(each, overall=format.measure(each.overall)) for each in player.results)
    return replace(player, results=results, total=format.measure(player.total))


def show_team(
    team: TournamentPlayer, names: Mapping[int, PublicPlayer], teams: Mapping[int, str], sections: Mapping[int, str]
) -> RankedRow:
    """Return the team with its name and those of its members."""
    called = PublicPlayer(teams.get(team.team) or name_number(team.team), True)
    members = [show_stored(RankedMember, one, **names[one.player]._asdict()) for one in team.members]
    return replace(show_competitor(team, called, sections), members=members)
