"""The sites of these tests: a used laptop with its backup, and empty sites to restore into."""

import shutil

import pytest

from tests.operations.place import KEPT, Place


@pytest.fixture(scope="session")
def laptop(tmp_path_factory, migrated_laptop):
    """Return a function that makes a new place with a laptop's empty database."""

    def make(name):
        folder = tmp_path_factory.mktemp(name)
        shutil.copyfile(migrated_laptop, folder / "db.sqlite3")
        return Place(folder)

    return make


@pytest.fixture
def server(tmp_path, postgres_server, migrated_server):
    """Make a place with a server's empty, migrated database."""
    name = f"restored_{tmp_path.name.lower()}"[:60]
    postgres_server.make(name, migrated_server)
    return Place(tmp_path, postgres_server.url(name))


@pytest.fixture(scope="session")
def used(laptop):
    """Restore the newest backup that is kept of a release."""
    place = laptop("used")
    place.succeed("manage.py", "restore", str(KEPT))
    return place


@pytest.fixture(scope="session")
def backup(used):
    return used.back_up()
