"""Django's PostgreSQL, where what a request or a job asks is answered within its patience (`config.patience`) or given
up, and where nobody's locks outlive them for long."""

import select
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError

from config.patience import patience

# Seconds, seconds, times: either side misses the other a minute after it has gone without a word.
IDLE, INTERVAL, COUNT = 30, 10, 3
GONE = 1000 * (IDLE + INTERVAL * COUNT)  # milliseconds in which what was sent has to arrive
OURS = {
    "keepalives": 1,
    "keepalives_idle": IDLE,
    "keepalives_interval": INTERVAL,
    "keepalives_count": COUNT,
    "tcp_user_timeout": GONE,
}
THEIRS = {
    "tcp_keepalives_idle": IDLE,
    "tcp_keepalives_interval": INTERVAL,
    "tcp_keepalives_count": COUNT,
    "tcp_user_timeout": GONE,
}
STOPPED = 3  # times as long as a job waits: a process that stopped within a transaction holds its locks no longer


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect as the address of the database says, with limits: of the connection, and of who asks, if any."""
        waiting = patience.get()
        stopped = int(1000 * STOPPED * settings.JOB_DATABASE_SECONDS)
        told = f"{options(idle_in_transaction_session_timeout=stopped, **THEIRS)} {conn_params.get('options', '')}"
        if waiting is None:
            return hurry(super().get_new_connection(OURS | conn_params | {"options": told}))
        # The server itself gives up a lock and a long question, a little sooner: so it is told from a silent one.
        sooner, later = int(750 * waiting.seconds), int(900 * waiting.seconds)
        told = f"{told} {options(lock_timeout=sooner, statement_timeout=later)}"
        limits = {"connect_timeout": max(2, sooner // 1000), "options": told}
        with waiting.asking():
            return hurry(super().get_new_connection(OURS | conn_params | limits))

    def close_if_health_check_failed(self) -> None:
        """Asks a connection that was kept whether it still answers, but not where its socket tells as much: a server
        that has ended it has said so there, and to ask costs every request a question."""
        if self.connection is not None and not self.errors_occurred and is_quiet(self.connection):
            self.health_check_done = True
        super().close_if_health_check_failed()


def options(**values: int) -> str:
    """Return settings of a session as PostgreSQL takes them at its start."""
    return " ".join(f"-c {name}={value}" for name, value in values.items())


def is_quiet(connection: Connection[Any]) -> bool:
    """Whether it is open, and nothing waits to be read: no end, no notice."""
    if connection.closed:
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN | select.POLLPRI)
    return not waiting.poll(0)


def hurry(connection: Connection[Any]) -> Connection[Any]:
    """The connection, for which no request waits longer than it may. Given up, it is closed: its next answer is old."""
    wait = connection.wait

    def wait_in_time(*question: Any, **options: Any) -> Any:
        waiting = patience.get()
        if waiting is None:
            return wait(*question, **options)
        try:
            with waiting.asking():
                return wait(*question, **{"timeout": waiting.seconds} | options)
        except OperationalError:
            if waiting.lost:
                connection.close()
            raise

    connection.wait = wait_in_time  # type: ignore[method-assign]
    return connection
