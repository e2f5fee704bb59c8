"""The decorator for the public pages of a simultaneous' ranking. They are cached as those of sessions are."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control

from clubs.models import Club
from pages.doors import READING, club_page
from pages.public.published import Known, answer_readers, show_in_club
from rankings.simultaneous.field.report import FieldReport, FieldStamp, find_field_stamp, look_up_field
from tournaments.models import FieldPublication, Simultaneous, SimultaneousClub
from tournaments.permissions import Can, power_of, require_found

View = Callable[..., Any]


class PublishedField(NamedTuple):
    """A version of a field's ranking, with its simultaneous."""

    publication: FieldPublication
    simultaneous: Simultaneous
    stamp: FieldStamp

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


def with_field(*, opened: bool = False, **known: Known) -> Callable[[View], View]:
    """Return a decorator for `view(request, shown)`, which is called only if the page must be built.

    With `opened`, the page is shown from the public hour on. `known` has the query parameters that change the page, as
    in `with_publication`.
    """

    def decorate(view: View) -> View:
        @club_page(Can.READ, READING, real=True)
        @wraps(view)
        def find(
            request: HttpRequest, club: Club, simultaneous: str, version: int | None = None, **more: int
        ) -> HttpResponse:
            listed = Simultaneous.objects.filter(club=club, slug=simultaneous)
            found = require_found(listed.first())
            found.club = club
            stamp = look_up_field(found, version, entrant=more.get("entrant"))
            if stamp is None and version is not None:
                raise Http404
            if stamp is None or stamp.withdrawn:
                return say_why_not(request, found, stamp)
            if opened and not stamp.opened:
                raise Http404

            def build(request: HttpRequest) -> HttpResponse:
                publication = FieldPublication.objects.get(pk=stamp.publication)
                publication.simultaneous = found
                return show_in_club(club, lambda: view(request, PublishedField(publication, found, stamp), **more))

            find_stamp = partial(find_field_stamp, found.pk, version, more.get("entrant"))
            return answer_readers(request, stamp, build, known, find_stamp)

        return find

    return decorate


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
        response = render(request, "simultaneous/field/not_published.html", context, status=404)
    patch_cache_control(response, no_cache=True)
    return response


def is_club_of_field(value: str, stamp: Any) -> bool:
    """Return whether the value is the slug of a club of the simultaneous."""
    return SimultaneousClub.objects.filter(simultaneous=stamp.owner, club__slug=value).exists()
