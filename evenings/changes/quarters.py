"""The line-ups of team matches for a quarter, and the director's decisions between two teams.

In a knock-out a decision says which team goes on, after a draw or without a match. In a league it says which of two
teams with equal points and match points comes first, for instance after a draw of lots.
"""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from django.db import transaction

from clubs.models import User
from evenings.changes.line_ups import check_members
from evenings.plans.teams.quarters import open_quarter, settle_quarter, store_line_up
from evenings.teams.common import MatchRefused, find_team, lock_teams, log_teams
from evenings.teams.lineups import SOUTH, SeenLineUp, TeamLineUp, may_hand_in
from evenings.teams.quarters import QuarterTeam, is_open, list_quarters, read_quarters
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_plays, lock_session, lock_tables, lock_tournament
from tournaments.log import log_action
from tournaments.models import LineUp, MatchDecision, Play, Session, Tournament
from tournaments.models.seats import sits_at_play
from tournaments.rules.formats import require_offered


@transaction.atomic
def hand_in_quarter(
    *,
    session_id: int,
    team_id: int,
    quarter: int,
    members: Mapping[str, int],
    reason: str = "",
    players: Collection[int] | None = None,
    seen: SeenLineUp | None = None,
    by: User | None,
    now: dt.datetime,
) -> LineUp:
    """Store the line-up of a team for a quarter, and return it. The same one again stores nothing.

    `players` are the ids of the players that a captain is, None for a director. Only directors change an open line-up.
    `seen` is the line-up that the director has seen. If another one came in since, raise `Conflict`.

    `members` has the id of a member for each seat; South attacks. Once both teams have seen each other's line-up, or
    the quarter is called, a change needs a reason. Raise `ActionRefused` if a seat is empty, or if a member has two
    seats or is not in the team. Raise it too if the attacker attacks in another quarter, or if the quarter has begun.
    The same holds if the team has left before the quarter.
    """
    session = lock_quarter(session_id, quarter)
    teams = read_quarters(session)
    team = next((each for each in teams.values() if each.team.pk == team_id), None)
    if team is None:
        raise ActionRefused("team_unknown", "team", team=team_id)
    if players is not None and not may_hand_in(team.team, players):
        raise ActionRefused("line_up_captain")
    if not team.is_there(quarter):
        raise MatchRefused("quarter_left", "quarter", last=team.last)
    there = {member.pk: member for member in team.members}
    check_members(members, there)
    check_other_quarters(team, quarter, members[SOUTH])
    known = team.quarters.get(quarter)
    if seen is not None and not seen.is_still(known):
        raise Conflict("line_up_meanwhile", "members")
    if known is not None and {seat: member.pk for seat, member in known.members.items()} == dict(members):
        return LineUp.objects.filter(session=session, team=team_id, quarter=quarter).latest("pk")
    check_not_begun(session, team, quarter)
    shown = session.position >= quarter or is_open(teams, team.number, quarter)
    if shown and players is not None:
        raise MatchRefused("line_up_open")
    if shown and not reason.strip():
        raise MatchRefused("line_up_seen", "reason")
    told = TeamLineUp(team.team, {seat: there[pk] for seat, pk in members.items()}, chosen=True)
    line_up = store_line_up(session, team, quarter, told, by=by, now=now, reason=reason.strip())
    open_quarter(session, quarter)
    said: dict[str, Any] = {"team": team.number, "quarter": quarter}
    if shown:
        log_action(session, "quarter_changed", now=now, by=by, words=line_up.reason, reason=line_up.reason, **said)
    else:
        log_action(session, "quarter_chosen", now=now, by=by, **said)
    return line_up


@transaction.atomic
def play_without_line_ups(*, session_id: int, quarter: int, by: User | None, now: dt.datetime) -> list[int]:
    """Let the quarter be played although line-ups are missing, for a director. The call is idempotent.

    Return the starting numbers of the teams without one. They play as proposed.
    """
    return settle_quarter(lock_quarter(session_id, quarter), quarter, by=by, now=now)


def lock_quarter(session_id: int, quarter: int) -> Session:
    """Lock the tournament's teams, the plays of the quarter and the session. Return the session with its tournament.

    Raise `ActionRefused` if the session has no such quarter, or is closed.
    """
    tournament = lock_tournament(Session.objects.only("tournament").get(pk=session_id).tournament_id, no_key=True)
    require_offered(tournament.format, MatchRefused("quarters_not_played"))
    lock_plays(session_id, position=quarter)
    lock_tables(session_id)
    session = lock_session(session_id, "tournament", no_key=True)
    if quarter not in list_quarters(session):
        raise MatchRefused("quarter_unknown", "quarter", most=len(list_quarters(session)))
    if session.closed_at is not None:
        raise ActionRefused("session_closed")
    return session


def check_other_quarters(team: QuarterTeam, quarter: int, attacker: int) -> None:
    """Raise `ActionRefused` if this member (an id) attacks in another quarter."""
    for other, line_up in team.quarters.items():
        if other != quarter and line_up.attacker.pk == attacker:
            raise MatchRefused("line_up_attacks_again", SOUTH, quarter=other)


def check_not_begun(session: Session, team: QuarterTeam, quarter: int) -> None:
    """Raise `ActionRefused` if an étui of the team's match has begun in this quarter, or has a result."""
    entrant = session.entrants.get(team=team.team)
    plays = Play.objects.filter(sits_at_play(entrant), session=session, position=quarter)
    if plays.filter(started_at__isnull=False).exists() or plays.filter(entries__isnull=False).exists():
        raise MatchRefused("quarter_begun", "quarter", quarter=quarter)


@transaction.atomic
def decide_match(
    *, tournament_id: int, winner_id: int, loser_id: int, reason: str, by: User, now: dt.datetime
) -> MatchDecision:
    """Store that one team goes on instead of the other one, or stands before it in the league. Return the decision.

    The same decision again adds nothing. In a knock-out it counts only as long as no match of the two has a winner.
    In a league it counts only as long as both teams are equal.

    Raise `ActionRefused` without a reason, for an unknown team, if both teams are the same, or if each match stands
    alone.
    """
    (decision,) = decide_order(tournament_id=tournament_id, teams=[winner_id, loser_id], reason=reason, by=by, now=now)
    return decision


@transaction.atomic
def decide_order(
    *, tournament_id: int, teams: Sequence[int], reason: str, by: User, now: dt.datetime
) -> list[MatchDecision]:
    """Store that each of these teams (ids) stands before all later ones. Return the decisions, one for each two.

    They replace every earlier order of these teams.

    `decide_match` describes the decisions and the refusals.
    """
    tournament = lock_teams(tournament_id)
    if tournament.meeting == tournament.MeetingKind.SINGLE:
        raise MatchRefused("no_decision")
    found = [find_team(tournament, pk) for pk in teams]
    if len(found) < 2 or len({team.pk for team in found}) < len(found):
        raise MatchRefused("decision_of_two", "winner")
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise ActionRefused("reason_missing", "reason")
    code = "match_decided" if tournament.meeting == tournament.MeetingKind.TREE else "league_decided"
    decisions, made = [], False
    for winner, loser in combinations(found, 2):
        newest = find_newest_decision(tournament, winner.pk, loser.pk)
        if newest is None or (newest.winner_id, newest.reason) != (winner.pk, reason):
            told = {"tournament": tournament, "winner": winner, "loser": loser}
            newest, made = MatchDecision.objects.create(**told, reason=reason, made_at=now, author=by), True
        decisions.append(newest)
    for winner, loser in pairwise(found) if made else ():
        said = {"winner": winner.number, "loser": loser.number, "reason": reason}
        log_teams(tournament, code, now=now, by=by, words=reason, **said)
    return decisions


def find_newest_decision(tournament: Tournament, one: int, other: int) -> MatchDecision | None:
    """Return the newest decision between two teams (ids), or None."""
    return tournament.match_decisions.filter(winner__in=(one, other), loser__in=(one, other)).last()
