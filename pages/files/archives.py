"""The pages of archives: a director asks for the archive of a tournament, or uploads one to import it.

Jobs do the work.
"""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from outgoing.filing import PREVIEW, AskedWork, ask_for_club_file, want_archive
from pages.acting import signed
from pages.doors import author, club_page, tournament_page
from scoring.formats import find_format
from tournaments.models import Tournament
from tournaments.permissions import Can
from tournaments.rules.formats import list_settings

MOST_MEGABYTES = 15  # the most bytes of an uploaded archive; the server refuses any request that is a little larger


class ArchiveForm(forms.Form):
    cards = forms.BooleanField(
        required=False,
        label=gettext_lazy("With secret draws, and cards that readers have not seen"),
        help_text=gettext_lazy(
            "Only if the other site will publish these étuis. The site notes that you have looked at them."
        ),
    )


class UploadForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("The archive (ZIP)"), max_length=200)

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload.size > MOST_MEGABYTES * 1_000_000:
            raise ValidationError(
                _(
                    "The file is larger than %(most)s MB. Ask whoever runs the site: they can import it with "
                    "“%(command)s archive”."
                )
                % {"most": MOST_MEGABYTES, "command": settings.COMMAND}
            )
        return upload


@tournament_page(Can.DIRECT, back="tournament_archive")
def tournament_archive(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form. A POST asks for the archive, and redirects to its page."""
    posted = request.method == "POST"
    form = ArchiveForm(request.POST if posted else None)
    for name in form.fields.keys() - list_settings(find_format(tournament.format), form.fields):
        del form.fields[name]
    if posted and form.is_valid():
        work = want_archive(tournament, author(request), cards=form.cleaned_data.get("cards", False))
        row = ask_for_club_file(club=tournament.club, work=work, **signed(request))
        return redirect("club_file", tournament.club.slug, row.token)
    context = {"club": tournament.club, "tournament": tournament, "form": form}
    return render(request, "prepare/archive.html", context)


@club_page(Can.DIRECT, back="archives")
def archives(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the form. A POST uploads an archive, and redirects to the page with its preview, which a job makes."""
    posted = request.method == "POST"
    form = UploadForm(request.POST if posted else None, request.FILES if posted else None)
    if posted and form.is_valid():
        content = form.cleaned_data["file"].read()
        row = ask_for_club_file(club=club, work=AskedWork(PREVIEW), **signed(request), content=content)
        return redirect("club_file", club.slug, row.token)
    return render(request, "club/archives.html", {"club": club, "form": form})
