"""The sentences about the versions of a plan of teams: why each was made. This module only reads."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournaments.models import PlanVersion
from tournaments.words.team_plans import say_team_plan

CHANGES = ("leave", "arrive")  # the kinds of operations that a director makes in a running session


def say_team_version(version: PlanVersion, names: Mapping[int, str]) -> str:
    """Return in a sentence why a version of a plan of teams was made. `names` has the teams' names by id."""
    done = version.operation
    if done.get("kind") not in CHANGES:
        return say_team_plan(version.code)
    name = names.get(done.get("team") or 0, "?")
    if done["kind"] == "arrive":
        return _("%(team)s plays from position %(position)s on.") % {"team": name, "position": done["after"] + 1}
    if not done["after"]:
        return _("%(team)s does not play.") % {"team": name}
    return _("%(team)s leaves after position %(position)s.") % {"team": name, "position": done["after"]}
