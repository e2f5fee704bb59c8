"""The start of a command, which looks for no garbage among what it imports, and then by Python's own limits."""

import pytest

from tests.config.test_settings import python
from tests.operations.place import NEW_CLUB

pytestmark = pytest.mark.nightly("process")

# Prints how often each generation was searched until the apps are ready, and how it goes on.
AFTER_THE_START = """
import gc
from django.core.management import base
seen = [each["collections"] for each in gc.get_stats()]
base.BaseCommand.execute = lambda *given, **options: print(
    [each["collections"] for each in gc.get_stats()] == seen, gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()
)
import manage
manage.main(["manage.py", "check"])
"""
# Migrates a new database. Prints whether the pages were imported, and the limits of the search for garbage. The last
# number is the memory that the process took at most, in KB.
AFTER_MIGRATIONS = """
import gc, re, sys
from pathlib import Path
import manage
manage.main(["manage.py", "migrate", "--verbosity", "0"])
most = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print("config.urls" in sys.modules, gc.get_threshold(), most[1])
"""


@pytest.fixture
def told(tmp_path):
    run = python("-c", AFTER_THE_START, VAR_DIR=str(tmp_path))
    assert run.returncode == 0, run.stderr
    return run.stdout.rsplit(maxsplit=1)


def test_start_searches_for_no_garbage_and_none_in_what_it_made(told):
    state, frozen = told
    assert state == "True True (700, 10, 10)"
    assert int(frozen) > 100_000


def test_process_of_a_laptop_leaves_its_last_lines_in_the_database_alone(laptop):
    """Check that nothing is left in a file beside it, for a copy of that one file has to be whole."""
    place = laptop("ended")
    place.succeed("-c", NEW_CLUB)
    assert [path.name for path in place.folder.glob("db.sqlite3*")] == ["db.sqlite3"]


def test_first_migration_of_a_laptop_reads_no_pages_and_needs_little_memory(tmp_path):
    """Check that the classes that each migration makes anew do not all wait for a search for garbage."""
    run = python("-c", AFTER_MIGRATIONS, VAR_DIR=str(tmp_path))
    assert run.returncode == 0, run.stderr
    state, kilobytes = run.stdout.rsplit(maxsplit=1)
    assert state == "False (700, 10, 10)"
    assert int(kilobytes) * 1024 / 1e6 <= 220
