"""The jobs at work: the state of their queues as this process last read it, and their claims.

A claim is in the shared cache, and lives as long as its job: a thread of the job's process renews it. If the process is
killed or frozen, the claim ends by itself, at most LIFE seconds later.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, cast

from celery import current_app
from django.conf import settings
from django.core.cache import BaseCache, cache, caches
from redis.exceptions import RedisError

from tournaments.queue import MAILS, read_age_of_message

STANDINGS = "standings"
ASK_AGAIN = 5.0  # seconds
# The seconds that the oldest job of a queue may wait.
LATE = {STANDINGS: 30.0, "rest": 120.0, MAILS: 120.0}
SILENT = "mail-server-silent"  # the cache key that exists while the mail server is left alone


class JobHealth:
    """The queues whose jobs wait for too long. A desk that asks for them causes no query.

    The age of the oldest job in Redis tells whether a worker takes them. A process asks Redis every few seconds.
    """

    def __init__(self) -> None:
        self.asked_at = -ASK_AGAIN
        self.waiting: tuple[str, ...] = ()
        self.lock = Lock()

    def find_waiting(self) -> tuple[str, ...]:
        """Return the names of the queues that wait, because Redis or their worker is away.

        `mails` waits too while the mail server does not answer. On a laptop no other queue ever waits.
        """
        with self.lock:
            if monotonic() - self.asked_at < ASK_AGAIN:
                return self.waiting
            self.asked_at = monotonic()  # meanwhile other threads use the last answer
        try:
            late = {MAILS} if settings.MAIL and cache.get(SILENT) else set()
            self.waiting = tuple(name for name in LATE if name in late | find_late_queues())
        except RedisError:
            self.waiting = (STANDINGS,)
        return self.waiting


def find_late_queues() -> set[str]:
    """Return the names of the queues whose oldest job waits for too long. Raise `RedisError` if Redis is away."""
    if not settings.REDIS_URL or current_app.conf.task_always_eager:
        return set()
    pipeline = cast(Any, cache)._cache.get_client().pipeline(transaction=False)
    for name in LATE:
        pipeline.lindex(name, -1)
    messages = zip(LATE.items(), pipeline.execute(), strict=True)
    return {name for (name, most), message in messages if read_age_of_message(message) > most}


job_health = JobHealth()


LIFE = 30.0  # seconds for which a claim stays when its worker is gone
RENEWED_EVERY = 10.0  # seconds


@contextmanager
def hold_claim(name: str) -> Iterator[bool]:
    """Hold the claim of this name while the block runs. The block gets True if it has the claim.

    It gets False if another job has the claim, or if the cache does not answer. Then it must not do the work.
    """
    store, key, token, taken = caches["default"], claim_key(name), token_hex(8), False
    with suppress(RedisError):
        taken = store.add(key, token, LIFE)
    if not taken:
        yield False
        return
    over = Event()
    keeper = Thread(target=keep_claim, args=(store, key, token, over), name=key, daemon=True)
    keeper.start()
    try:
        yield True
    finally:
        over.set()
        keeper.join()  # else a renewal that is under way takes the claim again when it has just been given back
        with suppress(RedisError):
            if store.get(key) == token:
                store.delete(key)


def keep_claim(store: BaseCache, key: str, token: str, over: Event) -> None:
    """Renew a claim until its job is over. If the cache has lost it, and no other job has it, take it again."""
    while not over.wait(RENEWED_EVERY):
        with suppress(RedisError):
            if store.get(key) == token:
                store.touch(key, LIFE)
            else:
                store.add(key, token, LIFE)


def claim_key(name: str) -> str:
    """Return the cache key of a claim."""
    return f"claim-{name}"
