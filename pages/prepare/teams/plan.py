"""The page on which a director chooses the movement of a session of teams."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from evenings.plans.choosing import forget_plan
from evenings.plans.teams.choosing import choose_team_plan, chosen_team_plan, propose_for_teams, team_shape
from evenings.sessions.checklist import TeamPreparation, hours
from movements import Plan, PlanError, PlanFigures, Seating, compute_figures, read_plan
from pages.acting import signed
from pages.doors import TOP, session_url
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.words.figures import etuis_text
from tournaments.words.messages import say
from tournaments.words.team_plans import say_team_plan, say_team_worth


@dataclass(frozen=True)
class TeamOffer:
    """A plan that the teams can play. `choice` is its index among the proposals, None for another plan."""

    session: Session
    plan: Plan[int]
    figures: PlanFigures
    words: str
    choice: int | None = None
    chosen: bool = False

    @property
    def worth(self) -> list[str]:
        return say_team_worth(self.plan, self.figures)

    @property
    def hours(self) -> str:
        return hours(self.session, self.plan.positions)

    @property
    def mirrored(self) -> bool:
        """True if each table has a team that attacks and one that defends, and the match a second table."""
        return self.plan.seating is Seating.MIRROR

    @cached_property
    def positions(self) -> range:
        return range(1, self.plan.positions + 1)

    @cached_property
    def grid(self) -> list[list[tuple[str, str]]]:
        """The two teams and the étuis of each table in each position, as texts. A team that is missing is "–"."""
        tables: list[list[tuple[str, str]]] = [[("–", "")] * self.plan.positions for _table in range(self.plan.tables)]
        for stop in self.plan.stops:
            teams = f"{stop.first or '–'} / {stop.second or '–'}"
            tables[stop.table - 1][stop.position - 1] = (teams, etuis_text(stop.etuis) if stop.complete else "")
        return tables


def choose_for_teams(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the movements that the teams can play, and the chosen one. A POST chooses one, or cancels the choice."""
    if request.method == "POST":
        action = request.POST.get("action")
        if action == "choose":
            choice, shape = read_number(request.POST, "choice", none=-1), request.POST.get("shape", "")
            choose_team_plan(session_id=session.pk, choice=choice, shape=shape, **signed(request))
            messages.success(request, _("The plan is chosen."))
        elif action == "forget":
            forget_plan(session_id=session.pk)
            messages.success(request, _("The choice is cancelled."))
        return redirect(session_url("plan_choose", session) + TOP)
    return render(request, "plan/teams/choose.html", list_choices(session))


def list_choices(session: Session) -> dict[str, Any]:
    preparation = TeamPreparation(session)
    version = chosen_team_plan(session, preparation.players)
    offers, impossible = [], ""
    if preparation.players:
        try:
            proposals = propose_for_teams(session, preparation.players)
        except PlanError as error:
            proposals, impossible = (), say(error)
        kept = read_plan(version.data) if version else None
        offers = [
            TeamOffer(session, each.plan, each.figures, say_team_plan(each.code), choice, each.plan == kept)
            for choice, each in enumerate(proposals)
        ]
    chosen = next((offer for offer in offers if offer.chosen), None)
    if version is not None and chosen is None:
        plan = read_plan(version.data)
        chosen = TeamOffer(session, plan, compute_figures(plan), say_team_plan(version.code), chosen=True)
    return {
        "session": session,
        "preparation": preparation,
        "chosen": chosen,
        "offers": [offer for offer in offers if not offer.chosen],
        "impossible": impossible,
        "shape": team_shape(session),
    }
