"""The claims of jobs: while a job works at something, no other job works at the same.

A claim is in the shared cache, and lives as long as its job: a thread of the job's process renews it. If the process is
killed or frozen, the claim ends by itself, at most LIFE seconds later.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Event, Thread

from django.core.cache import BaseCache, caches
from redis.exceptions import RedisError

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
    Thread(target=keep_claim, args=(store, key, token, over), name=key, daemon=True).start()
    try:
        yield True
    finally:
        over.set()
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
