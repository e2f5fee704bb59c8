"""The page of an evening's players and seats before its start: join, move, leave, close gaps, draw.

After a change, the page redirects. After a refusal, it shows the form again with the values typed.

Where teams play, the director says on a page of its own which teams do, and draws their numbers.

The form of a draw says how to draw, with which number, and which players may not sit at one table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from secrets import randbelow
from types import MappingProxyType
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.names import simplify_name
from clubs.players import sort_by_name
from deals.domain.cards import LINES
from evenings.plans.teams.seating import list_ready_teams, seat_teams
from evenings.sessions.checklist import TeamPreparation, count_of_players, count_of_teams, preparation_of
from evenings.sessions.seating import (
    DrawOrder,
    close_gaps,
    draw_seats,
    known_orders,
    last_before,
    list_places,
    move_player,
    ranked_in,
    seat_players,
    unseat_player,
)
from evenings.teams.common import active_members
from movements import LinePlan
from pages.acting import done, refusals_told, signed
from pages.doors import FORM, TOP, Phase, session_page, session_url
from pages.prepare.setup_forms import JoinForm, MoveForm, RemovalForm
from pages.roster_forms import answer_list
from scoring.formats import IN_GAMES, MEETING_TEAMS
from tournaments.models import Entrant, Session
from tournaments.numbers import read_number, read_numbers
from tournaments.permissions import Can
from tournaments.words.formats import say_word

MAX_SEED = 999_999_999


class SeatDrawForm(forms.Form):
    """A form for a draw of the seats.

    `cleaned_data["apart"]` is a list of groups; each group is a set of player ids. `cleaned_data["seed"]` is None for a
    new draw.
    """

    WAYS = MappingProxyType(
        {
            DrawOrder.CHANCE: _("at random"),
            DrawOrder.STRENGTH: _("by the last ranking"),
            DrawOrder.RUNNING: _("lines by the tournament ranking so far"),
        }
    )
    by = forms.ChoiceField(
        label=_("Draw"),
        initial=DrawOrder.CHANCE,
        widget=forms.RadioSelect,
        help_text=_(
            "By the last ranking, each table gets one player from each quarter of it. By the tournament ranking so "
            "far, the first four are drawn for the four lines, then the next four, and so on. Players who are not "
            "in it count as weaker."
        ),
    )
    apart = forms.CharField(
        label=_("Not at the same table in position 1"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("One group on each line: “Dupont” for everybody of that name, or “Marie Petit, Jean Grand”."),
    )
    seed = forms.IntegerField(
        label=_("Number of the draw"),
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text=_("Empty for a new draw; the same number gives the same players the same seats again."),
    )

    def __init__(self, players: Iterable[Player], *args: Any, orders: Sequence[DrawOrder], **kwargs: Any) -> None:
        """Build the form. `orders` are the ways to draw seats that this session offers, besides chance."""
        super().__init__(*args, **kwargs)
        self.players = list(players)
        if orders:
            self.fields["by"].choices = [(way, self.WAYS[way]) for way in (DrawOrder.CHANCE, *orders)]  # type: ignore[attr-defined]
        else:
            del self.fields["by"]

    def clean_apart(self) -> list[set[int]]:
        groups, wrong = [], []
        for number, line in enumerate(self.cleaned_data["apart"].splitlines(), start=1):
            names = [name.strip() for name in line.replace(";", ",").split(",") if name.strip()]
            found = [self.call(name) for name in names]
            for name in (name for name, ids in zip(names, found, strict=True) if not ids):
                wrong.append(
                    gettext("Line %(line)s: nobody this evening is called “%(name)s”.") % name_line(number, name)
                )
            group: set[int] = set().union(*found)
            if len(group) == 1 and all(found):
                wrong.append(
                    gettext("Line %(line)s has only one player: add the one to keep apart.") % name_line(number)
                )
            if len(group) > 1:
                groups.append(group)
        if wrong:
            raise forms.ValidationError(wrong)
        return groups

    def call(self, name: str) -> set[int]:
        """Return the ids of the players whose name contains all words of `name`."""
        words = set(simplify_name(name).split())
        return {player.pk for player in self.players if words and words <= set(simplify_name(player.name).split())}


def name_line(line: int, name: str = "") -> dict[str, object]:
    return {"line": line, "name": name}


def number_teams(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the teams with their numbers.

    A POST stores which teams play, numbered in the order shown or in a drawn order.
    """
    if request.method == "POST":
        wanted = read_numbers(request.POST, "team")
        draw = request.POST.get("action") == "draw"
        with refusals_told(request):
            seated = seat_teams(session_id=session.pk, teams=wanted, draw=draw, **signed(request))
            text = gettext("The numbers are drawn: %(teams)s.") if draw else gettext("Playing: %(teams)s.")
            text %= {"teams": count_of_teams(len(seated))}
            return done(request, text, session_url("entrants", session) + TOP)
    status = 409 if request.method == "POST" else 200
    return render(request, "prepare/number_teams.html", list_numbers(session), status=status)


def list_numbers(session: Session) -> dict[str, object]:
    """Return the template values: the teams that can play with their numbers, and the others with their members."""
    there = Prefetch("members", queryset=active_members(), to_attr="active_members")
    numbers = dict(session.entrants.values_list("team_id", "number"))
    ready = sorted(
        list_ready_teams(session).prefetch_related(there),
        key=lambda team: (numbers.get(team.pk, len(numbers) + 1), team.number),
    )
    others = session.tournament.teams.filter(left_at=None).exclude(pk__in=[team.pk for team in ready])
    return {
        "session": session,
        "rows": [(team, numbers.get(team.pk), not numbers or team.pk in numbers) for team in ready],
        "others": list(others.order_by("number").prefetch_related(there)),
        "ready": TeamPreparation(session).step_players(),
        "numbered": bool(numbers),
    }


NEW_SEEDS = 1_000_000


class SeatPlace(NamedTuple):
    """A seat, with its player if it has one. `waits` is true if the seat is for a filler.

    `table` is None if the player begins at the table with the number of the seat, as is usual. If not, it is the number
    of the first table, or 0 if the player rests in position 1. `there` is false if the plan does
    not have the seat.
    """

    line: str
    entrant: Entrant | None
    waits: bool
    table: int | None
    there: bool


class SeatingPage:
    """The seated players, and the forms that change the seating."""

    moving: type[MoveForm] = MoveForm

    def __init__(self, request: HttpRequest, session: Session) -> None:
        self.request, self.session = request, session
        self.seated = list(session.entrants.select_related("player"))
        self.preparation = preparation_of(session)
        self.last = None if self.seated else last_before(session)
        self.join = self.join_form()
        self.move = self.move_form(initial=self.find_pressed())
        self.draw = self.draw_form(initial=request.session.get(self.kept, {}))

    @property
    def kept(self) -> str:
        """The key in the director's browser session that holds the choices of the last draw."""
        return f"draw-{self.session.pk}"

    def join_form(self, *given: Any) -> JoinForm:
        form = JoinForm(self.session.tournament.club, {entrant.single.pk for entrant in self.seated}, *given)
        if self.last is not None and read_number(self.request.GET, "last") == self.last.pk:
            form.fields["players"].initial = ranked_in(self.last)
        elif "everybody" in self.request.GET:
            form.fields["players"].initial = form.listed
        form.format, form.find_fit = self.session.tournament.format, self.find_fit
        form.opening = say_word(form.format, "seat_them")
        return form

    def find_fit(self, joining: int) -> Any:
        """Return how the evening would look with so many players more, or None without any player."""
        players = sum(entrant.ranked for entrant in self.seated) + joining
        return self.preparation.fit_players(players) if players else None

    def move_form(self, *given: Any, **kwargs: Any) -> MoveForm:
        return self.moving(
            [(player.pk, player.listed) for player in sort_by_name(self.seated_players)], *given, **kwargs
        )

    @property
    def seated_players(self) -> list[Player]:
        return [entrant.single for entrant in self.seated]

    def draw_form(self, *given: Any, **kwargs: Any) -> SeatDrawForm:
        players = [entrant.single for entrant in self.seated if entrant.ranked]
        return SeatDrawForm(players, *given, orders=known_orders(self.session), **kwargs)

    def find_pressed(self) -> dict[str, object]:
        """Return the initial values of the move form: the player on whom the director pressed, and the player's seat.

        Return {} if the address names no player.
        """
        wanted = read_number(self.request.GET, "player")
        found = next((entrant for entrant in self.seated if entrant.player_id == wanted), None)
        return {"player": found.player_id, "number": found.number, "line": found.line} if found else {}

    def page(self) -> dict[str, Any]:
        ready = self.preparation.step_players()
        return {
            "session": self.session,
            "seated": self.seated,
            "last": self.last,
            "ready": ready,
            "first": not ready.ready and not ready.code,
            "move": self.move,
            "join": self.join,
            "quick": "quick" in self.request.GET,
            **self.list_seats(),
        }

    def list_seats(self) -> dict[str, Any]:
        """Return template values of a session with a plan: the seats, with their players, and the draw."""
        plan = self.preparation.plan
        return {
            "seating": seating_of(self.seated, plan),
            "beyond": plan.tables + 1 if plan else None,
            "gaps": gaps(self.seated, plan),
            "draw": self.draw,
        }


class SeatListPage(SeatingPage):
    """The players of a session in games, by name, because seats are given at the start."""

    moving = RemovalForm

    def list_seats(self) -> dict[str, Any]:
        """Return template values of the list: the players by name, and what tables they would have."""
        players = sort_by_name(self.seated_players)
        return {"names": players, "tables": self.preparation.fit.text if players else ""}


def show_seats(request: HttpRequest, session: Session) -> HttpResponse:
    return change_seating(request, SeatingPage(request, session))


def show_list(request: HttpRequest, session: Session) -> HttpResponse:
    return change_seating(request, SeatListPage(request, session))


# By format: the page about who plays in a session, if it is not that of seats.
PAGES: Mapping[str, Callable[[HttpRequest, Session], HttpResponse]] = {
    **dict.fromkeys(MEETING_TEAMS, number_teams),
    **dict.fromkeys(IN_GAMES, show_list),
}


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT)
def entrants(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the players and seats, or the teams with their numbers, and carry out a POST that changes them."""
    return PAGES.get(session.tournament.format, show_seats)(request, session)


def change_seating(request: HttpRequest, evening: SeatingPage) -> HttpResponse:
    """Show the players and seats. A POST adds players, moves or removes one, closes gaps, or draws the seats."""
    session = evening.session
    if request.method == "POST":
        action = request.POST.get("action", "join")
        with refusals_told(request):
            if action == "join":
                evening.join = evening.join_form(names_sent(request), request.FILES)
                answer = answer_list(request, evening.join, lambda: join(request, session, evening.join))
                if answer is not None:
                    return answer
            elif action == "draw":
                evening.draw = evening.draw_form(request.POST)
                if evening.draw.is_valid():
                    return draw(request, evening)
            else:
                evening.move = evening.move_form(request.POST)
                if action == "close" or evening.move.is_valid():
                    return rearrange(request, session, action, evening.move)
    return render(request, "prepare/entrants.html", evening.page())


def names_sent(request: HttpRequest) -> QueryDict:
    """Return the posted data. A name from the field `quick` is put into `text` as a list of one name."""
    if "quick" not in request.POST:
        return request.POST
    data = request.POST.copy()
    data["text"] = request.POST.get("quick", "")
    return data


def join(request: HttpRequest, session: Session, join: JoinForm) -> HttpResponse:
    players = join.cleaned_data["players"]
    after = seat_players(session_id=session.pk, player_ids=players, taken=join.taken, told=join.promised)
    told = say_word(session.tournament.format, "are_seated", {"players": count_of_players(len(after))})
    messages.success(request, told)
    # After a name from the quick field, go back to that field for the next name. Otherwise go to the top, where the
    # next step is.
    return redirect(session_url("entrants", session) + ("?quick=1#quick" if "quick" in request.POST else TOP))


def rearrange(request: HttpRequest, session: Session, action: str, move: MoveForm) -> HttpResponse:
    if action == "close":
        close_gaps(session_id=session.pk)
    elif action == "leave":
        unseat_player(session_id=session.pk, player_id=move.cleaned_data["player"])
    else:
        data = move.cleaned_data
        move_player(session_id=session.pk, player_id=data["player"], line=data["line"], number=data["number"])
    text = say_word(session.tournament.format, "seats_changed")
    return done(request, text, session_url("entrants", session))


def draw(request: HttpRequest, evening: SeatingPage) -> HttpResponse:
    """Draw the seats. The messages give the number of the draw and the players who could not be kept apart."""
    data, session = evening.draw.cleaned_data, evening.session
    seed = randbelow(NEW_SEEDS) if data["seed"] is None else data["seed"]
    result = draw_seats(
        session_id=session.pk,
        seed=seed,
        **signed(request),
        order=DrawOrder(data.get("by") or DrawOrder.CHANCE),
        apart=data["apart"],
    )
    request.session[evening.kept] = {"by": data.get("by"), "apart": request.POST.get("apart", "")}
    messages.success(request, gettext("The seats are drawn; number of the draw: %(seed)s.") % {"seed": seed})
    names = {player.pk: player.name for player in Player.objects.filter(pk__in=result.players)}
    for one, other in result.together:
        told = {"one": names[one], "other": names[other]}
        messages.warning(request, gettext("%(one)s and %(other)s could not be kept apart.") % told)
    return redirect(session_url("entrants", session) + TOP)


def seating_of(seated: list[Entrant], plan: LinePlan | None) -> list[tuple[int, list[SeatPlace]]]:
    """Return (starting number, four seats) for each starting number. The seats are in the order N, E, S, W."""
    taken = {(entrant.line, entrant.number): entrant for entrant in seated}
    planned = {(LINES[member.line], member.number) for member in (plan.everybody() if plan else ())}
    fillers = {(LINES[member.line], member.number) for member in (plan.fillers if plan else ())}
    first = first_seats(plan) if plan else {}

    def place(line: str, number: int) -> SeatPlace:
        seat = line, number
        return SeatPlace(line, taken.get(seat), seat in fillers, first.get(seat), plan is None or seat in planned)

    last = max((number for _, number in (*taken, *fillers)), default=0)
    return [(number, [place(line, number) for line in LINES]) for number in range(1, last + 1)]


def first_seats(plan: LinePlan) -> dict[tuple[str, int], int]:
    """Return the seats whose first table does not have the number of the seat, with this table.

    The keys are (line, number). The table is 0 if the seat rests in position 1.
    """
    tables = {member: play.table for play in plan.at(1) if play.complete for member in play.people}
    return {
        (LINES[member.line], member.number): tables.get(member, 0)
        for member in plan.everybody()
        if tables.get(member) != member.number
    }


def gaps(seated: list[Entrant], plan: LinePlan | None) -> bool:
    """Return whether there is an empty seat before the seat of a ranked player, in the order of the plan."""
    ranked = {(entrant.line, entrant.number) for entrant in seated if entrant.ranked}
    return ranked != set(islice(list_places(plan), len(ranked)))
