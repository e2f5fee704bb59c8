"""The page of the federation's list of licences: it stores the list, shows and applies its changes, and undoes them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.licences.changes import apply_licences, find_read_licences, review_licences, undo_licences
from clubs.licences.reading import LicenceFile, LicenceFileRefused, LicenceNote, read_licences
from clubs.licences.storing import delete_list, store_list
from clubs.lists.columns import Column, ColumnKind
from clubs.models import Club, ClubLogEntry, LicenceList
from clubs.roster import RosterError
from tournaments.agenda.events import today_in
from tournaments.permissions import Can
from tournaments.web.doors import FORM, author, club_page
from tournaments.web.numbers import parse_number, read_number
from tournaments.web.roster_rows import say_column
from tournaments.web.uploads import read_names
from tournaments.words.messages import say
from wording import Refusal

WHO = "who-"  # the name of a field that answers a question begins with it, and ends with the player's id
KINDS = {kind.value: kind for kind in ColumnKind}
MOST_SHOWN = 100  # the most lines of each list on the page


class LicencesForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("The federation’s list (XLSX, ODS or CSV)"),
        max_length=200,
        help_text=gettext_lazy(
            "A line names the columns: licence and family name; also first name, category, series, club, last day or"
            " season if you have them. A season 2025-2026 ends on 31 August 2026."
        ),
    )

    def clean_file(self) -> LicenceFile:
        """Return the list in the file, and keep the name of the file, and in `sheets` which sheets are not read."""
        self.name: str = self.cleaned_data["file"].name
        text, self.sheets = read_names(self.cleaned_data["file"])
        try:
            return read_licences(text)
        except (LicenceFileRefused, RosterError) as refusal:
            raise forms.ValidationError(say(refusal)) from refusal


@club_page(Can.DIRECT, FORM, hidden=True)
def licences(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's list and the changes that it would make. A POST stores a new file.

    The posted action `apply`, `undo` or `delete` carries it out.
    """
    if action := ACTIONS.get(request.POST.get("action", "")):
        try:
            action(request, club)
        except Refusal as refusal:
            messages.error(request, say(refusal))
        return redirect("licences", club.slug)
    posted, by, now = request.method == "POST", author(request), timezone.now()
    form = LicencesForm(request.POST if posted else None, request.FILES if posted else None)
    context: dict[str, Any] = {"club": club, "form": form, "most": MOST_SHOWN}
    if posted and form.is_valid():
        file: LicenceFile = form.cleaned_data["file"]
        store_list(club=club, file=file, name=form.name, by=by, now=now)
        context |= {"stored": True, "told": {"pasted": file.pasted, "sheets": form.sheets}}
        context |= {"left_out": len(file.wrong), "wrong": tell_notes(file.wrong), "unclear": tell_notes(file.unclear)}
    kept = LicenceList.objects.filter(club=club).select_related("read_by").first()
    if kept is not None:
        context |= {"kept": kept, "count": kept.holders.count()}
        context["review"] = review_licences(club, today=today_in(club.zone, now))
        columns = [Column(place, heading, KINDS.get(kind)) for place, (heading, kind) in enumerate(kept.columns)]
        read = [say_column(column) for column in columns if column.kind]
        unread = [column.heading for column in columns if column.heading and not column.kind]
        context["told"] = context.get("told", {}) | {"read": read, "unread": unread}
    return render(request, "club/licences.html", context | {"read": find_read_licences(club)})


def tell_notes(notes: Sequence[LicenceNote]) -> list[tuple[LicenceNote, str]]:
    return [(note, say(note.reason)) for note in notes[:MOST_SHOWN]]


def apply_shown(request: HttpRequest, club: Club) -> None:
    post = request.POST
    answers = {parse_number(name.removeprefix(WHO)): read_number(post, name) for name in post if name.startswith(WHO)}
    shown, by = post.get("shown", ""), author(request)
    done = apply_licences(club=club, answers=answers, shown=shown, by=by, now=timezone.now())
    text = ngettext("%(count)s player is changed.", "%(count)s players are changed.", done.players)
    messages.success(request, text % {"count": done.players})


def undo(request: HttpRequest, club: Club) -> None:
    entry = read_number(request.POST, "entry")
    try:
        count = undo_licences(club=club, entry_id=entry, by=author(request), now=timezone.now())
    except ClubLogEntry.DoesNotExist as error:
        raise Http404 from error
    text = ngettext("%(count)s player is as before.", "%(count)s players are as before.", count)
    messages.success(request, text % {"count": count})


def delete(request: HttpRequest, club: Club) -> None:
    delete_list(club=club, by=author(request), now=timezone.now())
    messages.success(request, _("The federation’s list is deleted. Your players stay as they are."))


ACTIONS = {"apply": apply_shown, "undo": undo, "delete": delete}
