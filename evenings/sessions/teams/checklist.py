"""The checklist of a session of teams in preparation. This module only reads."""

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.plans.teams.choosing import chosen_team_plan, default_team_proposal
from evenings.plans.teams.current import team_evening_of
from evenings.plans.teams.seating import check_teams, is_for_teams
from evenings.sessions.checklist import ChecklistStep, Fit, Preparation, hours
from evenings.sessions.free.checklist import EtuiGamesPreparation, FreePreparation
from evenings.teams.lineups import has_line_ups, read_line_ups
from movements import Plan, PlanError, compute_figures, read_plan
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.words.messages import say
from tournaments.words.team_plans import say_copies, say_team_plan


def preparation_of(session: Session) -> Preparation:
    """Return the state of a session in preparation, whether teams or single players play in it, or the tables deal."""
    format = find_format(session.tournament.format)
    if format.has_games:
        return FreePreparation(session) if format.has_free_deals else EtuiGamesPreparation(session)
    return TeamPreparation(session) if is_for_teams(session) else Preparation(session)


def count_of_teams(teams: int) -> str:
    return ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams}


class TeamPreparation(Preparation):
    """The state of a session of teams in preparation. Its `players` are the number of teams."""

    @cached_property
    def choice(self) -> tuple[Fit, Plan[int] | None]:
        """The answer to the question whether these teams can start, and the plan that they would play."""
        count, told = self.players, {"teams": count_of_teams(self.players)}
        if 0 < count < (least := find_format(self.session.tournament.format).least_teams):
            return Fit(False, say(ActionRefused("teams_lacking", count=count, least=least))), None
        version = chosen_team_plan(self.session, count)
        if version is not None:
            return Fit(True, say_team_plan(version.code)), read_plan(version.data)
        try:
            first = default_team_proposal(self.session, count) if count else None
        except PlanError as error:
            return Fit(False, f"{told['teams']}. {say(error)}"), None
        if first is not None:
            return Fit(True, say_team_plan(first.code)), first.plan
        return Fit(False, _("%(teams)s: choose tables and positions.") % told), None

    @cached_property
    def fit(self) -> Fit:
        return self.choice[0]

    @cached_property
    def team_plan(self) -> Plan[int] | None:
        """The plan that the session plays or will play, or None if there is none yet."""
        if self.session.status == Session.Status.RUNNING:
            evening = team_evening_of(self.session)
            return evening.plan if evening else None
        return self.choice[1]

    @property
    def needed(self) -> int:
        return self.team_plan.count_etuis() if self.team_plan else 0

    @property
    def copies(self) -> str:
        return say_copies(compute_figures(self.team_plan).copies) if self.team_plan else ""

    @property
    def hours(self) -> str:
        return hours(self.session, self.team_plan.positions if self.team_plan else None)

    @cached_property
    def steps(self) -> list[ChecklistStep]:
        """The steps of the checklist. The session can start before the step of the line-ups is done."""
        *before, start = super().steps
        return [*before, *self.list_line_up_steps(), start]

    def list_line_up_steps(self) -> list[ChecklistStep]:
        """Return the step of the line-ups, or an empty list where there are none."""
        if not self.players or not has_line_ups(find_format(self.session.tournament.format)):
            return []
        known = read_line_ups(self.session)
        count = sum(line_up.chosen for line_up in known.values())
        told = {"count": count, "all": self.players}
        text = _("%(count)s of %(all)s handed in; the other teams play as proposed.") % told
        if count >= self.players:
            text = _("All line-ups are handed in.")
        return [ChecklistStep("line_ups", True, text)]

    def step_players(self) -> ChecklistStep:
        if not self.players:
            return ChecklistStep("teams", False, _("No team has a number yet."))
        try:
            check_teams(self.session)
        except ActionRefused as error:
            return ChecklistStep("teams", False, say(error), error.code)
        return ChecklistStep("teams", True, count_of_teams(self.players))

    def step_movement(self) -> ChecklistStep:
        positions = self.team_plan.positions if self.team_plan else self.session.positions
        told = {"positions": positions, "etuis": self.session.etuis_per_position}
        shape = _("positions: %(positions)s, étuis per position: %(etuis)s") % told
        if not self.players:
            return ChecklistStep("movement", False, shape)
        return ChecklistStep("movement", self.fit.ready, f"{self.fit.text} {shape[:1].upper()}{shape[1:]}.")
