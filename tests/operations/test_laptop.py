"""The command `topage` of a laptop: its folder, its arguments, its words, the port and the browser."""

import os
import shutil
import signal
import socket
import subprocess
import time
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

import manage
from clubs.file_locks import take_lock
from jobs.management import processes
from operations import laptop, tasks
from operations.management.commands import start
from tests.services.site import Site
from tests.services.waiting import wait_until


@pytest.fixture
def folders(tmp_path):
    """Make an old site here, and return the folders here and at home."""
    here, home = tmp_path / "here", tmp_path / "home"
    (here / "var").mkdir(parents=True)
    (here / "var" / "db.sqlite3").touch()
    return here, home


def choose(here, home, *, is_demo=False):
    return laptop.choose_folder(here, home, is_demo=is_demo)


def test_data_are_in_the_home_where_no_old_site_lies(tmp_path):
    assert choose(tmp_path, tmp_path / "home") == tmp_path / "home" / "Topage"
    assert choose(tmp_path, tmp_path / "home", is_demo=True) == tmp_path / "home" / "Topage" / "demo"


def test_site_of_the_home_goes_on_and_a_demonstration_begins_beside_an_old_site(folders):
    here, home = folders
    assert choose(here, home, is_demo=True) == home / "Topage" / "demo"
    (home / "Topage").mkdir(parents=True)
    (home / "Topage" / "db.sqlite3").touch()
    assert choose(here, home) == home / "Topage"


@pytest.mark.parametrize("answer", ["1", "2"])
def test_beside_an_old_site_the_person_is_asked_which_one_is_meant(answer, folders, monkeypatch):
    here, home = folders
    answers = iter(["", "x", answer])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: next(answers))
    assert choose(here, home) == {"1": here / "var", "2": home / "Topage"}[answer]


@pytest.mark.parametrize(("language", "words"), [("fr_FR.UTF-8", "Il y a un site"), ("de_DE.UTF-8", "There is a site")])
def test_without_a_terminal_no_second_site_begins_and_both_folders_are_named(language, words, folders, monkeypatch):
    monkeypatch.setenv("LC_ALL", language)
    here, home = folders
    with pytest.raises(SystemExit) as ended:
        choose(here, home)
    assert str(ended.value).startswith(words)
    assert str(here / "var") in str(ended.value)
    assert str(home / "Topage") in str(ended.value)


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """Set the home, and give the environment back at the end."""
    for name in ("MODE", "VAR_DIR", "TOPAGE_COMMAND", "ROOMS"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    return os.environ


def test_topage_alone_starts_the_site_of_the_home(environment, tmp_path):
    assert laptop.prepare_arguments(["topage"]) == ["topage", "start"]
    assert (environment["VAR_DIR"], environment["TOPAGE_COMMAND"]) == (str(tmp_path / "Topage"), "topage")
    assert laptop.prepare_arguments(["topage", "demo", "--port", "1"]) == ["topage", "demo", "--port", "1"]


def test_demonstration_has_a_folder_of_its_own_and_rooms(environment, tmp_path):
    laptop.prepare_arguments(["topage", "demo"])
    assert (environment["VAR_DIR"], environment["ROOMS"]) == (str(tmp_path / "Topage" / "demo"), "yes")


def test_server_and_folder_of_the_environment_are_left_alone(environment):
    environment["MODE"] = "server"
    laptop.prepare_arguments(["topage", "serve"])
    assert "VAR_DIR" not in environment
    environment.update(MODE="laptop", VAR_DIR="/elsewhere")
    laptop.prepare_arguments(["topage", "serve"])
    assert environment["VAR_DIR"] == "/elsewhere"


@pytest.mark.parametrize("asked", ["help", "--help", "-h"])
def test_help_has_eight_lines(asked, environment, capsys):
    with pytest.raises(SystemExit) as ended:
        laptop.prepare_arguments(["topage", asked])
    assert not ended.value.code
    assert capsys.readouterr().out.count("\n") == 8


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, EOFError])
def test_ctrl_c_or_ctrl_d_ends_a_command_without_a_traceback(interrupt, monkeypatch, folders):
    """Press the keys while the command runs, and in answer to the question which site is meant."""
    here, home = folders

    def interrupted(*_given):
        raise interrupt

    monkeypatch.setattr("manage.gc.disable", lambda: None)
    monkeypatch.setattr("django.core.management.execute_from_command_line", interrupted)
    with pytest.raises(SystemExit) as ended:
        manage.main(["manage.py", "check"])
    assert ended.value.code == 130
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", interrupted)
    monkeypatch.setattr(laptop, "prepare_arguments", lambda _given: choose(here, home))
    with pytest.raises(SystemExit) as ended:
        manage.main(["topage"], is_installed=True)
    assert ended.value.code == 130


@pytest.mark.nightly("process")
def test_site_that_is_interrupted_twice_says_nothing(tmp_path, migrated_laptop):
    (tmp_path / "var").mkdir()
    shutil.copyfile(migrated_laptop, tmp_path / "var" / "db.sqlite3")
    site = Site("python manage.py serve", tmp_path)
    os.kill(site.child.pid, signal.SIGINT)
    time.sleep(0.05)
    os.kill(site.child.pid, signal.SIGINT)
    wait_until(lambda: not site.child.running, what="the site to end")
    assert "Traceback" not in site.child.log.read_text()


@pytest.mark.parametrize(
    ("code", "logged"), [(0, ""), (130, ""), (-2, ""), (1, "The backup of this site failed. No room.")]
)
def test_backup_that_ends_with_the_site_is_no_failure(code, logged, monkeypatch, caplog):
    ended = subprocess.CompletedProcess([], code, b"", b"No room.\n")
    monkeypatch.setattr(tasks.subprocess, "run", lambda *_given, **_options: ended)
    tasks.run_backup()
    assert logged in caplog.text
    assert bool(caplog.text) == bool(logged)


@pytest.fixture
def begin(monkeypatch, settings, tmp_path):
    """Return a function that runs the command as far as the site's own start, and returns its words and calls."""
    settings.VAR_DIR, called = tmp_path, []

    class Immediate:
        """A thread that has done its work once it is started."""

        def __init__(self, *, target, args, **_options):
            self.start = lambda: target(*args)

    def note(name, **_options):
        """Note a command. `serve` takes the socket that listens already."""
        listener, _before = processes.take_listener()
        address = None
        if listener:
            with listener:
                address = listener.getsockname()
                socket.create_connection(("127.0.0.1", address[1])).close()
        called.append((name, address))

    monkeypatch.setattr(processes, "held", [])
    monkeypatch.setattr(start, "call_command", note)
    monkeypatch.setattr(start, "find_own_addresses", lambda: ["192.168.1.20"])
    monkeypatch.setattr(start, "Thread", Immediate)
    monkeypatch.setattr(start.webbrowser, "open", lambda address: called.append(("browser", address)))

    def run(*arguments):
        out = StringIO()
        call_command("start", *arguments, stdout=out)
        return out.getvalue(), called

    yield run
    for lock in processes.held:
        os.close(lock)


@pytest.mark.parametrize(("language", "words"), [("fr_FR", "Pour arrêter"), ("C", "To stop")])
def test_start_upgrades_serves_and_prints_two_addresses_in_the_persons_language(language, words, begin, monkeypatch):
    monkeypatch.setenv("LC_ALL", language)
    told, called = begin("--no-browser")
    port = called[1][1][1]
    assert called == [("upgrade", None), ("serve", ("0.0.0.0", port))]
    assert f"http://127.0.0.1:{port}/" in told
    assert f"http://192.168.1.20:{port}/" in told
    assert words in told


def test_second_start_in_the_same_folder_is_refused(begin, tmp_path):
    lock = take_lock(tmp_path / "start.lock")
    with pytest.raises(CommandError, match=str(tmp_path)):
        begin("--no-browser")
    os.close(lock)


def test_taken_port_gives_the_next_one(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        first = taken.getsockname()[1]
        monkeypatch.setattr(processes, "PORTS", range(first, first + 5))
        port = processes.listen_on_free_port("127.0.0.1")
        assert port > first
        listener, _before = processes.take_listener()
        with listener:
            assert listener.getsockname() == ("127.0.0.1", port)
        monkeypatch.setattr(processes, "PORTS", range(first, first + 1))
        with pytest.raises(CommandError):
            processes.listen_on_free_port("127.0.0.1")


def test_browser_opens_the_site_which_listens_already(begin, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    _told, called = begin()
    port = dict(called)["serve"][1]
    assert called == [("upgrade", None), ("browser", f"http://127.0.0.1:{port}/"), ("serve", ("0.0.0.0", port))]


@pytest.mark.parametrize(("system", "count"), [("linux", 2), ("win32", 3)])
def test_without_a_screen_no_browser_opens_in_the_terminal_of_linux(system, count, begin, monkeypatch):
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(start.sys, "platform", system)
    _told, called = begin()
    assert len(called) == count


def test_folder_in_which_nothing_can_be_written_is_named(begin, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "missing"
    with pytest.raises(CommandError, match=str(tmp_path / "missing")):
        begin("--no-browser")
