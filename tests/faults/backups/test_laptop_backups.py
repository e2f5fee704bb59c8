"""The backups of a laptop that serves: in a process of its own, from its start on."""

import pytest

from operations.backup.reading import check_file
from operations.backup.scheduled import read_state
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")


def test_laptop_that_serves_makes_a_backup_at_its_start(serve, tmp_path):
    folder = tmp_path / "backups"
    serve("python manage.py demo", BACKUP_DIR=str(folder))
    wait_until(lambda: read_state(folder).good, 60, "a backup")
    good = read_state(folder).good
    assert check_file(good.path) == good.digest
