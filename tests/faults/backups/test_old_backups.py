"""The backups that an older release made: this release restores them, and upgrades their rows."""

import json

import pytest

from operations.backup.contents import FILLED_BY_THE_SITE
from tests.filled import FILLED
from tests.operations.place import Place, lines_of

pytestmark = pytest.mark.nightly("process")

OLDEST = min(FILLED.glob("*.json.gz"))


def rows_of(backup):
    """Return the lines of a backup without those tables whose ids follow from the order of the migrations."""
    rows, table = [], ""
    for line in map(json.loads, lines_of(backup)[:-1]):
        table = line.get("table", "") if isinstance(line, dict) else table
        if table not in FILLED_BY_THE_SITE:
            rows.append(line)
    return rows


def test_backup_of_an_older_release_is_restored_and_upgraded(tmp_path):
    older, upgraded, restored = places = [Place(tmp_path / name) for name in ("older", "upgraded", "restored")]
    for place in places:
        place.folder.mkdir()
    for place in (older, upgraded):
        place.succeed("-m", "tests.filled", str(OLDEST))
    backup = older.back_up()
    upgraded.succeed("manage.py", "migrate", "--verbosity", "0")
    restored.succeed("manage.py", "migrate", "--verbosity", "0")
    restored.succeed("manage.py", "restore", str(backup))
    assert rows_of(restored.back_up()) == rows_of(upgraded.back_up())
    told = restored.succeed("manage.py", "restore", "--verify", str(backup))
    assert "verified" in told
