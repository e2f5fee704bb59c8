"""The planner's proposals, remembered; where the search for them is long, a job does it and tells how far it is.

What a job finds lies in the cache, which web and workers share. Only jobs write it: the API is open to strangers, who
could fill it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache as once
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from django.core.cache import cache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

import movements
from movements import MOST_WAYS, PlanError, Proposal, proposals, the_best_first, ways_to_play
from tournaments.queue import queue_search

MOST_UNEVEN_POSITIONS = 20  # beyond them the search for rovers takes minutes
# Half a second of CPU to three, as measured (docs/movements.md): uneven fields, in as many positions as tables or many.
LONG_PLAYERS = range(16, 601)
QUICK_POSITIONS = 5
LONG_POSITIONS = 12  # however many the tables
KEPT = 24 * 3600  # seconds
LOST = 20  # seconds without a word, after which a job is taken for lost
TWICE = 600  # seconds in which a lost job is not left to a worker again
REMEMBERED = 64  # questions, each with its plans
AS_LONG_AS_IT_TAKES = -1.0  # as `Lock.acquire` has it

logger = logging.getLogger(__name__)


class PlanQuestion(NamedTuple):
    players: int
    positions: int
    etuis: int
    barometer: bool
    imposed: bool = True

    @property
    def is_long(self) -> bool:
        """Whether plans may take longer to find than a page may take to come."""
        uneven = self.players % 4 != 0 and self.players in LONG_PLAYERS
        return uneven and QUICK_POSITIONS < self.positions >= min(self.players // 4, LONG_POSITIONS)

    @property
    def key(self) -> str:
        return f"plans-{planner()}-{'-'.join(str(int(count)) for count in self)}"


class Searching(NamedTuple):
    """How many ways to play are found, of at most so many."""

    done: int = 0
    total: int = MOST_WAYS


@once
def planner() -> str:
    """Names this version of the planner: what another one found is not read."""
    sources = sorted(Path(movements.__path__[0]).rglob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]


# A search takes a core for seconds: one at a time, so that the tables keep the others.
turn = Lock()
answered: dict[PlanQuestion, tuple[Proposal, ...]] = {}  # written by who has the turn


class Occupied(Exception):
    """Another search goes on, for longer than one would wait."""


@contextmanager
def take_turn(patience: float = AS_LONG_AS_IT_TAKES) -> Iterator[None]:
    """The only search of this process; `Occupied` where another one goes on for longer than `patience` (seconds)."""
    if not turn.acquire(timeout=patience):
        raise Occupied
    try:
        yield
    finally:
        turn.release()


def find_proposals(question: PlanQuestion, *, patience: float = AS_LONG_AS_IT_TAKES) -> tuple[Proposal, ...]:
    """As `proposals`, which may take seconds; `PlanError` where a count is out of range, `Occupied` where it would have
    to be searched for and has no turn within `patience` (seconds)."""
    check_bounds(question)
    if found := answered.get(question):
        return found
    with take_turn(patience):
        return answered.get(question) or answer(question)  # who had the turn before may have asked the same


def answer(question: PlanQuestion) -> tuple[Proposal, ...]:
    players, positions, etuis, barometer, imposed = question
    found = read_kept(question) if question.is_long else None
    found = found or proposals(players, positions, etuis, barometer=barometer, imposed=imposed)
    if len(answered) >= REMEMBERED:
        del answered[next(iter(answered))]
    answered[question] = found
    return found


def check_bounds(question: PlanQuestion) -> None:
    if question.players % 4 and question.positions > MOST_UNEVEN_POSITIONS:
        raise PlanError("positions", found=question.positions, most=MOST_UNEVEN_POSITIONS)


def read_kept(question: PlanQuestion) -> tuple[Proposal, ...] | None:
    """What a job has found."""
    try:
        found: tuple[Proposal, ...] | None = cache.get(question.key)
        return found
    except RedisError:
        logger.warning("the cache is down: plans are searched for again")
        return None


def proposals_or_search(question: PlanQuestion) -> tuple[Proposal, ...] | Searching:
    """As `cached_proposals`, but a long search is left to a job: how far it is. Whoever asks next does not ask for
    another, and searches himself where the job has been lost or nobody takes any."""
    check_bounds(question)
    if not question.is_long:
        return find_proposals(question)
    try:
        return cache.get(question.key) or progress_of(question) or search(question)
    except (RedisError, OperationalError):
        logger.warning("no job can be asked for: plans are searched for within the request")
        return find_proposals(question)


def progress_of(question: PlanQuestion) -> Searching | None:
    """How far the job is, which is asked for if need be; nothing where it was asked for and is lost."""
    if not cache.add(f"{question.key}-progress", Searching(), LOST):
        return cache.get(f"{question.key}-progress") or Searching()
    if not cache.add(f"{question.key}-asked", True, TWICE):
        return None
    queue_search(question)
    return Searching()


def search(question: PlanQuestion) -> tuple[Proposal, ...]:
    """What can be played, kept for all; each way that is found is told at once."""
    found: list[Proposal] = []
    players, positions, etuis, barometer, imposed = question
    with take_turn():
        for way in ways_to_play(players, positions, etuis, barometer=barometer, imposed=imposed):
            found.append(way)
            cache.set(f"{question.key}-progress", Searching(len(found)), LOST)
    offered = the_best_first(found)
    cache.set(question.key, offered, KEPT)
    cache.delete_many([f"{question.key}-progress", f"{question.key}-asked"])
    return offered
