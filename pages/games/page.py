"""The page of the games of an evening of donnes libres: before the start their settings, then the next game.

The proposal is shown with its figures and with the results that are missing. The director exchanges two players as
often as they like, and then takes the tables that they see.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.session_settings import FREE_DEALS_SETTINGS
from evenings.plans.current import current_version
from evenings.plans.free.closing import close_game, find_closed, find_unbegun, reopen_game
from evenings.plans.free.laying import find_games
from evenings.plans.free.next_game import GameProposal, propose_next_game, take_next_game, undo_next_game
from evenings.plans.free.people import CHANGES, undo_people
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.free.settings import edit_free_deals
from evenings.sessions.checklist import say_sizes
from movements import ALIKE, Plan
from pages.acting import refusals_in, refusals_told, signed
from pages.doors import FORM, session_page, session_url
from pages.form_fields import FigureField
from pages.games.people import FORMS, PeopleForm, ReplacingForm, show_change
from scoring.formats import FREE_DEALS, IN_GAMES
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say


class FreeDealsForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form of the settings that only a session of donnes libres has."""

    class Meta:
        model = Session
        fields = tuple(FREE_DEALS_SETTINGS)
        field_classes = {"three_weight": FigureField, "five_weight": FigureField}
        help_texts = {
            "odd_tables": gettext_lazy("The federation homologates tables of three, but no mort."),
            "three_weight": gettext_lazy("Marks spread less at three: 1.22 makes up for it."),
            "five_weight": gettext_lazy("Marks spread less at five: 1.37 makes up for it."),
        }


@session_page(Can.DIRECT, FORM)
def games(request: HttpRequest, session: Session) -> HttpResponse:
    """Show and change the settings before the start. Afterwards, show the next game and take it or undo the last."""
    edit = EDITORS.get(session.tournament.format)
    if edit is None:
        messages.error(request, say(GamesRefused("no_free_deals")))
        return redirect(session_url("session", session))
    if session.status == Session.Status.DRAFT:
        return edit(request, session)
    action = request.POST.get("do") if request.method == "POST" else None
    game, tables = (
        read_number(request.POST, "game") or 0,
        read_tables(request.POST.get("tables", "")) if action else None,
    )
    with refusals_told(request):
        if action in FORMS:
            form = FORMS[action](session, request.POST)
            if not form.is_valid():
                return show_next_game(request, session, form=form)
            if "sure" not in request.POST:
                return show_change(request, session, form)
            form.carry_out(**signed(request))
            messages.success(request, _("Done: the tables are up to date, on every page and at every table."))
        elif action == "back":
            undo_people(session_id=session.pk, **signed(request))
            messages.success(request, _("Undone: everything is as it was before."))
        elif action == "undo":
            undo_next_game(session_id=session.pk, game=game, **signed(request))
        elif action in ("close", "reopen"):
            close = close_game if action == "close" else reopen_game
            plays = close(session_id=session.pk, game=game, **signed(request))
            if action == "close":
                tell_closed(request, game, len(plays))
        elif action == "take":
            take_next_game(session_id=session.pk, game=game, tables=tables, **signed(request))
            messages.success(request, _("Game %(game)s is seated.") % {"game": game})
        else:
            if action == "exchange" and tables:
                tables = exchange(tables, *(read_number(request.POST, name) or 0 for name in ("one", "other")))
            return show_next_game(request, session, tables=tables)
    return redirect(session_url("games", session))


def tell_closed(request: HttpRequest, game: int, lost: int) -> None:
    """Tell by a message that a game is closed. It is none of success if so many deals are not played."""
    if not lost:
        messages.success(request, _("Game %(game)s is closed.") % {"game": game})
        return
    text = ngettext(
        "Game %(game)s is closed: %(lost)s deal is not played.",
        "Game %(game)s is closed: %(lost)s deals are not played.",
        lost,
    )
    messages.info(request, text % {"game": game, "lost": lost})


def edit_settings(request: HttpRequest, session: Session) -> HttpResponse:
    form = FreeDealsForm(request.POST if request.method == "POST" else None, instance=session)
    if form.is_valid():
        with refusals_in(form):
            edit_free_deals(session_id=session.pk, **signed(request), **form.cleaned_data)
            return redirect(session_url("session", session))
    return render(request, "games/settings.html", {"session": session, "form": form})


def edit_session(_request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect to the settings of the session: all tables are alike, so there is nothing more to choose."""
    return redirect(session_url("session_edit", session))


# By format: the view in which a director chooses how the games are seated.
EDITORS: Mapping[str, Callable[[HttpRequest, Session], HttpResponse]] = {
    **dict.fromkeys(IN_GAMES, edit_session),
    FREE_DEALS.name: edit_settings,
}


def show_next_game(
    request: HttpRequest,
    session: Session,
    *,
    tables: Sequence[Sequence[int]] | None = None,
    form: PeopleForm | None = None,
) -> HttpResponse:
    """Show the next game. If nobody can be seated as things are, say why: who left may still be brought back.

    `form` is the form about a player that has errors.
    """
    played, problem, proposal = find_games(session), "", None
    try:
        proposal = propose_next_game(session, tables)
    except ActionRefused as error:
        problem = say(error)
    context: dict[str, Any] = {"session": session, "proposal": proposal, "problem": problem}
    context["seated"] = played.seated if played else 0
    deals = played is not None and played.odd not in ALIKE  # else all tables play the same étuis
    fixed = not deals or session.seating == Session.GameSeating.FIXED
    context["last"] = bool(played and played.seated > 1 and not fixed)
    if played is not None and played.seated and deals:
        context |= {
            "unbegun": len(find_unbegun(session, played.seated)),
            "closed": len(find_closed(session, played.seated)),
        }
    if played is not None:
        context |= describe_people(session, played)
        offered = FORMS.values() if deals else (ReplacingForm,)
        context["forms"] = [form if form and form.action == each.action else each(session) for each in offered]
    if proposal is not None:
        context |= describe_proposal(proposal, context["entrants"])
    return render(request, "games/games.html", context)


def describe_people(session: Session, played: Plan[int]) -> dict[str, Any]:
    """Return who is there in the next game, or in the last one, and whether the last change can be undone."""
    entrants = {each.number: each for each in session.entrants.select_related("player", "stand_in")}
    there = [(number, entrants[number].listed) for number in played.present(min(played.seated + 1, played.positions))]
    version = current_version(session)
    return {
        "entrants": entrants,
        "people": sorted(there, key=lambda one: one[1]),
        "changed": version is not None and version.operation.get("kind") in CHANGES,
    }


def describe_proposal(proposal: GameProposal, entrants: Mapping[int, Entrant]) -> dict[str, Any]:
    """Return what the page shows of the proposed tables."""
    parts = proposal.games.at(proposal.game)
    return {
        "tables": [
            (place, [(number, entrants[number]) for number in table])
            for place, table in enumerate(proposal.tables, start=1)
        ],
        "text": write_tables(proposal.tables),
        "sizes": say_sizes(tuple(map(len, proposal.tables))),
        "has_mort": any(part.rests for part in parts),
        "refusal": say(proposal.problem) if proposal.problem else "",
    }


def write_tables(tables: Sequence[Sequence[int]]) -> str:
    """Return the starting numbers of each table as text, such as "1 2 3 4;5 6 7"."""
    return ";".join(" ".join(map(str, table)) for table in tables)


def read_tables(text: str) -> list[list[int]] | None:
    """Return the tables of a text of `write_tables`, or None if it is none."""
    parts = [table.split() for table in text.split(";")]
    if not text or not all(number.isdecimal() and len(number) < 5 for table in parts for number in table):
        return None
    return [[int(number) for number in table] for table in parts]


def exchange(tables: Sequence[Sequence[int]], one: int, other: int) -> list[list[int]]:
    """Return the tables with two people exchanged."""
    exchanged = {one: other, other: one}
    return [[exchanged.get(number, number) for number in table] for table in tables]
