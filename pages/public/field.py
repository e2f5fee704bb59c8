"""The entrance to the public pages of a simultaneous' ranking, and these pages: the ranking, an étui, a feuille."""

import datetime as dt
from functools import cached_property, partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club
from pages.doors import READING, club_page
from pages.parts.cards import hands_of
from pages.public.published import ANY, Entrance, RankingEntry, WhyNot, say_why_not, with_ranking
from pages.public.shown import ShownRanking
from pages.ranking_pages import ALTERNE, GENERAL, RankingQuery
from pages.report_pages import find_neighbours
from rankings.simultaneous.field.computing import count_states
from rankings.simultaneous.field.feuilles import read_field_feuille
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.field.report import (
    FieldRanking,
    FieldStamp,
    find_field_stamp,
    list_field_scores,
    read_field_ranking,
)
from scoring.plays import LINES
from tournaments.models import Simultaneous, SimultaneousClub
from tournaments.permissions import Can, find_of_club, power_of, require_found

OPENED = "opened"


class PublishedField(ShownRanking):
    """A version of a field's ranking, with its simultaneous."""

    kind = FIELDS

    @property
    def occasion(self) -> str:
        return _("Ranking over all clubs")

    @property
    def day(self) -> dt.date:
        return timezone.localtime(self.owner.opens_at).date()

    @cached_property
    def ranking(self) -> FieldRanking:
        return read_field_ranking(self.version.data)

    def describe_page(self, request: HttpRequest, asked: RankingQuery) -> dict[str, Any]:
        data = self.version.data
        return super().describe_page(request, asked) | {"states": count_states(data["clubs"]), "etuis": data["etuis"]}


def enter_field(
    request: HttpRequest, part: str, club: Club, simultaneous: str, version: int | None = None, **more: int
) -> RankingEntry | HttpResponse:
    """Return the entry to the ranking of a simultaneous, or the page that says why readers do not see it.

    The part OPENED is shown from the public hour on.
    """
    found = find_of_club(Simultaneous, club.slug, simultaneous)
    stamp = FIELDS.look_up(found.pk, version, more.get("entrant"))
    if stamp is None and version is not None:
        raise Http404
    if stamp is None or stamp.withdrawn:
        return refuse_field(request, found, stamp)
    if part == OPENED and not stamp.opened:
        raise Http404
    find_again = partial(find_field_stamp, found.pk, version, more.get("entrant"))
    return RankingEntry(stamp, partial(PublishedField.read, stamp), find_again, more)


def refuse_field(request: HttpRequest, simultaneous: Simultaneous, stamp: FieldStamp | None) -> HttpResponse:
    """Show why the ranking of a simultaneous cannot be read: nothing is published yet, or it was withdrawn."""
    club, place = simultaneous.club, (simultaneous.club.slug, simultaneous.slug)
    context = {"club": club, "simultaneous": simultaneous, "back_url": reverse("simultaneous", args=place)}
    if power_of(request.user, club) >= Can.DIRECT:
        context["publish_url"] = reverse("field_publish", args=place)
    heading, text = _("The ranking is not published yet"), _("The organiser publishes it as the clubs come in.")
    if stamp is not None:
        heading = _("This ranking has been withdrawn")
        text = _("The organiser of %(name)s withdrew the ranking over all clubs on %(moment)s.")
    why_not = WhyNot(", ".join([_("Ranking"), simultaneous.title, club.name]), heading, text)
    return say_why_not(request, simultaneous, stamp, why_not, {"name": simultaneous.title}, context)


def is_club_of_field(value: str, stamp: Any) -> bool:
    """Return whether the value is the slug of a club of the simultaneous."""
    return SimultaneousClub.objects.filter(simultaneous=stamp.owner, club__slug=value).exists()


VIEWS = {GENERAL, ALTERNE, *map(str, LINES)}
FIELD = Entrance(
    FIELDS, club_page(Can.READ, READING, real=True), enter_field, {"by": VIEWS, "club": is_club_of_field, "me": ANY}
)


@with_ranking(FIELD, OPENED)
def field_etui(request: HttpRequest, shown: PublishedField, etui: int) -> HttpResponse:
    """Show how often each score of an étui was made in all clubs. It is open from the public hour on."""
    field = shown.ranking.rules
    found = require_found(field.find_etui(etui))
    dealt = require_found(shown.owner.deal_set.etuis.filter(number=etui).first())
    hands, chien = hands_of(dealt.cards)
    before, after = find_neighbours([each["number"] for each in field.data["etuis"]], etui)
    fields = list_field_scores(field, found)
    told: dict[str, Any] = {
        "fields": [(each, [{"frequency": score} for score in each.frequencies]) for each in fields],
        "etui": dealt,
        "annulled": found["annulled"],
        "hands": hands,
        "chien": chien,
        "weighted": shown.ranking.shape.weighted,
        "before": before,
        "after": after,
    }
    return render(request, "simultaneous/field/etui.html", shown.context | told)


@with_ranking(FIELD, OPENED)
def field_feuille(request: HttpRequest, shown: PublishedField, entrant: int) -> HttpResponse:
    """Show a player's étuis with the notes in the club and in the field. It is open from the public hour on."""
    ranking = shown.ranking
    row = require_found(ranking.find_row(entrant))
    (player,) = ranking.show([row])
    told = {"player": player, "feuille": read_field_feuille(ranking.rules, row), "ranking": ranking}
    return render(request, "simultaneous/field/feuille.html", shown.context | told)
