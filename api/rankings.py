"""The published rankings of all kinds for programs: the list of versions, publishing, and the later steps.

The later steps make a ranking official, reopen it or withdraw it. A session, a tournament, a series and a simultaneous
have the same addresses below their own, the same fields and the same rights. Full versions are in `reading`, `events`
and `public`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView, ReasonIn, Shape, View, operation, read_shape
from api.kept import READ, answer_published
from clubs.models import User, validate_name
from rankings.events.publishing import TOURNAMENTS
from rankings.kinds import AnyKind
from rankings.publication.differences import list_versions
from rankings.publication.publishing import SESSIONS, Terms, switch_parts
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.simultaneous.field.publishing import FIELDS
from tournaments.errors import NotShown
from tournaments.models import Session, Simultaneous, Version
from tournaments.permissions import (
    Can,
    find_of_club,
    get_club_for,
    get_series_for,
    get_session_for,
    get_tournament_for,
    require_found,
)
from tournaments.published import PublicPlace, Shows
from tournaments.versions import DirectorWord


class PublicationBrief(serializers.Serializer[Any]):
    """The state of a version, with the same fields for all kinds of rankings."""

    version = serializers.IntegerField()
    status = serializers.CharField(help_text="provisional, official or withdrawn")
    official_from = serializers.DateTimeField(
        allow_null=True, help_text="when a provisional version becomes official by itself, as a new version"
    )
    published_at = serializers.DateTimeField()
    reason = serializers.CharField(
        allow_blank=True, help_text="why official figures were replaced or made provisional again"
    )
    digest = serializers.CharField()


class ChangeOut(serializers.Serializer[Any]):
    """A change between two versions. Its text is in the requested language."""

    code = serializers.CharField()
    text = serializers.CharField()


class PublishedVersionOut(PublicationBrief):
    changes = ChangeOut(many=True, help_text="what changed for readers since the version before")


def read_fields_of(shape: type[serializers.Serializer[Any]], value: Any) -> dict[str, Any]:
    """Return the attributes of a value that have the names of the fields of an answer."""
    return {str(name): getattr(value, str(name)) for name in shape().fields}


def brief(version: Version) -> dict[str, Any]:
    """Return the fields of `PublicationBrief`."""
    return read_fields_of(PublicationBrief, version)


class ShowsOut(serializers.Serializer[Any]):
    """The parts that readers see, for every version.

    A part that is switched off is null, empty or a 404 in other answers.
    """

    ranking = serializers.BooleanField()
    etuis = serializers.BooleanField()
    cards = serializers.BooleanField()
    feuilles = serializers.BooleanField()


class ShowsIn(Shape):
    ranking = serializers.BooleanField(required=False)
    etuis = serializers.BooleanField(required=False)
    cards = serializers.BooleanField(required=False)
    feuilles = serializers.BooleanField(required=False)


class PublishReasonIn(Shape):
    reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=300,
        validators=[validate_name],
        help_text="why the official figures are replaced",
    )


class PublishIn(PublishReasonIn):
    allow_missing = serializers.BooleanField(default=False)
    shows = ShowsIn(required=False, help_text="what readers see; if left out, it stays as it is")


Place = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingDoor:
    """A kind of published rankings, as programs reach it.

    `name` begins the names of the operations. `what` names the owner in their descriptions. `find` returns the owner
    that an address names, if the account has this right in its club. `look_up` returns the stamp of what readers see
    of the newest version, or of the one with a number; None if there is none. `tell` returns the values of the owner
    that answers show. `read_terms` makes the director's choices of the owner and the values of `body`.
    """

    name: str
    what: str
    kind: AnyKind
    find: Callable[[Request, Can, Place], Any]
    look_up: Callable[..., Any]
    tell: Callable[[Any], Sequence[object]] = lambda _owner: ()
    read_terms: Callable[[Any, dict[str, Any]], Any] = lambda _owner, _body: None
    body: type[Shape] = PublishReasonIn

    def find_readable(self, owner: Any, version: int | None = None, **more: Any) -> Any:
        """Return the stamp of the newest version, or of this version, as `require_not_withdrawn` does."""
        return require_not_withdrawn(self.look_up(owner, version, **more))

    def answer_kept(
        self, request: Request, owner: Any, stamp: Any, build: Callable[[], Any], *about: object, counted: bool = False
    ) -> HttpResponseBase:
        """Return the answer that `build` makes of a version, as `answer_published` does.

        It depends on the stamp, on what `tell` returns of the owner, and on `about`.
        """
        told = (*about, self.name, stamp.owner, *stamp.parts, stamp.shows, *self.tell(owner))
        return answer_published(request, told, build, private=stamp.practice, counted=counted)

    def describe(self, owner: Any, stamp: Any) -> list[dict[str, Any]]:
        """Return the versions with the changes that readers may see, the newest first."""
        shows = stamp.shows if isinstance(stamp.shows, Shows) else Shows()
        versions = list_versions(owner, shows, self.kind.find_held(owner, stamp))
        rows = [brief(each.version) | {"changes": [change._asdict() for change in each.changes]} for each in versions]
        return list(PublishedVersionOut(rows, many=True).data)

    def answer(self, owner: Any, *, code: int = status.HTTP_200_OK) -> Response:
        """Return the answer with the newest version."""
        return Response(self.describe(owner, self.look_up(owner))[0], status=code)


def require_not_withdrawn(stamp: Any) -> Any:
    """Return the stamp of a version that readers see.

    Raise `Http404` if there is none or if it is held back, and `NotShown` if the ranking is withdrawn.
    """
    if require_found(stamp).withdrawn:
        raise NotShown("withdrawn")
    return require_found(None if stamp.held_back else stamp)


def find_session(request: Request, need: Can, place: Place) -> Session:
    return get_session_for(request.user, need, pk=place["pk"])


def read_terms_of_session(session: Session, body: dict[str, Any]) -> Terms:
    """Return what a session's director chooses: what readers see, and whether results may be missing."""
    changed = body.get("shows")
    return Terms(None if changed is None else Shows.of(session)._replace(**changed), body["allow_missing"])


def find_field(request: Request, need: Can, place: Place) -> Simultaneous:
    """Return the simultaneous of a club. Raise `Http404` if there is none."""
    club = get_club_for(request.user, need, slug=place["slug"])
    return find_of_club(Simultaneous, club.slug, place["simultaneous"], "deal_set")


OF_SESSIONS = RankingDoor(
    name="publications",
    what="session",
    kind=SESSIONS,
    find=find_session,
    look_up=lambda session, version=None: SESSIONS.look_up(PublicPlace.of(session, version)),
    tell=lambda session: (session.tournament.name, session.tournament.club.name),
    read_terms=read_terms_of_session,
    body=PublishIn,
)
OF_TOURNAMENTS = RankingDoor(
    name="tournament_publications",
    what="tournament",
    kind=TOURNAMENTS,
    find=lambda request, need, place: get_tournament_for(request.user, need, pk=place["pk"]),
    look_up=lambda tournament, version=None: TOURNAMENTS.look_up(tournament.club.slug, tournament.slug, version),
    tell=lambda tournament: (tournament.name, tournament.club.name),
)
OF_SERIES = RankingDoor(
    name="series_publications",
    what="championship",
    kind=SERIES_OF_CLUBS,
    find=lambda request, need, place: get_series_for(request.user, need, club=place["slug"], slug=place["series"]),
    look_up=lambda series, version=None: SERIES_OF_CLUBS.look_up(series.pk, version),
)
OF_FIELDS = RankingDoor(
    name="simultaneous_publications",
    what="simultaneous",
    kind=FIELDS,
    find=find_field,
    look_up=lambda field, version=None, entrant=None: FIELDS.look_up(field.pk, version, entrant),
    tell=lambda field: (field.title, field.opens_at, field.closes_at, field.public_at),
)


def word(request: Request, reason: str = "") -> DirectorWord:
    """Return who decides (the user of this request), when (now), and why (`reason`)."""
    return DirectorWord(cast(User, request.user), timezone.now(), reason)


def answer_version(
    door: RankingDoor,
    write: Callable[[Any, Any], Any],
    request: Request,
    version: int | None = None,
    about: Sequence[object] = (),
    *,
    counted: bool = False,
    **place: Any,
) -> HttpResponseBase:
    """Return the answer that `write` makes of a version and its stamp. `version` is None for the newest one.

    `about` and `counted` are as for `RankingDoor.answer_kept`.
    """
    owner = door.find(request, Can.READ, place)
    stamp = door.find_readable(owner, version)

    def build() -> Any:
        found = door.kind.model._default_manager.get(pk=stamp.publication)
        setattr(found, door.kind.owner, owner)
        return write(found, stamp)

    return door.answer_kept(request, owner, stamp, build, *about, counted=counted)


def make_reading_views(
    answer: type[serializers.Serializer[Any]],
    read: Callable[..., HttpResponseBase],
    newest: tuple[str, str],
    numbered: tuple[str, str],
    query: Sequence[type[Shape]] = (),
) -> tuple[type[View], type[View]]:
    """Return the views that read the newest version of a ranking, and the version with a number.

    `read` gets the request and the arguments of the address, with `version` for the second view. `newest` and
    `numbered` are the names of the two operations, each with its summary.
    """

    def make(name: str, summary: str) -> type[View]:
        class ReadingView(PublicView):
            @operation(name, summary, answer=answer, query=query, statuses=READ)
            def get(self, request: Request, **place: Any) -> HttpResponseBase:
                return read(request, **place)

        return ReadingView

    return make(*newest), make(*numbered)


def make_versions_view(door: RankingDoor) -> type[View]:
    """Return the view that lists the versions of a ranking, and publishes a new one."""

    class VersionsView(PublicView):
        @operation(
            f"{door.name}_list",
            f"List the published versions of the ranking of a {door.what}, newest first, each with its changes."
            " Versions of a withdrawn ranking show no changes",
            answer=PublishedVersionOut(many=True),
            statuses=READ,
        )
        def get(self, request: Request, **place: Any) -> HttpResponseBase:
            owner = door.find(request, Can.READ, place)
            stamp = door.look_up(owner)
            if stamp is None:
                return Response([])
            return door.answer_kept(request, owner, stamp, lambda: door.describe(owner, stamp), "versions")

        @operation(
            f"{door.name}_create",
            f"Publish the current ranking of a {door.what}. If readers see these figures already, answers with that"
            " version (200)",
            request=door.body,
            answer=PublishedVersionOut,
            statuses=(200, 201),
        )
        def post(self, request: Request, **place: Any) -> Response:
            owner = door.find(request, Can.DIRECT, place)
            body = read_shape(door.body, request.data)
            decided = word(request, body.pop("reason"))
            version = door.kind.publish(owner.pk, decided, door.read_terms(owner, body))
            created = version.published_at == decided.now
            return door.answer(owner, code=status.HTTP_201_CREATED if created else status.HTTP_200_OK)

    return VersionsView


def make_step_view(door: RankingDoor, step: str, summary: str, *, with_reason: bool = True) -> type[View]:
    """Return the view of a later step: "official", "reopen" or "withdraw"."""
    take = {"official": door.kind.make_official, "reopen": door.kind.reopen, "withdraw": door.kind.withdraw}

    class StepView(View):
        @operation(
            f"{door.name}_{step}", summary, request=ReasonIn if with_reason else None, answer=PublishedVersionOut
        )
        def post(self, request: Request, **place: Any) -> Response:
            owner = door.find(request, Can.DIRECT, place)
            reason = read_shape(ReasonIn, request.data)["reason"] if with_reason else ""
            take[step](owner.pk, word(request, reason))
            return door.answer(owner)

    return StepView


def list_paths(door: RankingDoor, base: str) -> list[URLPattern]:
    """Return the addresses of the versions and of the steps of a kind. `base` is that of its list of versions."""
    what = f"the ranking of a {door.what}"
    steps = {
        "official": make_step_view(door, "official", f"Make {what} official before its window ends", with_reason=False),
        "reopen": make_step_view(
            door, "reopen", f"Make {what} provisional again, with the same figures and a reason that readers see"
        ),
        "withdraw": make_step_view(
            door, "withdraw", f"Withdraw {what}, with all its versions and a reason. Publishing brings it back"
        ),
    }
    return [
        path(base, make_versions_view(door).as_view(), name=f"api_{door.name}"),
        *(path(f"{base}{step}/", view.as_view(), name=f"api_{door.name}_{step}") for step, view in steps.items()),
    ]


class ShowsView(PublicView):
    @operation("publications_shows", "Read what readers see of the publications", answer=ShowsOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        return Response(ShowsOut(Shows.of(session)._asdict()).data)

    @operation(
        "publications_show",
        "Change what readers see of the publications, in every version. Fields that are left out stay as they are",
        request=ShowsIn,
        answer=ShowsOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        shows = Shows.of(session)._replace(**read_shape(ShowsIn, request.data))
        return Response(ShowsOut(switch_parts(session_id=pk, shows=shows, word=word(request))._asdict()).data)
