"""The page on which a director publishes a tournament's ranking over all sessions, and changes its state later."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from evenings.sessions.lists import sessions_with_states
from pages.acting import done
from pages.doors import ACTION, author, tournament_page
from pages.parts.ranking_steps import RankingSteps, make_step_forms, take_ranking_step
from pages.reason import ReasonForm
from rankings.events import publishing
from rankings.events.computing import has_several
from rankings.publication.changes import list_changes
from tournaments.errors import ActionRefused
from tournaments.models import Tournament, TournamentPublication
from tournaments.permissions import Can
from tournaments.published import Shows
from tournaments.versions.steps import DirectorWord, find_newest_version, is_over
from tournaments.words.messages import say


@tournament_page(Can.DIRECT)
def tournament_publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show which sessions are included and which are not. A POST publishes the ranking.

    If the published ranking is official, a reason is required, unless only further sessions are added.
    """
    error, now = "", timezone.now()
    last = find_newest_version(tournament)
    due, official = publishing.is_due(tournament, last), is_official(last)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = wants_reason = publishing.wants_reason(tournament, last, now)
    if form.is_valid():
        word = DirectorWord(author(request), now, form.cleaned_data["reason"])
        try:
            publishing.publish_tournament(tournament_id=tournament.pk, word=word)
            text = _("Published: everybody can read the tournament ranking.")
            return done(request, text, "tournament_ranking", tournament.club.slug, tournament.slug)
        except ActionRefused as refusal:
            error = say(refusal)
    context = {
        "club": tournament.club,
        "tournament": tournament,
        "several": has_several(tournament.pk),
        "sessions": sessions_with_states().filter(tournament=tournament).order_by("number"),
        "last": last,
        "official": official,
        "due": due,
        "changes": list_changes(publishing.changes_to_publish(tournament, last), Shows(), version=last) if due else [],
        "wants_reason": wants_reason,
        "form": form,
        "error": error,
        **make_step_forms(),
    }
    return render(request, "desk/end/tournament_publish.html", context)


def is_official(last: TournamentPublication | None) -> bool:
    return last is not None and (last.status == last.PublicationStatus.OFFICIAL or is_over(last, timezone.now()))


@tournament_page(Can.DIRECT, ACTION, back="tournament_publish")
def tournament_step(request: HttpRequest, tournament: Tournament, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two steps need a reason."""
    rankings = publishing.TOURNAMENT_RANKINGS
    steps = RankingSteps(rankings.make_official, rankings.reopen, rankings.withdraw)
    text = take_ranking_step(request, steps, step, tournament.pk)
    return done(request, text, "tournament_publish", tournament.club.slug, tournament.slug)
