"""The files that start Topage by a double click: they ask before they fetch, and later need no internet."""

import re
import shutil
import subprocess

import pytest

from tests.services.site import PROJECT

FOLDER = PROJECT / "operations" / "install" / "laptop"
UV = """#!/bin/sh
echo "uv $*" >>"$HOME/told"
mkdir -p "$HOME/.local/bin"
printf '#!/bin/sh\\necho "topage $*" >>"$HOME/told"\\n' >"$HOME/.local/bin/topage"
chmod +x "$HOME/.local/bin/topage"
"""


PYTHON = """#!/bin/sh
echo "python3.12 $*" >>"$HOME/told"
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "python $* in $PWD" >>"$HOME/told"\\n' >"$3/bin/python"
printf '#!/bin/sh\\necho "topage $*" >>"$HOME/told"\\n' >"$3/bin/topage"
chmod +x "$3/bin/python" "$3/bin/topage"
"""


@pytest.fixture
def click(tmp_path):
    """Return a function that starts the file with an answer, and returns what was called."""
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(UV)
    uv.chmod(0o755)
    (tmp_path / "Topage.command").write_text((FOLDER / "Topage.command").read_text())

    def start(answer="", path=f"{uv.parent}:/usr/bin:/bin"):
        environment = {"HOME": str(tmp_path), "PATH": path}
        command = ["sh", str(tmp_path / "Topage.command")]
        subprocess.run(command, input=answer, env=environment, check=True, capture_output=True, text=True)
        return (tmp_path / "told").read_text().splitlines() if (tmp_path / "told").exists() else []

    return start


def test_nothing_is_fetched_without_a_yes(click):
    assert click("n\n") == []


def test_first_start_installs_and_the_second_one_fetches_nothing(click):
    first = ["uv tool install --python 3.12 topage", "uv tool update-shell", "topage "]
    assert click("o\n") == first
    assert click(path="/usr/bin:/bin") == [*first, "topage "]


def test_wheel_beside_the_file_is_installed(click, tmp_path):
    (tmp_path / "topage-1.0.0-py3-none-any.whl").touch()
    assert click("y\n")[0] == f"uv tool install --python 3.12 {tmp_path}/topage-1.0.0-py3-none-any.whl"


def test_archive_for_a_laptop_without_internet_installs_from_its_folder_and_starts(tmp_path):
    """Start the file from elsewhere, as a double click on macOS does; then start the site by the other file."""
    archive, home = tmp_path / "Mes archives", tmp_path / "home"
    archive.mkdir()
    home.mkdir()
    python = tmp_path / "bin" / "python3.12"
    python.parent.mkdir()
    python.write_text(PYTHON)
    python.chmod(0o755)
    environment = {"HOME": str(home), "PATH": f"{python.parent}:/usr/bin:/bin"}
    for name in ("install.command", "Topage.command"):
        shutil.copy2(FOLDER / name, archive)
        subprocess.run([archive / name], cwd="/", env=environment, check=True, stdin=subprocess.DEVNULL)
    place = home / ".local" / "share" / "topage"
    assert (home / "told").read_text().splitlines() == [
        f"python3.12 -m venv {place}",
        f"python -m pip install --quiet --upgrade --no-index --find-links . topage in {archive}",
        "topage ",
        "topage ",
    ]


def test_archives_of_both_systems_install_the_same():
    unix, windows = ((FOLDER / name).read_text() for name in ("install.command", "install.cmd"))
    assert windows.isascii()
    for text in (unix, windows):
        assert text.count("3.12 -m venv") == 1
        assert "-m pip install --quiet --upgrade --no-index --find-links . topage" in text
    assert windows.index('cd /d "%~dp0"') < windows.index("-m venv") < windows.index("copy /y")


@pytest.mark.parametrize("name", ["Topage.command", "install.command"])
def test_file_of_macos_may_be_started(name):
    """Check what git keeps: the archives of a release have the same right."""
    told = subprocess.run(["git", "ls-files", "-s", FOLDER / name], cwd=PROJECT, check=True, capture_output=True)
    assert told.stdout.startswith(b"100755 ")


def test_both_files_say_the_same_and_change_no_installed_release():
    """Compare the lines, because no shell of this machine reads the file of Windows. It must be plain ASCII."""
    unix, windows = ((FOLDER / name).read_text() for name in ("Topage.command", "Topage.cmd"))
    assert windows.isascii()
    assert windows.count("(\n") == windows.count("\n)\n") == 1
    for text in (unix, windows):
        assert text.count("uv tool install --python 3.12") == text.count("uv tool update-shell") == 1
        assert "upgrade" not in text
    assert windows.index("topage\n    pause") < windows.index("choice") < windows.index("winget")
    assert windows.count("if errorlevel 3 exit /b") == 1


@pytest.mark.parametrize("name", ["laptop.fr.md", "laptop.md"])
def test_page_for_directors_names_the_files_and_has_three_pictures(name):
    text = (PROJECT / "docs" / name).read_text()
    pictures = re.findall(r"!\[[^]]{40,}\]\((\S+)\)", text)
    assert len(pictures) == 3
    assert all((PROJECT / "docs" / picture).read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert [path.name for path in FOLDER.iterdir() if f"`{path.name}`" not in text] == []
    release = (PROJECT / ".github" / "workflows" / "systems.yml").read_text()
    archives = re.findall(r"`topage-([\w-]+)\.zip`", text)
    assert len(archives) == 2
    assert [system for system in archives if system not in release] == []
