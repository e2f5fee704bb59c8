"""The director's decision which team goes on in a knock-out, after a draw or without a match."""

import datetime as dt

from django.db import transaction

from clubs.models import User
from tournaments.errors import ActionRefused
from tournaments.models import MatchDecision
from tournaments.teams.common import find_team, lock_teams, log_teams
from tournaments.teams.refusals import MatchRefused


@transaction.atomic
def decide_match(
    *, tournament_id: int, winner_id: int, loser_id: int, reason: str, by: User, now: dt.datetime
) -> MatchDecision:
    """Store that one team goes on instead of the other one, and return the decision. The same one again adds nothing.

    A decision counts only as long as no match of the two has a winner. Raise `ActionRefused` without a reason, for an
    unknown team, or if both teams are the same.
    """
    tournament = lock_teams(tournament_id)
    if tournament.meeting != tournament.MeetingKind.TREE:
        raise MatchRefused("no_knock_out")
    winner, loser = find_team(tournament, winner_id), find_team(tournament, loser_id)
    if winner == loser:
        raise MatchRefused("decision_of_two", "winner")
    reason = " ".join(reason.split())[:300]
    if not reason:
        raise ActionRefused("reason_missing", "reason")
    both = {winner.pk, loser.pk}
    newest = tournament.match_decisions.filter(winner__in=both, loser__in=both).last()
    if newest is not None and (newest.winner_id, newest.reason) == (winner.pk, reason):
        return newest
    told = {"tournament": tournament, "winner": winner, "loser": loser}
    decision = MatchDecision.objects.create(**told, reason=reason, made_at=now, author=by)
    said = {"winner": winner.number, "loser": loser.number, "reason": reason}
    log_teams(tournament, "match_decided", now=now, by=by, words=reason, **said)
    return decision
