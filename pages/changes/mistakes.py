"""The pages of mistakes in a running session of teams: two teams exchanged seats, or a table played other étuis.

A form first shows what follows from the correction. Sent again, it carries the correction out.
"""

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evenings.changes.carry_out import number_of_plan
from evenings.changes.mistakes import MendedTeams, Mistake, find_mended_teams, mend_teams
from evenings.changes.preview import OperationNames, say_exchange, say_operation
from evenings.plans.current import SessionPlan, evening_of
from movements import Seating
from pages.acting import done, refusals_in, signed
from pages.changes.forms import CHOOSE, SwapForm, WrongEtuisForm, number_choices
from pages.doors import session_url
from tournaments.errors import Conflict
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.rules.operations import write_operation_data
from tournaments.words.figures import etuis_text


class SwapTeamsForm(SwapForm):
    """The form for two teams that sat on each other's seats: at one table, or at two."""

    title = gettext_lazy("Two teams exchanged seats")
    about = gettext_lazy("At one table or at two, noticed afterwards: the results go to the teams that played.")
    has_teams: ClassVar[bool] = True

    def fill(self) -> None:
        begun = max(1, self.held)
        self.offer("position", number_choices(range(1, begun + 1)), begun)
        entrants = sorted(self.evening.entrants, key=lambda entrant: entrant.number)
        choices = [CHOOSE, *((entrant.pk, f"{entrant.number} · {entrant.own_name}") for entrant in entrants)]
        for name, text in (("one", gettext_lazy("One team")), ("other", gettext_lazy("The other team"))):
            self.offer(name, choices)
            self.fields[name].label = text


class WrongEtuisOfTeamsForm(WrongEtuisForm):
    """The form for a table of teams that played other étuis than planned."""

    has_teams: ClassVar[bool] = True

    def fill(self) -> None:
        super().fill()
        # a team cannot play a missed étui later, because it plays at another table in the next position
        del self.fields["later"]


MISTAKES: dict[str, type[SwapTeamsForm | WrongEtuisOfTeamsForm]] = {
    form.kind: form for form in (SwapTeamsForm, WrongEtuisOfTeamsForm)
}


def list_team_mistakes(session: Session) -> list[tuple[str, str | Promise, str | Promise]]:
    """Return the mistakes that a director can correct: each with its name in addresses, its title and a sentence.

    There are none where teams sit at several tables at once, as in quadrettes: each result is corrected by itself.
    """
    evening = evening_of(session)
    if evening is None or evening.plan.seating is not Seating.SIDES:
        return []
    return [(kind, form.title, form.about) for kind, form in MISTAKES.items()]


def form_of(kind: str, request: HttpRequest, evening: SessionPlan) -> SwapTeamsForm | WrongEtuisOfTeamsForm:
    data = request.POST if request.method == "POST" else None
    if kind == WrongEtuisOfTeamsForm.kind:
        where = {name: read_number(request.GET, name) for name in ("position", "table")}
        return WrongEtuisOfTeamsForm(evening, data, **where)
    return SwapTeamsForm(evening, data)


def mend_of_teams(request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """Show the form of a mistake. A POST shows what follows from its correction.

    If the director has seen that, the POST carries it out.
    """
    evening = evening_of(session)
    assert evening is not None
    form = form_of(kind, request, evening)
    context: dict[str, Any] = {"session": session, "form": form, "title": form.title, "about": form.about}
    if request.method == "POST" and form.is_valid():
        mistake = form.operation()
        shown = json.dumps(write_operation_data(mistake))
        with refusals_in(form):
            try:
                if "go" in request.POST and request.POST.get("shown") == shown:
                    return carry_out_mending(request, session, mistake)
                if "go" in request.POST:
                    form.add_error(None, say_changed_request())
                mended = find_mended_teams(session, mistake)
                context |= {"shown": shown, "follows": list_mending_effects(mended, mistake)}
                context["seen"] = number_of_plan(session)
            except Conflict:
                form.add_error(None, _("Something has changed in the meantime: look at the consequences again."))
    return render(request, "changes/teams.html", context)


def say_changed_request() -> str:
    """Return the sentence for a press on consequences that are no longer those of the request."""
    return _("Your request, or the list of players, has changed: now look at the consequences.")


def carry_out_mending(request: HttpRequest, session: Session, mistake: Mistake) -> HttpResponse:
    seen = read_number(request.POST, "seen")
    mend_teams(session_id=session.pk, mistake=mistake, seen=seen, **signed(request))
    return done(request, _("The plan is changed, on every page and at every table."), session_url("changes", session))


def list_mending_effects(mended: MendedTeams, mistake: Mistake) -> list[str]:
    """Return what follows from a correction, in sentences: who attacks now, and which étuis are left out later."""
    session, before, after = mended.evening.session, mended.before, mended.after
    said = [say_operation(mistake, OperationNames(session)), *say_exchange(mended.evening.plan, session, mistake)]
    by_table: dict[int, list[int]] = {}
    for pk in sorted(mended.turned & before.entered):
        row = after.rows[pk]
        by_table.setdefault(before.table_numbers[row["table_id"]], []).append(before.numbers[row["etui_id"]])
    for table, etuis in sorted(by_table.items()):
        told = {"table": table, "etuis": etuis_text(etuis)}
        said.append(say_turned(told, etuis))
    names = {entrant.pk: entrant.own_name for entrant in mended.evening.entrants}
    for key, row in sorted(after.rows.items()):
        if row["is_replay"] and not (key in before.rows and before.rows[key]["is_replay"]):
            teams = ", ".join(names[pk] for pk in dict.fromkeys(after.met[key]) if pk in names)
            told = {"position": row["position"], "table": before.table_numbers[row["table_id"]], "teams": teams}
            told["etui"] = before.numbers[row["etui_id"]]
            text = _("Position %(position)s, table %(table)s: étui %(etui)s is left out, %(teams)s has already had it.")
            said.append(text % told)
    return said


def say_turned(told: dict[str, Any], etuis: Sequence[int]) -> str:
    text = ngettext(
        "Table %(table)s, étui %(etuis)s: the other team attacks now. Look at the result, and say who attacked.",
        "Table %(table)s, étuis %(etuis)s: the other team attacks now. Look at the results, and say who attacked.",
        len(etuis),
    )
    return text % told
