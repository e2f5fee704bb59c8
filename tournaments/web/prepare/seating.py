"""Who plays an evening and who sits where, before its start: joining, moving, leaving, closing gaps, the draw.

Each change is posted and answered by a redirect; what is refused comes back with what was typed.
"""

from itertools import islice
from secrets import randbelow
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.players import sort_by_name
from deals.domain.cards import LINES
from movements import Plan
from tournaments.models import Entrant, Session
from tournaments.permissions import Can
from tournaments.sessions.checklist import Preparation, count_of_players, fit
from tournaments.sessions.known_ranks import Order, known_orders
from tournaments.sessions.last_time import last_before, ranked_in
from tournaments.sessions.seating import close_gaps, draw_seats, list_places, move_player, seat_players, unseat_player
from tournaments.web.doors import FORM, TOP, Phase, author, session_page, session_url
from tournaments.web.numbers import read_number
from tournaments.web.prepare.draw_forms import SeatDrawForm
from tournaments.web.prepare.setup_forms import JoinForm, MoveForm
from tournaments.words.messages import say
from wording import Refusal

NEW_SEEDS = 1_000_000


class SeatPlace(NamedTuple):
    """A seat: who has it, or whether it waits for somebody who completes the table, and where it is in position 1.

    `table` is None where the number of the seat is that of its table, as nearly always; 0 for who rests then. A seat
    that is not `there` is none of the plan's.
    """

    line: str
    entrant: Entrant | None
    waits: bool
    table: int | None
    there: bool


class SeatingPage:
    """Those who are seated, and the forms by which that changes."""

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.request, self.session = request, session
        self.seated = list(session.entrants.select_related("player"))
        self.preparation = Preparation(session)
        self.last = None if self.seated else last_before(session)
        self.join = self.join_form()
        self.move = self.move_form(initial=self.pressed())
        self.draw = self.draw_form(initial=request.session.get(self.kept, {}))

    @property
    def kept(self) -> str:
        """Where the last draw's wishes are kept for the next one, for this director."""
        return f"draw-{self.session.pk}"

    def join_form(self, *given: Any) -> JoinForm:
        form = JoinForm(self.session.tournament.club, {entrant.player_id for entrant in self.seated}, *given)
        if self.last is not None and read_number(self.request.GET, "last") == self.last.pk:
            form.fields["players"].initial = ranked_in(self.last)
        elif "everybody" in self.request.GET:
            form.fields["players"].initial = form.listed
        return form

    def move_form(self, *given: Any, **kwargs: Any) -> MoveForm:
        return MoveForm([(player.pk, player.listed) for player in sort_by_name(self.seated_players)], *given, **kwargs)

    @property
    def seated_players(self) -> list[Player]:
        return [entrant.player for entrant in self.seated]

    def draw_form(self, *given: Any, **kwargs: Any) -> SeatDrawForm:
        players = [entrant.player for entrant in self.seated if entrant.ranked]
        return SeatDrawForm(players, *given, orders=known_orders(self.session), **kwargs)

    def pressed(self) -> dict[str, object]:
        """The player whose name was pressed in the seating plan, to be moved from where he sits."""
        wanted = read_number(self.request.GET, "player")
        found = next((entrant for entrant in self.seated if entrant.player_id == wanted), None)
        return {"player": found.player_id, "number": found.number, "line": found.line} if found else {}

    def room(self) -> dict[str, Any]:
        """What the evening comes to with those who are about to join."""
        ranked = sum(entrant.ranked for entrant in self.seated)
        players = ranked + self.join.joining if self.join.is_bound else 0
        return {"join": self.join, "fit": fit(players, self.session) if players else None}

    def page(self) -> dict[str, Any]:
        plan = self.preparation.plan
        return {
            "session": self.session,
            "seated": self.seated,
            "last": self.last,
            "seating": seating_of(self.seated, plan),
            "beyond": plan.tables + 1 if plan else None,
            "gaps": gaps(self.seated, plan),
            "ready": self.preparation.step_players(),
            "move": self.move,
            "draw": self.draw,
            "quick": "quick" in self.request.GET,
            **self.room(),
        }


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT)
def entrants(request: HttpRequest, session: Session) -> HttpResponse:
    """The button pressed says what is meant: join, move, leave, close the gaps or draw."""
    evening = SeatingPage(request, session)
    if request.method == "POST":
        action = request.POST.get("action", "join")
        try:
            if action == "join":
                evening.join = evening.join_form(names_sent(request), request.FILES)
                valid = evening.join.is_valid()
                if request.htmx:  # type: ignore[attr-defined]
                    return render(request, "prepare/_join_preview.html", evening.room())
                if valid and evening.join.settled:
                    return join(request, session, evening.join)
            elif action == "draw":
                evening.draw = evening.draw_form(request.POST)
                if evening.draw.is_valid():
                    return draw(request, evening)
            else:
                evening.move = evening.move_form(request.POST)
                if action == "close" or evening.move.is_valid():
                    return rearrange(request, session, action, evening.move)
        except Refusal as refusal:
            messages.error(request, say(refusal))
    return render(request, "prepare/entrants.html", evening.page())


def names_sent(request: HttpRequest) -> QueryDict:
    """The form's data; one name from the field of its own is a list of one."""
    if "quick" not in request.POST:
        return request.POST
    data = request.POST.copy()
    data["text"] = request.POST.get("quick", "")
    return data


def join(request: HttpRequest, session: Session, join: JoinForm) -> HttpResponse:
    after = seat_players(session_id=session.pk, player_ids=join.cleaned_data["players"], taken=join.taken)
    messages.success(request, _("Seated: %(players)s.") % {"players": count_of_players(len(after))})
    # One name after the other: the field for the next one is ready. Else what comes next stands on top of the page.
    return redirect(session_url("entrants", session) + ("?quick=1#quick" if "quick" in request.POST else TOP))


def rearrange(request: HttpRequest, session: Session, action: str, move: MoveForm) -> HttpResponse:
    if action == "close":
        close_gaps(session_id=session.pk)
    elif action == "leave":
        unseat_player(session_id=session.pk, player_id=move.cleaned_data["player"])
    else:
        data = move.cleaned_data
        move_player(session_id=session.pk, player_id=data["player"], line=data["line"], number=data["number"])
    messages.success(request, _("The seating is changed."))
    return redirect(session_url("entrants", session))


def draw(request: HttpRequest, evening: SeatingPage) -> HttpResponse:
    """Draws, says from which number, and who could not be kept apart."""
    data, session = evening.draw.cleaned_data, evening.session
    seed = randbelow(NEW_SEEDS) if data["seed"] is None else data["seed"]
    result = draw_seats(
        session_id=session.pk,
        seed=seed,
        by=author(request),
        now=timezone.now(),
        order=Order(data.get("by") or Order.CHANCE),
        apart=data["apart"],
    )
    request.session[evening.kept] = {"by": data.get("by"), "apart": request.POST.get("apart", "")}
    messages.success(request, _("The seats are drawn; number of the draw: %(seed)s.") % {"seed": seed})
    names = {player.pk: player.name for player in Player.objects.filter(pk__in=result.players)}
    for one, other in result.together:
        told = {"one": names[one], "other": names[other]}
        messages.warning(request, _("%(one)s and %(other)s could not be kept apart.") % told)
    return redirect(session_url("entrants", session) + TOP)


def seating_of(seated: list[Entrant], plan: Plan | None) -> list[tuple[int, list[SeatPlace]]]:
    """Each starting number with its four seats in the order N, E, S, W."""
    taken = {(entrant.line, entrant.number): entrant for entrant in seated}
    planned = {(LINES[member.line], member.number) for member in (plan.members() if plan else ())}
    fillers = {(LINES[member.line], member.number) for member in (plan.fillers if plan else ())}
    first = first_seats(plan) if plan else {}

    def place(line: str, number: int) -> SeatPlace:
        seat = line, number
        return SeatPlace(line, taken.get(seat), seat in fillers, first.get(seat), plan is None or seat in planned)

    last = max((number for _, number in (*taken, *fillers)), default=0)
    return [(number, [place(line, number) for line in LINES]) for number in range(1, last + 1)]


def first_seats(plan: Plan) -> dict[tuple[str, int], int]:
    """Where those begin who do not begin at the table of their own number; 0 for who rests."""
    tables = {member: play.table for play in plan.at(1) if play.complete for member in play.members}
    return {
        (LINES[member.line], member.number): tables.get(member, 0)
        for member in plan.members()
        if tables.get(member) != member.number
    }


def gaps(seated: list[Entrant], plan: Plan | None) -> bool:
    """Whether somebody who is ranked sits elsewhere than on the first seats, those of the plan."""
    ranked = {(entrant.line, entrant.number) for entrant in seated if entrant.ranked}
    return ranked != set(islice(list_places(plan), len(ranked)))
