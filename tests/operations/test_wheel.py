"""The wheel: it has every file of the source but those of a written list, and runs without the source."""

import os
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch

import pytest

from operations.release import read_release_name
from tests.law.packages import ROOTS
from tests.services.site import PROJECT

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


@pytest.mark.nightly("process")
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
