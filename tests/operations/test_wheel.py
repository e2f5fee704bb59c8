"""The wheel: it has every file of the source but those of a written list, and runs without the source."""

import os
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import zipfile
from contextlib import suppress
from fnmatch import fnmatch

import pytest

from operations.management.commands.upgrade import read_release_name
from tests.law.packages import ROOTS
from tests.services.children import Child
from tests.services.site import PROJECT, free_port
from tests.services.waiting import wait_until

BESIDE = {"CHANGELOG.md", "LICENSE", "docs", "manage.py", "pyproject.toml", "requirements.txt", "templates"}
# Only for those who work on the source, or install it on a server.
LEFT_OUT = (
    *(".ci/*", ".dockerignore", ".editorconfig", ".github/*", ".gitignore", ".pre-commit-config.yaml"),
    *("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "docs/decisions/*", "*.po"),
    *("Dockerfile", "docker-compose.yml", "Makefile", "jsconfig.json", "requirements-dev.txt", "bench/*", "tests/*"),
)
LONGEST_PATH = 110  # Windows allows 260 letters, with the folder in which the wheel is installed
START = "from topage.site.manage import run; run()"


def test_wheel_takes_every_package_of_the_law():
    built = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert set(built["only-include"]) == {*ROOTS, *BESIDE}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_has_each_tracked_file_but_those_of_the_list(wheel):
    tracked = subprocess.run(["git", "ls-files"], cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    wanted = {name for name in tracked.splitlines() if not any(fnmatch(name, left) for left in LEFT_OUT)}
    with zipfile.ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if ".dist-info/" not in name]
    assert {name.removeprefix("topage/site/") for name in names} == wanted
    assert len({name.lower() for name in names}) == len(names)
    assert max(map(len, names)) <= LONGEST_PATH
    assert wheel.stat().st_size < 5_000_000


@pytest.mark.nightly("process")
def test_wheel_serves_a_page_without_the_source(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    (tmp_path / "home").mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tmp_path / "installed"),
        "HOME": str(tmp_path / "home"),
    }
    ask = f"import sys; sys.argv = ['topage', *sys.argv[1:]]; {START}"

    def run(*arguments):
        command = [sys.executable, "-c", ask, *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert run("--version").stdout == f"{read_release_name()}\n"
    assert run("help").stdout.count("\n") == 8
    assert run("migrate").returncode == 0
    assert {path.name for path in (tmp_path / "home" / "Topage").iterdir()} == {"db.sqlite3", "secret_key"}
    page = "from django.test import Client; print(Client().get('/begin/').status_code)"
    assert run("shell", "-c", page).stdout.splitlines()[-1] == "200"


@pytest.mark.nightly("process")
def test_server_from_a_source_folder_goes_on_with_the_wheel(wheel, tmp_path, postgres_server, redis_server):
    """Upgrade a site with data by the wheel. Then start its web process, a worker and the beat, as the units do."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    postgres_server.make("from_source")
    environment = {
        "MODE": "server",
        "SECRET_KEY": "k3Y" * 12,
        "ALLOWED_HOSTS": "localhost",
        "HTTPS": "false",
        "SITE_URL": "http://localhost",
        "DATABASE_URL": postgres_server.url("from_source"),
        "REDIS_URL": redis_server.url,
        "VAR_DIR": str(tmp_path / "var"),
        "BACKUP_DIR": "none",
        "SWEEP_SECONDS": "1",
        "CELERY_SKIP_CHECKS": "1",
    }
    source = {"cwd": PROJECT, "env": os.environ | environment, "check": True}
    # A site without an account sends every reader to its first step.
    club = (
        "from clubs.models import Club, User; User.objects.create_superuser('Anne');"
        "Club.objects.create(name='Bastille', slug='bastille')"
    )
    for command in (["migrate", "--verbosity", "0"], ["shell", "--verbosity", "0", "-c", club]):
        subprocess.run([sys.executable, "manage.py", *command], **source)
    environment |= {"PYTHONPATH": str(tmp_path / "installed")}
    topage = [sys.executable, "-c", f"import os; os.chdir({str(tmp_path)!r}); {START}"]
    told = subprocess.run(
        [*topage, "upgrade"], env=os.environ | environment, check=True, capture_output=True, text=True
    )
    assert "The static files are collected." in told.stdout
    assert (tmp_path / "var" / "staticfiles" / "staticfiles.json").exists()
    port = free_port()
    commands = (["worker", "--queues", "rest"], ["beat"], ["serve", "--port", str(port)])
    children = [
        Child([*topage, *command], log=tmp_path / f"{command[0]}.log", environment=environment) for command in commands
    ]
    try:
        wait_until(lambda: "received" in (tmp_path / "worker.log").read_text(), what="a job that the beat asked for")
        page = wait_until(lambda: read(f"http://localhost:{port}/clubs/bastille/"), what="the site to serve")
        assert b"Bastille" in page
    finally:
        for child in children:
            child.stop()


def read(address):
    """Return the body at an address, or None if nothing answers there yet."""
    with suppress(urllib.error.URLError), urllib.request.urlopen(address, timeout=30) as answer:
        return answer.read()
    return None
