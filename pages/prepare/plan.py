"""The page on which a director chooses a proposed plan of the evening, imports one, or seats fillers.

A filler is a person who completes a table and is in no ranking.

After a change, the page redirects. After a refusal, it shows the form again with the values typed.
"""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from deals.domain.cards import LINES
from evenings.plans.by_format import wants_even_attacks
from evenings.plans.choosing import choice_of, choose_plan, forget_plan, import_plan, lay_for, question_of, shape_of
from evenings.plans.current import evening_of, member_of, takers_of
from evenings.plans.picture import Picture, picture_of
from evenings.plans.proposals import SearchProgress, proposals_or_search
from evenings.plans.teams.seating import is_for_teams
from evenings.sessions.checklist import Preparation, hours, say_chosen_plan
from evenings.sessions.seating import seat_filler, unseat_player
from movements import LinePlan, PlanError, PlanFigures, compute_figures, read_plan, to_csv, write_plays
from pages.acting import refusals_in, signed
from pages.doors import FORM, TOP, Phase, session_page, session_url
from pages.prepare.plan_forms import FillerForm, PlanFileForm
from pages.prepare.teams.plan import choose_for_teams
from scoring.formats import find_format
from tournaments.models import Entrant, PlanVersion, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import announcement, say, say_proposal, say_tables_at_rest, say_worth


@dataclass(frozen=True)
class Offer:
    """A plan that can be played: its description (`words`) and its quality figures.

    `choice` is its index among the proposals, or None for another plan. `chosen` is true if the session has this plan.
    """

    session: Session
    plan: LinePlan
    words: str
    figures: PlanFigures
    choice: int | None = None
    chosen: bool = False

    @property
    def announcement(self) -> str:
        return announcement(self.plan.shifts) if self.plan.shifts else ""

    @property
    def tables_at_rest(self) -> str:
        return say_tables_at_rest(self.plan)

    @property
    def hours(self) -> str:
        return hours(self.session, self.plan.positions)

    @property
    def worth(self) -> list[str]:
        imposed = wants_even_attacks(find_format(self.session.tournament.format))
        return say_worth(self.plan, self.figures, imposed=imposed)

    @cached_property
    def picture(self) -> Picture:
        return picture_of(self.plan)


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT, back="plan_choose")
def plan_choose(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the plans that can be played, the chosen plan, and the seats for which it still needs fillers."""
    if is_for_teams(session):
        return choose_for_teams(request, session)
    sent, filling = PlanFileForm(), None
    if request.method == "POST":
        done, sent, filling = act(request, session)
        if done:
            return redirect(session_url("plan_choose", session) + TOP)
    asks_again = request.htmx and request.method == "GET"  # type: ignore[attr-defined]
    template = "plan/_ways.html" if asks_again else "plan/choose.html"
    return render(request, template, list_page_values(session, sent, filling))


def act(request: HttpRequest, session: Session) -> tuple[bool, PlanFileForm, FillerForm | None]:
    """Carry out the posted action. Return (True if it is done, the import form, the filler form), with their errors."""
    action = request.POST.get("action")
    sent, filling = PlanFileForm(), None
    if action == "choose":
        choice, shape = read_number(request.POST, "choice", none=-1), request.POST.get("shape", "")
        choose_plan(session_id=session.pk, choice=choice, shape=shape, **signed(request))
        messages.success(request, _("The plan is chosen."))
    elif action == "forget":
        forget_plan(session_id=session.pk)
        messages.success(request, _("The choice is cancelled."))
    elif action == "import":
        sent = PlanFileForm(request.POST, request.FILES)
        if not sent.is_valid():
            return False, sent, None
        with refusals_in(sent, "text"):
            import_plan(session_id=session.pk, plan=sent.plan, **signed(request))
            messages.success(request, _("The plan is saved."))
        return not sent.errors, sent, None
    elif action == "fill":
        filling = FillerForm(session.tournament.club, find_seated(session), request.POST)
        if not filling.is_valid():
            return False, sent, filling
        data = filling.cleaned_data
        # If a name is typed and a player is chosen from the list, the typed name counts.
        who = {"unlisted": data["name"]} if data["name"] else {"player_id": data["player"]}
        seat_filler(session_id=session.pk, line=data["line"], number=data["number"], **who)
        messages.success(request, _("The table is complete."))
    elif action == "release":
        unseat_player(session_id=session.pk, player_id=read_number(request.POST, "player"))
    return True, sent, filling


def list_page_values(session: Session, sent: PlanFileForm, filling: FillerForm | None) -> dict[str, Any]:
    preparation = Preparation(session)
    version = choice_of(session, preparation.players)
    offers, searching, impossible = offers_of(session, preparation.players, version)
    chosen = next((offer for offer in offers if offer.chosen), None)
    if version is not None and chosen is None:
        chosen = offer_of(session, version)
    plan = preparation.plan
    seated = list(session.entrants.select_related("player"))
    waiting = waiting_seats(plan, seated)
    if waiting and filling is None:
        filling = FillerForm(session.tournament.club, {entrant.single.pk for entrant in seated})
    return {
        "session": session,
        "preparation": preparation,
        "version": version,
        "chosen": chosen,
        "offers": [offer for offer in offers if not offer.chosen],
        "searching": searching,
        "impossible": impossible,
        "shape": shape_of(session),
        "waiting": waiting,
        "filling": filling,
        "fillers": [entrant for entrant in seated if not entrant.ranked],
        "sent": sent,
    }


def offers_of(
    session: Session, players: int, version: PlanVersion | None
) -> tuple[list[Offer], SearchProgress | None, str]:
    """Return (plans that can be played, progress of the search for plans, reason why no plan is possible).

    Only one of the three has a value, or none. The best plan comes first, and the chosen plan is marked.
    """
    if not players:
        return [], None, ""
    try:
        found = proposals_or_search(question_of(session, players))
    except PlanError as error:
        return [], None, say(error)
    if isinstance(found, SearchProgress):
        return [], found, ""
    kept = read_plan(version.data) if version is not None else None
    takers = takers_of(session)
    offers = []
    for choice, one in enumerate(found):
        plan = lay_for(session, one.plan, takers)
        told = compute_figures(plan, takers=takers) if takers else one.figures
        offers.append(Offer(session, plan, say_proposal(one), told, choice, plan == kept))
    return offers, None, ""


def offer_of(session: Session, version: PlanVersion) -> Offer:
    """Return the offer for the session's plan if it came from a file or is no longer among the proposals."""
    plan = read_plan(version.data)
    return Offer(session, plan, say_chosen_plan(version), compute_figures(plan, takers=takers_of(session)), chosen=True)


def waiting_seats(plan: LinePlan | None, seated: list[Entrant]) -> list[tuple[str, int]]:
    """Return the empty seats that fillers must take, as (line, starting number)."""
    taken = {member_of(entrant) for entrant in seated}
    return [(LINES[line], number) for line, number in (plan.fillers if plan else ()) if (line, number) not in taken]


def find_seated(session: Session) -> set[int]:
    return set(session.entrants.values_list("player_id", flat=True))


@session_page(Can.DIRECT)
def plan_file(_request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """Download the plan as CSV or JSON, in the format that the import reads."""
    evening = evening_of(session)
    if evening is None or kind not in ("csv", "json"):
        raise Http404
    if kind == "csv":
        content, mime = to_csv(evening.plan), "text/csv; charset=utf-8"
    else:
        content, mime = json.dumps(write_plays(evening.plan), indent=1), "application/json"
    name = f"{session.tournament.slug}-{session.number}-plan.{kind}"
    return HttpResponse(content, content_type=mime, headers={"Content-Disposition": f'attachment; filename="{name}"'})
