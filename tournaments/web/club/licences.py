"""The page that reads the federation's list of licences: it shows the changes, applies them, and can undo them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.licences.changes import (
    LicenceReview,
    apply_licences,
    find_read_licences,
    review_licences,
    undo_licences,
)
from clubs.licences.reading import LicenceFile, LicenceFileRefused, read_licences
from clubs.models import Club, ClubLogEntry
from tournaments.agenda.events import today_in
from tournaments.permissions import Can
from tournaments.web.doors import FORM, author, club_page
from tournaments.web.numbers import read_number
from tournaments.web.uploads import read_table
from tournaments.words.messages import say

SALT = "licences"
A_DAY = 86_400  # for this number of seconds a director may apply the changes that were shown
MOST_SHOWN = 100  # the most lines of each list on the page


class LicencesForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("The federation’s list (XLSX, ODS or CSV)"),
        max_length=200,
        help_text=gettext_lazy(
            "The first line names the columns: licence and family name; also first name, series, last day or season"
            " if you have them. A season 2025-2026 ends on 31 August 2026."
        ),
    )

    def clean_file(self) -> LicenceFile:
        try:
            return read_licences(read_table(self.cleaned_data["file"]))
        except LicenceFileRefused as refusal:
            raise forms.ValidationError(say(refusal)) from refusal


@club_page(Can.DIRECT, FORM)
def licences(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form, or the changes that the posted file would make.

    The posted action `apply` or `undo` carries it out.
    """
    action = request.POST.get("action")
    if action == "apply":
        return apply_shown(request, club)
    if action == "undo":
        return undo(request, club)
    posted = request.method == "POST"
    form = LicencesForm(request.POST if posted else None, request.FILES if posted else None)
    context: dict[str, Any] = {"club": club, "form": form, "read": find_read_licences(club)}
    if posted and form.is_valid():
        file: LicenceFile = form.cleaned_data["file"]
        review = review_licences(club, file, today=today_in(club.zone, timezone.now()))
        context |= show_review(request, club, file, review)
    return render(request, "club/licences.html", context)


def show_review(request: HttpRequest, club: Club, file: LicenceFile, review: LicenceReview) -> dict[str, Any]:
    """Return the template context for the changes of the list, with the signed data that the button sends back."""
    told = {"club": club.pk, "by": author(request).pk, "steps": review.told}
    return {
        "review": review,
        "file": file,
        "most": MOST_SHOWN,
        "wrong": [(line, say(line.reason)) for line in file.wrong[:MOST_SHOWN]],
        "signed": signing.dumps(told, salt=SALT, compress=True) if review.steps else "",
    }


def apply_shown(request: HttpRequest, club: Club) -> HttpResponse:
    try:
        told = signing.loads(request.POST.get("changes", ""), salt=SALT, max_age=A_DAY)
    except signing.BadSignature:
        told = {}
    if (told.get("club"), told.get("by")) != (club.pk, author(request).pk):
        messages.error(request, _("These changes can no longer be applied: choose the file again."))
        return redirect("licences", club.slug)
    done = apply_licences(club=club, steps=told["steps"], by=author(request), now=timezone.now())
    text = ngettext("%(count)s player is changed.", "%(count)s players are changed.", done.players)
    messages.success(request, text % {"count": done.players})
    if left := len(told["steps"]) - done.players:
        text = ngettext(
            "%(count)s player was changed in the meantime and stays so.",
            "%(count)s players were changed in the meantime and stay so.",
            left,
        )
        messages.warning(request, text % {"count": left})
    return redirect("licences", club.slug)


def undo(request: HttpRequest, club: Club) -> HttpResponse:
    entry = read_number(request.POST, "entry")
    try:
        count = undo_licences(club=club, entry_id=entry, by=author(request), now=timezone.now())
    except ClubLogEntry.DoesNotExist as error:
        raise Http404 from error
    text = ngettext("%(count)s player is as before.", "%(count)s players are as before.", count)
    messages.success(request, text % {"count": count})
    return redirect("licences", club.slug)
