"""Publishing, the versions with what changed from one to the next, and what becomes of them.

What is published is read at the addresses of `reading`.
"""

from collections.abc import Iterable
from typing import Any, cast

from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User, validate_name
from tournaments.api.base import ReasonIn, Shape, View, operation, read
from tournaments.api.public.kept import READ, answer_published
from tournaments.api.reading import PublicationBrief, ShowsOut, tell
from tournaments.models import Session, Version
from tournaments.permissions import Can, get_session_for
from tournaments.publication.changes import Told, list_by_version
from tournaments.publication.publishing import Terms, publish_session
from tournaments.publication.standing import look_up, make_official, reopen_ranking, switch_parts, withdraw_ranking
from tournaments.publication.versions import Word
from tournaments.published import Place, Shows


class ChangeOut(serializers.Serializer[Any]):
    """What became otherwise; its text is in the language asked for."""

    code = serializers.CharField()
    text = serializers.CharField()


class PublishedVersionOut(PublicationBrief):
    changes = ChangeOut(many=True, help_text="since the version before, of what readers are shown")


def describe_versions(rows: Iterable[tuple[Version, list[Told]]]) -> list[dict[str, Any]]:
    """Versions, each with what became otherwise in it."""
    told = [
        {str(name): getattr(version, str(name)) for name in PublicationBrief().fields}
        | {"changes": [change._asdict() for change in changes]}
        for version, changes in rows
    ]
    return list(PublishedVersionOut(told, many=True).data)


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
        help_text="why other figures than the official ones are published",
    )


class PublishIn(PublishReasonIn):
    allow_missing = serializers.BooleanField(default=False)
    shows = ShowsIn(required=False, help_text="what readers see; left out: as it is")


def word(request: Request, reason: str = "") -> Word:
    return Word(cast(User, request.user), timezone.now(), reason)


def shows_of(session: Session, given: dict[str, bool]) -> Shows:
    return Shows.of(session)._replace(**given)


class PublicationsView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "publications_list",
        "The versions published, newest first, each with what became otherwise in it. None of a ranking taken back"
        " tells of changes",
        answer=PublishedVersionOut(many=True),
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        session = get_session_for(request.user, Can.READ, pk=pk)
        stamp = look_up(Place.of(session))
        if stamp is None:
            return Response([])

        def build() -> Any:
            versions = list(session.publications.defer("data").order_by("-version"))
            return describe_versions(list_by_version(versions, stamp.shows))

        return answer_published(request, ("versions", *tell(session, stamp)), build, private=stamp.practice)

    @operation(
        "publications_create",
        "Publish the results as they stand. Where they are published already, that version (200)",
        request=PublishIn,
        answer=PublicationBrief,
        statuses=(200, 201),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        given = read(PublishIn, request.data)
        shows = given.pop("shows", None)
        terms = Terms(given.pop("reason"), None if shows is None else shows_of(session, shows))
        by, now, _reason = word(request)
        publication = publish_session(session_id=pk, by=cast(User, by), now=now, terms=terms, **given)
        created = publication.published_at == now
        code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return Response(PublicationBrief(publication).data, status=code)


class OfficialView(View):
    @operation("publications_official", "Make the published ranking official at once", answer=PublicationBrief)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response(PublicationBrief(make_official(session_id=pk, word=word(request))).data)


class ReopenView(View):
    @operation(
        "publications_reopen",
        "Make the official ranking provisional again, with the same figures, for a reason that readers are told",
        request=ReasonIn,
        answer=PublicationBrief,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        reason = read(ReasonIn, request.data)["reason"]
        return Response(PublicationBrief(reopen_ranking(session_id=pk, word=word(request, reason))).data)


class WithdrawView(View):
    @operation(
        "publications_withdraw",
        "Take the ranking back, with every version, for a reason that readers are told. Publishing brings it back",
        request=ReasonIn,
        answer=PublicationBrief,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        reason = read(ReasonIn, request.data)["reason"]
        return Response(PublicationBrief(withdraw_ranking(session_id=pk, word=word(request, reason))).data)


class ShowsView(View):
    open_to_all = frozenset({"GET"})

    @operation("publications_shows", "What readers see of the publications", answer=ShowsOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        return Response(ShowsOut(Shows.of(session)._asdict()).data)

    @operation(
        "publications_show",
        "Switch what readers see of the publications, in every version; what is left out stays",
        request=ShowsIn,
        answer=ShowsOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        shows = shows_of(session, read(ShowsIn, request.data))
        return Response(ShowsOut(switch_parts(session_id=pk, shows=shows, word=word(request))._asdict()).data)
