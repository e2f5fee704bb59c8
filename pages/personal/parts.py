"""The part of a member of a team in each play of the team, for the page of the member's personal link."""

from collections.abc import Sequence

from django.db.models import Q

from clubs.models import Player
from rankings.publication.report import FeuilleLine, Report
from rankings.publication.team_feuilles import find_parts_of_team
from rankings.rows import RankedRow
from tournaments.models import TeamMember
from tournaments.reports.parts import MemberPart


def find_member_parts(
    member: TeamMember, report: Report, team: RankedRow, lines: Sequence[FeuilleLine]
) -> dict[int, MemberPart]:
    """Return the member's part in each play of the team, by the play's id. `lines` are all plays of the team.

    One query, because a report can have the number that a player had before a merge.
    """
    same = Player.objects.filter(Q(pk=member.player_id) | Q(merged_into=member.player_id))
    own = set(same.values_list("pk", flat=True))
    spans = [each for each in team.members if each.player in own]
    parts = find_parts_of_team(report, team, lines)
    return {line.play.id: parts.find(line.play, line.etui.taker, own, spans) for line in lines}
