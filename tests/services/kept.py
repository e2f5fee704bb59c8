"""The PostgreSQL of the small loop: `python -m tests.services.kept`, or `make database`, runs it until Ctrl-C.

It prints a line for another terminal. Tests there use this server and its migrated database, and start no other. They
refuse it if the migrations or models have changed since.
"""

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import django
import pytest
from django.core.management import call_command
from django.db import connection

from tests.services.plugin import DATABASE, SHARED, set_environment
from tests.services.postgres import PostgresServer

DIGEST = "digest"  # the file in the server's folder that names the schema of its migrated database
CHANGED = f"the database in {SHARED} has other migrations or models: end `make database`, and start it again"


def check_schema(folder: Path, digest: str) -> None:
    """Raise UsageError if the kept server's database was migrated by other migrations or models."""
    file = folder / DIGEST
    if file.exists() and file.read_text() != digest:
        raise pytest.UsageError(CHANGED)


@contextmanager
def keep_server() -> Iterator[PostgresServer]:
    """Start a server with a migrated database, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix="topage-kept-", dir="/tmp"))
    folder.chmod(0o711)
    server = PostgresServer(folder / "postgres")
    try:
        server.start()
        server.make(DATABASE)
        set_environment(server.url(DATABASE), "", folder / "var")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        call_command("migrate", verbosity=0)
        connection.close()
        from tests.conftest import digest_of_schema  # its rows belong to apps, which are ready only now

        (server.folder / DIGEST).write_text(digest_of_schema())
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def main() -> None:
    """Keep a server until Ctrl-C."""
    with keep_server() as server:
        sys.stdout.write(f"export {SHARED}={server.folder}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
