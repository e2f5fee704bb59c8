"""The pages of the changes to a session under way: a page for each operation, and the list of all versions of the plan.

An operation is one change, for example a late arrival. The page shows its consequences before it is carried out. The
newest version of the plan can be undone until something depends on it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.changes.carry_out import change_session, depends, number_of_plan, number_unlisted, undo_change
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.preview import (
    NO_OPERATION,
    ChangePreview,
    OperationNames,
    find_touched,
    say_exchange,
    say_operation,
    say_plan_version,
)
from evenings.plans.current import SessionPlan
from evenings.plans.deal_sets import add_etuis_to
from pages.acting import done, refusals_in, signed
from pages.changes.forms import FORMS, ChangeForm, WrongEtuisForm
from pages.changes.mistakes import MISTAKES, list_team_mistakes, mend_of_teams, say_changed_request
from pages.changes.teams import change_of_teams, list_team_changes
from pages.doors import ACTION, FORM, Phase, session_page, session_url
from scoring.formats import IN_GAMES, MEETING_TEAMS
from tournaments.errors import Conflict
from tournaments.models import PlanVersion, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.operations import Operation, write_operation_data
from tournaments.words.figures import etuis_text


@dataclass(frozen=True, slots=True)
class PlanVersionRow:
    """A version of the plan with the operation that led to it, in words."""

    version: PlanVersion
    text: str

    @property
    def is_change(self) -> bool:
        return bool(self.version.operation.get("kind") != NO_OPERATION)


def list_changes_of_teams(session: Session) -> list[tuple[str, Any, Any]]:
    return [*list_team_changes(), *list_team_mistakes(session)]


# By format: the page that has its changes, if it is another one.
ELSEWHERE: Mapping[str, str] = dict.fromkeys(IN_GAMES, "games")
# By format: what lists its changes, if they are not those of players.
KINDS: Mapping[str, Callable[[Session], list[tuple[str, Any, Any]]]] = dict.fromkeys(
    MEETING_TEAMS, list_changes_of_teams
)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def changes(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the changes that can be made, and the versions of the plan. In games another page has both."""
    if page := ELSEWHERE.get(session.tournament.format):
        return redirect(session_url(page, session))
    names, list_kinds = OperationNames(session), KINDS.get(session.tournament.format)
    versions = session.plans.select_related("author", "undone_by").order_by("-number")
    history = [PlanVersionRow(version, say_plan_version(version, names)) for version in versions]
    newest = next((line for line in history if line.version.undone_at is None), None)
    undoable = newest if newest and newest.is_change else None
    context = {
        "session": session,
        "kinds": list_kinds(session)
        if list_kinds
        else [(form.kind, form.title, form.about) for form in FORMS.values()],
        "history": history,
        "touched": len(find_touched(session)),
        "newest": newest,
        "undoable": undoable,
        "kept": undoable is not None and depends(undoable.version, map(int, undoable.version.after)),
    }
    return render(request, "changes/changes.html", context)


@session_page(Can.DIRECT, FORM, phase=Phase.BEGUN)
def change(request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """Show the form of one operation, and carry it out."""
    if page := ELSEWHERE.get(session.tournament.format):
        return redirect(session_url(page, session))
    return PAGES.get(session.tournament.format, change_of_players)(request, session, kind)


def change_or_mend_teams(request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    return mend_of_teams(request, session, kind) if kind in MISTAKES else change_of_teams(request, session, kind)


PAGES: Mapping[str, Callable[[HttpRequest, Session, str], HttpResponse]] = dict.fromkeys(
    MEETING_TEAMS, change_or_mend_teams
)


def change_of_players(request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """Show the form of one operation. A POST shows its possible outcomes, or carries out the outcome in `choice`."""
    if kind not in FORMS:
        raise Http404
    form = form_of(kind, request, running_evening(session))
    context: dict[str, Any] = {"session": session, "form": form}
    if request.method == "POST" and form.is_valid():
        operation = form.operation()
        shown = fingerprint(operation, form)
        chosen = "choice" in request.POST
        if "etuis" in request.POST:
            add_lacking(request, session, form)
        if chosen and request.POST.get("shown") == shown:
            with refusals_in(form):
                try:
                    return carry_out(request, session, form)
                except Conflict:
                    session.refresh_from_db()
                    text = _(
                        "Something has changed in the meantime: look at the consequences of your change again. "
                        "Nothing is lost."
                    )
                    form.add_error(None, text)
                    context |= {"shown": shown, **preview(session, operation, form)}
            return render(request, "changes/change.html", context)
        if chosen:
            form.add_error(None, say_changed_request())
        context |= {"shown": shown, **preview(session, operation, form)}
    return render(request, "changes/change.html", context)


def add_lacking(request: HttpRequest, session: Session, form: ChangeForm) -> None:
    """Add étuis to the deal set, because an outcome needs more than it has. The page then shows the outcomes again."""
    count = read_number(request.POST, "etuis")
    with refusals_in(form):
        if added := add_etuis_to(session_id=session.pk, count=count, **signed(request)):
            text = ngettext(
                "Étui %(numbers)s is added to the set: prepare it before it is played.",
                "Étuis %(numbers)s are added to the set: prepare them before they are played.",
                len(added),
            )
            messages.success(request, text % {"numbers": etuis_text(added)})


def form_of(kind: str, request: HttpRequest, evening: SessionPlan) -> ChangeForm:
    data = request.POST if request.method == "POST" else None
    if kind == WrongEtuisForm.kind:
        where = {name: read_number(request.GET, name) for name in ("position", "table")}
        return WrongEtuisForm(evening, data, **where)
    return FORMS[kind](evening, data)


def fingerprint(operation: Operation, form: ChangeForm) -> str:
    """Return a digest of the operation and its new names. It proves that the director saw this operation's outcomes."""
    asked = [write_operation_data(operation), [(line.last_name, line.first_name) for line in form.lines]]
    return sha256(json.dumps(asked).encode()).hexdigest()


def preview(session: Session, operation: Operation, form: ChangeForm) -> dict[str, Any]:
    """Return template values for the outcomes of the operation. If it is refused, add the reason to the form."""
    seen = number_of_plan(session)
    evening, unlisted = running_evening(session), number_unlisted(form.lines)
    with refusals_in(form):
        found = outcomes(session, operation, unlisted)
        return {
            "offered": [ChangePreview(evening, operation, way, choice) for choice, way in enumerate(found)],
            "sentences": [
                say_operation(operation, OperationNames(session, unlisted)),
                *say_exchange(evening.plan, session, operation),
            ],
            "seen": seen,
        }
    return {}


def carry_out(request: HttpRequest, session: Session, form: ChangeForm) -> HttpResponse:
    change_session(
        session_id=session.pk,
        operation=form.operation(),
        unlisted=form.lines,
        choice=read_number(request.POST, "choice"),
        seen=read_number(request.POST, "seen"),
        **signed(request),
    )
    return done(request, _("The plan is changed, on every page and at every table."), session_url("changes", session))


@session_page(Can.DIRECT, ACTION, back="changes")
def change_undo(request: HttpRequest, session: Session) -> HttpResponse:
    undo_change(session_id=session.pk, seen=read_number(request.POST, "seen"), **signed(request))
    return done(request, _("The change is undone: the plan is as it was before."), session_url("changes", session))
