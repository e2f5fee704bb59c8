"""The views that read standings, feuilles de route and publications. Percentages are given both exactly and rounded.

Data of a publication never change, except for the names. Results that are not published are for directors only.
"""

from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MarksFigure, Percent, PublicView, Shape, View, operation, read_shape
from api.kept import READ
from api.rankings import (
    OF_SESSIONS,
    PublicationBrief,
    ShowsOut,
    answer_version,
    brief,
    make_reading_views,
    require_not_withdrawn,
)
from api.shown import (
    OF_TEAMS,
    PERCENTAGES,
    PublishedEtuiOut,
    RowOut,
    SummedTeamOut,
    for_readers,
    move_counted_marks,
    put_marks_beside,
    read_field_values,
)
from evenings.plays.desk_state import hidden_etuis
from evenings.reference import Reference, find_reported_reference
from evenings.standings.computing import is_session_fresh
from rankings.columns import RankingShape
from rankings.publication import building as live
from rankings.publication import report
from rankings.simultaneous.field.feuilles import PlaceInField, find_field_version, find_place_in_field
from scoring.formats import Unit
from tournaments.errors import ActionRefused, NotShown
from tournaments.models import Publication, Session
from tournaments.permissions import Can, get_session_for, require, require_found
from tournaments.published import Stamp
from tournaments.reports.session import decode_report
from tournaments.words.messages import show_signed

UNITS = [str(unit) for unit in Unit]


class StandingOut(RowOut):
    """A player's line in the rankings. A figure is null if the player has no note of that kind.

    In donnes libres the line has `marks`, and the percentages are null.
    """

    shape = RankingShape(unit=Unit.PER_CENT, alterne=True, lines=True, weighted=True)

    id = serializers.IntegerField(help_text="id of the entrant, in this session only")
    marks = MarksFigure(help_text="the sum of the marks in donnes libres, the penalty taken off; else null")
    attack_marks = MarksFigure(help_text="in donnes libres the sum of the marks as taker; else null")
    defence_marks = MarksFigure(help_text="in donnes libres the sum of the marks of all other deals; else null")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = read_field_values(instance)
        parts = {"attack": shown["attack"], "defence": shown["defence"]}
        data = put_marks_beside(shown, PERCENTAGES)
        kept = dict.fromkeys(parts) if data["marks"] is None else parts
        more = {f"{name}_marks": part for name, part in kept.items()}
        return super().to_representation(data | more)


class CountsOut(serializers.Serializer[Any]):
    scored = serializers.IntegerField()
    missing = serializers.IntegerField()
    annulled = serializers.IntegerField()
    not_played = serializers.IntegerField(default=0)


class StandingsOut(serializers.Serializer[Any]):
    """The standings that were computed last.

    `fresh` tells whether they hold every result. `computed_at` is null until a job has computed them; the figures are
    then computed at this moment.
    """

    session = serializers.IntegerField()
    fresh = serializers.BooleanField()
    results_version = serializers.IntegerField()
    unit = serializers.ChoiceField(UNITS, help_text="the unit of the figures by which players are ranked")
    computed_at = serializers.DateTimeField(allow_null=True)
    counts = CountsOut()
    players = StandingOut(many=True)
    teams = SummedTeamOut(many=True, help_text=OF_TEAMS)


class PublicationOut(PublicationBrief):
    """A frozen copy of a session.

    Its figures never change; a correction makes the next version. Names are those of today, in every version: a player
    may since have been renamed, hidden, or shown by initials.
    """

    club = serializers.CharField()
    tournament = serializers.CharField()
    auction = serializers.CharField()
    session = serializers.IntegerField(help_text="the number of the session in its tournament")
    date = serializers.DateField()
    tables = serializers.IntegerField()
    positions = serializers.IntegerField()
    etuis_per_position = serializers.IntegerField()
    unit = serializers.ChoiceField(UNITS, help_text="the unit of the figures by which players are ranked")
    shows = ShowsOut()
    counts = CountsOut()
    reference = serializers.ChoiceField(
        [*map(str, Reference), "teams"],
        help_text="the ranking that its page shows first; sections: that of `together`; teams: that of `teams`",
    )
    players = StandingOut(many=True)
    together = StandingOut(many=True, help_text="the ranking of all sections, if they are ranked together")
    teams = SummedTeamOut(many=True, help_text=OF_TEAMS)
    etuis = PublishedEtuiOut(many=True)


class FeuilleLineOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    taker = serializers.CharField(allow_null=True)
    state = serializers.CharField()
    base_score = serializers.IntegerField(allow_null=True)
    fiche = serializers.CharField(allow_null=True)
    mark = serializers.IntegerField(allow_null=True, help_text="of this player")
    note = Percent(help_text="of this player; null in donnes libres")
    counted_marks = MarksFigure(help_text="in donnes libres the marks of this player that count; else null")
    fixed = serializers.BooleanField(help_text="whether the arbiter has fixed the note")
    others = serializers.ListField(child=serializers.CharField(), help_text="who sat at the table with the player")


class PlaceInFieldOut(serializers.Serializer[Any]):
    """A player's place in the published ranking of a simultaneous over all clubs. Null figures: no rank, no note."""

    club = serializers.SlugField(source="simultaneous.club.slug", help_text="the organiser’s club")
    simultaneous = serializers.SlugField(source="simultaneous.slug")
    rank = serializers.IntegerField(allow_null=True, help_text="in the classement alterné if there is one")
    ranked = serializers.IntegerField(help_text="the number of players with a rank")
    overall = Percent()


class FeuilleOut(serializers.Serializer[Any]):
    """A player's feuille de route.

    `publication` is the version that it comes from, or null for the current standings.
    """

    publication = serializers.IntegerField(allow_null=True)
    fresh = serializers.BooleanField()
    player = StandingOut()
    plays = FeuilleLineOut(many=True)
    over_all_clubs = PlaceInFieldOut(
        allow_null=True, help_text="the place in the simultaneous; null if the session plays none, or none is published"
    )


class FeuilleFilters(Shape):
    live = serializers.BooleanField(
        default=False, help_text="for directors: the current results, even if there is a publication"
    )


class StandingsView(View):
    @operation("standings_read", "Read the newest computed standings", answer=StandingsOut)
    def get(self, request: Request, pk: int) -> Response:
        session = not_hidden(request, require_start(get_session_for(request.user, Can.DIRECT, pk=pk)))
        computed = session.standings
        reader = report.read_for_directors(require_found(live.read_live_ranking(session)))
        return Response(
            StandingsOut(
                {
                    "session": session.pk,
                    "fresh": is_session_fresh(session),
                    "results_version": computed.results_version,
                    "computed_at": computed.computed_at,
                    "counts": reader.data.counts,
                    "unit": reader.data.format.unit,
                    "players": reader.players,
                    "teams": reader.ranking.team_sums,
                }
            ).data
        )


class FeuilleView(PublicView):
    @operation(
        "feuille_read",
        "Read a player's feuille de route: from the newest publication or, for directors, from the current results",
        answer=FeuilleOut,
        query=[FeuilleFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int, entrant: int) -> HttpResponseBase:
        session = get_session_for(request.user, Can.READ, pk=pk)
        as_it_stands = read_shape(FeuilleFilters, request.query_params.dict())["live"]
        stamp = OF_SESSIONS.look_up(session)
        if stamp is None or as_it_stands:
            require(request.user, session.tournament.club, Can.DIRECT)
            data = require_found(live.feuille(not_hidden(request, require_start(session)), entrant))
            reader = report.read_for_directors(data)
            return Response(feuille_data(reader, entrant, publication=None, fresh=is_session_fresh(session)))
        require_part(stamp, "feuilles")

        def build() -> Any:
            data = Publication.objects.values_list("data", flat=True).get(pk=stamp.publication)
            shown = decode_report(data) if stamp.shows.ranking else report.without_ranks(decode_report(data))
            version = find_field_version(session.pk) if stamp.field else None
            place = None if version is None else find_place_in_field(version, entrant)
            reader = report.read_in_public(shown)
            return feuille_data(reader, entrant, publication=stamp.version, fresh=True, place=place)

        return OF_SESSIONS.answer_kept(request, session, stamp, build, "feuille", entrant)


def not_hidden(request: Request, session: Session) -> Session:
    """Return the session. Raise `PermissionDenied` if the director plays in it and has still étuis to play.

    The figures would reveal results of these étuis.
    """
    if hidden_etuis(session, request.user):
        raise PermissionDenied
    return session


def write_publication(publication: Publication, stamp: Stamp) -> Any:
    """Return the publication in the shape of `PublicationOut`."""
    return PublicationOut(publication_data(publication, stamp)).data


LatestPublicationView, PublicationView = make_reading_views(
    PublicationOut,
    partial(answer_version, OF_SESSIONS, write_publication),
    ("publications_latest", "Read the newest publication in full, with an ETag"),
    ("publications_read", "Read a publication in full, with an ETag"),
)


def require_part(stamp: Stamp, part: str) -> None:
    """Raise `NotShown` if the publication is withdrawn, or if the part is switched off."""
    if not getattr(require_not_withdrawn(stamp).shows, part):
        raise NotShown("part_not_shown")


def require_start(session: Session) -> Session:
    """Return the session. Raise `ActionRefused` if it has not started."""
    if session.status != Session.Status.RUNNING:
        raise ActionRefused("session_not_started")
    return session


def publication_data(publication: Publication, stamp: Stamp) -> dict[str, Any]:
    """Return the data of a publication for `PublicationOut`, without the parts that are switched off."""
    reader = report.read_in_public(report.read_seen_report(publication.data, stamp))
    tournament, ranking = publication.session.tournament, reader.ranking
    reference = str(find_reported_reference(reader.data, alone=stamp.alone))
    return {
        **read_field_values(reader.data),
        **brief(publication),
        "club": tournament.club.name,
        "tournament": tournament.name,
        "unit": ranking.shape.unit,
        "shows": stamp.shows._asdict(),
        "reference": "teams" if ranking.has_teams_first else reference,
        "players": for_readers(reader.players),
        "together": for_readers(ranking.together),
        "teams": ranking.team_sums,
        "etuis": [read_field_values(etui) | {"plays": list(reader.show_plays(etui))} for etui in reader.data.etuis],
    }


def feuille_data(
    reader: report.PlayedEvening,
    entrant: int,
    *,
    publication: int | None,
    fresh: bool,
    place: PlaceInField | None = None,
) -> Any:
    """Return a player's feuille de route in the shape of `FeuilleOut`.

    `publication` is the number of its version, or None for current results. Then all names are shown, for directors.
    """
    plays = [
        {
            **read_field_values(line.play),
            "etui": line.etui.number,
            "fiche": None if line.play.base_score is None else show_signed(line.play.base_score),
            "mark": line.mark,
            "fixed": line.fixed,
            "others": [player.name for player in line.partners],
            **move_counted_marks({"note": line.note}, "note"),
        }
        for line in reader.feuille(entrant)
    ]
    player = require_found(reader.player(entrant))
    shown = player if publication is None else for_readers([player])[0]
    data = {"publication": publication, "fresh": fresh, "player": shown, "plays": plays, "over_all_clubs": place}
    return FeuilleOut(data).data
