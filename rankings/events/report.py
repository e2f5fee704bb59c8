"""The ranking of a tournament over its sessions, live or published, with the players' present names."""

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _

from clubs.shown import call_for_directors, call_in_public
from rankings.columns import FILE, PAGE, RankingShape, make_step
from rankings.publication.report import show_player
from rankings.publication.teams import name_teams_where, show_team_sums
from rankings.ranking import Ranking, RankingStep, StepResult, StepSession, measure_row, show_stored
from scoring.formats import Unit
from tournaments.models import Session
from tournaments.reports.tournament import PublishedTournament, TournamentPlayer, decode_tournament

NOTHING: Mapping[str, int] = MappingProxyType({})
TournamentRanking = Ranking[PublishedTournament]


def read_tournament(
    data: Mapping[str, Any], versions: Mapping[str, int] = NOTHING, *, in_public: bool = True
) -> TournamentRanking:
    """Return the ranking from stored data, with the names that everybody may see, or else with those for directors.

    `versions` has the version of each counted session, by the session's id as text. This takes one query, or two if
    teams play.
    """
    call = call_in_public if in_public else call_for_directors
    stored = decode_tournament(data)
    names = call(who for each in stored.players for who in each.people)
    numbers = {each.team for each in stored.players if each.team} | {each.team for each in stored.teams}
    session = next((one.id for _round, one in stored.sessions), 0)
    teams = name_teams_where(numbers, in_public=in_public, tournament__sessions=session)
    steps = show_rounds(stored, versions)
    sections = {one.number: one.section for each in steps for one in each.sessions if each.parted}
    format, mean = stored.format, stored.counting != "sum"
    rows = [show_player(player, names, teams, results=show_results(player, sections)) for player in stored.players]
    if format.unit is not Unit.PER_CENT:
        rows = [measure_row(row, format) for row in rows]
    columns = [
        make_step(f"round_{each.place}", name_round(each), place, each, on=PAGE | FILE, figure="overall")
        for place, each in enumerate(steps)
    ]
    shape = RankingShape(
        unit=format.unit,
        over_steps=True,
        mean=mean,
        points=format.unit is Unit.PER_CENT and not mean,
        teams=format.is_for_teams,
        more=columns,
    )
    team_sums = show_team_sums(stored.teams, format, names, teams)
    return Ranking(shape=shape, rules=stored, format=format, rows=rows, steps=steps, team_sums=team_sums)


def show_rounds(ranking: PublishedTournament, versions: Mapping[str, int] = NOTHING) -> list[RankingStep]:
    """Return the rounds of a ranking with their places, and their sessions with days and versions."""
    has_cuts = any(each.level for each in ranking.rounds)
    steps = []
    for place, each in enumerate(ranking.rounds, start=1):
        sessions = [
            StepSession(
                number=one.number,
                day=dt.date.fromisoformat(one.date),
                section=one.section,
                version=versions.get(str(one.id), 0),
            )
            for one in each.sessions
        ]
        steps.append(
            RankingStep(
                place=place,
                day=sessions[0].day,
                coefficient=each.coefficient,
                stage=each.stage,
                sessions=sessions,
                level=each.level,
                turn=each.level + 1 if has_cuts else 0,
            )
        )
    return steps


def say_round_name(each: RankingStep) -> str:
    """Return the name of a round between cuts, such as "round 2" or "final". "" in a tournament without cuts."""
    if not each.turn:
        return ""
    return str(Session.Stage.FINAL.label) if each.is_final else _("round %(number)s") % {"number": each.turn}


def name_round(played: RankingStep) -> str:
    """Return the heading of a round: the number and the date of its first session, and its name between cuts."""
    first = played.first
    name = _("Session %(number)s, %(date)s") % {"number": first.number, "date": f"{first.day:%d/%m/%Y}"}
    return f"{name} ({between_cuts})" if (between_cuts := say_round_name(played)) else name


def show_results(player: TournamentPlayer, sections: Mapping[int, str]) -> tuple[StepResult | None, ...]:
    """Return the results of a player or a team. `sections` has the names of the sections by the session's number."""
    return tuple(
        None if each is None else show_stored(StepResult, each, section=sections.get(each.session, ""))
        for each in player.results
    )
