"""Corrections that were asked for, as people read them: who asked what, what each of the others says. Reads only."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Q, Subquery

from tournaments.models import PEOPLE, CorrectionRequest, Entrant, Play, RequestAnswer, Session, Table
from tournaments.models.evening import PUBLIC_PEOPLE, SEAT_FIELDS

STATES = ("open", "accepted", "refused", "withdrawn")
SILENCE = dt.timedelta(hours=24)  # after which the director is told that somebody says nothing


@dataclass(frozen=True, slots=True)
class Voice:
    """One of the three others, and his word; `agrees` is None while he has said nothing, `silent` for too long."""

    line: str
    entrant: Entrant
    word: RequestAnswer | None
    silent: bool

    @property
    def agrees(self) -> bool | None:
        return self.word.agrees if self.word else None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with its play and the three others by line."""

    request: CorrectionRequest
    voices: list[Voice]

    @property
    def play(self) -> Play:
        return self.request.play

    @property
    def line(self) -> str:
        """Where who asked sat."""
        return next(line for line, entrant in self.play.seats.items() if entrant.pk == self.request.entrant_id)

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
        """Whether somebody has said nothing for so long that the director is told."""
        return any(voice.silent for voice in self.voices)

    @property
    def agreed(self) -> int:
        return sum(voice.agrees is True for voice in self.voices)

    def voice_of(self, entrant_id: int) -> Voice | None:
        return next((voice for voice in self.voices if voice.entrant.pk == entrant_id), None)


def requests_of(session: Session, *, now: dt.datetime) -> list[Asked]:
    """Those that are open first, the longest waiting before the others; then the newest decided. Two queries."""
    found = read(now, play__session=session)
    waiting = [each for each in found if each.is_open]
    return waiting + sorted((each for each in found if not each.is_open), key=lambda each: -each.request.pk)


def requests_for(entrant: Entrant, *, now: dt.datetime) -> list[Asked]:
    """Of the plays of one player, whoever asked; what others took back is left out."""
    mine = reduce(or_, (Q(**{f"play__{seat}": entrant}) for seat in SEAT_FIELDS))
    return list(read(now, mine, Q(withdrawn_at=None) | Q(entrant=entrant)))


def requests_at(table: Table, *, now: dt.datetime) -> list[Asked]:
    """The open ones of what was played at a table."""
    return list(read(now, play__table=table, decided_at=None, withdrawn_at=None))


def requests_in(session: Session) -> Subquery:
    """How many are open, for a question that is asked anyway; None where there is none."""
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None).order_by()
    return Subquery(waiting.values("play__session").annotate(count=Count("pk")).values("count"))


def read(now: dt.datetime, *wanted: Q, **where: Any) -> list[Asked]:
    sitting = (f"play__{who}__person" for who in PEOPLE)
    asking = (f"entrant__{who}" for who in PUBLIC_PEOPLE)
    rows = CorrectionRequest.objects.filter(*wanted, **where).select_related(
        "play__table", "play__etui", "decided_by", "entry", *asking, *sitting
    )
    rows = rows.defer("play__etui__cards").prefetch_related("answers").order_by("pk")
    return [Asked(row, list(voices_on(row, now))) for row in rows]


def voices_on(request: CorrectionRequest, now: dt.datetime) -> Iterator[Voice]:
    words = {word.entrant_id: word for word in sorted(request.answers.all(), key=lambda word: word.pk)}
    waits = request.decided_at is None and request.withdrawn_at is None
    for line, entrant in request.play.seats.items():
        if entrant.pk != request.entrant_id:
            word = words.get(entrant.pk)
            yield Voice(line, entrant, word, waits and word is None and now - request.asked_at >= SILENCE)
