"""The pages of a simultaneous on several sites: the sealed file, its key, and the results of clubs elsewhere."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archives.elsewhere.exchanging import (
    open_sealed_cards,
    read_sealed_key,
    receive_sealed_file,
    send_sealed_file,
)
from archives.elsewhere.sealed_file import MOST_BYTES
from clubs.models import Club
from outgoing.filing import ask_for_club_file, want_results
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, FORM, READING, club_page
from pages.downloads import download
from pages.parts.results_form import ResultsForm, check_size
from tournaments.addresses import link_to
from tournaments.models import SealedEtuis, Simultaneous
from tournaments.permissions import Can, require_found


class SealedFileForm(forms.Form):
    """The upload of a sealed file."""

    file = forms.FileField(label=gettext_lazy("The sealed file (ZIP)"), max_length=200)

    def clean_file(self) -> Any:
        return check_size(self.cleaned_data["file"], MOST_BYTES // 10**6)


class KeyForm(forms.Form):
    """The key that opens sealed cards."""

    key = forms.CharField(
        label=gettext_lazy("The organiser’s key"),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("It begins with AGE-SECRET-KEY-1."),
    )


def get_simultaneous_of(club: Club, slug: str) -> Simultaneous:
    """Return the simultaneous of a club with this address. Raise `Http404` if there is none."""
    found = Simultaneous.objects.select_related("club", "deal_set", "sealed").filter(club=club, slug=slug).first()
    return require_found(found)


@club_page(Can.DIRECT, FORM)
def simultaneous_receive(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form for a sealed file. A POST takes it in, and redirects to the page of the key."""
    posted = request.method == "POST"
    form = SealedFileForm(request.POST if posted else None, request.FILES if posted else None)
    if posted and form.is_valid():
        content = form.cleaned_data["file"].read()
        with refusals_in(form, "file"):
            found = receive_sealed_file(club=club, content=content, **signed(request))
            text = _("Your club takes part: prepare a session with these étuis.")
            return done(request, text, "simultaneous_open", club.slug, found.slug)
    return render(request, "elsewhere/receive.html", {"club": club, "form": form})


@club_page(Can.DIRECT, FORM)
def simultaneous_open(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the form for the key of a received simultaneous. A POST opens the cards."""
    found = get_simultaneous_of(club, simultaneous)
    sealed = require_found(SealedEtuis.objects.filter(simultaneous=found, secret="").first())
    posted = request.method == "POST"
    form = KeyForm(request.POST if posted else None)
    if posted and form.is_valid():
        with refusals_in(form, "key"):
            open_sealed_cards(simultaneous_id=found.pk, key=form.cleaned_data["key"], **signed(request))
            text = _("The cards are there: print the diagrams, and play.")
            return done(request, text, "simultaneous_open", club.slug, found.slug)
    copy = require_found(found.clubs.filter(club=club).order_by("-pk").first()).deal_set
    context = {"club": club, "simultaneous": found, "sealed": sealed, "copy": copy, "form": form}
    response = render(request, "elsewhere/open.html", context)
    response["Cache-Control"] = "no-store"
    return response


@club_page(Can.DIRECT, READING)
def simultaneous_sites(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the organiser how other sites take part: the sealed file, the key, and the form for results."""
    return show_sites(request, get_organised(club, simultaneous), ResultsForm())


def show_sites(request: HttpRequest, simultaneous: Simultaneous, form: ResultsForm) -> HttpResponse:
    guests = simultaneous.clubs.filter(left_at=None, is_elsewhere=True, session__isnull=False)
    context = {
        "club": simultaneous.club,
        "simultaneous": simultaneous,
        "form": form,
        "is_open": simultaneous.opens_at <= timezone.now(),
        "is_sent": SealedEtuis.objects.filter(simultaneous=simultaneous).exists(),
        "guests": guests.select_related("club", "session__tournament__club").order_by("club__name"),
    }
    return render(request, "elsewhere/sites.html", context)


def get_organised(club: Club, slug: str) -> Simultaneous:
    """Return the simultaneous that this club organises. Raise `Http404` if it comes from another site."""
    found = get_simultaneous_of(club, slug)
    received = SealedEtuis.objects.filter(simultaneous=found, secret="").exists()
    return require_found(None if received else found)


@club_page(Can.DIRECT, ACTION)
def simultaneous_sealed(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Return the sealed file of a simultaneous. The look is logged."""
    found = get_organised(club, simultaneous)
    address = link_to(request, key_address(found))
    content = send_sealed_file(simultaneous_id=found.pk, address=address, **signed(request))
    return download(content, "application/zip", f"{slugify(found.title) or 'simultaneous'}.zip")


def key_address(simultaneous: Simultaneous) -> str:
    return reverse("simultaneous_key", args=(simultaneous.club.slug, simultaneous.slug))


@club_page(Can.DIRECT, ACTION)
def simultaneous_results(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Ask a job to take in the results of a club on another site, and redirect to the page of its progress."""
    found = get_organised(club, simultaneous)
    form = ResultsForm(request.POST, request.FILES)
    if form.is_valid():
        work = want_results(found, form.cleaned_data["club"].strip())
        content = form.cleaned_data["file"].read()
        with refusals_in(form):
            row = ask_for_club_file(club=club, work=work, **signed(request), content=content)
            return redirect("club_file", club.slug, row.token)
    return show_sites(request, found, form)


@club_page(Can.READ, READING)
def simultaneous_key(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the key of the sealed cards to everybody from the opening hour on. Before it, show the hour alone."""
    found = get_organised(club, simultaneous)
    require_found(SealedEtuis.objects.filter(simultaneous=found).first())
    key = read_sealed_key(found, timezone.now())
    response = render(request, "elsewhere/key.html", {"club": club, "simultaneous": found, "key": key})
    response["Cache-Control"] = "no-store"
    return response
