"""The versions of a ranking that contain a granted correction: the first one, or whether one will follow."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.models import CorrectionRequest, Publication, Session
from tournaments.requests.reading import RequestWithVoices


class CorrectionVersion(NamedTuple):
    """The place where readers find a granted correction: `version`, or the next published one if `follows` is true.

    Neither is set if a request was granted without a correction and no figure has changed since.
    """

    version: Publication | None = None
    follows: bool = False


def find_contained(session: Session, asked: Iterable[RequestWithVoices]) -> dict[int, CorrectionVersion]:
    """Return where readers find each granted request, by its id. One query if there is a granted request, else none."""
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
    """Return where readers find one granted request.

    `readable` are the versions that readers can open, the oldest first.
    """
    first = next((version for version in readable if is_in(request, version)), None)
    if first is None or request.entry_id is not None or not was_published(request, first):
        return CorrectionVersion(first, follows=first is None)
    # The request was granted without a correction when no change waited to be published. The figures may have been
    # corrected later.
    since = request.results_version or 0
    later = next((version for version in readable if version.results_version > since), None)
    return CorrectionVersion(later, follows=later is None and session.results_version > since)


def is_in(request: CorrectionRequest, version: Publication) -> bool:
    if request.results_version is None:  # granted before this was stored
        return request.decided_at is not None and version.published_at >= request.decided_at
    return version.results_version >= request.results_version


def was_published(request: CorrectionRequest, version: Publication) -> bool:
    """Return whether the version was published before the request was granted."""
    return request.decided_at is not None and version.published_at < request.decided_at
