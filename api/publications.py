"""The views that publish a session's results, list the versions with their changes, and take the ranking's later steps.

The later steps make a ranking official, reopen it or withdraw it. `reading` has the views that read a publication.
"""

from collections.abc import Iterable
from typing import Any, cast

from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import ReasonIn, Shape, View, operation, read_shape
from api.kept import READ, answer_published
from api.reading import PublicationBrief, ShowsOut, tell_publication
from clubs.models import User, validate_name
from rankings.publication.changes import ChangeInWords, list_by_version
from rankings.publication.publishing import Terms, publish_session
from rankings.publication.status import (
    look_up_session,
    make_official,
    reopen_ranking,
    switch_parts,
    withdraw_ranking,
)
from tournaments.models import Session, Version
from tournaments.permissions import Can, get_session_for
from tournaments.published import PublicPlace, Shows
from tournaments.versions.steps import DirectorWord


class ChangeOut(serializers.Serializer[Any]):
    """A change between two versions. Its text is in the requested language."""

    code = serializers.CharField()
    text = serializers.CharField()


class PublishedVersionOut(PublicationBrief):
    changes = ChangeOut(many=True, help_text="what changed for readers since the version before")


def describe_versions(rows: Iterable[tuple[Version, list[ChangeInWords]]]) -> list[dict[str, Any]]:
    """Return the versions, each with its changes, as data."""
    versions = [
        {str(name): getattr(version, str(name)) for name in PublicationBrief().fields}
        | {"changes": [change._asdict() for change in changes]}
        for version, changes in rows
    ]
    return list(PublishedVersionOut(versions, many=True).data)


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


def word(request: Request, reason: str = "") -> DirectorWord:
    """Return who decides (the user of this request), when (now), and why (`reason`)."""
    return DirectorWord(cast(User, request.user), timezone.now(), reason)


def shows_of(session: Session, given: dict[str, bool]) -> Shows:
    """Return the parts of the session that readers see, with the given changes."""
    return Shows.of(session)._replace(**given)


class PublicationsView(View):
    open_to_all = frozenset({"GET"})

    @operation(
        "publications_list",
        "List the published versions, newest first, each with its changes. Versions of a withdrawn ranking"
        " show no changes",
        answer=PublishedVersionOut(many=True),
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        session = get_session_for(request.user, Can.READ, pk=pk)
        stamp = look_up_session(PublicPlace.of(session))
        if stamp is None:
            return Response([])

        def build() -> Any:
            versions = list(session.publications.defer("data", "frozen").order_by("-version"))
            return describe_versions(list_by_version(versions, stamp.shows))

        return answer_published(request, ("versions", *tell_publication(session, stamp)), build, private=stamp.practice)

    @operation(
        "publications_create",
        "Publish the current results. If they are already published, answers with that version (200)",
        request=PublishIn,
        answer=PublicationBrief,
        statuses=(200, 201),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(PublishIn, request.data)
        shows = body.pop("shows", None)
        terms = Terms(body.pop("reason"), None if shows is None else shows_of(session, shows))
        by, now, _reason = word(request)
        publication = publish_session(session_id=pk, by=cast(User, by), now=now, terms=terms, **body)
        created = publication.published_at == now
        code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return Response(PublicationBrief(publication).data, status=code)


class OfficialView(View):
    @operation("publications_official", "Make the published ranking official at once", answer=PublicationBrief)
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response(PublicationBrief(make_official(pk, word(request))).data)


class ReopenRankingView(View):
    @operation(
        "publications_reopen",
        "Make the official ranking provisional again, with the same figures and a reason that readers see",
        request=ReasonIn,
        answer=PublicationBrief,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        reason = read_shape(ReasonIn, request.data)["reason"]
        return Response(PublicationBrief(reopen_ranking(pk, word(request, reason))).data)


class WithdrawView(View):
    @operation(
        "publications_withdraw",
        "Withdraw the ranking, with every version and a reason that readers see. Publishing brings it back",
        request=ReasonIn,
        answer=PublicationBrief,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        reason = read_shape(ReasonIn, request.data)["reason"]
        return Response(PublicationBrief(withdraw_ranking(pk, word(request, reason))).data)


class ShowsView(View):
    open_to_all = frozenset({"GET"})

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
        shows = shows_of(session, read_shape(ShowsIn, request.data))
        return Response(ShowsOut(switch_parts(session_id=pk, shows=shows, word=word(request))._asdict()).data)
