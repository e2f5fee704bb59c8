"""The limits on the locks of a process that stops within a transaction, or whose machine is gone: one minute."""

import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import DatabaseError, InterfaceError, connection, transaction

from config.database.base import DatabaseWrapper
from config.jobs import job_patience
from config.patience import patience
from tests.config.test_settings import SERVER, read
from tests.services.postgres import QUICK, PostgresServer
from tests.services.site import free_port
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")


class DistantServer(PostgresServer):
    """A PostgreSQL server that is reached by TCP, as on another machine."""

    def __init__(self, folder):
        self.port = free_port()
        super().__init__(folder, [*QUICK, "-h", "127.0.0.1", "-p", str(self.port)])

    def url(self, database):
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"


@pytest.fixture
def connect(transactional_db):
    """Provide a function that opens a connection like the site's own. The connections are closed after the test.

    The time limit that the request of an earlier test has left on the thread is removed first.
    """
    patience.set(None)
    opened = []

    def connect(**where):
        opened.append(DatabaseWrapper(connection.settings_dict | where, "other"))
        opened[-1].connect()
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


def show(connected, name):
    with connected.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        return cursor.fetchone()[0]


def is_there(pid):
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid])
        return cursor.fetchone()[0] == 1


def test_transaction_that_asks_nothing_is_ended_and_its_locks_with_it(connect, settings):
    settings.JOB_DATABASE_SECONDS = 0.5
    stopped = connect()
    pid = stopped.connection.info.backend_pid
    with stopped.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE clubs_club IN ACCESS EXCLUSIVE MODE")
    assert is_there(pid)
    wait_until(lambda: not is_there(pid), what="the transaction to be ended")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE clubs_club IN ACCESS EXCLUSIVE MODE NOWAIT")
    with pytest.raises((DatabaseError, InterfaceError)), stopped.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_every_connection_has_the_limits_whoever_asks(connect, settings):
    settings.JOB_DATABASE_SECONDS = read(**SERVER).JOB_DATABASE_SECONDS
    nobody = connect()
    with job_patience():
        job = connect()
    names = ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")
    assert [show(nobody, name) for name in names] == ["1min", "0", "0"]
    assert [show(job, name) for name in names] == ["1min", "15s", "18s"]


def test_options_of_the_address_are_kept(connect):
    own = {"OPTIONS": {"options": "-c application_name=topage -c idle_in_transaction_session_timeout=7000"}}
    with job_patience():
        connected = connect(**own)
    assert show(connected, "application_name") == "topage"
    assert show(connected, "idle_in_transaction_session_timeout") == "7s"


@pytest.fixture
def distant_server():
    """Start a server in a folder that its own user may enter. The folders of the tests do not allow that."""
    with TemporaryDirectory(prefix="topage-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        server = DistantServer(Path(folder) / "postgres")
        server.start()
        yield server
        server.stop()


def test_either_side_misses_the_other_after_a_minute(connect, distant_server):
    connected = connect(HOST="127.0.0.1", PORT=str(distant_server.port), NAME="postgres")
    names = ("idle", "interval", "count")
    assert [show(connected, f"tcp_keepalives_{name}") for name in names] == ["30", "10", "3"]
    assert show(connected, "tcp_user_timeout") == "60000"
    with socket.socket(fileno=socket.dup(connected.connection.fileno())) as ours:
        kept_alive = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        assert [ours.getsockopt(socket.IPPROTO_TCP, name) for name in kept_alive] == [30, 10, 3]
        assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000
