"""Standings as they stand, a player's feuille de route, and publications. Percentages are exact and rounded both.

What is published is read from the publication and never changes, but for the names; what is not is for directors.
"""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.eligibility import Unranked
from tournaments.api.base import Percent, Shape, View, by_line, operation, read
from tournaments.api.public.kept import READ, answer_published
from tournaments.api.public.shown import ShownOut, for_readers
from tournaments.api.results import MarksOut
from tournaments.errors import NotShown, Refused
from tournaments.models import Publication, Session
from tournaments.permissions import Can, get_session_for, require, require_found
from tournaments.plays.desk_state import hidden_etuis
from tournaments.publication import live, report
from tournaments.publication.standing import look_up
from tournaments.published import Place, Shows, Stamp
from tournaments.standings.computing import is_fresh
from tournaments.words.messages import sign

NotesOut = by_line("NotesOut", Percent)
EntrantsOut = by_line("EntrantsOut", serializers.IntegerField)


class StandingOut(ShownOut):
    """A player's line in the rankings; null where there is no note of that kind."""

    id = serializers.IntegerField(help_text="of the entrant, in this session alone")
    line = serializers.CharField()
    number = serializers.IntegerField()
    attack = Percent()
    defence = Percent()
    overall = Percent()
    penalty = Percent(help_text="percentage points, already taken off the overall percentage; below 0 for a bonus")
    ranked = serializers.BooleanField(default=True, help_text="false for who completes a table")
    attacks = serializers.IntegerField()
    defences = serializers.IntegerField()
    deals = serializers.IntegerField(help_text="how many of the player’s deals have a note")
    unranked = serializers.ChoiceField(
        ["", *(reason.value for reason in Unranked)],
        help_text="why there is no rank: completes a table, is a substitute, or has too small a share of the deals",
    )
    told = serializers.CharField(
        help_text="what told the player from others of the same percentage: one of the rules’ ties, or nothing"
    )
    rank_general = serializers.IntegerField(allow_null=True)
    rank_line = serializers.IntegerField(allow_null=True)
    rank_alterne = serializers.IntegerField(allow_null=True)


class CountsOut(serializers.Serializer[Any]):
    scored = serializers.IntegerField()
    missing = serializers.IntegerField()
    annulled = serializers.IntegerField()
    not_played = serializers.IntegerField(default=0)


class StandingsOut(serializers.Serializer[Any]):
    """What was last computed; `fresh` tells whether it holds every result. `computed_at` is null until a job has come
    to it: the figures are then those of this moment."""

    session = serializers.IntegerField()
    fresh = serializers.BooleanField()
    results_version = serializers.IntegerField()
    computed_at = serializers.DateTimeField(allow_null=True)
    counts = CountsOut()
    players = StandingOut(many=True)


class PublishedFactsOut(serializers.Serializer[Any]):
    contract = serializers.CharField()
    bouts = serializers.IntegerField()
    half_points = serializers.IntegerField()
    petit_au_bout = serializers.CharField()
    poignees_attack = serializers.ListField(child=serializers.CharField())
    poignees_defence = serializers.ListField(child=serializers.CharField())
    chelem = serializers.CharField()
    made = serializers.BooleanField()


class PublishedPlayOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    seats = EntrantsOut()
    state = serializers.CharField(help_text="scored, adjusted (by the arbiter), missing, annulled or not_played")
    taker = serializers.CharField(allow_null=True)
    base_score = serializers.IntegerField(allow_null=True)
    marks = MarksOut(allow_null=True)
    notes = NotesOut(allow_null=True)
    fixed = serializers.DictField(
        child=serializers.CharField(), help_text="by line, the notes that the arbiter has fixed: 60, or better 60"
    )
    compared = serializers.BooleanField(help_text="false where the arbiter has the score compared with no other")
    facts = PublishedFactsOut(allow_null=True)


class PublishedEtuiOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    taker = serializers.CharField()
    dealer = serializers.CharField()
    cards = serializers.CharField(allow_blank=True, help_text="empty where they may not be shown")
    plays = PublishedPlayOut(many=True)


class PublicationBrief(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    status = serializers.CharField(help_text="provisional, official or withdrawn")
    official_from = serializers.DateTimeField(
        allow_null=True, help_text="when a provisional version becomes official by itself, in a version of its own"
    )
    published_at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True, help_text="why official figures were published anew or reopened")
    digest = serializers.CharField()


class ShowsOut(serializers.Serializer[Any]):
    """What readers are shown of every version; what is not is null, empty or 404 in what they ask for."""

    ranking = serializers.BooleanField()
    etuis = serializers.BooleanField()
    cards = serializers.BooleanField()
    feuilles = serializers.BooleanField()


class PublicationOut(PublicationBrief):
    """A frozen copy of a session: its figures never change, and a correction makes the next version. Names are those of
    today: a player who is renamed, shown by initials or hidden is so in every version."""

    club = serializers.CharField()
    tournament = serializers.CharField()
    auction = serializers.CharField()
    session = serializers.IntegerField(help_text="the number of the session in its tournament")
    date = serializers.DateField()
    tables = serializers.IntegerField()
    positions = serializers.IntegerField()
    etuis_per_position = serializers.IntegerField()
    shows = ShowsOut()
    counts = CountsOut()
    players = StandingOut(many=True)
    etuis = PublishedEtuiOut(many=True)


class FeuilleLineOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    taker = serializers.CharField(allow_null=True)
    state = serializers.CharField()
    base_score = serializers.IntegerField(allow_null=True)
    fiche = serializers.CharField(allow_null=True)
    mark = serializers.IntegerField(allow_null=True, help_text="the player's own")
    note = Percent(help_text="the player's own")
    fixed = serializers.BooleanField(help_text="whether the arbiter has fixed the note")
    others = serializers.ListField(child=serializers.CharField(), help_text="who sat at the table with the player")


class FeuilleOut(serializers.Serializer[Any]):
    """A player's feuille de route; `publication` is the version it was read from, null where it is as things stand."""

    publication = serializers.IntegerField(allow_null=True)
    fresh = serializers.BooleanField()
    player = StandingOut()
    plays = FeuilleLineOut(many=True)


class FeuilleFilters(Shape):
    live = serializers.BooleanField(
        default=False, help_text="directors: as things stand, though something is published"
    )


class StandingsView(View):
    @operation("standings_read", "The standings as last computed", answer=StandingsOut)
    def get(self, request: Request, pk: int) -> Response:
        session = not_hidden(request, require_start(get_session_for(request.user, Can.DIRECT, pk=pk)))
        computed = session.standings
        reader = report.read_for_directors(require_found(live.ranking(session)))
        return Response(
            StandingsOut(
                {
                    "session": session.pk,
                    "fresh": is_fresh(session),
                    "results_version": computed.results_version,
                    "computed_at": computed.computed_at,
                    "counts": reader.data["counts"],
                    "players": reader.players,
                }
            ).data
        )


class FeuilleView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "feuille_read",
        "A player's feuille de route: from the newest publication or, for directors, as things stand",
        answer=FeuilleOut,
        query=[FeuilleFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int, entrant: int) -> HttpResponseBase:
        session = get_session_for(request.user, Can.READ, pk=pk)
        as_it_stands = read(FeuilleFilters, request.query_params.dict())["live"]
        stamp = look_up(Place.of(session))
        if stamp is None or as_it_stands:
            require(request.user, session.tournament.club, Can.DIRECT)
            data = require_found(live.feuille(not_hidden(request, require_start(session)), entrant))
            reader = report.read_for_directors(data)
            return Response(feuille_data(reader, entrant, publication=None, fresh=is_fresh(session)))
        require_shown(stamp, "feuilles")

        def build() -> Any:
            data = Publication.objects.values_list("data", flat=True).get(pk=stamp.publication)
            shown = data if stamp.shows.ranking else without_ranks(data)
            return feuille_data(report.read_report(shown), entrant, publication=stamp.version, fresh=True)

        told = ("feuille", entrant, *tell(session, stamp))
        return answer_published(request, told, build, private=stamp.practice)


class PublicationView(View):
    open_to_all = frozenset({"GET"})

    @operation("publications_read", "A publication in full, with an ETag", answer=PublicationOut, statuses=READ)
    def get(self, request: Request, pk: int, version: int) -> HttpResponseBase:
        return publication_answer(request, pk, version)


class LatestPublicationView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "publications_latest", "The newest publication in full, with an ETag", answer=PublicationOut, statuses=READ
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        return publication_answer(request, pk, None)


def not_hidden(request: Request, session: Session) -> Session:
    """The session, unless its director plays and has étuis to play yet: the figures come from those too."""
    if hidden_etuis(session, request.user):
        raise PermissionDenied
    return session


def publication_answer(request: Request, pk: int, version: int | None) -> HttpResponseBase:
    session = get_session_for(request.user, Can.READ, pk=pk)
    stamp = find_readable(session, version)
    return answer_published(
        request, ("publication", *tell(session, stamp)), lambda: write(session, stamp), private=stamp.practice
    )


def find_readable(session: Session, version: int | None = None, part: str = "") -> Stamp:
    """What is published, or that version of it; `NotShown` where it is taken back, or that part switched off."""
    stamp = require_found(look_up(Place.of(session, version)))
    require_shown(stamp, part)
    return stamp


def tell(session: Session, stamp: Stamp) -> tuple[object, ...]:
    """What all that is read of a publication changes with: itself, the names in it and in its club."""
    place = session.tournament
    return (*stamp[: Stamp._fields.index("over")], place.name, place.club.name)


def require_shown(stamp: Stamp, part: str = "") -> None:
    """`NotShown` where the publication has been taken back, or that part of it is switched off."""
    if stamp.withdrawn:
        raise NotShown("withdrawn")
    if part and not getattr(stamp.shows, part):
        raise NotShown("part_not_shown")


def without_ranks(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"players": [player | dict.fromkeys(report.RANKS) for player in data["players"]]}


def write(session: Session, stamp: Stamp) -> Any:
    publication = Publication.objects.get(pk=stamp.publication)
    publication.session = session
    return PublicationOut(publication_data(publication, stamp.shows)).data


def require_start(session: Session) -> Session:
    if session.status != Session.Status.RUNNING:
        raise Refused("session_not_started")
    return session


def publication_data(publication: Publication, shows: Shows) -> dict[str, Any]:
    data = report.cut(publication.data, shows)
    reader = report.read_report(data)
    etuis = [
        etui | {"plays": [report.read_play(play, reader.by_id) for play in etui["plays"]]} for etui in data["etuis"]
    ]
    brief = {str(name): getattr(publication, str(name)) for name in PublicationBrief().fields}
    tournament = publication.session.tournament
    names: dict[str, Any] = {"club": tournament.club.name, "tournament": tournament.name}
    names["players"] = for_readers(reader.players)
    return data | brief | names | {"etuis": etuis, "shows": shows._asdict()}


def feuille_data(reader: report.Report, entrant: int, *, publication: int | None, fresh: bool) -> Any:
    plays = [
        {
            "position": line.play["position"],
            "table": line.play["table"],
            "etui": line.etui["number"],
            "taker": line.play["taker"],
            "state": line.play["state"],
            "base_score": line.play["base_score"],
            "fiche": None if line.play["base_score"] is None else sign(line.play["base_score"]),
            "mark": line.mark,
            "note": line.note,
            "fixed": line.fixed,
            "others": [player["name"] for player in line.partners],
        }
        for line in reader.feuille(entrant)
    ]
    player = require_found(reader.player(entrant))
    shown = player if publication is None else for_readers([player])[0]
    return FeuilleOut({"publication": publication, "fresh": fresh, "player": shown, "plays": plays}).data
