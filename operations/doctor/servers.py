"""The doctor's examination of Redis and of the clocks of all machines (the subjects `redis` and `clock`)."""

import time
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from redis.exceptions import RedisError

from operations.doctor.database import brief_connection
from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning
from operations.queues import make_redis_client


class RedisRole(NamedTuple):
    """A Redis of the site: its cache, its setting, and the faults without it or with another policy."""

    name: str
    cache: str
    setting: str
    policy: str
    if_away: str
    if_wrong: str

    @property
    def keeps_all(self) -> bool:
        return self.policy == "noeviction"


FIRST = RedisRole(
    "Redis",
    "default",
    "REDIS_URL",
    "noeviction",
    "Rankings wait; entering goes on. Each log-in and each page is slower.",
    "Redis then deletes queued jobs and counters of wrong passwords when its memory is full.",
)
OF_PAGES = RedisRole(
    "The Redis of pages",
    "pages",
    "PAGES_REDIS_URL",
    "allkeys-lru",
    "Each page is built for each reader, and bots think again.",
    "Once its memory is full, it takes no new page.",
)
WRONG_SECONDS, BAD_SECONDS = 2.0, 30.0  # seconds by which two clocks may differ: more is a warning, then an error


def examine_redis() -> Iterator[SiteFinding]:
    """Yield whether Redis answers, and its faults. Pages may have a Redis of their own. A laptop needs none."""
    if not settings.REDIS_URL:
        yield tell_good("None is needed: the process of the site runs the jobs.")
        return
    yield from examine_one_redis(FIRST)
    if settings.PAGES_REDIS_URL != settings.REDIS_URL:
        yield from examine_one_redis(OF_PAGES)


def examine_one_redis(role: RedisRole) -> Iterator[SiteFinding]:
    try:
        with make_redis_client(cache=role.cache) as client:
            info = client.info()
    except RedisError as failed:
        remedy = f"Start it, or correct {role.setting}."
        yield tell_error(f"{role.name} does not answer ({failed}).", role.if_away, remedy)
        return
    if info.get("maxmemory") and (info.get("maxmemory_policy") == "noeviction") != role.keeps_all:
        remedy = f"Set maxmemory-policy of the Redis of {role.setting} to {role.policy}."
        yield tell_warning(f"The policy of {role.name} is {info['maxmemory_policy']}.", role.if_wrong, remedy)
    if info.get("rdb_last_bgsave_status") == "err" or info.get("aof_last_write_status") == "err":
        why = "Redis may refuse to write, and forgets its queues when it restarts."
        yield tell_warning(f"{role.name} could not write to its disk.", why, "Free space on its disk; see its log.")
    yield tell_good(f"{role.name} {info['redis_version']} answers.")


def examine_clocks() -> Iterator[SiteFinding]:
    """Yield how much the clocks of the database and of Redis differ from that of this machine."""
    for name, differ in (("database", ask_database_clock), ("Redis", ask_redis_clock)):
        try:
            ahead = differ()
        except (DatabaseError, InterfaceError, RedisError):
            continue  # another subject reports that this server does not answer
        if ahead is None:
            continue
        what = f"The clock of the {name} is {abs(ahead):.1f} s {'ahead of' if ahead > 0 else 'behind'} this machine's."
        why = "Windows and clocks of an evening end at the wrong moment, and sweeps are dropped as too old."
        remedy = "Let both machines follow a time server (`timedatectl set-ntp true`)."
        if abs(ahead) >= BAD_SECONDS:
            yield tell_error(what, why, remedy)
        elif abs(ahead) >= WRONG_SECONDS:
            yield tell_warning(what, why, remedy)
        else:
            yield tell_good(f"The clock of the {name} agrees.")
    yield tell_good(f"It is {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())} UTC here.")


def ask_database_clock() -> float | None:
    """Return by how many seconds the clock of the database is ahead of this one.

    Return None for SQLite, which uses the clock of this machine.
    """
    with brief_connection() as database:
        if database.vendor != "postgresql":
            return None
        with database.cursor() as cursor:
            cursor.execute("SELECT 1")
            began = time.time()
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            return float(cursor.fetchone()[0]) - (began + time.time()) / 2


def ask_redis_clock() -> float | None:
    if not settings.REDIS_URL:
        return None
    with make_redis_client() as client:
        client.ping()
        began = time.time()
        seconds, millionths = client.time()
        return float(seconds + millionths / 1e6 - (began + time.time()) / 2)
