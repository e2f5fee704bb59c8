"""The requested corrections with the answers of the other players, and the version that contains a granted one."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Prefetch, Q, Subquery

from evenings.requests.asking import find_parties
from evenings.teams.naming import join_public_names
from tournaments.models import CorrectionRequest, Entrant, Play, Publication, RequestAnswer, Session, Table
from tournaments.models.plays import PUBLIC_PEOPLE, seat_people
from tournaments.models.seats import sits_at_play

STATES = ("open", "accepted", "refused", "withdrawn")
SILENCE = dt.timedelta(hours=24)  # after this time the desk tells the director which players have not answered


@dataclass(frozen=True, slots=True)
class Voice:
    """One of the three other players at the table, with their answer in `word`, or None if there is no answer yet.

    If teams play, it is the other team, and `line` is N for the team North-South or E for the team East-West.

    `silent` is True if the request is open and the player has not answered for longer than SILENCE.
    """

    line: str
    entrant: Entrant
    word: RequestAnswer | None
    silent: bool

    @property
    def agrees(self) -> bool | None:
        return self.word.agrees if self.word else None

    @property
    def speaker(self) -> str:
        """The name of the member who answered for a team, or ""."""
        return self.word.member.player.name if self.word and self.word.member else ""


@dataclass(frozen=True, slots=True)
class RequestWithVoices:
    """A request with the three other players and their answers."""

    request: CorrectionRequest
    voices: list[Voice]

    @property
    def play(self) -> Play:
        return self.request.play

    @property
    def line(self) -> str:
        """The line of the player who made the request. For a team it is N or E, as in `Voice`.

        It is "" if this player no longer sits at the play.
        """
        sitting = find_parties(self.play)
        return next((line for line, entrant in sitting.items() if entrant.pk == self.request.entrant_id), "")

    @property
    def state(self) -> str:
        if self.request.withdrawn_at:
            return "withdrawn"
        if self.request.decided_at is None:
            return "open"
        return "accepted" if self.request.accepted else "refused"

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    @property
    def is_silent(self) -> bool:
        """True if a player has not answered for longer than SILENCE."""
        return any(voice.silent for voice in self.voices)

    @property
    def agreed(self) -> int:
        return sum(voice.agrees is True for voice in self.voices)

    def voice_of(self, entrant_id: int) -> Voice | None:
        return next((voice for voice in self.voices if voice.entrant.pk == entrant_id), None)


def requests_of(session: Session, *, now: dt.datetime) -> list[RequestWithVoices]:
    """Return the requests of a session: first the open ones, oldest first, then all others, newest first.

    This takes two queries.
    """
    found = read_requests(now, play__session=session)
    waiting = [each for each in found if each.is_open]
    return waiting + sorted((each for each in found if not each.is_open), key=lambda each: -each.request.pk)


def requests_for(entrant: Entrant, *, now: dt.datetime) -> list[RequestWithVoices]:
    """Return the requests about the plays of one entrant, whoever made them.

    Requests that another player has withdrawn are left out.
    """
    return list(read_requests(now, sits_at_play(entrant, "play__"), Q(withdrawn_at=None) | Q(entrant=entrant)))


def requests_at(table: Table, *, now: dt.datetime) -> list[RequestWithVoices]:
    """Return the open requests about plays of this table."""
    return list(read_requests(now, play__table=table, decided_at=None, withdrawn_at=None))


def requests_in(session: int) -> Subquery:
    """Return a subquery with the number of open requests of the session with this id. It gives None instead of 0."""
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None).order_by()
    return Subquery(waiting.values("play__session").annotate(count=Count("pk")).values("count"))


def read_requests(now: dt.datetime, *wanted: Q, **where: Any) -> list[RequestWithVoices]:
    """Return the requests that match, with the players' answers, in the order in which they were made."""
    rows = CorrectionRequest.objects.filter(*wanted, **where).select_related(
        "play__table", "play__etui", "decided_by", "entry", "member__player"
    )
    answers = Prefetch("answers", queryset=RequestAnswer.objects.select_related("member__player"))
    rows = rows.defer("play__etui__cards").prefetch_related(answers).order_by("pk")
    seat_people((row.play for row in rows), PUBLIC_PEOPLE)
    askers = {each.pk: each for row in rows for each in row.play.seats.values()}
    if moved := {row.entrant_id for row in rows} - askers.keys():  # they sit at none of these plays any more
        askers |= Entrant.objects.select_related(*PUBLIC_PEOPLE).in_bulk(moved)
    for row in rows:
        row.entrant = askers[row.entrant_id]
    join_public_names(entrant for row in rows for entrant in (row.entrant, *row.play.seats.values()))
    return [RequestWithVoices(row, list(voices_on(row, now))) for row in rows]


def voices_on(request: CorrectionRequest, now: dt.datetime) -> Iterator[Voice]:
    """Yield the three other players of a request's play, or the other team, with their newest answers."""
    words = {word.entrant_id: word for word in sorted(request.answers.all(), key=lambda word: word.pk)}
    waits = request.decided_at is None and request.withdrawn_at is None
    for line, entrant in find_parties(request.play).items():
        if entrant.pk != request.entrant_id:
            word = words.get(entrant.pk)
            yield Voice(line, entrant, word, waits and word is None and now - request.asked_at >= SILENCE)


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
