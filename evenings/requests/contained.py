"""The search for the first published version of a ranking that contains a granted correction."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evenings.requests.reading import RequestWithVoices
from tournaments.models import CorrectionRequest, Publication, Session


class CorrectionVersion(NamedTuple):
    """The publication in which readers find a granted correction.

    `version` is that publication. If it is None and `follows` is True, the correction will be in the next publication.
    If both are empty, the request was granted without a correction, and no figure has changed since.
    """

    version: Publication | None = None
    follows: bool = False


def find_contained(session: Session, asked: Iterable[RequestWithVoices]) -> dict[int, CorrectionVersion]:
    """Return the publication in which readers find the correction of each granted request, by the request's id.

    This takes one query, and none if no request was granted.
    """
    granted = [each.request for each in asked if each.state == "accepted"]
    if not granted:
        return {}
    columns = "version", "status", "results_version", "published_at", "session_id"
    versions = session.publications.order_by("version").only(*columns)
    readable: list[Publication] = []
    for version in versions:
        readable = [] if version.status == Publication.PublicationStatus.WITHDRAWN else [*readable, version]
    return {request.pk: contained_in(request, readable, session) for request in granted}


def contained_in(request: CorrectionRequest, readable: Sequence[Publication], session: Session) -> CorrectionVersion:
    """Return the publication in which readers find the correction of one granted request.

    `readable` are the versions that readers can open, the oldest first.
    """
    first = next((version for version in readable if is_in(request, version)), None)
    if first is None or request.entry_id is not None or not was_published(request, first):
        return CorrectionVersion(first, follows=first is None)
    # The request was granted without a new entry, and the newest version already had all changes of that moment. The
    # figures may have been corrected later, for example by a ruling.
    since = request.results_version or 0
    later = next((version for version in readable if version.results_version > since), None)
    return CorrectionVersion(later, follows=later is None and session.results_version > since)


def is_in(request: CorrectionRequest, version: Publication) -> bool:
    """Return whether the version was published with the results that were current when the request was granted."""
    if request.results_version is None:  # granted before this was stored
        return request.decided_at is not None and version.published_at >= request.decided_at
    return version.results_version >= request.results_version


def was_published(request: CorrectionRequest, version: Publication) -> bool:
    """Return whether the version was published before the request was granted."""
    return request.decided_at is not None and version.published_at < request.decided_at
