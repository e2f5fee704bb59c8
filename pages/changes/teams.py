"""The pages of the changes to a running session of teams: a team leaves, or comes late.

A form first shows what follows from the change. Sent again, it carries the change out. The director also decides
here between teams: who goes on, or who comes first in a league.
"""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evenings.changes.carry_out import number_of_plan
from evenings.changes.quarters import decide_order
from evenings.changes.teams import (
    arrive,
    find_team_plan,
    leave,
    let_team_arrive,
    let_team_leave,
    list_halves_alone,
)
from evenings.changes.ways import find_held
from evenings.plans.current import SessionPlan, evening_of
from evenings.plans.teams.seating import list_ready_teams
from movements import Plan, Seating, compute_figures
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, session_url, tournament_page
from tournaments.errors import Conflict
from tournaments.models import Entrant, ResultEntry, Session, Tournament
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can
from tournaments.words.figures import etuis_text

TITLES = {
    "leave": (gettext_lazy("A team leaves"), gettext_lazy("It plays no more after a position; the others go on.")),
    "arrive": (gettext_lazy("A team comes late"), gettext_lazy("It plays from a later position on.")),
}


class TeamChangeForm(forms.Form):
    """The form of a change: which team, and after which position."""

    who = forms.TypedChoiceField(label=gettext_lazy("Team"), coerce=int)
    after = forms.TypedChoiceField(label=gettext_lazy("After position"), coerce=int)

    def __init__(self, kind: str, session: Session, *args: Any) -> None:
        super().__init__(*args)
        evening = evening_of(session)
        assert evening is not None
        entrants = evening.entrants
        if kind == "leave":
            there = [entrant for entrant in entrants if entrant.last_position is None]
            choices = [(entrant.pk, f"{entrant.number} · {entrant.own_name}") for entrant in there]
        else:
            playing = [entrant.team_id for entrant in entrants if entrant.team_id]
            ready = list_ready_teams(session).exclude(pk__in=playing)
            choices = [(team.pk, team.shown_name) for team in ready]
        positions = range(find_held(session), evening.plan.positions)
        self.has_teams, self.over = bool(choices), not positions
        named = [(after, str(after) if after else _("none: from the start")) for after in positions]
        self.fields["who"].choices = [("", _("choose…")), *choices]  # type: ignore[attr-defined]
        self.fields["after"].choices = named  # type: ignore[attr-defined]

    @property
    def plain(self) -> list[forms.BoundField]:
        """The fields that are drawn one below the other."""
        return list(self)


def list_team_changes() -> list[tuple[str, Any, Any]]:
    """Return the changes that a director can choose: each with its name in addresses, its title and a sentence."""
    return [(kind, title, about) for kind, (title, about) in TITLES.items()]


def change_of_teams(request: HttpRequest, session: Session, kind: str) -> HttpResponse:
    """Show the form of a change. A POST shows what follows from it.

    If the director has seen that, the POST carries it out.
    """
    if kind not in TITLES:
        raise Http404
    form = TeamChangeForm(kind, session, request.POST if request.method == "POST" else None)
    title, about = TITLES[kind]
    context: dict[str, Any] = {"session": session, "form": form, "title": title, "about": about}
    if request.method == "POST" and form.is_valid():
        who, after = form.cleaned_data["who"], form.cleaned_data["after"]
        seen_all = request.POST.get("shown") == f"{who}-{after}"
        with refusals_in(form):
            try:
                if "go" in request.POST and seen_all:
                    return carry_out_team_change(request, session, kind, who=who, after=after)
                change = partial(leave, entrant_id=who) if kind == "leave" else partial(arrive, team_id=who)
                found = find_team_plan(session, partial(change, after=after), after=after)
                context |= {"shown": f"{who}-{after}", "follows": list_effects(*found, after=after)}
                context["seen"] = number_of_plan(session)
            except Conflict:
                form.add_error(None, _("Something has changed in the meantime: look at the consequences again."))
        no_place = form.has_error(NON_FIELD_ERRORS, "no_place_for_team")
        if no_place and not ResultEntry.objects.filter(play__session=session).exists():
            form.add_error(None, _("No result is there yet: you can undo the start, and start with all teams."))
    return render(request, "changes/teams.html", context)


def list_effects(evening: SessionPlan, plan: Plan[int], moved: list[Entrant], *, after: int) -> list[str]:
    """Return what follows from a change, in sentences: who rests in each position to come, and repeated meetings."""
    names = {entrant.number: entrant.own_name for entrant in evening.entrants}
    names |= {entrant.number: entrant.own_name for entrant in moved}
    away = {entrant.number for entrant in evening.entrants if entrant.last_position is not None}
    away |= {entrant.number for entrant in moved if entrant.last_position is not None}
    said = []
    for position, resting in enumerate(plan.list_resting(), start=1):
        there = [names[number] for number in resting if number not in away and number in names]
        if position > after and there:
            told = {"position": position, "teams": ", ".join(there)}
            said.append(_("Position %(position)s: %(teams)s rests.") % told)
    said += list_lone_sides(plan, names, away, after=after)
    if not said:
        said.append(_("Nobody rests."))
    said += say_halves_alone(plan, names, away)
    repeated = compute_figures(plan).repeated - compute_figures(evening.plan).repeated
    if repeated > 0:
        said.append(_("Meetings repeated because of it: %(count)s.") % {"count": repeated})
    return said


def list_lone_sides(plan: Plan[int], names: Mapping[int, str], away: Collection[int], *, after: int) -> list[str]:
    """Return who of a team rests in the positions to come, while the others of the team play at another table."""
    said: list[str] = []
    if plan.seating is not Seating.MIRROR:
        return said
    for position, resting in enumerate(plan.list_resting(), start=1):
        stops = [*plan.at(position)] if position > after else []
        alone = {
            _("Position %(position)s: the attackers of %(teams)s rest."): [s.first for s in stops if s.second is None],
            _("Position %(position)s: the defenders of %(teams)s rest."): [s.second for s in stops if s.first is None],
        }
        for text, teams in alone.items():
            there = [names[team] for team in teams if team and team not in away and team not in resting]
            if there:
                said.append(text % {"position": position, "teams": ", ".join(sorted(there))})
    return said


def say_halves_alone(plan: Plan[int], names: Mapping[int, str], away: Collection[int]) -> list[str]:
    """Return which étuis count for nobody, because one of their halves was played and the other one will not be."""
    etuis: dict[tuple[int, int], set[int]] = {}
    for fault in list_halves_alone(plan, away):
        one, other = sorted((int(fault.params["team"]), int(fault.params["other"])))
        etuis.setdefault((one, other), set()).add(int(fault.params["etui"]))
    return [
        _("Étuis %(etuis)s of %(one)s and %(other)s count for nobody: only one half is played.")
        % {"etuis": etuis_text(numbers), "one": names[one], "other": names[other]}
        for (one, other), numbers in sorted(etuis.items())
    ]


def carry_out_team_change(request: HttpRequest, session: Session, kind: str, *, who: int, after: int) -> HttpResponse:
    seen = read_number(request.POST, "seen")
    if kind == "leave":
        let_team_leave(session_id=session.pk, entrant_id=who, after=after, seen=seen, **signed(request))
    else:
        let_team_arrive(session_id=session.pk, team_id=who, after=after, seen=seen, **signed(request))
    return done(request, _("The plan is changed, on every page and at every table."), session_url("changes", session))


@tournament_page(Can.DIRECT, ACTION, back="matches")
def match_decide(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Store the order of the teams in the form, and go back to the page.

    Each `team` of the form has a `place`. In a form of two teams, the one in `winner` comes first.
    """
    pks = dict(tournament.teams.values_list("number", "pk"))
    numbers = [parse_number(each) for each in request.POST.getlist("team")]
    winner = read_number(request.POST, "winner")
    places = {number: read_number(request.POST, f"place-{number}") for number in numbers}
    order = sorted(numbers, key=lambda number: (number != winner, places[number]))
    known = [pks.get(number, 0) for number in order]
    if not winner and len({*places.values()}) < len(numbers):
        messages.error(request, _("Give each team a place of its own."))
        return redirect("matches", tournament.club.slug, tournament.slug)
    decide_order(tournament_id=tournament.pk, teams=known, reason=request.POST.get("reason", ""), **signed(request))
    return done(request, _("The decision is stored."), "matches", tournament.club.slug, tournament.slug)
