"""Django's PostgreSQL, where what a request asks is answered within its patience (`config.patience`) or given up."""

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError

from config.patience import patience


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        waiting = patience.get()
        if waiting is None:
            return hurry(super().get_new_connection(conn_params))
        # The server itself gives up a lock and a long question, a little sooner: so it is told from a silent one.
        sooner, later = 0.75 * waiting.seconds, 0.9 * waiting.seconds
        options = f"-c lock_timeout={int(1000 * sooner)} -c statement_timeout={int(1000 * later)}"
        limits = {"connect_timeout": max(2, int(sooner)), "options": options}
        with waiting.asking():
            return hurry(super().get_new_connection(conn_params | limits))

    def close_if_health_check_failed(self) -> None:
        """Asks a connection that was kept whether it still answers, but not where its socket tells as much: a server
        that has ended it has said so there, and to ask costs every request a question."""
        if self.connection is not None and not self.errors_occurred and is_quiet(self.connection):
            self.health_check_done = True
        super().close_if_health_check_failed()


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
