"""The doctor's examination of the database: migrations, the keys that encrypt cards, the federation's lists.

It uses its own connection, which waits only a few seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from clubs.licences import KEPT_MONTHS, find_old_lists
from clubs.models import LicenceList
from deals.rekeying import StoredTexts, count_stored_texts
from jobs.management.database import PASS_THROUGH, find_midway, find_unknown_migration
from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning
from tournaments.failures import find_failure, first_line

WAIT_SECONDS = 5
SLOW_SECONDS = 0.25
MOST_USED = 0.8  # a warning begins at this share of the connections that PostgreSQL allows


@contextmanager
def brief_connection() -> Iterator[BaseDatabaseWrapper]:
    """Open a second connection to the database, which gives up after a few seconds. Close it at the end."""
    apart = connection.copy()
    if apart.vendor == "postgresql":
        apart.settings_dict["OPTIONS"]["connect_timeout"] = WAIT_SECONDS
    try:
        yield apart
    finally:
        apart.close()


def examine_database() -> Iterator[SiteFinding]:
    """Yield whether the database answers, and its faults."""
    try:
        with brief_connection() as database:
            yield from examine_answers(database)
    except (DatabaseError, InterfaceError) as failed:
        yield tell_absence(failed)


def tell_absence(failed: BaseException) -> SiteFinding:
    failure = find_failure(failed)
    what = failure.logged if failure else "the database refuses a query"
    why = "No page can be built and no result be saved; phones keep what they entered."
    return tell_error(f"{what} ({first_line(failed)})", why, "Start the database, or correct DATABASE_URL.")


def examine_answers(database: BaseDatabaseWrapper) -> Iterator[SiteFinding]:
    with database.cursor() as cursor:
        began = monotonic()
        cursor.execute("SELECT 1")
        seconds = monotonic() - began
        if database.vendor == "postgresql":
            cursor.execute("SHOW server_version")
            name = f"PostgreSQL {cursor.fetchone()[0].split()[0]}"
            yield from examine_connections(cursor)
        else:
            cursor.execute("SELECT sqlite_version()")
            name = f"SQLite {cursor.fetchone()[0]}"
            yield from examine_file(cursor)
    if seconds > SLOW_SECONDS:
        why = "A page asks several questions, and a full hall asks many at once."
        yield tell_warning(f"{name} took {seconds:.2f} s for nothing.", why, "Look at the load of its machine.")
    else:
        yield tell_good(f"{name} answers in {seconds * 1000:.1f} ms.")


def examine_connections(cursor: CursorWrapper) -> Iterator[SiteFinding]:
    cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'")
    used = cursor.fetchone()[0]
    cursor.execute("SHOW max_connections")
    most = int(cursor.fetchone()[0])
    if used > MOST_USED * most:
        why = "A further process of the site would be refused."
        yield tell_warning(f"{used} of {most} connections are used.", why, "Raise max_connections of PostgreSQL.")


def examine_file(cursor: CursorWrapper) -> Iterator[SiteFinding]:
    cursor.execute("PRAGMA quick_check(1)")
    journal = cursor.fetchone()[0]
    if journal != "ok":
        why = "Rows may be lost or wrong."
        yield tell_error(
            f"The database's file is damaged: {journal}.", why, "Stop the site and restore the newest backup."
        )


def examine_migrations() -> Iterator[SiteFinding]:
    """Yield whether the database has the migrations of this release, and no others."""
    try:
        with brief_connection() as database:
            applied = MigrationRecorder(database).applied_migrations()
            midway = find_midway(applied)
            loader = MigrationLoader(None if midway else database)
    except (DatabaseError, InterfaceError):
        why = "The site starts only on a database that is ready."
        yield tell_error("The database does not tell them.", why, "See the finding about the database.")
        return
    if midway:
        why = "This version cannot carry out the migrations between."
        yield tell_error(f"{midway} is missing.", why, f"Make a backup, then {PASS_THROUGH}.")
        return
    if unknown := find_unknown_migration(applied):
        why = "An older release may damage what a newer one has written."
        yield tell_error(f"{unknown} is not known here.", why, "Install the release that the database was made by.")
    missing = sorted(set(loader.graph.nodes) - set(loader.applied_migrations))
    if missing:
        why = "The site and its workers refuse to start."
        what = f"{len(missing)} migrations are missing, {'.'.join(missing[0])} first."
        yield tell_error(what, why, f"Make a backup, then run `{settings.COMMAND} migrate`.")
    elif not unknown:
        yield tell_good(f"All {len(loader.graph.nodes)} are carried out.")


REKEY = f"Run `{settings.COMMAND} rekey`."


def examine_cards() -> Iterator[SiteFinding]:
    """Yield the faults of CARD_KEYS, and of the seeds and cards that are encrypted with other keys."""
    keys: list[str] = settings.CARD_KEYS
    if settings.SERVER and not keys:
        why = "Whoever gets a copy of the database reads the cards of coming evenings."
        remedy = f"Set CARD_KEYS to what `{settings.COMMAND} rekey --new` prints, then run `{settings.COMMAND} rekey`."
        yield tell_warning("CARD_KEYS is not set: seeds and cards are stored unencrypted.", why, remedy)
    try:
        with brief_connection() as database:
            database.ensure_connection()  # this connection gives up after a few seconds without an answer
        yield from examine_texts(count_stored_texts(), keys)
    except ValueError:
        why = "No card can be encrypted or read."
        yield tell_error(
            "A key of CARD_KEYS is malformed.", why, "Give it as `rekey --new` printed it: 43 letters, a =."
        )
    except (DatabaseError, InterfaceError):
        why = "Nobody knows whether all cards can be read."
        yield tell_error("The database does not tell them.", why, "See the finding about the database.")


def examine_texts(texts: StoredTexts, keys: list[str]) -> Iterator[SiteFinding]:
    if texts.unreadable:
        what = f"{texts.unreadable} of {texts.stored} seeds and deals are under a key that CARD_KEYS does not name."
        why = "Their evenings cannot be played or shown, and no backup can be made."
        yield tell_error(what, why, f"Add the missing key behind the others. {REKEY}")
    if texts.to_rekey:
        what = f"{texts.to_rekey} of {texts.stored} seeds and deals are not encrypted by the first key."
        yield tell_warning(what, "Whoever has a copy of the database and an older key reads them.", REKEY)
    if not texts.unreadable and not texts.to_rekey:
        how = "encrypted by the first key" if keys else "stored as they are"
        yield tell_good(f"{texts.stored} seeds and deals are {how}.")


def examine_licences() -> Iterator[SiteFinding]:
    """Yield whether lists are kept beyond their time, and whether their holders can be searched."""
    with brief_connection() as database:
        database.ensure_connection()  # this connection gives up after a few seconds without an answer
        kept, old = LicenceList.objects.count(), find_old_lists(timezone.now()).count()
    if old:
        why = f"They name people who may never have come, and end {KEPT_MONTHS} months after they were read."
        remedy = f"Run `{settings.COMMAND} forget`, and look at the findings about jobs: this is done every day."
        yield tell_warning(f"{old} lists of the federation are past their time.", why, remedy)
    else:
        how = "can search them" if settings.LICENCE_SEARCH else "cannot search them (LICENCE_SEARCH=no)"
        yield tell_good(f"{kept} clubs keep the federation's list; their directors {how}.")
