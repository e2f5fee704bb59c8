"""The parts of the arbiter's report that only an evening of teams has. This module only reads.

They tell which teams came late or left, which members had a substitute, and who attacked out of turn.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from evenings.changes.preview import NO_OPERATION, say_plan_version
from evenings.changes.teams import say_team_version
from evenings.plays.attackers import members_in, members_of
from evenings.teams.membership import find_span
from outgoing.paper.report_rows import BESIDE, Changes, ReportRow, Teller
from tournaments.models import Entrant, PlanVersion, ResultEntry, TeamMember
from tournaments.rules.operations import Substitute
from tournaments.words.messages import say_reason
from tournaments.words.team_plans import BADGES, say_badge

LOGGED = (
    "teams_drawn",
    "badge_drawn_blue",
    "badge_drawn_white",
    "badge_drawn_red",
    "member_replaced",
    "member_back",
    "team_left",
    "team_back",
    "line_up_changed",
)


class TeamChanges(Changes):
    """The versions of a plan of teams, in order, with what each of them changed."""

    logged = (*Changes.logged, *LOGGED)

    @cached_property
    def chosen(self) -> PlanVersion | None:
        return next((one for one in reversed(self.versions) if not is_change(one)), None)

    @property
    def made(self) -> list[PlanVersion]:
        return [version for version in self.versions if is_change(version)]

    def say(self, version: PlanVersion) -> str:
        return say_plan_version(version, self.names)

    def say_chosen(self) -> str:
        return say_team_version(self.chosen, self.names.by_team) if self.chosen else ""

    @cached_property
    def substitutes(self) -> list[Substitute]:
        return []  # a team's substitute takes over a member's place, and changes no plan

    @cached_property
    def members(self) -> list[TeamMember]:
        """The members of the session's teams, former ones too, by team and place."""
        entrants = self.session.entrants.exclude(team=None)
        return members_of({pk for pk in entrants.values_list("team_id", flat=True) if pk is not None})

    @property
    def first_badge(self) -> str:
        """The colour that attacks first in the tournament, as a word; "" if none was drawn."""
        place = self.session.tournament.first_badge
        return say_badge(place) if place in BADGES else ""


def is_change(version: PlanVersion) -> bool:
    """Return whether a director's operation in the running session made this version."""
    return bool(version.operation.get("kind", NO_OPERATION) != NO_OPERATION)


def count_teams(teller: Teller) -> str:
    """Return in words how many teams take part, with the number of those that came later."""
    entrants = list(teller.entrants.values())
    later = sum(entrant.stays[0][1] > 1 for entrant in entrants)
    phrases = [str(len(entrants) - later)]
    if later:
        phrases.append(ngettext("%(count)s that came later", "%(count)s that came later", later) % {"count": later})
    return get_text_list(phrases, _("and"))


def list_team_rows(teller: Teller, plans: TeamChanges) -> list[list[str]]:
    """Return rows for the teams that came late, left, are unranked or had a substitute: number, name, what happened."""
    rows = []
    for entrant in sorted(teller.entrants.values(), key=lambda each: each.number):
        happenings = [*say_stays(entrant), *say_substitutes(entrant, plans)]
        if not entrant.ranked:
            happenings.append(_("completed a table, unranked"))
        if happenings:
            rows.append([str(entrant.number), entrant.own_name, BESIDE.join(happenings)])
    return rows


def say_stays(entrant: Entrant) -> Iterator[str]:
    """Yield in short sentences when the team came, left and came back."""
    (_number, first, _last), *_rest = stays = entrant.stays
    if first > 1:
        yield pgettext("a team", "came for position %(position)s") % {"position": first}
    for (_n, _f, last), (_m, back, _l) in pairwise(stays):
        yield pgettext("a team", "left after position %(last)s, back for %(back)s") % {"last": last, "back": back}
    if stays[-1][2] is not None:
        yield pgettext("a team", "left after position %(position)s") % {"position": stays[-1][2]}


def say_substitutes(entrant: Entrant, plans: TeamChanges) -> Iterator[str]:
    """Yield a short sentence for each member of the team who came for another one in this session."""
    number = plans.session.number
    by_id = {member.pk: member for member in plans.members}
    for member in plans.members:
        before = by_id.get(member.replaces_id or 0)
        span = find_span(member, number)
        if member.team_id != entrant.team_id or before is None or span is None:
            continue
        left = find_span(before, number)
        if left is None and (member.from_session is None or member.from_session.number != number):
            continue  # the substitution happened before this session
        values = {"name": member.player.name, "other": before.player.name, "position": span.first}
        text = _("%(name)s replaces %(other)s from position %(position)s on") % values
        yield f"{text} ({say_reason(member.reason)})" if member.reason else text


def attackers_out_of_turn(teller: Teller, plans: TeamChanges) -> Iterator[ReportRow]:
    """Yield rows for the results in which another member attacked than the one whose turn it was."""
    attacked = ResultEntry.objects.filter(play__session=teller.session, current=True, attacker__isnull=False)
    for entry in attacked.select_related("author", "attacker__player").order_by("id"):
        play, attacker = teller.plays[entry.play_id], entry.attacker
        if attacker is None or not teller.sees(play):
            continue
        turn = members_in(play, plans.members, attacker.team_id).get(play.badge)
        values = {
            "place": teller.place(play),
            "name": attacker.player.name,
            "other": turn.player.name if turn else "?",
            "badge": say_badge(play.badge) if play.badge in BADGES else "?",
        }
        text = _("%(place)s: %(name)s attacked out of turn; it was the turn of %(other)s (%(badge)s)") % values
        yield teller.row(entry.entered_at, text, why=entry.reason, by=entry.sender_name)
