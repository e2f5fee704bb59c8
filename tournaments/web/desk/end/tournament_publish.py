"""Publishing the ranking of a tournament: which sessions are in, then the publication, and what becomes of it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.events import publishing
from tournaments.events.computing import has_several
from tournaments.models import Tournament, TournamentPublication
from tournaments.permissions import Can
from tournaments.publication.changes import list_changes
from tournaments.publication.versions import Word, is_over, newest_version
from tournaments.published import Shows
from tournaments.sessions.lists import sessions_with_states
from tournaments.web.doors import ACTION, author, tournament_page
from tournaments.web.reason import ReasonForm
from tournaments.words.messages import say


@tournament_page(Can.DIRECT)
def tournament_publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is in, and what is not; a reason where the figures were official and do not only grow."""
    error, now = "", timezone.now()
    last = newest_version(tournament)
    due, official = publishing.is_due(tournament, last), is_official(last)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = wants_reason = publishing.wants_reason(tournament, last, now)
    if form.is_valid():
        word = Word(author(request), now, form.cleaned_data["reason"])
        try:
            publishing.publish_tournament(tournament_id=tournament.pk, word=word)
        except Refused as refusal:
            error = say(refusal)
        else:
            messages.success(request, _("Published: everybody can read the ranking of the tournament."))
            return redirect("tournament_ranking", tournament.club.slug, tournament.slug)
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "several": has_several(tournament.pk),
        "sessions": sessions_with_states().filter(tournament=tournament).order_by("number"),
        "last": last,
        "official": official,
        "due": due,
        "changes": list_changes(publishing.changes_to_publish(tournament, last), Shows()) if due else [],
        "wants_reason": wants_reason,
        "form": form,
        "error": error,
        "reopening": ReasonForm(auto_id="reopen_%s"),
        "withdrawing": ReasonForm(auto_id="withdraw_%s"),
    }
    return render(request, "desk/end/tournament_publish.html", context)


def is_official(last: TournamentPublication | None) -> bool:
    return last is not None and (last.status == last.Status.OFFICIAL or is_over(last, timezone.now()))


@tournament_page(Can.DIRECT, ACTION)
def tournament_step(request: HttpRequest, tournament: Tournament, step: str) -> HttpResponse:
    """What becomes of the ranking that is published: a word of the director's, with its reason where it has one."""
    steps: dict[str, tuple[Callable[..., Any], str]] = {
        "official": (publishing.make_official, _("The ranking is official.")),
        "reopen": (publishing.reopen_ranking, _("The ranking is provisional again. Readers are told why.")),
        "withdraw": (publishing.withdraw_ranking, _("The ranking is taken back. Readers are told why.")),
    }
    if step not in steps:
        raise Http404
    do, told = steps[step]
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() and step != "official" else ""
    try:
        do(tournament_id=tournament.pk, word=Word(author(request), timezone.now(), reason))
    except Refused as refusal:
        messages.error(request, say(refusal))
    else:
        messages.success(request, told)
    return redirect("tournament_publish", tournament.club.slug, tournament.slug)
