"""The part of a member of a team in each play of the team: who attacks, who waits, who defends."""

from collections.abc import Iterable

from django.db.models import Q

from clubs.models import Player
from tournaments.models import TeamMember
from tournaments.publication.report import ShownMember, ShownPlay, ShownPlayer
from tournaments.web.report_pages import FeuilleRow

ATTACK, WAIT, DEFEND, AWAY = "attack", "wait", "defend", "away"


def find_member_parts(member: TeamMember, team: ShownPlayer, rows: Iterable[FeuilleRow]) -> dict[int, str]:
    """Return the member's part in each play of the team's feuille, by the play's id.

    It is AWAY in positions in which the published report does not have the member in the team, and "" if nobody played.
    One query, because a report can have the number that a player had before a merge.
    """
    same = Player.objects.filter(Q(pk=member.player_id) | Q(merged_into=member.player_id))
    own = set(same.values_list("pk", flat=True))
    spans = [each for each in team.members if each.player in own]
    plays = [row.line.play for row in rows]
    return {play.id: find_member_part(play, team, spans, own) for play in plays}


def find_member_part(play: ShownPlay, team: ShownPlayer, spans: Iterable[ShownMember], own: set[int]) -> str:
    """Return the member's part in one play. `own` are all numbers that the member has in the club's list."""
    attacks = play.taker_player is not None and play.taker_player.id == team.id
    if attacks and play.attacker in own:
        return ATTACK
    if not any(each.first <= play.position and (each.last is None or play.position <= each.last) for each in spans):
        return AWAY
    if play.taker_player is None:
        return ""
    return WAIT if attacks else DEFEND
