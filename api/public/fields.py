"""The views of simultaneous tournaments: their ranking over all clubs, a version, an étui, a player's feuille."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Percent, PublicView, operation
from api.kept import READ, write_json_answer
from api.public.lists import PageShape, SomeSlug, cut_page, read_filters
from api.public.published_etuis import FieldOut
from api.rankings import (
    OF_FIELDS,
    PublicationBrief,
    answer_version,
    brief,
    find_field,
    make_reading_views,
    read_fields_of,
)
from api.shown import RowOut, for_readers
from rankings.columns import RankingShape
from rankings.simultaneous.field.feuilles import FieldFeuille, read_field_feuille
from rankings.simultaneous.field.report import ALTERNE, GENERAL, FieldStamp, list_field_scores, read_field_ranking
from scoring.formats import Unit
from scoring.plays import LINES
from tournaments.addresses import origin_of
from tournaments.errors import NotShown
from tournaments.models import FieldPublication, Simultaneous
from tournaments.permissions import Can, get_club_for, require_found


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
    reference = serializers.ChoiceField([GENERAL, ALTERNE], help_text="the ranking that its page shows first")
    clubs = FieldClubOut(many=True, help_text="the clubs with players in the ranking, by name")
    count = serializers.IntegerField(help_text="players that the filters find, on all pages")
    players = FieldPlayerOut(many=True, help_text="those of this page")


class FieldFilters(PageShape):
    by = serializers.ChoiceField(
        [GENERAL, ALTERNE, *map(str, LINES)],
        required=False,
        help_text="the order; a line has its own players only; if left out, the reference",
    )
    club = SomeSlug(help_text="the players of one club; if left out, of all clubs")


class SimultaneousListView(PublicView):
    @operation(
        "simultaneous_list",
        "List the simultaneous that a club organises",
        answer=SimultaneousOut(many=True),
        statuses=READ,
    )
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        return Response(SimultaneousOut(club.simultaneous.filter(put_away_at=None), many=True).data)


def answer_field(request: Request, version: int | None = None, **place: str) -> HttpResponseBase:
    """Return a version of a field's ranking, or the newest one. Raise `NotShown` if it is withdrawn."""
    filters = read_filters(FieldFilters, request)
    about, write = (origin_of(request), request.path, *sorted(filters.items())), partial(write_field, request, filters)
    return answer_version(OF_FIELDS, write, request, version, about, counted=True, **place)


FieldView, FieldVersionView = make_reading_views(
    FieldRankingOut,
    answer_field,
    ("simultaneous_ranking", "Read the published ranking of a simultaneous over all clubs"),
    ("simultaneous_version", "Read a version of a simultaneous’ ranking"),
    query=[FieldFilters],
)


def write_field(
    request: Request, asked: dict[str, Any], publication: FieldPublication, _stamp: FieldStamp
) -> HttpResponseBase:
    """Return a page of a field's ranking in the shape of `FieldRankingOut`, with the header `Link`."""
    ranking = read_field_ranking(publication.data)
    session = next((each for each, club in ranking.clubs.items() if club.slug == asked.get("club")), None)
    listed, by = ranking.of_session(session), asked.get("by", ranking.reference)
    rows = listed.list_of_line(by) if by in LINES else listed.order(by)
    rows = rows if session or "club" not in asked else []
    page = cut_page(request, rows, asked)
    data = {
        **read_fields_of(SimultaneousOut, publication.simultaneous),
        **brief(publication),
        "unit": ranking.shape.unit,
        "alterne": ranking.shape.alterne,
        "reference": ranking.reference,
        "clubs": list(ranking.clubs.values()),
        "count": len(rows),
        "players": for_readers(ranking.show(page.rows)),
    }
    answer = write_json_answer(FieldRankingOut(data).data)
    for name, value in page.headers.items():
        answer[name] = value
    return answer


class FieldScoresOut(FieldOut):
    """The plays that are compared with one another: of all clubs, or after a club altered its étui, of this club."""

    part = serializers.IntegerField(help_text="2 after the organiser has altered the étui for all, else 1")
    club = serializers.CharField(allow_blank=True, help_text="the club that altered its étui before these plays")


class FieldEtuiOut(serializers.Serializer[Any]):
    """An étui of a simultaneous, from the public hour on: its cards, and how often each score was made in all clubs."""

    version = serializers.IntegerField(help_text="version of the ranking")
    number = serializers.IntegerField()
    taker = serializers.CharField(allow_blank=True)
    dealer = serializers.CharField()
    cards = serializers.CharField(allow_blank=True, help_text="empty if this site does not have them")
    annulled = serializers.BooleanField(help_text="whether the organiser has annulled the étui for all clubs")
    compared = FieldScoresOut(many=True)


class FieldLineOut(serializers.Serializer[Any]):
    position = serializers.IntegerField(source="line.play.position")
    etui = serializers.IntegerField(source="line.etui.number")
    mark = serializers.IntegerField(source="line.mark", allow_null=True)
    note = Percent(source="line.note", help_text="in the club")
    field_note = Percent(source="note", help_text="over all clubs; null if the version does not have this score")
    annulled = serializers.BooleanField(help_text="whether the étui is annulled for all clubs")


class ClubFiguresOut(serializers.Serializer[Any]):
    rank_general = serializers.IntegerField(allow_null=True)
    attack = Percent()
    defence = Percent()
    overall = Percent()


class FieldFeuilleOut(serializers.Serializer[Any]):
    """A player's feuille in a simultaneous, from the public hour on: the notes in the club and over all clubs."""

    version = serializers.IntegerField(help_text="version of the ranking")
    player = FieldPlayerOut()
    in_club = ClubFiguresOut(allow_null=True, help_text="null if the club does not show its feuilles")
    plays = FieldLineOut(many=True, help_text="in the order of play; empty if the club does not show its feuilles")


class FieldEtuiView(PublicView):
    @operation(
        "simultaneous_etui",
        "Read an étui of a simultaneous, with the scores of all clubs",
        answer=FieldEtuiOut,
        statuses=READ,
    )
    def get(self, request: Request, etui: int, **place: str) -> HttpResponseBase:
        return answer_opened(request, place, "field etui", etui, write_field_etui)


class FieldFeuilleView(PublicView):
    @operation(
        "simultaneous_feuille",
        "Read a player’s feuille in a simultaneous, with the notes in the club and over all clubs",
        answer=FieldFeuilleOut,
        statuses=READ,
    )
    def get(self, request: Request, entrant: int, **place: str) -> HttpResponseBase:
        return answer_opened(request, place, "field feuille", entrant, write_field_feuille, entrant=entrant)


def answer_opened(
    request: Request,
    place: Mapping[str, str],
    what: str,
    number: int,
    write: Callable[[Simultaneous, FieldPublication, int], Any],
    *,
    entrant: int | None = None,
) -> HttpResponseBase:
    """Return the answer that `write` makes of the newest ranking, about the étui or the entrant with this number.

    Raise `NotShown` before the public hour, or if the ranking is withdrawn. Answers about an `entrant` are counted.
    """
    field = find_field(request, Can.READ, place)
    stamp: FieldStamp = OF_FIELDS.find_readable(field, entrant=entrant)
    if not stamp.opened:
        raise NotShown("etuis_secret")

    def build() -> Any:
        return write(field, FieldPublication.objects.get(pk=stamp.publication), number)

    about = (what, number, origin_of(request))
    return OF_FIELDS.answer_kept(request, field, stamp, build, *about, counted=entrant is not None)


def write_field_etui(simultaneous: Simultaneous, publication: FieldPublication, number: int) -> Any:
    field = read_field_ranking(publication.data).rules
    shown_etui = require_found(field.find_etui(number))
    etui = require_found(simultaneous.deal_set.etuis.filter(number=number).first())
    own = {name: getattr(etui, name) for name in ("number", "taker", "dealer", "cards")}
    data = {"version": publication.version, "annulled": shown_etui["annulled"]}
    return FieldEtuiOut(own | data | {"compared": list_field_scores(field, shown_etui)}).data


def write_field_feuille(_field: Simultaneous, publication: FieldPublication, entrant: int) -> Any:
    ranking = read_field_ranking(publication.data)
    row = require_found(ranking.find_row(entrant))
    feuille: FieldFeuille | None = read_field_feuille(ranking.rules, row)
    (player,) = for_readers(ranking.show([row]))
    data = {"version": publication.version, "player": player, "in_club": feuille and feuille.player}
    return FieldFeuilleOut(data | {"plays": feuille.lines if feuille else []}).data
