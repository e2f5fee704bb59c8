"""A director's pages of deal sets: the list, a new set, an import, and the page of a set with its actions.

No card is read here: `cards.py` shows the cards, and `files.py` prints and exports them.
"""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.house import settings_of
from clubs.models import Club, validate_name
from deals.models import DealSet, Etui
from deals.sets import (
    copy_deal_set,
    create_deal_set,
    create_set_dealt_at_table,
    deal_from_public_value,
    find_clubs_to_copy_to,
    import_deal_set,
    seal_deal_set,
)
from evenings.plans.by_format import profile_of
from evenings.plans.deal_sets import declare_played, give_up_copy, reveal_seed
from evenings.plans.starting import check_etuis
from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import Insists, use_deal_set
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, View, author, club_page
from pages.origins import describe_origin
from pages.roster_rows import done_counted
from pages.sets.forms import CopyForm, DrawValueForm, ImportForm, NewSetForm, PlayedForm, UseForm
from pages.sets.set_page import SetPage, context_of, deal_set_page, set_url
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say

A_PAGE = 20  # deal sets on one page


@club_page(Can.DIRECT)
def deal_sets(request: HttpRequest, club: Club) -> HttpResponse:
    newest = club.deal_sets.filter(free=False).order_by("-created_at", "-pk")
    page: Page[Any] = Paginator(newest, A_PAGE).get_page(read_number(request.GET, "page", none=1))
    first = (page.number - 1) * A_PAGE
    # Count étuis only of the sets on this page. A count beside the limit would be of all sets of the club.
    listed = (
        club.deal_sets.filter(pk__in=newest.values("pk")[first : first + A_PAGE])
        .annotate(count=Count("etuis"), imported=Count("etuis", Q(etuis__origin=Etui.Origin.IMPORTED)))
        .order_by("-created_at", "-pk")
        .prefetch_related("sessions__tournament")
    )
    rows = [(deal_set, describe_origin(deal_set, imported=bool(deal_set.imported))) for deal_set in listed]
    return render(request, "sets/list.html", {"club": club, "rows": rows, "page": page})


@club_page(Can.DIRECT)
def deal_set_new(request: HttpRequest, club: Club) -> HttpResponse:
    form = NewSetForm(request.POST or None, initial={"profile": usual_profile(club)})
    if form.is_valid():
        data = form.cleaned_data
        common = {"name": data["name"], "count": data["count"], "players": data["players"]}
        common |= {"club": club, "by": author(request), "now": timezone.now()}
        if data["how"] == NewSetForm.TABLE:
            deal_set = create_set_dealt_at_table(**common)
        else:
            deal_set = create_deal_set(**common, profile=data["profile"], value_name=data["value_name"])
        return make_set(request, deal_set, data["count"])
    return render(request, "sets/new.html", {"club": club, "form": form})


def usual_profile(club: Club) -> str:
    """Return the profile of the newest session of the club that is in preparation, else of its usual format."""
    drafts = Session.objects.filter(tournament__club=club, status=Session.Status.DRAFT, deal_set=None)
    newest = drafts.order_by("-pk").values_list("tournament__format", flat=True).first()
    return profile_of(find_format(newest or settings_of(club).format))


@club_page(Can.DIRECT)
def deal_set_import(request: HttpRequest, club: Club) -> HttpResponse:
    """Import a whole set.

    If the text has a mistake, import nothing. Show the text again with the line and column of the mistake.
    """
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if form.is_valid() and form.etui_set is not None:
        name = form.cleaned_data["name"] or form.etui_set.name[:120]
        with refusals_in(form, "text"):
            deal_set = import_deal_set(club=club, name=name, etui_set=form.etui_set, **signed(request))
            if form.etui_set.seed:
                messages.info(
                    request,
                    _(
                        "The set keeps the secret draw of the file; its public page says where the secret draw"
                        " came from."
                    ),
                )
            return make_set(request, deal_set, len(form.etui_set.etuis))
    response = render(request, "sets/import.html", {"club": club, "form": form})
    response["Cache-Control"] = "no-store"
    return response


def make_set(request: HttpRequest, deal_set: DealSet, count: int) -> HttpResponse:
    text = ngettext("The set is ready: %(count)s étui.", "The set is ready: %(count)s étuis.", count)
    return done_counted(request, text, count, set_url("deal_set", deal_set))


@deal_set_page()
def deal_set(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    page = SetPage(deal_set)
    clubs = find_clubs_to_copy_to(deal_set, author(request))
    copied = (
        deal_set.seed and deal_set.opens_at is None and deal_set.revealed_at is None and not page.awaits_value and clubs
    )
    played = deal_set.revealed_at is None and page.drafts.exists()
    context = context_of(
        page,
        draw=DrawValueForm(),
        played=PlayedForm() if page.can_be_declared else None,
        copy=CopyForm(clubs) if copied else None,
        use=UseForm(page.drafts, page.numbers[0], public=bool(page.sessions)) if played else None,
    )
    return render(request, "sets/set.html", context)


def step(act: Callable[[HttpRequest, DealSet], str]) -> View:
    """Return a view for one action on a set, by POST. It redirects to the page of the set.

    `act` carries the action out and returns the message for the user.
    """

    @deal_set_page(ACTION)
    def view(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
        try:
            return done(request, act(request, deal_set), set_url("deal_set", deal_set))
        except ValidationError as error:
            messages.error(request, error.messages[0])
        return redirect(set_url("deal_set", deal_set))

    return view


@step
def seal(_request: HttpRequest, deal_set: DealSet) -> str:
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    if not deal_set.commitment:
        return _("The set is sealed.")
    return _("The set is sealed: its fingerprint is now public.")


@step
def draw_value(request: HttpRequest, deal_set: DealSet) -> str:
    value = request.POST.get("value", "")[:200]
    validate_name(value)
    deal_from_public_value(deal_set_id=deal_set.pk, value=value)
    return _("The public value is saved, and the étuis are dealt.")


@step
def reveal(_request: HttpRequest, deal_set: DealSet) -> str:
    reveal_seed(deal_set_id=deal_set.pk, now=timezone.now())
    return _("The secret draw is revealed: anybody can deal the étuis again and compare.")


@step
def copy(request: HttpRequest, deal_set: DealSet) -> str:
    form = CopyForm(find_clubs_to_copy_to(deal_set, author(request)), request.POST)
    if not form.is_valid():
        raise ActionRefused("club_unknown", "club")
    club = form.cleaned_data["club"]
    copy_deal_set(deal_set=deal_set, club=club, **signed(request))
    return _("%(club)s has a copy: the secret draw can be revealed once both clubs have played.") % {"club": club.name}


@step
def declare(request: HttpRequest, deal_set: DealSet) -> str:
    form = PlayedForm(request.POST)
    if not form.is_valid():
        raise ActionRefused("played_date", "played_on")
    declare_played(deal_set_id=deal_set.pk, day=form.cleaned_data["played_on"], **signed(request))
    return _("The set is declared played: its secret draw can be revealed.")


@step
def give_up(_request: HttpRequest, deal_set: DealSet) -> str:
    give_up_copy(deal_set_id=deal_set.pk, now=timezone.now())
    return _("The copy is given up: it will not be played, and the other clubs no longer wait for yours.")


@step
def use(request: HttpRequest, deal_set: DealSet) -> str:
    page = SetPage(deal_set)
    form = UseForm(page.drafts, page.numbers[0], request.POST)
    if not form.is_valid():
        raise ActionRefused("session_unknown", "session")
    session, first = form.cleaned_data["session"], form.cleaned_data["first_etui"]
    needed = preparation_of(session).needed
    insists = Insists(form.cleaned_data.get("reason", ""), author(request), timezone.now())
    use_deal_set(session_id=session.pk, deal_set=deal_set, first_etui=first, needed=needed, insists=insists)
    session.refresh_from_db()
    try:
        check_etuis(session, needed=needed)
    except ActionRefused as refusal:
        messages.warning(request, say(refusal))
    if warning := preparation_of(session).other_takers:
        messages.warning(request, warning)
    told = {"name": session.tournament.name, "number": session.number, "first": first}
    return _("%(name)s, session %(number)s, plays the étuis from number %(first)s on.") % told
