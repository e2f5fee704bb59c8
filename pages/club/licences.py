"""The page of the federation's list of licences: it stores the list, shows and applies its changes, and undoes them."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.licences import (
    PARTS,
    LicenceFile,
    LicenceReview,
    LicencesRefused,
    LicenceStep,
    apply_licences,
    delete_list,
    find_read_licences,
    is_outdated,
    read_licences,
    review_licences,
    store_list,
    undo_licences,
)
from clubs.lists import Column, ColumnKind
from clubs.log import say_author
from clubs.matching import OUT, LineState, MatchRow
from clubs.models import Club, ClubLogEntry, LicenceList, Player
from clubs.roster import RosterError, RosterLine
from pages.acting import refusals_told, signed
from pages.doors import FORM, club_page
from pages.roster_rows import ListPreview, RowChoice, done_counted, say_numbers, tell_counted
from pages.uploads import read_names
from registration.agenda.events import today_in
from registration.agenda.search import list_facts
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say

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
        except (LicencesRefused, RosterError) as refusal:
            raise forms.ValidationError(say(refusal)) from refusal


@club_page(Can.DIRECT, FORM, back="licences", hidden=True)
def licences(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's list and the changes that it would make. A POST stores a new file.

    The posted action `apply`, `undo` or `delete` carries it out. The changes are applied as they were shown.
    """
    asked = request.POST.get("action", "")
    if asked == LicencePreview.action:
        changes = LicencePreview(club, request.POST)
        if request.htmx:  # type: ignore[attr-defined]
            return render(request, "lists/preview.html", {"form": changes})
        if changes.confirmed:
            with refusals_told(request):  # the page keeps the answers
                return apply_shown(request, club, changes)
    if action := ACTIONS.get(asked):
        action(request, club)
        return redirect("licences", club.slug)
    posted = request.method == "POST" and not asked
    form = LicencesForm(request.POST if posted else None, request.FILES if posted else None)
    told = ListPreview()
    context: dict[str, Any] = {"club": club, "form": form, "told": told}
    if posted and form.is_valid():
        file: LicenceFile = form.cleaned_data["file"]
        store_list(club=club, file=file, name=form.name, **signed(request))
        told.pasted, told.sheets = file.pasted, form.sheets
        context |= {"stored": True, "notes": list_notes(file)}
    kept = LicenceList.objects.filter(club=club).select_related("read_by").first()
    if kept is not None:
        context |= {"kept": kept, "count": kept.holders.count()}
        context["changes"] = LicencePreview(club, request.POST)
        columns = [Column(place, heading, KINDS.get(kind)) for place, (heading, kind) in enumerate(kept.columns)]
        told.pasted = told.pasted._replace(columns=columns)
    if read := find_read_licences(club):
        context |= {"read": read, "by": say_author(read), "outdated": is_outdated(read)}
    return render(request, "club/licences.html", context)


# A folded list on the page: its title, and its rows. A row has a text, the text below it, and an address or "".
Fold = tuple[str, list[tuple[str, str, str]]]


def list_notes(file: LicenceFile) -> list[Fold]:
    """Return the lines of a file that are left out, and those that are read in part."""
    left_out = ngettext("%(n)s line is left out", "%(n)s lines are left out", len(file.wrong)) % {"n": len(file.wrong)}
    return [
        (title, [(say(note.reason), f"{note.number} · {note.text}", "") for note in notes[:MOST_SHOWN]])
        for title, notes in ((left_out, file.wrong), (_("Lines that are read in part"), file.unclear))
    ]


class LicenceRow:
    """A player of the club in the preview, with what the list changes, or with the holders of the player's name.

    It has what `lists/_row.html` reads of a row. The answer is the id of a holder, or OUT for none of them.
    """

    passed_over, settled = False, True

    def __init__(self, number: int, step: LicenceStep, data: Mapping[str, str]) -> None:
        self.player = player = step.player
        self.name = f"who-{player.pk}"
        self.row = MatchRow(number, player.listed, LineState.SURE, "", RosterLine(player.last_name, player.first_name))
        self.details = [player.licence] if player.licence else []
        self.does = say_step(step)
        self.asks = bool(step.holders)
        self.legend = _("Whose licence does %(name)s get?") % {"name": player.listed}
        self.choices = [RowChoice(str(holder.pk), " · ".join(list_facts(holder))) for holder in step.holders]
        self.choices += [RowChoice(OUT, _("another person: no licence"))] * self.asks
        given = data.get(self.name, "")
        self.answer = given if given in [choice.value for choice in self.choices] else ""
        self.checked = self.answer or (str(step.likely.pk) if step.likely else OUT)


class LicencePreview(ListPreview):
    """The changes that the federation's list makes, as the preview shows them."""

    target, action = "changes", "apply"

    def __init__(self, club: Club, data: Mapping[str, str]) -> None:
        self.data = data
        self.review = review = review_licences(club, today=today_in(club.zone, timezone.now()))
        asked = _(
            "Choose the licence of each player. On a keyboard, the arrows choose, and Enter goes to the next player."
        )
        self.caption = asked if review.questions else ""
        self.folds = list_people(club, review)
        steps = enumerate([*review.questions, *review.steps], start=1)
        self.questions: list[Any] = [LicenceRow(number, step, data) for number, step in steps]
        self.given = sum(row.checked != OUT for row in self.questions)
        self.digest = f"{review.digest} {self.given}" if self.questions else ""

    @property
    def told(self) -> list[tuple[str, int]]:
        told = [
            (_("without a licence, with a name on the list"), len(self.review.questions)),
            (_("with changes"), len(self.review.steps)),
            (_("without changes"), self.review.same),
        ]
        return [(text, count) for text, count in told if count]

    def say_counts(self) -> list[str]:
        changed, given = len(self.review.steps), self.given
        steps = ngettext("change %(n)s player", "change %(n)s players", changed)
        licences = ngettext("give %(n)s licence", "give %(n)s licences", given)
        return say_numbers((changed, steps), (given, licences))


def list_people(club: Club, review: LicenceReview) -> list[Fold]:
    """Return the holders whose licence has ended, and the players whose licence is not on the list."""
    ended, absent = len(review.ended), len(review.absent)
    not_there = ngettext(
        "%(n)s licence of your players is not on the list", "%(n)s licences of your players are not on the list", absent
    )
    has_ended = ngettext("%(n)s licence has ended", "%(n)s licences have ended", ended)
    days = [(str(each), date_format(each.until, "SHORT_DATE_FORMAT"), "") for each in review.ended if each.until]
    players = [(each.listed, each.licence, reverse("club_player", args=[club.slug, each.pk])) for each in review.absent]
    return [(has_ended % {"n": ended}, days[:MOST_SHOWN]), (not_there % {"n": absent}, players[:MOST_SHOWN])]


def say_step(step: LicenceStep) -> str:
    """Return what a list changes in one player, as text."""
    player, after, told = step.player, step.after, []
    if not after.keys().isdisjoint(PARTS):
        name = " ".join(after.get(part, getattr(player, part)) for part in PARTS).strip()
        told.append(_("Name: %(name)s") % {"name": name})
    if "series" in after:
        names = {"before": player.get_series_display() or "–", "after": Player.SeriesClass(after["series"]).label}
        told.append(_("Series: %(before)s → %(after)s") % names)
    if until := after.get("licence_until"):
        day = date_format(dt.date.fromisoformat(until), "SHORT_DATE_FORMAT")
        told.append(_("Licence until %(day)s") % {"day": day})
    return ". ".join(told)


def apply_shown(request: HttpRequest, club: Club, changes: LicencePreview) -> HttpResponse:
    answers = {row.player.pk: int(row.checked) for row in changes.questions if row.checked != OUT}
    entry = apply_licences(club=club, answers=answers, shown=changes.review.digest, **signed(request))
    count = int(entry.params["count"])
    text = ngettext("%(count)s player is changed.", "%(count)s players are changed.", count)
    return done_counted(request, text, count, "licences", club.slug)


def undo(request: HttpRequest, club: Club) -> None:
    entry = read_number(request.POST, "entry")
    try:
        count = undo_licences(club=club, entry_id=entry, **signed(request))
    except ClubLogEntry.DoesNotExist as error:
        raise Http404 from error
    text = ngettext("%(count)s player is as before.", "%(count)s players are as before.", count)
    tell_counted(request, text, count)


def delete(request: HttpRequest, club: Club) -> None:
    delete_list(club=club, **signed(request))
    messages.success(request, _("The federation’s list is deleted. Your players stay as they are."))


ACTIONS = {"undo": undo, "delete": delete}
