"""The files that start Topage by a double click: they ask before they fetch, and later need no internet."""

import re
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
    assert click("o\n") == ["uv tool install --python 3.12 topage", "topage "]
    assert click(path="/usr/bin:/bin") == ["uv tool install --python 3.12 topage", "topage ", "topage "]


def test_wheel_beside_the_file_is_installed(click, tmp_path):
    (tmp_path / "topage-1.0.0-py3-none-any.whl").touch()
    assert click("y\n")[0] == f"uv tool install --python 3.12 {tmp_path}/topage-1.0.0-py3-none-any.whl"


def test_both_files_say_the_same_and_change_no_installed_release():
    """Compare the lines, because no shell of this machine reads the file of Windows. It must be plain ASCII."""
    unix, windows = ((FOLDER / name).read_text() for name in ("Topage.command", "Topage.cmd"))
    assert windows.isascii()
    assert windows.count("(\n") == windows.count("\n)\n") == 1
    for text in (unix, windows):
        assert text.count("uv tool install --python 3.12") == 1
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
