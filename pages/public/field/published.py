"""The entrance to the public pages of a simultaneous' ranking. They are cached as those of sessions are."""

from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from clubs.models import Club
from pages.doors import READING, club_page
from pages.public.published import Entrance, RankingEntry
from rankings.simultaneous.field.report import FieldReport, FieldStamp, find_field_stamp, look_up_field
from tournaments.models import FieldPublication, Simultaneous, SimultaneousClub
from tournaments.permissions import Can, power_of, require_found

OPENED = "opened"


class PublishedField(NamedTuple):
    """A version of a field's ranking, with its simultaneous."""

    publication: FieldPublication
    simultaneous: Simultaneous
    stamp: FieldStamp

    @property
    def club(self) -> Club:
        return self.simultaneous.club

    @property
    def context(self) -> dict[str, Any]:
        return {
            "club": self.simultaneous.club,
            "simultaneous": self.simultaneous,
            "publication": self.publication,
            "field_stamp": self.stamp,
            "seen": self.stamp,
            "official": self.publication.status == FieldPublication.PublicationStatus.OFFICIAL,
            "report": FieldReport(self.publication.data),
        }


def enter_field(
    request: HttpRequest, part: str, club: Club, simultaneous: str, version: int | None = None, **more: int
) -> RankingEntry | HttpResponse:
    """Return the entry to the ranking of a simultaneous, or the page that says why readers do not see it.

    The part OPENED is shown from the public hour on.
    """
    found = require_found(Simultaneous.objects.filter(club=club, slug=simultaneous).first())
    found.club = club
    stamp = look_up_field(found, version, entrant=more.get("entrant"))
    if stamp is None and version is not None:
        raise Http404
    if stamp is None or stamp.withdrawn:
        return say_why_not(request, found, stamp)
    if part == OPENED and not stamp.opened:
        raise Http404

    def read() -> PublishedField:
        publication = FieldPublication.objects.get(pk=stamp.publication)
        publication.simultaneous = found
        return PublishedField(publication, found, stamp)

    return RankingEntry(stamp, read, partial(find_field_stamp, found.pk, version, more.get("entrant")), more)


FIELD = Entrance(club_page(Can.READ, READING, real=True), enter_field)


def say_why_not(request: HttpRequest, simultaneous: Simultaneous, stamp: FieldStamp | None) -> HttpResponse:
    """Show a page that says why the ranking cannot be read: nothing is published yet, or it was withdrawn."""
    context: dict[str, Any] = {
        "club": simultaneous.club,
        "simultaneous": simultaneous,
        "directs": power_of(request.user, simultaneous.club) >= Can.DIRECT,
    }
    if stamp is not None:
        context["withdrawal"] = simultaneous.publications.defer("data", "frozen").get(version=stamp.withdrawn or 0)
    with timezone.override(simultaneous.club.zone):
        return render(request, "simultaneous/field/not_published.html", context, status=404)


def is_club_of_field(value: str, stamp: Any) -> bool:
    """Return whether the value is the slug of a club of the simultaneous."""
    return SimultaneousClub.objects.filter(simultaneous=stamp.owner, club__slug=value).exists()
