"""The organiser's pages of a simultaneous' ranking: the live ranking, publishing it, and the steps of its versions."""

from operator import attrgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club
from pages.acting import done
from pages.doors import ACTION, club_page
from pages.parts.ranking_steps import answer_publishing, take_ranking_step
from pages.simultaneous.readers import get_simultaneous
from rankings.simultaneous.field.computing import count_states
from rankings.simultaneous.field.publishing import FIELD_RANKINGS, is_field_stale
from rankings.simultaneous.field.report import FieldReport
from tournaments.models import FieldStandings, Simultaneous
from tournaments.permissions import Can
from tournaments.queue import queue_field

LEADERS = 20


@club_page(Can.DIRECT)
def field_publish(request: HttpRequest, club: Club, simultaneous: str) -> HttpResponse:
    """Show the live ranking and what publishing it would change. A POST publishes it."""
    found = get_simultaneous(club, simultaneous)
    published = (_("The ranking is published."), "field", club.slug, found.slug)
    answer = answer_publishing(request, FIELD_RANKINGS, found, published)
    if isinstance(answer, HttpResponse):
        return answer
    if stale := is_field_stale(found, timezone.now()):
        queue_field(found.pk)
    context = answer | {"club": club, "simultaneous": found, "stale": stale}
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
    text = take_ranking_step(request, FIELD_RANKINGS, step, found.pk)
    return done(request, text, "field_publish", club.slug, found.slug)
