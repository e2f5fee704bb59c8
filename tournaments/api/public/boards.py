"""An étui of a publication with its topage: how it was played at every table, and its cards where they are shown."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from tournaments.api.base import Percent, View, operation
from tournaments.api.public.kept import READ, answer_published
from tournaments.api.public.shown import ShownOut, for_readers
from tournaments.api.reading import PublishedEtuiOut, find_readable, tell
from tournaments.models import Play, Publication, Tournament
from tournaments.permissions import Can, get_session_for, require_found
from tournaments.publication.frequencies import explain_field, fields_of
from tournaments.publication.report import cut, read_report
from tournaments.published import Stamp
from tournaments.words.difference_sentences import say_difference


class SeatedPlayerOut(ShownOut):
    id = serializers.IntegerField(help_text="of the entrant, as the plays have it")
    line = serializers.CharField()
    number = serializers.IntegerField()


class FrequencyOut(serializers.Serializer[Any]):
    score = serializers.IntegerField(help_text="of the taker; in a free auction the mark of the seat")
    count = serializers.IntegerField()
    note = Percent()
    defence = Percent(help_text="null in a free auction")


class FieldOut(serializers.Serializer[Any]):
    """Plays that are compared with one another: all, or those before or after an étui was altered; of a free auction
    those of a seat."""

    line = serializers.CharField(allow_blank=True, help_text="whose seat it is in a free auction; else empty")
    part = serializers.IntegerField()
    frequencies = FrequencyOut(many=True, help_text="the best score first")


class EtuiOut(PublishedEtuiOut):
    """The plays from the taker's best to his worst, those that do not count last."""

    version = serializers.IntegerField(help_text="of the publication")
    players = SeatedPlayerOut(many=True, help_text="whoever played the étui")
    compared = FieldOut(many=True, help_text="how often each score came")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="what made the difference, in sentences")


class EtuiView(View):
    open_to_all = frozenset({"GET"})

    @operation("etui_read", "An étui of a publication, with its topage", answer=EtuiOut, statuses=READ)
    def get(self, request: Request, pk: int, version: int, etui: int) -> HttpResponseBase:
        return answer_etui(request, pk, version, etui)


class LatestEtuiView(View):
    open_to_all = frozenset({"GET"})

    @operation("etui_latest", "An étui of the newest publication, with its topage", answer=EtuiOut, statuses=READ)
    def get(self, request: Request, pk: int, etui: int) -> HttpResponseBase:
        return answer_etui(request, pk, None, etui)


def answer_etui(request: Request, pk: int, version: int | None, etui: int) -> HttpResponseBase:
    session = get_session_for(request.user, Can.READ, pk=pk)
    stamp = find_readable(session, version, "boards")
    told = ("etui", etui, *tell(session, stamp))
    return answer_published(request, told, lambda: write_etui(stamp, etui), private=stamp.practice)


def write_etui(stamp: Stamp, number: int) -> Any:
    played = Play.objects.filter(session=OuterRef("session"), etui__number=number).order_by()
    found = Publication.objects.filter(Exists(played), pk=stamp.publication)
    data = require_found(found.values_list("data", flat=True).first())
    report = read_report(cut(data, stamp.shows))
    etui = require_found(report.etui(number))
    plays = report.topage(etui)
    seated = {player["id"]: player for play in plays for player in play["players"].values()}
    players = for_readers(seated[entrant] for entrant in sorted(seated))
    compared = fields_of(plays, weighted=data["auction"] == Tournament.Auction.IMPOSED)
    explained = explain_field(compared)
    told = {
        "version": stamp.version,
        "plays": plays,
        "players": players,
        "compared": compared,
        "reasons": say_difference(explained.difference) if explained else [],
    }
    return EtuiOut(etui | told).data
