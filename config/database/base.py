"""The PostgreSQL backend of Django, with time limits.

A query of a request or a job is cancelled if it gets no answer within a limit (`config.patience`). If a client is lost,
its locks end soon.
"""

import select
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError

from config.patience import patience

# After IDLE seconds without data, a side sends COUNT probes, one every INTERVAL seconds. So each side notices within
# about a minute that it has lost the other one.
IDLE, INTERVAL, COUNT = 30, 10, 3
GONE = 1000 * (IDLE + INTERVAL * COUNT)  # milliseconds after which sent data counts as lost
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
# PostgreSQL ends an idle transaction, with its locks, after this number times the time limit of a job.
STOPPED = 3


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection with time limits. In a request or job, its queries have limits too."""
        waiting = patience.get()
        stopped = int(1000 * STOPPED * settings.JOB_DATABASE_SECONDS)
        settled = options(idle_in_transaction_session_timeout=stopped, **THEIRS)
        all_options = f"{settled} {conn_params.get('options', '')}"
        if waiting is None:
            return hurry(super().get_new_connection(OURS | conn_params | {"options": all_options}))
        # The server gives up a lock or a long query a little sooner than the client. So the client sees that the server
        # still answers.
        sooner, later = int(750 * waiting.seconds), int(900 * waiting.seconds)
        all_options = f"{all_options} {options(lock_timeout=sooner, statement_timeout=later)}"
        limits = {"connect_timeout": max(2, sooner // 1000), "options": all_options}
        with waiting.watch_question():
            return hurry(super().get_new_connection(OURS | conn_params | limits))

    def close_if_health_check_failed(self) -> None:
        """Skip the health check query if the socket already shows that the connection is open.

        If the server has closed the connection, the socket shows it. A query would cost every request a round trip.
        """
        if self.connection is not None and not self.errors_occurred and is_quiet(self.connection):
            self.health_check_done = True
        super().close_if_health_check_failed()


def options(**values: int) -> str:
    """Return settings in the form that PostgreSQL reads at the start of a connection: `-c name=value`."""
    return " ".join(f"-c {name}={value}" for name, value in values.items())


def is_quiet(connection: Connection[Any]) -> bool:
    """Return whether the connection is open and has nothing to read: no end and no notice."""
    if connection.closed:
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN | select.POLLPRI)
    return not waiting.poll(0)


def hurry(connection: Connection[Any]) -> Connection[Any]:
    """Return the connection with a time limit for every wait. If a wait is given up, the connection is closed.

    Otherwise the next query would read the answer to the query that was given up.
    """
    wait = connection.wait

    def wait_in_time(*question: Any, **options: Any) -> Any:
        waiting = patience.get()
        if waiting is None:
            return wait(*question, **options)
        try:
            with waiting.watch_question():
                return wait(*question, **{"timeout": waiting.seconds} | options)
        except OperationalError:
            if waiting.lost:
                connection.close()
            raise

    connection.wait = wait_in_time  # type: ignore[method-assign]
    return connection
