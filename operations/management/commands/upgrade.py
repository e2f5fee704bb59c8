"""The command `manage.py upgrade`: it brings a site's database and static files to the release that is installed."""

import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from jobs.management.database import refuse_unknown
from operations.backup.contents import BackupError
from operations.backup.scheduled import make_backup_by_hand
from operations.queues import find_workers, say_how_to_start

GO_BACK = """The upgrade failed: {error}

The site is as it was before, or between two releases. Do not start it. To go back to the release before:
1. Install that release again.
2. Give it an empty database: on a laptop move {folder}/db.sqlite3* away, on a server create one for DATABASE_URL.
3. {command} migrate
4. {command} restore {backup}{identity}
5. Start the site.
{whole}"""
WHOLE = "Nothing that was entered before the upgrade is lost: the backup has all of it."
NO_BACKUP = "No backup was made, since you asked for none: use yours."


def find_queues_without_worker() -> list[str]:
    """Return the queues that no worker takes, if other workers run: an earlier release did not know these queues."""
    if not settings.REDIS_URL:
        return []
    try:
        taken = find_workers()
    except (RedisError, OperationalError, OSError):
        return []
    return [name for name, workers in taken.items() if not workers] if any(taken.values()) else []


class Command(BaseCommand):
    help = (
        "Bring the site to the release that is installed: write a backup, migrate the database, collect the static"
        " files, and say what to restart. Repeat it as often as you like."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--backup", metavar="FILE", type=Path, help="the backup to write first (var/backups/before-….gz)"
        )
        parser.add_argument("--no-backup", action="store_true", help="you have made a backup yourself")
        parser.add_argument("--no-static", action="store_true", help="an image has the static files already")

    def handle(self, *args: Any, backup: Path | None, no_backup: bool, no_static: bool = False, **options: Any) -> None:
        try:
            refuse_unknown(connection)
            executor = MigrationExecutor(connection)
        except DatabaseError as error:
            raise CommandError(f"Nothing is changed: the database does not answer ({error}).") from error
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        self.stdout.write(f"Topage {read_release_name()}: {len(waiting)} migrations to carry out.")
        file, new = None, not executor.loader.applied_migrations
        if backup or (waiting and not new and not no_backup):
            file = self.write_backup(backup)
        elif not new and not no_backup:
            self.stdout.write("The database stays as it is, so no backup is written.")
        if waiting:
            try:
                call_command("migrate", interactive=False, verbosity=0)
            except Exception as error:  # after a failure of a migration, the operator is told how to go back
                if new:
                    raise CommandError(f"The database cannot be made: {error}.") from error
                advice = GO_BACK.format(
                    error=error,
                    command=settings.COMMAND,
                    folder=settings.VAR_DIR,
                    backup=file or "FILE",
                    identity=" --identity KEYFILE" if settings.BACKUP_KEY else "",
                    whole=WHOLE if file else NO_BACKUP,
                )
                raise CommandError(advice) from error
            self.stdout.write("The database is migrated.")
        if settings.STATIC_ROOT and not no_static:
            call_command("collectstatic", interactive=False, verbosity=0)
            self.stdout.write("The static files are collected.")
        self.stdout.write(
            "Now restart every process of the site: the web processes, the beat, and a worker for each queue"
            f" ({', '.join(settings.JOB_QUEUES)})."
            if settings.SERVER and not new
            else "Now start the site."
        )
        for queue in find_queues_without_worker():
            self.stdout.write(f"No worker takes the queue {queue}. {say_how_to_start(queue)}")

    def write_backup(self, file: Path | None) -> Path:
        """Write the backup that is needed to go back, and return its path. Without this backup nothing is changed."""
        if file is None:
            moment = timezone.localtime().strftime("%Y-%m-%d-%H%M%S")
            file = (settings.BACKUP_DIR or settings.VAR_DIR / "backups") / f"before-{read_release_name()}-{moment}.gz"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            written = make_backup_by_hand(file, settings.BACKUP_KEY, now=timezone.now())
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(
                f"Nothing is changed, for no backup could be written: {error}\nName another place by --backup FILE, or"
                " make a backup yourself and add --no-backup."
            ) from error
        self.stdout.write(f"The backup before the upgrade: {file}, {sum(written.rows.values())} rows.")
        return file


def read_release_name() -> str:
    """Return the release's version, for example "0.1.0". Only `pyproject.toml` has it."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
