"""The plans that the planner proposes, with two caches. A job makes a long search, and reports its progress.

The results of jobs are in the cache that the web processes and the workers share. Requests do not write there, because
the API is open to strangers, who could fill it. Each process also remembers its last answers.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache as once
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from django.core.cache import caches
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

import movements
from movements import MOST_WAYS, PlanError, Proposal, propose_plans, sort_proposals, ways_to_play
from tournaments.queue import queue_search

MOST_UNEVEN_POSITIONS = 20  # the most positions; a search for plans with rovers would take minutes for more
# A search takes half a second to three seconds of CPU (docs/movements.md) if two things are true. The number of players
# is not a multiple of 4, and there are as many positions as tables, or at least LONG_POSITIONS.
LONG_PLAYERS = range(16, 601)
QUICK_POSITIONS = 5
LONG_POSITIONS = 12
KEPT = 24 * 3600  # seconds that the result of a job stays in the cache
LOST = 20  # seconds without progress after which a job counts as lost
# Seconds before a lost job is queued again. This is no claim of `tournaments.job_health`, because a lost job keeps
# nobody waiting: LOST seconds after the last progress, the next page searches itself.
TWICE = 600
REMEMBERED = 64  # the number of questions whose proposals this process remembers
AS_LONG_AS_IT_TAKES = -1.0  # the value for `Lock.acquire`

logger = logging.getLogger(__name__)


class PlanQuestion(NamedTuple):
    """A question to the planner: for which numbers of players, positions and étuis per position a plan is needed.

    `imposed` is True if the étuis name the takers, so that attacks should be equal.
    """

    players: int
    positions: int
    etuis: int
    barometer: bool
    imposed: bool = True

    @property
    def is_long(self) -> bool:
        """True if finding the plans may take too long for a request, so that a job does it."""
        uneven = self.players % 4 != 0 and self.players in LONG_PLAYERS
        return uneven and QUICK_POSITIONS < self.positions >= min(self.players // 4, LONG_POSITIONS)

    @property
    def key(self) -> str:
        """The key under which the shared cache has the proposals."""
        return f"plans-{planner()}-{'-'.join(str(int(count)) for count in self)}"


class SearchProgress(NamedTuple):
    """The progress of a search: the number of plans found so far, of at most `total`."""

    done: int = 0
    total: int = MOST_WAYS


@once
def planner() -> str:
    """Return a digest of the planner's source code. Cache keys contain it, so other versions' results are not used."""
    sources = sorted(Path(movements.__path__[0]).rglob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]


# A search uses a processor core for seconds. Only one runs at a time, so that the tables' requests have the others.
turn = Lock()
answered: dict[PlanQuestion, tuple[Proposal, ...]] = {}  # written under the lock `turn`


class SearchBusy(Exception):
    """An error: another search runs for longer than the caller would wait."""


@contextmanager
def take_turn(patience: float = AS_LONG_AS_IT_TAKES) -> Iterator[None]:
    """Hold the lock of searches. Raise `SearchBusy` if another search keeps it for longer than `patience` seconds."""
    if not turn.acquire(timeout=patience):
        raise SearchBusy
    try:
        yield
    finally:
        turn.release()


def find_proposals(question: PlanQuestion, *, patience: float = AS_LONG_AS_IT_TAKES) -> tuple[Proposal, ...]:
    """Return the proposals for a question. If they have to be searched for, this may take seconds.

    Raise `PlanError` if there are too many positions, and `SearchBusy` if a search cannot start within `patience`
    seconds because of another one.
    """
    check_bounds(question)
    if found := answered.get(question):
        return found
    with take_turn(patience):
        return answered.get(question) or answer_plan_question(
            question
        )  # the other search may have been for the same question


def answer_plan_question(question: PlanQuestion) -> tuple[Proposal, ...]:
    """Return the proposals for a question from the shared cache, or search for them. Remember them in this process."""
    players, positions, etuis, barometer, imposed = question
    found = read_kept(question) if question.is_long else None
    found = found or propose_plans(players, positions, etuis, barometer=barometer, imposed=imposed)
    if len(answered) >= REMEMBERED:
        del answered[next(iter(answered))]
    answered[question] = found
    return found


def check_bounds(question: PlanQuestion) -> None:
    """Raise `PlanError` if there are too many positions for a number of players that is not a multiple of 4."""
    if question.players % 4 and question.positions > MOST_UNEVEN_POSITIONS:
        raise PlanError("positions", found=question.positions, most=MOST_UNEVEN_POSITIONS)


def read_kept(question: PlanQuestion) -> tuple[Proposal, ...] | None:
    """Return the proposals that a job has stored for this question, or None."""
    try:
        found: tuple[Proposal, ...] | None = caches["computed"].get(question.key)
        return found
    except RedisError:
        logger.warning("the cache is down: plans are searched for again")
        return None


def proposals_or_search(question: PlanQuestion) -> tuple[Proposal, ...] | SearchProgress:
    """Return the proposals for a question or, for a long search, the progress of the job that makes it.

    The first caller queues the job. If the job is lost, or if no worker takes jobs, search within the call.
    """
    check_bounds(question)
    if not question.is_long:
        return find_proposals(question)
    try:
        return caches["computed"].get(question.key) or progress_of(question) or search(question)
    except (RedisError, OperationalError):
        logger.warning("no job can be asked for: plans are searched for within the request")
        return find_proposals(question)


def progress_of(question: PlanQuestion) -> SearchProgress | None:
    """Return the progress of the job for this question. Queue the job if there is none. Return None if it was lost."""
    if not caches["computed"].add(f"{question.key}-progress", SearchProgress(), LOST):
        return caches["computed"].get(f"{question.key}-progress") or SearchProgress()
    if not caches["computed"].add(f"{question.key}-asked", True, TWICE):
        return None
    queue_search(question)
    return SearchProgress()


def search(question: PlanQuestion) -> tuple[Proposal, ...]:
    """Search for the proposals, store them in the shared cache, and return them. Report each plan found as progress."""
    found: list[Proposal] = []
    players, positions, etuis, barometer, imposed = question
    with take_turn():
        for way in ways_to_play(players, positions, etuis, barometer=barometer, imposed=imposed):
            found.append(way)
            caches["computed"].set(f"{question.key}-progress", SearchProgress(len(found)), LOST)
    offered = sort_proposals(found)
    caches["computed"].set(question.key, offered, KEPT)
    caches["computed"].delete_many([f"{question.key}-progress", f"{question.key}-asked"])
    return offered
