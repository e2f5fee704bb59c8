"""The organiser's pages of a simultaneous: creating it, its hours, its clubs and their progress, rulings for all.

A club answers an invitation here, from its list or by the organiser's link.

The live ranking has a page too. There the organiser publishes the ranking and takes its steps.
"""

from operator import attrgetter
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.house import listed_clubs
from clubs.models import Club, real_clubs
from clubs.roles import directed_by
from evenings.reference import Reference
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from pages.form_fields import read_typed
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from pages.simultaneous.forms import (
    FieldRulingForm,
    NewSimultaneousForm,
    SimultaneousForm,
    start_of_simultaneous,
    suggest_hours,
)
from pages.simultaneous.readers import PUBLIC, find_phase, read_club_lines
from rankings.simultaneous.field.computing import count_states
from rankings.simultaneous.field.publishing import FIELDS, is_field_stale
from rankings.simultaneous.field.report import read_field_ranking
from rankings.simultaneous.hours import FieldHours, change_hours, find_looks
from rankings.simultaneous.membership import (
    agree_to_simultaneous,
    find_by_invitation,
    invite_club,
    join_by_link,
    leave_simultaneous,
    take_out_of_simultaneous,
)
from rankings.simultaneous.setup import (
    change_simultaneous,
    close_simultaneous,
    create_simultaneous,
    list_rulings,
    put_simultaneous_away,
    renew_link_of_simultaneous,
    rule_for_all,
)
from rankings.simultaneous.writing import SimultaneousRefused
from tournaments.addresses import link_to
from tournaments.models import FieldStandings, Simultaneous
from tournaments.numbers import read_number
from tournaments.permissions import Can, find_of_club, require_found
from tournaments.queue import queue_field
from tournaments.words.messages import say
from wording import Refusal


@club_page(Can.DIRECT, real=True)
def simultaneous_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form for a new simultaneous. A POST creates it and seals its étuis."""
    form = NewSimultaneousForm(club, request.POST or None, initial=suggest_hours(timezone.now()))
    if form.is_valid():
        with refusals_in(form):
            made = create_simultaneous(
                club=club, given=form.given, hours=form.hours, etuis=form.etuis, **signed(request)
            )
            text = _("The simultaneous is created, its étuis are sealed. Now invite the clubs.")
            return done(request, text, "simultaneous_clubs", club.slug, made.slug)
    return render(request, "simultaneous/new.html", {"club": club, "form": form})


@club_page(Can.DIRECT)
def simultaneous_settings(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the title, the hours and the ranking of a simultaneous. A POST saves them."""
    found = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set")
    is_public = find_phase(found, timezone.now()) == PUBLIC
    form = SimultaneousForm(request.POST or None, initial=start_of_simultaneous(found), before=FieldHours.of(found))
    if is_public:
        for name in form.HOURS:
            form.fields[name].disabled = True
    if form.is_valid():
        with refusals_in(form):
            if not is_public:
                change_hours(simultaneous_id=found.pk, hours=form.hours, **signed(request))
            change_simultaneous(simultaneous_id=found.pk, given=form.given, **signed(request))
            return done(request, say_saved(found, form), "simultaneous", club.slug, found.slug)
    looks = find_looks(found).count()
    context = {"club": club, "simultaneous": found, "form": form, "is_public": is_public, "looks": looks}
    return render(request, "simultaneous/settings.html", context)


def say_saved(before: Simultaneous, form: SimultaneousForm) -> str:
    """Return the message after saving. If hours moved after prints, it says so."""
    looks = find_looks(before).count()
    if not looks or FieldHours.of(before) == form.hours:
        return _("The simultaneous is saved.")
    text = ngettext(
        "The hours are changed, although cards had been seen or printed %(count)s time. Each club’s log says so.",
        "The hours are changed, although cards had been seen or printed %(count)s times. Each club’s log says so.",
        looks,
    )
    return text % {"count": looks}


@club_page(Can.DIRECT)
def simultaneous_clubs(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the clubs, how far they are, and the link of invitation. A POST invites a club or takes one out."""
    found, error = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set"), ""
    if request.method == "POST":
        try:
            return done(request, change_clubs(request, found), "simultaneous_clubs", club.slug, found.slug)
        except Refusal as refusal:
            error = say(refusal)
    lines = read_club_lines(found, with_looks=True)
    inside = {line.row.club_id for line in lines}
    context = {
        "club": club,
        "simultaneous": found,
        "phase": find_phase(found, timezone.now()),
        "lines": lines,
        "left": list(found.clubs.exclude(left_at=None).select_related("club").order_by("pk")),
        "others": [each for each in listed_clubs().order_by("name", "pk") if each.pk not in inside],
        "link": link_to(request, reverse("simultaneous_join", args=[found.token])) if found.token else "",
        "error": error,
        "typed": request.POST,
    }
    return render(request, "simultaneous/clubs.html", context)


def change_clubs(request: HttpRequest, simultaneous: Simultaneous) -> str:
    """Do what the form about clubs asks for. Return the message."""
    row = read_number(request.POST, "row")
    if request.POST.get("do") == "link":
        renew_link_of_simultaneous(simultaneous_id=simultaneous.pk, **signed(request))
        return _("There is a new link. The old one no longer works.")
    if row:
        reason = read_typed(request.POST, "reason")
        take_out_of_simultaneous(simultaneous_id=simultaneous.pk, row_id=row, reason=reason, **signed(request))
        return _("The club is taken out.")
    invited = invite_club(simultaneous_id=simultaneous.pk, slug=read_typed(request.POST, "slug"), **signed(request))
    if invited.agreed_at is not None:
        return _("Your club plays too: its copy of the étuis is ready.")
    return _("The club is invited: its directors see the invitation on their page.")


@club_page(Can.DIRECT)
def simultaneous_rulings(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the rulings on étuis for all clubs. A POST adds one."""
    found = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set")
    form = FieldRulingForm(request.POST or None)
    if form.is_valid():
        with refusals_in(form):
            rule_for_all(simultaneous_id=found.pk, given=form.given, **signed(request))
            text = _("The ruling holds for all clubs: the ranking follows in a moment.")
            return done(request, text, "simultaneous_rulings", club.slug, found.slug)
    context = {"club": club, "simultaneous": found, "form": form, "rulings": list_rulings(found)}
    return render(request, "simultaneous/rulings.html", context)


@club_page(Can.DIRECT, ACTION)
def simultaneous_step(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Close or reopen a simultaneous, or remove it from the lists and put it back."""
    found, do = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set"), request.POST.get("do")
    if do in ("close", "reopen"):
        close_simultaneous(simultaneous_id=found.pk, reopen=do == "reopen", **signed(request))
        closed, opened = _("The simultaneous is closed: no further result counts."), _("Results count again.")
        return done(request, closed if do == "close" else opened, "simultaneous", club.slug, found.slug)
    if do in ("away", "back"):
        put_simultaneous_away(simultaneous_id=found.pk, back=do == "back", **signed(request))
        away, back = _("The simultaneous is not listed."), _("The simultaneous is listed again.")
        return done(request, away if do == "away" else back, "simultaneous_list", club.slug)
    return redirect("simultaneous", club.slug, found.slug)


@club_page(Can.DIRECT, ACTION, back="simultaneous_list")
def simultaneous_answer(request: HttpRequest, club: Club, row: int) -> HttpResponse:
    """Agree, for a club, to play a simultaneous, or leave it."""
    do = request.POST.get("do")
    if do == "agree":
        told = agree_to_simultaneous(club=club, row_id=row, **signed(request))
        text = _("Your club takes part: its copy of the étuis is ready for your session.")
        return done(request, text, "simultaneous", told.simultaneous.club.slug, told.simultaneous.slug)
    if do == "leave":
        leave_simultaneous(club=club, row_id=row, reason=read_typed(request.POST, "reason"), **signed(request))
        text = _("Your club does not play this simultaneous. Its own evenings stay as they are.")
        return done(request, text, "simultaneous_list", club.slug)
    return redirect("simultaneous_list", club.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def simultaneous_join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation that a link brings. A POST joins with one of the clubs that the account directs."""
    found = require_found(find_by_invitation(token))
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    clubs = list(Club.objects.filter(real_clubs(), pk__in=directed_by(request.user)).order_by("name", "pk"))
    inside = set(found.clubs.filter(left_at=None, agreed_at__isnull=False).values_list("club", flat=True))
    error = ""
    if request.method == "POST":
        club = next((each for each in clubs if each.slug == request.POST.get("club")), None)
        try:
            if club is None:
                raise SimultaneousRefused("simultaneous_club_unknown", "club")
            join_by_link(club=club, token=token, **signed(request))
            text = _("Your club takes part: its copy of the étuis is ready for your session.")
            return done(request, text, "simultaneous", found.club.slug, found.slug)
        except SimultaneousRefused as refusal:
            error = say(refusal)
    context = {
        "club": found.club,
        "simultaneous": found,
        "choices": [each for each in clubs if each.pk not in inside],
        "already": [each for each in clubs if each.pk in inside],
        "error": error,
    }
    return render(request, "simultaneous/join.html", context)


LEADERS = 20


@club_page(Can.DIRECT)
def field_publish(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the live ranking and what publishing it would change. A POST publishes it."""
    found = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set")
    published = (_("The ranking is published."), "field", club.slug, found.slug)

    def describe(_shown: object) -> dict[str, Any]:
        if stale := is_field_stale(found, timezone.now()):
            queue_field(found.pk)
        return {"club": club, "simultaneous": found, "stale": stale, **read_live(found)}

    return answer_publishing(request, FIELDS, found, lambda: published, describe)


def read_live(simultaneous: Simultaneous) -> dict[str, Any]:
    """Return the live ranking as the page shows it: its first players, its clubs, and when it was computed."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    if kept is None:
        return {"computed_at": None}
    ranking = read_field_ranking(kept.data)
    names = dict(Club.every.filter(pk__in=[each["club"] for each in kept.data["clubs"]]).values_list("pk", "name"))
    clubs = [each | {"name": names[each["club"]]} for each in kept.data["clubs"]]
    leaders = ranking.show(ranking.order(ranking.reference)[:LEADERS])
    rank = attrgetter(Reference(ranking.reference).rank)
    return {
        "computed_at": kept.computed_at,
        "states": count_states(kept.data["clubs"]),
        "clubs": sorted(clubs, key=lambda each: each["name"]),
        "leaders": [(rank(player), player) for player in leaders],
    }


@club_page(Can.DIRECT, ACTION, back="field_publish simultaneous")
def field_step(request: HttpRequest, club: Club, simultaneous: str, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two need a reason."""
    found = find_of_club(Simultaneous, club.slug, simultaneous, "deal_set")
    return take_ranking_step(request, FIELDS, step, found.pk, "field_publish", club.slug, found.slug)
