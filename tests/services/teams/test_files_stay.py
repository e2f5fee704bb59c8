"""The files of evenings of single players: to the byte those that the release before teams wrote."""

import json

from tests.filled import FILLED
from tests.services.test_upgrade import succeed

WRITE = """
import gc, sys
from pathlib import Path
gc.disable()  # migrations make much garbage, and looking for it takes a third of their time
import django; django.setup()
from django.core.management import call_command
from tests import filled, filled_files
filled.fill(Path(sys.argv[1]))
call_command("migrate", interactive=False, verbosity=0)
filled_files.main()
"""


def test_published_files_are_to_the_byte_those_of_the_release_before_teams(tmp_path):
    """Compare the digests of CSV, XLSX, JSON, PDF and pictures. A change of their texts on purpose writes new ones."""
    where = {"MODE": "laptop", "VAR_DIR": str(tmp_path / "var"), "REDIS_URL": ""}
    written = json.loads(succeed(where, "-c", WRITE, str(FILLED / "0003.json.gz")))
    expected = json.loads((FILLED / "0003.files.json").read_text())
    assert len(expected) > 30
    assert {name for name in expected.keys() | written.keys() if expected.get(name) != written.get(name)} == set()
