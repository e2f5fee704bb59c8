"""The views of one étui of a publication: its plays at all tables and, if they are shown, its cards."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request

from api.base import Percent
from api.rankings import OF_SESSIONS, make_reading_views
from api.reading import require_part
from api.shown import PublishedEtuiOut, ShownOut, for_readers, read_field_values
from rankings.publication.frequencies import explain_field, fields_of
from rankings.publication.report import read_in_public, read_seen_report
from tournaments.models import Play, Publication
from tournaments.permissions import Can, get_session_for, require_found
from tournaments.published import Stamp
from tournaments.words.difference_sentences import say_difference


class SeatedPlayerOut(ShownOut):
    id = serializers.IntegerField(help_text="id of the entrant, as in the plays")
    line = serializers.CharField()
    number = serializers.IntegerField()


class FrequencyOut(serializers.Serializer[Any]):
    score = serializers.IntegerField(help_text="the taker’s score; in a free auction, the mark of the seat")
    count = serializers.IntegerField()
    note = Percent()
    defence = Percent(help_text="null in a free auction")


class FieldOut(serializers.Serializer[Any]):
    """The plays that are compared with one another: all plays, or those before or after an étui was altered.

    In a free auction, they are the plays of one seat.
    """

    line = serializers.CharField(allow_blank=True, help_text="the seat in a free auction; empty otherwise")
    part = serializers.IntegerField()
    frequencies = FrequencyOut(many=True, help_text="best score first")


class EtuiOut(PublishedEtuiOut):
    """An étui with its plays, from the taker's best to the worst. Plays that do not count come last."""

    version = serializers.IntegerField(help_text="version of the publication")
    players = SeatedPlayerOut(many=True, help_text="everybody who played the étui")
    compared = FieldOut(many=True, help_text="how often each score occurred, for each group of compared plays")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="what made the difference, as sentences")


def answer_etui(request: Request, pk: int, etui: int, version: int | None = None) -> HttpResponseBase:
    """Return the answer about an étui. `version` is None for the newest publication."""
    session = get_session_for(request.user, Can.READ, pk=pk)
    stamp: Stamp = OF_SESSIONS.find_readable(session, version)
    require_part(stamp, "etui_pages")
    return OF_SESSIONS.answer_kept(request, session, stamp, lambda: write_etui(stamp, etui), "etui", etui)


LatestEtuiView, EtuiView = make_reading_views(
    EtuiOut,
    answer_etui,
    ("etui_latest", "Read an étui of the newest publication, with its topage"),
    ("etui_read", "Read an étui of a publication, with its topage"),
)


def write_etui(stamp: Stamp, number: int) -> Any:
    """Return the étui in the shape of `EtuiOut`. Raise `Http404` if the publication does not have it."""
    played = Play.objects.filter(session=OuterRef("session"), etui__number=number).order_by()
    publications = Publication.objects.filter(Exists(played), pk=stamp.publication)
    data = require_found(publications.values_list("data", flat=True).first())
    report = read_in_public(read_seen_report(data, stamp))
    etui = require_found(report.etui(number))
    plays = report.topage(etui)
    seated = {player.id: player for play in plays for player in play.players.values()}
    players = for_readers(seated[entrant] for entrant in sorted(seated))
    compared = fields_of(plays, weighted=report.ranking.shape.weighted)
    explained = explain_field(compared)
    shown = {
        "version": stamp.version,
        "plays": plays,
        "players": players,
        "compared": compared,
        "reasons": say_difference(explained.difference) if explained else [],
    }
    return EtuiOut(read_field_values(etui) | shown).data
