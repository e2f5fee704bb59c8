"""The views of simultaneous tournaments: those of a club, and the published ranking over all clubs of one of them."""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import View, operation
from api.kept import READ, answer_published, write_json_answer
from api.public.lists import PageShape, SomeSlug, cut_page, read_filters
from api.rankings import PublicationBrief, brief, find_field
from api.shown import RowOut, for_readers
from rankings.columns import RankingShape
from rankings.simultaneous.field.report import ALTERNE, GENERAL, FieldReport
from rankings.simultaneous.field.seen import look_up_field
from scoring.formats import Unit
from scoring.plays import LINES
from tournaments.addresses import origin_of
from tournaments.errors import NotShown
from tournaments.models import FieldPublication, Simultaneous
from tournaments.permissions import Can, get_club_for, require_found

HOURS = ("opens_at", "closes_at", "public_at")


class SimultaneousOut(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    title = serializers.CharField()
    opens_at = serializers.DateTimeField(help_text="clubs may play from then on")
    closes_at = serializers.DateTimeField(help_text="clubs should have played by then")
    public_at = serializers.DateTimeField(help_text="étuis and feuilles are open to everybody from then on")


class FieldClubOut(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    name = serializers.CharField()


class FieldPlayerOut(RowOut):
    """A player of a simultaneous. Equal percentages share a rank. A figure is null if there is no note of that kind."""

    shape = RankingShape(unit=Unit.PER_CENT, alterne=True, lines=True, weighted=True, clubs=True)


class FieldRankingOut(PublicationBrief, SimultaneousOut):
    """A page of a version of a simultaneous' ranking over all clubs."""

    unit = serializers.ChoiceField([str(unit) for unit in Unit], help_text="the unit of `overall`")
    alterne = serializers.BooleanField(help_text="whether there is a classement alterné")
    clubs = FieldClubOut(many=True, help_text="the clubs with players in the ranking, by name")
    count = serializers.IntegerField(help_text="players that the filters find, on all pages")
    players = FieldPlayerOut(many=True, help_text="those of this page")


class FieldFilters(PageShape):
    by = serializers.ChoiceField(
        [GENERAL, ALTERNE, *map(str, LINES)], default=GENERAL, help_text="the order; a line has its own players only"
    )
    club = SomeSlug(help_text="the players of one club; if left out, of all clubs")


class SimultaneousListView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "simultaneous_list",
        "List the simultaneous that a club organises",
        answer=SimultaneousOut(many=True),
        statuses=READ,
    )
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        return Response(SimultaneousOut(club.simultaneous.filter(put_away_at=None), many=True).data)


class FieldView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "simultaneous_ranking",
        "Read the published ranking of a simultaneous over all clubs",
        answer=FieldRankingOut,
        query=[FieldFilters],
        statuses=READ,
    )
    def get(self, request: Request, **place: str) -> HttpResponseBase:
        filters = read_filters(FieldFilters, request)
        return answer_field(request, find_field(request, Can.READ, place), filters)


def answer_field(
    request: Request, simultaneous: Simultaneous, asked: dict[str, Any], version: int | None = None
) -> HttpResponseBase:
    """Return a version of a field's ranking, or the newest one. Raise `NotShown` if it is withdrawn."""
    stamp = require_found(look_up_field(simultaneous, version))
    if stamp.withdrawn:
        raise NotShown("withdrawn")

    def build() -> Any:
        publication = FieldPublication.objects.get(pk=stamp.publication)
        return write_field(request, simultaneous, publication, asked)

    hours = [getattr(simultaneous, name) for name in HOURS]
    place = (simultaneous.title, *hours, origin_of(request), request.path)
    key = ("field", stamp.owner, *stamp.parts, *place, *sorted(asked.items()))
    return answer_published(request, key, build, private=stamp.practice, counted=True)


def write_field(
    request: Request, simultaneous: Simultaneous, publication: FieldPublication, asked: dict[str, Any]
) -> HttpResponseBase:
    """Return a page of a field's ranking in the shape of `FieldRankingOut`, with the header `Link`."""
    report = FieldReport(publication.data)
    clubs = report.list_clubs()
    session = next((each for each, club in clubs.items() if club.slug == asked.get("club")), None)
    rows = report.order_rows(asked["by"], session) if session or "club" not in asked else []
    page = cut_page(request, rows, asked)
    data = {
        **{name: getattr(simultaneous, name) for name in ("slug", "title", *HOURS)},
        **brief(publication),
        "unit": report.shape.unit,
        "alterne": report.has_alterne,
        "clubs": list(clubs.values()),
        "count": len(rows),
        "players": for_readers(report.show(page.rows)),
    }
    answer = write_json_answer(FieldRankingOut(data).data)
    for name, value in page.headers.items():
        answer[name] = value
    return answer
