"""The part of a member of a team in each play of the team: who attacks, who waits, who defends."""

from collections.abc import Iterable

from django.db.models import Q

from clubs.models import Player
from tournaments.models import TeamMember
from tournaments.publication.report import ShownMember, ShownPlayer
from tournaments.web.report_pages import FeuilleRow

ATTACK, WAIT, DEFEND, AWAY = "attack", "wait", "defend", "away"


def find_parts(member: TeamMember, team: ShownPlayer, rows: Iterable[FeuilleRow]) -> dict[int, str]:
    """Return the member's part in each play of the team's feuille, by the play's id.

    It is AWAY in positions in which the published report does not have the member in the team, and "" if nobody played.
    One query, because a report can have the number that a player had before a merge.
    """
    same = Player.objects.filter(Q(pk=member.player_id) | Q(merged_into=member.player_id))
    own = set(same.values_list("pk", flat=True))
    spans = [each for each in team.members if each.player in own]
    return {row.line.play.id: find_part(row, spans, own) for row in rows}


def find_part(row: FeuilleRow, spans: Iterable[ShownMember], own: set[int]) -> str:
    """Return the member's part in one play. `own` are all numbers that the member has in the club's list."""
    play = row.line.play
    if play.attacker in own and row.role == "attack":
        return ATTACK
    if not any(each.first <= play.position and (each.last is None or play.position <= each.last) for each in spans):
        return AWAY
    return {"attack": WAIT, "defence": DEFEND}.get(row.role, "")
