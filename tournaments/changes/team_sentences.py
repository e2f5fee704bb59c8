"""The sentences about the versions of a plan of teams: why each was made. This module only reads."""

from django.utils.translation import gettext as _

from tournaments.models import PlanVersion, Team
from tournaments.words.team_plans import say_team_plan

CHANGES = ("leave", "arrive")  # the kinds of operations that a director makes in a running session


def say_team_version(version: PlanVersion) -> str:
    """Return in a sentence why a version of a plan of teams was made."""
    done = version.operation
    if done.get("kind") not in CHANGES:
        return say_team_plan(version.code)
    team = Team.objects.filter(pk=done.get("team")).first()
    name = team.shown_name if team else "?"
    if done["kind"] == "arrive":
        return _("%(team)s plays from position %(position)s on.") % {"team": name, "position": done["after"] + 1}
    if not done["after"]:
        return _("%(team)s does not play.") % {"team": name}
    return _("%(team)s leaves after position %(position)s.") % {"team": name, "position": done["after"]}
