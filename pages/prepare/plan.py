"""The page on which a director chooses a proposed plan of the evening, imports one, or seats fillers.

A filler is a person who completes a table and is in no ranking.

After a change, the page redirects. After a refusal, it shows the form again with the values typed.

For a session of teams, the director chooses a movement on a page of its own.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.players import sort_by_name, write_with_licence
from clubs.roster import RosterError, RosterLine, read_line
from deals.domain.cards import LINES
from deals.domain.reading import ExchangeError, TextPlace
from deals.models import LINE_CHOICES
from evenings.plans.by_format import wants_even_attacks
from evenings.plans.choosing import choice_of, choose_plan, forget_plan, import_plan, lay_for, question_of, shape_of
from evenings.plans.current import SessionPlan, evening_of, member_of, takers_of
from evenings.plans.data import ShownPlan, is_json, read_plan_text, show_proposal
from evenings.plans.picture import Picture, picture_of
from evenings.plans.proposals import SearchProgress, proposals_or_search
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.sessions.checklist import Preparation, TeamPreparation, hours, say_chosen_plan
from evenings.sessions.seating import seat_filler, unseat_player
from movements import (
    LinePlan,
    Plan,
    PlanError,
    PlanFault,
    Seating,
    compute_figures,
    csv_lines,
    find_faults,
    read_plan,
    to_csv,
    write_plays,
)
from pages.acting import refusals_in, signed
from pages.doors import FORM, TOP, Phase, session_page, session_url
from pages.prepare.setup_forms import MAX_TABLE
from pages.uploads import MAX_FILE, FileInTextForm
from scoring.formats import MEETING_TEAMS, find_format
from tournaments.models import Entrant, PlanVersion, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.figures import etuis_text
from tournaments.words.messages import say, say_faults, say_tables_at_rest

MOST_FAULTS = 20


class PlanFileForm(FileInTextForm):
    """A form for a plan as text or as a file. It is valid if the text is a plan without faults."""

    text = forms.CharField(
        label=_("The plan, as CSV or JSON"),
        required=False,
        max_length=MAX_FILE,
        strip=False,
        help_text=_(
            "CSV: one line for each table of each position, under the heading position, table, N, E, S, W, etuis."
            " Étuis are written 5-8."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false", "wrap": "off"}),
    )
    file = forms.FileField(label=_("Or a file in one of these formats"), required=False, max_length=200)
    plan: LinePlan

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise forms.ValidationError(gettext("Paste a plan here, or choose a file."))
        try:
            self.plan = read_plan_text(text)
        except PlanError as error:
            raise forms.ValidationError(say_unread(error)) from error
        if faults := find_faults(self.plan):
            raise forms.ValidationError(describe_faults(faults, lines_of(text)))
        return text


def say_unread(error: PlanError) -> str:
    """Return the reason why a text is not a plan, with the line and column if its JSON is broken."""
    broken = error.__cause__
    if not isinstance(broken, json.JSONDecodeError):
        return say(error)
    return say(ExchangeError("json", place=TextPlace(broken.lineno, broken.colno)))


def lines_of(text: str) -> dict[tuple[str, str], int]:
    """Return the line number in a CSV text by (position, table). Return {} for a JSON text."""
    if is_json(text):
        return {}
    reader = csv_lines(text)
    names = [name.strip().lower() for name in next(reader, [])]
    position, table = names.index("position"), names.index("table")
    return {(row[position].strip(), row[table].strip()): reader.line_num for row in reader if len(row) == len(names)}


def describe_faults(faults: list[PlanFault], lines: dict[tuple[str, str], int]) -> list[str]:
    """Return each fault as a sentence, with its line number if it has one. Only the first `MOST_FAULTS` are listed."""
    found, said = say_faults(faults), []
    for fault, sentence in found[:MOST_FAULTS]:
        spot = str(fault.params.get("position", "")), str(fault.params.get("table", ""))
        told = {"line": lines.get(spot, 0), "fault": sentence}
        said.append(gettext("Line %(line)s: %(fault)s.") % told if told["line"] else f"{sentence}.")
    if len(found) > MOST_FAULTS:
        rest = len(found) - MOST_FAULTS
        said.append(ngettext("And %(count)s more fault.", "And %(count)s more faults.", rest) % {"count": rest})
    return said


class FillerForm(forms.Form):
    """A form for a filler, a person who completes a table: a player of the club's list, or a new name."""

    player = forms.TypedChoiceField(label=_("From the club’s list"), coerce=int, required=False, empty_value=None)
    name = forms.CharField(
        label=_("Or a new name"),
        required=False,
        max_length=160,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    line = forms.ChoiceField(choices=LINE_CHOICES, widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, max_value=MAX_TABLE, widget=forms.HiddenInput)

    def __init__(self, club: Club, seated: set[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        free = [player for player in sort_by_name(club.players.keep_listed()) if player.pk not in seated]
        choices = [("", _("choose…")), *((player.pk, write_with_licence(player)) for player in free)]
        self.fields["player"].choices = choices  # type: ignore[attr-defined]

    def clean_name(self) -> RosterLine | None:
        name = self.cleaned_data["name"].strip()
        try:
            return read_line(name) if name else None
        except RosterError as error:
            raise forms.ValidationError(gettext("Write the family name and the first name.")) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not data.get("player") and not data.get("name"):
            self.add_error("name", gettext("Choose somebody, or write a name."))
        return data


@dataclass(frozen=True, kw_only=True)
class Offer(ShownPlan):
    """A plan that players or teams can play.

    `choice` is its index among the proposals, or None for another plan. `chosen` is true if the session has this plan.
    """

    session: Session
    choice: int | None = None
    chosen: bool = False

    @property
    def hours(self) -> str:
        return hours(self.session, self.plan.positions)

    @property
    def tables_at_rest(self) -> str:
        return say_tables_at_rest(self.plan)

    @cached_property
    def picture(self) -> Picture:
        return picture_of(self.plan)

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


def make_offer(session: Session, shown: ShownPlan, choice: int, kept: Plan[Any] | None) -> Offer:
    """Return the offer of a proposed plan. `kept` is the plan that the session has."""
    return Offer(**vars(shown), session=session, choice=choice, chosen=shown.plan == kept)


def list_offers(session: Session, version: PlanVersion | None, offers: list[Offer]) -> dict[str, Any]:
    """Return the offers as template values, the chosen one apart.

    The session's plan may come from a file, or be among the proposals no longer.
    """
    chosen = next((offer for offer in offers if offer.chosen), None)
    if version is not None and chosen is None:
        shown = SessionPlan(session, read_plan(version.data), version).show()
        chosen = Offer(**vars(replace(shown, text=say_chosen_plan(version))), session=session, chosen=True)
    return {"session": session, "chosen": chosen, "offers": [offer for offer in offers if not offer.chosen]}


def choose_for_teams(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the movements that the teams can play, and the chosen one. A POST chooses one, or cancels the choice."""
    if request.method == "POST":
        choose_or_forget(request, session, choose_team_plan)
        return redirect(session_url("plan_choose", session) + TOP)
    return render(request, "plan/teams/choose.html", list_choices(session))


def choose_or_forget(request: HttpRequest, session: Session, choose: Callable[..., PlanVersion]) -> None:
    """Choose the posted proposal by this service, or cancel the choice. Other actions change nothing."""
    action = request.POST.get("action")
    if action == "choose":
        choice, shape = read_number(request.POST, "choice", none=-1), request.POST.get("shape", "")
        choose(session_id=session.pk, choice=choice, shape=shape, **signed(request))
        messages.success(request, gettext("The plan is chosen."))
    elif action == "forget":
        forget_plan(session_id=session.pk)
        messages.success(request, gettext("The choice is cancelled."))


def list_choices(session: Session) -> dict[str, Any]:
    preparation = TeamPreparation(session)
    version = choice_of(session, preparation.players)
    offers, impossible = [], ""
    if preparation.players:
        try:
            proposals = propose_for_teams(session, preparation.players)
        except PlanError as error:
            proposals, impossible = (), say(error)
        kept = read_plan(version.data) if version else None
        offers = [make_offer(session, show_proposal(each), choice, kept) for choice, each in enumerate(proposals)]
    return list_offers(session, version, offers) | {
        "preparation": preparation,
        "impossible": impossible,
        "shape": team_shape(session),
    }


PAGES: Mapping[str, Callable[[HttpRequest, Session], HttpResponse]] = dict.fromkeys(MEETING_TEAMS, choose_for_teams)


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT, back="plan_choose")
def plan_choose(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the plans that can be played, of players or of teams, and the chosen one. A POST chooses another."""
    return PAGES.get(session.tournament.format, choose_for_players)(request, session)


def choose_for_players(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the plans that can be played, the chosen plan, and the seats for which it still needs fillers."""
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
    choose_or_forget(request, session, choose_plan)
    if action == "import":
        sent = PlanFileForm(request.POST, request.FILES)
        if not sent.is_valid():
            return False, sent, None
        with refusals_in(sent, "text"):
            import_plan(session_id=session.pk, plan=sent.plan, **signed(request))
            messages.success(request, gettext("The plan is saved."))
        return not sent.errors, sent, None
    if action == "fill":
        filling = FillerForm(session.tournament.club, find_seated(session), request.POST)
        if not filling.is_valid():
            return False, sent, filling
        data = filling.cleaned_data
        # If a name is typed and a player is chosen from the list, the typed name counts.
        who = {"unlisted": data["name"]} if data["name"] else {"player_id": data["player"]}
        seat_filler(session_id=session.pk, line=data["line"], number=data["number"], **who)
        messages.success(request, gettext("The table is complete."))
    elif action == "release":
        unseat_player(session_id=session.pk, player_id=read_number(request.POST, "player"))
    return True, sent, filling


def list_page_values(session: Session, sent: PlanFileForm, filling: FillerForm | None) -> dict[str, Any]:
    preparation = Preparation(session)
    version = choice_of(session, preparation.players)
    offers, searching, impossible = offers_of(session, preparation.players, version)
    plan = preparation.plan
    seated = list(session.entrants.select_related("player"))
    waiting = waiting_seats(plan, seated)
    if waiting and filling is None:
        filling = FillerForm(session.tournament.club, {entrant.single.pk for entrant in seated})
    return list_offers(session, version, offers) | {
        "preparation": preparation,
        "version": version,
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
    imposed = wants_even_attacks(find_format(session.tournament.format))
    offers = []
    for choice, one in enumerate(found):
        plan = lay_for(session, one.plan, takers)
        told = compute_figures(plan, takers=takers) if takers else one.figures
        shown = replace(show_proposal(one), plan=plan, figures=told, imposed=imposed)
        offers.append(make_offer(session, shown, choice, kept))
    return offers, None, ""


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
    if evening is None or evening.plan.seating is not Seating.LINES or kind not in ("csv", "json"):
        raise Http404
    if kind == "csv":
        content, mime = to_csv(evening.plan), "text/csv; charset=utf-8"
    else:
        content, mime = json.dumps(write_plays(evening.plan), indent=1), "application/json"
    name = f"{session.tournament.slug}-{session.number}-plan.{kind}"
    return HttpResponse(content, content_type=mime, headers={"Content-Disposition": f'attachment; filename="{name}"'})
