"""A disk without room: results are refused with a message, nothing is half written, and all goes on with room again.

Two kinds: SQLite's own limit on the size of its file, and a file system that is really full. Mounting that one takes
root and the right to mount.
"""

import subprocess
from contextlib import contextmanager, suppress

import pytest

from tests.faults.halls.small_hall import SmallHall, begin_and_enter, check_of

pytestmark = pytest.mark.nightly("process")

VOLUME = 12 * 1024 * 1024  # bytes
MOST_REFUSED = 5
# Read at each new connection: the process of a laptop opens one for each request.
LIMITING = """
import os, sqlite3
connect = sqlite3.connect
class Limited(sqlite3.Connection):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if os.path.exists(os.environ["PAGES"]):
            self.execute("PRAGMA max_page_count = 1")
def limited(*args, **kwargs):
    return connect(*args, **{"factory": Limited} | kwargs)
sqlite3.connect = sqlite3.dbapi2.connect = limited
"""


class PageLimit:
    """A database file that may not grow. SQLite never sets the limit below the pages that exist."""

    def __init__(self, folder):
        self.folder, self.flag = folder / "site", folder / "full"
        modules = folder / "modules"
        modules.mkdir()
        (modules / "sitecustomize.py").write_text(LIMITING)
        self.environment = {"PYTHONPATH": str(modules), "PAGES": str(self.flag)}

    def fill(self):
        self.flag.touch()

    def make_room(self):
        self.flag.unlink()


class SmallVolume:
    """A file system of a few megabytes, filled by another file."""

    environment: dict[str, str] = {}

    def __init__(self, folder):
        self.folder = folder / "volume" / "site"

    def fill(self):
        with suppress(OSError), (self.folder / "other").open("wb", buffering=0) as other:
            while True:
                other.write(b"x" * 4096)

    def make_room(self):
        (self.folder / "other").unlink()


@contextmanager
def mounted(folder):
    """Mount a small file system on the folder. Skip the test, with the reason, where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={VOLUME}", "tmpfs", str(folder)]
    ended = subprocess.run(mount, capture_output=True, text=True, check=False)
    if ended.returncode:
        pytest.skip(f"a small volume needs the right to mount one: {ended.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(params=[PageLimit, SmallVolume])
def disk(request, tmp_path):
    if request.param is PageLimit:
        yield PageLimit(tmp_path)
        return
    with mounted(tmp_path / "volume"):
        yield SmallVolume(tmp_path)


def test_result_without_room_is_refused_and_counts_once_there_is_room(disk, serve, migrated_laptop):
    hall = SmallHall(disk.folder, migrated_laptop)
    site = serve(**hall.environment | disk.environment)
    before, after = hall.plays[:10], hall.plays[10:]
    for play in before:
        hall.play_one(site, play)
    hall.assert_nothing_is_lost()

    disk.fill()
    waiting = []
    for play in after:
        for sent in begin_and_enter(play):
            status, answer = hall.send(site, play, [sent], **{"Accept-Language": "en"})
            if status != 200:
                assert (status, answer["error"]["code"]) == (503, "database_full")
                assert "phones keep what they entered" in answer["error"]["message"]
                waiting.append((play, sent))
        if len(waiting) > MOST_REFUSED:
            break
    else:
        pytest.fail("the disk took everything")
    status, page = site.get("/")  # readers of a really full disk may be refused, too, and are told why
    assert status == 200 or "Le disque de la base de données est plein" in page

    disk.make_room()
    acknowledged = {key: number for key, (kind, number) in hall.ledger.items() if kind == "enter"}
    assert hall.examine(seconds=0)["entries"] == acknowledged
    for play, sent in waiting:
        assert hall.send(site, play, [sent])[0] == 200
    for play in after:
        commands = [*([] if play["id"] in hall.entered else begin_and_enter(play)), check_of(play)]
        assert hall.send(site, play, commands)[0] == 200
    found = hall.assert_nothing_is_lost()
    assert len(found["current"]) == len(hall.plays)
