"""The director's decisions between two teams.

In a knock-out a decision says which team goes on, after a draw or without a match. In a league it says which of two
teams with equal points and match points comes first, for instance after a draw of lots.
"""

import datetime as dt
from collections.abc import Sequence
from itertools import combinations, pairwise

from django.db import transaction

from clubs.models import User
from evenings.teams.common import find_team, lock_teams, log_teams
from evenings.teams.refusals import MatchRefused
from tournaments.errors import ActionRefused
from tournaments.models import MatchDecision, Tournament


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
