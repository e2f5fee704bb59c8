"""How an evening is played: what can be chosen for those who are there, a plan from a file, who completes a table.

Each change is posted and answered by a redirect; what is refused comes back with what was typed.
"""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from deals.domain.cards import LINES
from movements import Figures, Plan, PlanError, figures, from_data, to_csv, to_data
from tournaments.errors import Refused
from tournaments.models import Entrant, PlanVersion, Session, Tournament
from tournaments.permissions import Can
from tournaments.plans.choosing import choice_of, choose_plan, forget_plan, import_plan, lay_for, question_of, shape_of
from tournaments.plans.current import evening_of, member_of, takers_of
from tournaments.plans.picture import Picture, picture_of
from tournaments.plans.proposals import Searching, proposals_or_search
from tournaments.sessions.checklist import Preparation, hours, say_version
from tournaments.sessions.seating import seat_filler, unseat_player
from tournaments.web.doors import FORM, TOP, Phase, author, session_page, session_url
from tournaments.web.numbers import read_number
from tournaments.web.prepare.plan_forms import FillerForm, PlanFileForm
from tournaments.words.messages import announcement, say, say_proposal, say_tables_at_rest, say_worth


@dataclass(frozen=True)
class Offer:
    """A way to play: in words, with what it takes and what it is worth."""

    session: Session
    plan: Plan
    words: str
    figures: Figures
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
        imposed = self.session.tournament.auction == Tournament.Auction.IMPOSED
        return say_worth(self.plan, self.figures, imposed=imposed)

    @cached_property
    def picture(self) -> Picture:
        return picture_of(self.plan)


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT, back="plan_choose")
def plan_choose(request: HttpRequest, session: Session) -> HttpResponse:
    """What can be played, what is chosen, and whom it still takes."""
    sent, filling = PlanFileForm(), None
    if request.method == "POST":
        done, sent, filling = act(request, session)
        if done:
            return redirect(session_url("plan_choose", session) + TOP)
    asks_again = request.htmx and request.method == "GET"  # type: ignore[attr-defined]
    template = "plan/_ways.html" if asks_again else "plan/choose.html"
    return render(request, template, page(session, sent, filling))


def act(request: HttpRequest, session: Session) -> tuple[bool, PlanFileForm, FillerForm | None]:
    """Whether what was asked is done; if not, the forms say why. The button pressed says what is meant."""
    action, by, now = request.POST.get("action"), author(request), timezone.now()
    sent, filling = PlanFileForm(), None
    if action == "choose":
        choice, shape = read_number(request.POST, "choice", none=-1), request.POST.get("shape", "")
        choose_plan(session_id=session.pk, choice=choice, shape=shape, by=by, now=now)
        messages.success(request, _("The plan is chosen."))
    elif action == "forget":
        forget_plan(session_id=session.pk)
        messages.success(request, _("The choice is taken back."))
    elif action == "import":
        sent = PlanFileForm(request.POST, request.FILES)
        if not sent.is_valid():
            return False, sent, None
        try:
            import_plan(session_id=session.pk, plan=sent.plan, by=by, now=now)
        except Refused as refusal:
            sent.add_error("text", say(refusal))
            return False, sent, None
        messages.success(request, _("The plan is kept."))
    elif action == "fill":
        filling = FillerForm(session.tournament.club, find_seated(session), request.POST)
        if not filling.is_valid():
            return False, sent, filling
        data = filling.cleaned_data
        # A name of the form's own goes before the list's.
        who = {"unlisted": data["name"]} if data["name"] else {"player_id": data["player"]}
        seat_filler(session_id=session.pk, line=data["line"], number=data["number"], **who)
        messages.success(request, _("The table is complete."))
    elif action == "release":
        unseat_player(session_id=session.pk, player_id=read_number(request.POST, "player"))
    return True, sent, filling


def page(session: Session, sent: PlanFileForm, filling: FillerForm | None) -> dict[str, Any]:
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
        filling = FillerForm(session.tournament.club, {entrant.player_id for entrant in seated})
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


def offers_of(session: Session, players: int, version: PlanVersion | None) -> tuple[list[Offer], Searching | None, str]:
    """What can be played, the best first, the chosen one marked; or how far the search is; or why nothing can."""
    if not players:
        return [], None, ""
    try:
        found = proposals_or_search(question_of(session, players))
    except PlanError as error:
        return [], None, say(error)
    if isinstance(found, Searching):
        return [], found, ""
    kept = version.data if version is not None else None
    takers = takers_of(session)
    offers = []
    for choice, one in enumerate(found):
        plan = lay_for(session, one.plan, takers)
        told = figures(plan, takers=takers) if takers else one.figures
        offers.append(Offer(session, plan, say_proposal(one), told, choice, to_data(plan) == kept))
    return offers, None, ""


def offer_of(session: Session, version: PlanVersion) -> Offer:
    """A plan from a file, or one that is no longer among the proposals."""
    plan = from_data(version.data)
    return Offer(session, plan, say_version(version), figures(plan, takers=takers_of(session)), chosen=True)


def waiting_seats(plan: Plan | None, seated: list[Entrant]) -> list[tuple[str, int]]:
    """The seats of fillers on which nobody sits."""
    taken = {member_of(entrant) for entrant in seated}
    return [(LINES[line], number) for line, number in (plan.fillers if plan else ()) if (line, number) not in taken]


def find_seated(session: Session) -> set[int]:
    return set(session.entrants.values_list("player_id", flat=True))


@session_page(Can.DIRECT)
def plan_file(_request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """The plan as the page's own form takes it."""
    evening = evening_of(session)
    if evening is None or kind not in ("csv", "json"):
        raise Http404
    if kind == "csv":
        content, mime = to_csv(evening.plan), "text/csv; charset=utf-8"
    else:
        content, mime = json.dumps(to_data(evening.plan), indent=1), "application/json"
    name = f"{session.tournament.slug}-{session.number}-plan.{kind}"
    return HttpResponse(content, content_type=mime, headers={"Content-Disposition": f'attachment; filename="{name}"'})
