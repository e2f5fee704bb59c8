"""The organiser's pages of a simultaneous' ranking: the live ranking, publishing it, and the steps of its versions."""

from operator import attrgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club
from pages.acting import done
from pages.doors import ACTION, author, club_page
from pages.parts.ranking_steps import RankingSteps, make_step_forms, take_ranking_step
from pages.reason import ReasonForm
from pages.simultaneous.readers import get_simultaneous
from rankings.publication.changes import list_changes
from rankings.simultaneous.field.computing import count_states
from rankings.simultaneous.field.publishing import (
    FIELD_RANKINGS,
    find_field_changes,
    is_field_stale,
    make_field_official,
    publish_field,
    wants_field_reason,
)
from rankings.simultaneous.field.report import FieldReport
from tournaments.errors import ActionRefused
from tournaments.models import FieldStandings, Simultaneous
from tournaments.permissions import Can
from tournaments.published import Shows
from tournaments.queue import queue_field
from tournaments.versions.steps import DirectorWord, find_newest_version
from tournaments.words.messages import say

LEADERS = 20


@club_page(Can.DIRECT)
def field_publish(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the live ranking and what publishing it would change. A POST publishes it."""
    found, now, error = get_simultaneous(club, simultaneous), timezone.now(), ""
    last = find_newest_version(found)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = wants_reason = wants_field_reason(last)
    if form.is_valid():
        try:
            word = DirectorWord(author(request), now, form.cleaned_data["reason"])
            publish_field(simultaneous_id=found.pk, word=word)
            return done(request, _("The ranking is published."), "field", club.slug, found.slug)
        except ActionRefused as refusal:
            error = say(refusal)
    changes = find_field_changes(found, last)
    if stale := is_field_stale(found, now):
        queue_field(found.pk)
    context: dict[str, Any] = {
        "club": club,
        "simultaneous": found,
        "last": last,
        "due": changes is not None,
        "stale": stale,
        "official": wants_reason and last.status != last.PublicationStatus.WITHDRAWN,
        "changes": list_changes(changes, Shows()) if changes else [],
        "wants_reason": wants_reason,
        "form": form,
        "error": error,
        **make_step_forms(),
    }
    return render(request, "simultaneous/field/publish.html", context | read_live(found))


def read_live(simultaneous: Simultaneous) -> dict[str, Any]:
    """Return the live ranking as the page shows it: its first players, its clubs, and when it was computed."""
    kept = FieldStandings.objects.filter(simultaneous=simultaneous).exclude(computed_at=None).first()
    if kept is None:
        return {"computed_at": None}
    report = FieldReport(kept.data)
    clubs = [each | {"name": report.club_names[each["club"]]} for each in kept.data["clubs"]]
    leaders = report.show(report.order_rows(report.reference)[:LEADERS], in_public=True)
    rank = attrgetter(report.reference.rank)
    return {
        "computed_at": kept.computed_at,
        "states": count_states(kept.data["clubs"]),
        "clubs": sorted(clubs, key=lambda each: each["name"]),
        "leaders": [(rank(player), player) for player in leaders],
        "complete": kept.data["complete"],
    }


@club_page(Can.DIRECT, ACTION, back="field_publish simultaneous")
def field_step(request: HttpRequest, club: Club, simultaneous: str, step: str) -> HttpResponse:
    """Change the published ranking: make it "official", "reopen" or "withdraw" it. The last two need a reason."""
    found = get_simultaneous(club, simultaneous)
    steps = RankingSteps(make_field_official, FIELD_RANKINGS.reopen, FIELD_RANKINGS.withdraw)
    text = take_ranking_step(request, steps, step, found.pk)
    return done(request, text, "field_publish", club.slug, found.slug)
