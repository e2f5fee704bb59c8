"""The backup of a site on which teams played: teams, members, attackers, line-ups and links come back one for one."""

import pytest

from tests.operations.place import lines_of

pytestmark = pytest.mark.nightly("process")

PLAY = """
import django; django.setup()
from django.utils import timezone
from tests.evenings.requests.team_world import TwoTeams, published_triplettes
from tests.evenings.requests.world import WRONG
from evenings.requests.asking import ask_correction
two = TwoTeams(published_triplettes())
ask_correction(link=two.asker, play_id=two.play.pk, text=WRONG, now=timezone.now())
other = two.mate.member if two.play.badge != two.mate.member.place else two.asker.member
two.play.entries.update(attacker=other)
"""
COUNT = """
import django; django.setup()
from tournaments.models import *
print(Team.objects.count(), TeamMember.objects.exclude(replaces=None).count(), Play.objects.exclude(badge=0).count())
print(ResultEntry.objects.exclude(attacker=None).count(), PersonalLink.objects.exclude(member=None).count())
print(CorrectionRequest.objects.exclude(member=None).count(), Entrant.objects.exclude(team=None).count())
"""


def test_teams_members_attackers_and_links_come_back_from_a_backup(laptop):
    played, empty = laptop("teams"), laptop("empty")
    played.succeed("-c", PLAY)
    backup = played.back_up()
    empty.succeed("manage.py", "restore", str(backup))
    assert lines_of(empty.back_up()) == lines_of(backup)
    there, here = (site.succeed("-c", COUNT).split() for site in (played, empty))
    assert here == there == ["4", "1", "24", "1", "13", "1", "4"]


QUADRETTES = """
import django; django.setup()
from tests.factories import publish
from tests.evenings.teams.quadrettes.event import QuadrettesEvent
event = QuadrettesEvent()
for session in event.sessions:
    publish(session, by=event.by, allow_missing=True)
"""
COUNT_QUADRETTES = """
import django; django.setup()
from tournaments.models import *
from evenings.standings.computing import compute
print(LineUp.objects.count(), TeamMember.objects.count(), Penalty.objects.count(), EtuiRuling.objects.count())
for session in Session.objects.order_by("number"):
    print(*(row["overall"] for row in compute(session.pk).figures["players"]))
"""


def test_line_ups_and_match_points_of_quadrettes_come_back_from_a_backup(laptop):
    played, empty = laptop("quadrettes"), laptop("empty")
    played.succeed("-c", QUADRETTES)
    backup = played.back_up()
    empty.succeed("manage.py", "restore", str(backup))
    assert lines_of(empty.back_up()) == lines_of(backup)
    there, here = (site.succeed("-c", COUNT_QUADRETTES).split() for site in (played, empty))
    assert here == there
    assert here[:4] == ["2", "25", "3", "2"]
    assert len(here) == 4 + 3 * 6
