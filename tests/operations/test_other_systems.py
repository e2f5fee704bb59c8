"""The site of a laptop in Pythons that lack what Windows and macOS lack, and its commands where output fails."""

import os
import subprocess
import sys

import pytest

from operations.doctor import machine
from tests.clubs.uploads.test_sheets import LIST, make_book
from tests.operations.place import Place
from tests.operations.systems import name_environment, run_on
from tests.services.site import PROJECT, Site

# Every text file is opened with its encoding: Windows would take another one.
STRICT = {"PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "error::EncodingWarning"}
READ = """
import sys
from clubs.uploads.spreadsheet import read_sheets
print(read_sheets(open(sys.argv[1], "rb").read()).rows[1][1])
"""


@pytest.mark.nightly("process")
@pytest.mark.parametrize("system", ["windows", "macos"])
def test_spreadsheet_is_read(system, tmp_path):
    (tmp_path / "list.xlsx").write_bytes(make_book(("Liste", LIST, False)))
    run = run_on(system, "-c", READ, str(tmp_path / "list.xlsx"))
    assert run.stdout == "Anaïs\n", run.stderr


@pytest.fixture(scope="module", params=["windows", "macos"])
def demonstration(request, tmp_path_factory):
    """Play the demonstration on a system."""
    place = Place(tmp_path_factory.mktemp(request.param))
    place.environment |= name_environment(request.param) | STRICT
    place.succeed("manage.py", "demo", "--no-serve", "--before", "0")
    return place


@pytest.mark.nightly("process")
def test_laptop_of_another_system_backs_up_and_restores(demonstration, tmp_path):
    written = demonstration.back_up()
    assert "verified" in demonstration.succeed("manage.py", "restore", "--verify", str(written))
    assert "running-" in demonstration.succeed("manage.py", "backup", "--tournament", "1")
    assert "topage-" in demonstration.succeed("manage.py", "backup")
    demonstration.succeed("manage.py", "upgrade")
    empty = Place(tmp_path / "var")
    empty.environment = demonstration.environment | {"VAR_DIR": str(empty.folder)}
    empty.succeed("manage.py", "upgrade")
    empty.succeed("manage.py", "restore", str(written))


@pytest.mark.nightly("process")
def test_laptop_of_another_system_serves_and_the_doctor_examines_it(demonstration, tmp_path):
    site = Site("python manage.py serve", tmp_path, **demonstration.environment)
    try:
        for path in ("/", "/clubs/tarot-club-des-halles/", "/rules/", "/static/css/desk.css"):
            assert (path, site.get(path)[0]) == (path, 200)
        told = demonstration.run("manage.py", "doctor").stdout
        assert "could not be examined" not in told
        over = demonstration.refuse("manage.py", "restore", "--replace", "--yes", str(tmp_path / "backup.gz"))
        assert "The site serves" in over
    finally:
        site.child.stop()


@pytest.mark.nightly("process")
@pytest.mark.parametrize(
    ("encoding", "output", "code", "said"),
    [
        ("ascii", os.devnull, 0, ""),
        ("cp1252", os.devnull, 0, ""),
        ("utf-8", "/dev/full", 1, "The command was not carried out: No space left on device.\n"),
        ("utf-8", "", 0, ""),
    ],
    ids=["ASCII", "Windows", "full disk", "closed pipe"],
)
def test_command_whose_output_cannot_be_written_ends_in_no_traceback(encoding, output, code, said, tmp_path):
    command = [sys.executable, "manage.py", "deal", "--seed", "ab" * 32, "--boards", "1-9"]
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "PYTHONIOENCODING": encoding}
    reading, writing = os.pipe()
    os.close(reading)
    with open(output, "wb") if output else os.fdopen(writing, "wb") as out:
        run = subprocess.run(command, cwd=PROJECT, env=environment, stdout=out, stderr=subprocess.PIPE, check=False)
    assert (run.returncode, run.stderr.decode()) == (code, said)


def test_doctor_asks_for_no_permissions_on_windows(monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o777)
    monkeypatch.setattr(machine, "WINDOWS", True)
    (found,) = machine.examine_permissions()
    assert "On Windows" in found.what
