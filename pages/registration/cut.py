"""The director's page of the cut between two rounds: who goes on to this session."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from pages.acting import refusals_in, signed
from pages.doors import FORM, session_page, session_url
from pages.roster_rows import tell_counted
from registration.people.applicants import signs_up_teams
from registration.people.cuts import (
    ON,
    CutGiven,
    CutSource,
    ListedLine,
    add_players_to_lines,
    change_cut_player,
    fill_session_cut,
    find_candidates,
    find_cut_change,
    find_cut_ranking,
    find_missing_lines,
    list_cut,
    list_earlier_cuts,
    list_on,
    list_sources,
    make_session_cut,
    show_session_cut,
    undo_session_cut,
)
from registration.people.registration import MOST
from tournaments.models import Cut, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.rules.cut import CutRules, CutTies, make_cut


class CutForm(forms.Form):
    """The choices for a cut: the ranking that it reads, the number of places, and what equal players get."""

    source = forms.ChoiceField(
        label=gettext_lazy("Which ranking"),
        help_text=gettext_lazy("The published version stays the basis of the cut, even if it is corrected later."),
    )
    places = forms.IntegerField(label=gettext_lazy("How many go on"), min_value=1, max_value=MOST)
    ties = forms.ChoiceField(
        label=gettext_lazy("Equal players at the last place"), choices=Cut.Ties.choices, widget=forms.RadioSelect
    )
    here = forms.BooleanField(label=gettext_lazy("They are all here: mark them as present"), required=False)

    def __init__(self, *args: Any, sources: list[CutSource], earlier: list[Cut], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.key, name_ranking(each.session, each.version)) for each in sources]
        choices += [
            (
                f"c{cut.pk}",
                _("Consolation: those who are out before %(name)s, session %(number)s")
                % {"name": cut.session.tournament.name, "number": cut.session.number},
            )
            for cut in earlier
        ]
        self.fields["source"].choices = choices  # type: ignore[attr-defined]

    @property
    def given(self) -> CutGiven:
        """The choices, as the service takes them."""
        told = self.cleaned_data
        key: str = told["source"]
        out_of = int(key[1:]) if key.startswith("c") else None
        return CutGiven(key, told["places"], CutTies(told["ties"]), out_of, told["here"])


def name_ranking(session: int | None, version: int) -> str:
    if session is None:
        return _("The tournament’s ranking, version %(version)s") % {"version": version}
    return _("The ranking of session %(number)s, version %(version)s") % {"number": session, "version": version}


@session_page(Can.DIRECT, FORM)
def cut(request: HttpRequest, session: Session) -> HttpResponse:
    """Show who goes on to this session. A POST makes the cut, fills the list again, shows it, or undoes it."""
    if request.method == "POST" and request.POST.get("action") != "make":
        change_cut(request, session)
        return redirect(session_url("cut", session))
    made = (
        Cut.objects.filter(session=session)
        .select_related("publication__session", "tournament_publication", "out_of__session__tournament")
        .first()
    )
    context: dict[str, Any] = {"session": session, "cut": made, "draft": session.status == Session.Status.DRAFT}
    if made is None and not signs_up_teams(session):
        sources, earlier = list_sources(session), list_earlier_cuts(session)
        given = request.POST if request.method == "POST" else request.GET if "source" in request.GET else None
        form = CutForm(given, sources=sources, earlier=earlier, initial={"ties": Cut.Ties.ALL})
        if request.method == "POST" and form.is_valid():
            with refusals_in(form):
                new = make_session_cut(session_id=session.pk, given=form.given, **signed(request))
                lines = list_cut(session, new)
                tell_of_cut(
                    request, ngettext("%(count)s player goes on.", "%(count)s players go on.", list_on(lines)), lines
                )
                return redirect(session_url("cut", session))
        if form.is_bound and form.is_valid():
            context["preview"] = preview_cut(session, form.given, sources, earlier)
            context["on"] = sum(each.line.state in ON for each in context["preview"])
            context["by_lot"] = form.given.ties is CutTies.DRAW
        context |= {"form": form, "choices": bool(sources or earlier)}
    elif made is not None:
        context |= context_of_cut(session, made)
    return render(request, "cut/cut.html", context, status=200)


def tell_of_cut(request: HttpRequest, told: str, lines: list[ListedLine]) -> None:
    tell_counted(request, told, list_on(lines))


def context_of_cut(session: Session, made: Cut) -> dict[str, Any]:
    """Return the template context of a cut that was made."""
    lines = list_cut(session, made)
    ranking = find_cut_ranking(made)
    number = made.publication.session.number if made.publication else None
    return {
        "lines": lines,
        "on": list_on(lines),
        "missing": find_missing_lines(lines),
        "change": find_cut_change(session, made),
        "ranking": name_ranking(number, ranking.version),
    }


def preview_cut(session: Session, given: CutGiven, sources: list[CutSource], earlier: list[Cut]) -> list[ListedLine]:
    """Return the lines of a cut that is not made yet."""
    out_of = next((each for each in earlier if each.pk == given.out_of), None)
    ranking = find_cut_ranking(out_of) if out_of else next(each.ranking for each in sources if each.key == given.source)
    candidates = find_candidates(ranking, session.tournament.club_id, out_of)
    return add_players_to_lines(make_cut(candidates, CutRules(given.places, given.ties)), {})


def change_cut(request: HttpRequest, session: Session) -> None:
    """Carry out the director's action on a cut that was made."""
    action = request.POST.get("action")
    if action == "fill":
        count = fill_session_cut(session_id=session.pk, **signed(request))
        told = ngettext("%(count)s player moves up.", "%(count)s players move up.", count)
        tell_counted(request, told, count)
    elif action == "show":
        show_session_cut(session_id=session.pk, **signed(request))
        messages.success(request, _("Everybody now sees who is qualified."))
    elif action == "undo":
        undo_session_cut(session_id=session.pk, **signed(request))
        messages.success(request, _("The cut is undone."))
    elif action in ("leaves", "returns"):
        player = read_number(request.POST, "player")
        change_cut_player(session_id=session.pk, player_id=player, comes=action == "returns", **signed(request))
