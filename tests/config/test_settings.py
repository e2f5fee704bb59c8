"""The settings from the environment: a missing or wrong one stops the start with its name."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import override_settings
from environs import EnvValidationError

PROJECT = Path(__file__).resolve().parents[2]
SERVER = {
    "MODE": "server",
    "SECRET_KEY": "rT4" * 12 + "0123456789abcdefghijklmno",
    "ALLOWED_HOSTS": "tarot.example.org",
    "DATABASE_URL": "postgres://topage:secret@database/topage",
    "REDIS_URL": "redis://redis:6379/0",
}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project with this environment and no other variables of the site."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def show(expression: str, *before: str, **environment: str) -> str:
    """Return the value of an expression in a new process, after these statements."""
    run = python("-c", "\n".join((*before, f"print({expression})")), **environment)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def read(**environment: str) -> SimpleNamespace:
    """Return the settings, read in this environment within this process, which is faster than a new process."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - {"PATH"}:
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        return SimpleNamespace(**runpy.run_path(str(PROJECT / "config" / "settings.py")))


@pytest.mark.nightly("process")
@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_server_without_a_needed_variable_stops_with_its_name(name):
    run = python("manage.py", "check", **{key: value for key, value in SERVER.items() if key != name})
    assert run.returncode == 1
    assert f"Environment variables invalid: {{'{name}': ['Environment variable not set.']}}" in run.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MODE", "cloud"),
        ("SECRET_KEY", "short"),
        ("ALLOWED_HOSTS", ""),
        ("DATABASE_URL", "no-such-database://host/name"),
        ("REDIS_URL", "http://redis"),
        ("REDIS_URL", ""),
        ("HTTPS", "perhaps"),
        ("DEBUG", "a little"),
        ("SWEEP_SECONDS", "soon"),
        ("SWEEP_SECONDS", "0"),
        ("BACKUP_KEY", "age1short"),
        ("BACKUP_KEY", "AGE-SECRET-KEY-1" + 58 * "Q"),
    ],
)
def test_server_with_a_wrong_value_stops_with_its_name(name, value):
    with pytest.raises(EnvValidationError, match=re.escape(f"Environment variables invalid: {{'{name}': [")):
        read(**SERVER | {name: value})


def test_setting_may_come_from_a_file(tmp_path):
    key, url = tmp_path / "key", tmp_path / "url"
    key.write_text(f"{SERVER['SECRET_KEY']}\n")
    url.write_text("postgres://topage:another@database/topage\n")
    settings = read(**SERVER | {"SECRET_KEY": "", "SECRET_KEY_FILE": str(key), "DATABASE_URL_FILE": str(url)})
    assert (SERVER["SECRET_KEY"], "another") == (settings.SECRET_KEY, settings.DATABASES["default"]["PASSWORD"])


def test_empty_file_of_a_setting_leaves_it_empty(tmp_path):
    (tmp_path / "empty").touch()
    files = {f"{name}_FILE": str(tmp_path / "empty") for name in ("CARD_KEYS", "METRICS_TOKEN", "EMAIL_HOST_PASSWORD")}
    settings = read(**SERVER | files)
    assert (settings.CARD_KEYS, settings.METRICS_TOKEN, settings.EMAIL_HOST_PASSWORD) == ([], "", "")


def test_file_of_a_setting_that_cannot_be_read_stops_the_start_with_its_name(tmp_path):
    with pytest.raises(ValueError, match="The value of SECRET_KEY_FILE must be a readable file path"):
        read(**SERVER | {"SECRET_KEY_FILE": str(tmp_path / "missing")})


def test_laptop_has_a_folder_of_backups_and_a_server_the_one_it_is_given(tmp_path):
    environments = ({"VAR_DIR": str(tmp_path)}, SERVER, SERVER | {"BACKUP_DIR": "/b"}, {"BACKUP_DIR": "none"})
    assert [read(**one).BACKUP_DIR for one in environments] == [tmp_path / "backups", None, Path("/b"), None]


@pytest.mark.nightly("process")
@pytest.mark.parametrize("mode", [{}, SERVER], ids=["laptop", "server"])
def test_mail_without_the_sites_address_does_not_start_and_says_what_to_set(mode, tmp_path):
    run = python("manage.py", "check", **mode | {"EMAIL_HOST": "smtp.example.org", "VAR_DIR": str(tmp_path)})
    assert run.returncode == 1
    assert "'EMAIL_HOST': ['Letters have links in them: set SITE_URL to where people find the site" in run.stderr
    given = {"EMAIL_HOST": "smtp.example.org", "SITE_URL": "https://Tarot.example.org", "VAR_DIR": str(tmp_path)}
    settings = read(**mode | given)
    assert (settings.MAIL, settings.SITE_URL) == (True, "https://tarot.example.org")


@pytest.mark.parametrize("mode", [{}, SERVER], ids=["laptop", "server"])
@pytest.mark.parametrize(
    "url",
    [
        "tarot.example.org",
        "https://tarot.example.org/",
        "https://tarot.example.org/tarot",
        "https://tarot.example.org?a",
        "https://tarot.example.org#a",
        "https://me@tarot.example.org",
        "https://tarot.example.org:port",
        "https://tarot.example.org:99999",
        "https://tarot.example.org:0",
        "https://[::::]",
        "https://.",
        "https://-",
        "ftp://tarot.example.org",
        "//tarot.example.org",
        "https://",
        "https://tarot.example.org\n",
        "https://tarôt.example.org",
    ],
)
def test_address_of_the_site_is_scheme_and_host_alone(mode, url, tmp_path):
    with pytest.raises(EnvValidationError, match=r"'SITE_URL': .*Give scheme and host alone"):
        read(**mode | {"SITE_URL": url, "VAR_DIR": str(tmp_path)})


def test_address_of_a_server_is_one_by_which_it_is_asked():
    with pytest.raises(EnvValidationError, match=r"'SITE_URL': .*must begin with https://"):
        read(**SERVER | {"SITE_URL": "http://tarot.example.org"})
    with pytest.raises(EnvValidationError, match=r"'SITE_URL': .*not among ALLOWED_HOSTS"):
        read(**SERVER | {"SITE_URL": "https://elsewhere.example.org"})
    assert read(**SERVER | {"SITE_URL": "http://tarot.example.org", "HTTPS": "no"}).SITE_URL
    several = {"ALLOWED_HOSTS": ".example.org", "SITE_URL": "https://tarot.example.org:8443"}
    assert read(**SERVER | several).SITE_URL == "https://tarot.example.org:8443"


@pytest.mark.parametrize("url", ["http://192.168.1.23:8000", "http://[fe80::1]:8000", "https://tarot.example.org", ""])
def test_address_of_a_laptop_is_any_of_its_own(url, tmp_path):
    settings = read(SITE_URL=url, VAR_DIR=str(tmp_path))
    assert url == settings.SITE_URL


@pytest.mark.nightly("process")
def test_server_with_a_wrong_value_does_not_start():
    run = python("-c", "from config import settings", **SERVER | {"SECRET_KEY": "short"})
    assert run.returncode == 1
    assert "Environment variables invalid: {'SECRET_KEY': [" in run.stderr


@pytest.mark.nightly("process")
def test_server_settings_pass_the_deployment_check():
    run = python("manage.py", "check", "--deploy", **SERVER)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "System check identified no issues (2 silenced).\n"


@pytest.mark.nightly("process")
def test_laptop_starts_with_nothing(tmp_path):
    run = python("manage.py", "check", VAR_DIR=str(tmp_path))
    assert run.returncode == 0
    assert run.stdout == "System check identified no issues (0 silenced).\n"
    assert run.stderr == ""


def test_laptop_keeps_its_secret_key_from_one_start_to_the_next(tmp_path):
    first, second = (read(VAR_DIR=str(tmp_path / "var")).SECRET_KEY for _ in range(2))
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "var/secret_key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("url", "broker", "cache"),
    [
        ("redis://redis:6379/0", "redis://redis:6379/0", "redis://redis:6379/0"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock", "unix:///run/redis.sock"),
        (
            "redis+socket:///run/redis.sock?virtual_host=0",
            "redis+socket:///run/redis.sock?virtual_host=0",
            "unix:///run/redis.sock",
        ),
    ],
)
def test_redis_url_is_given_to_the_broker_and_to_the_cache(url, broker, cache):
    settings = read(**SERVER | {"REDIS_URL": url})
    assert (settings.CELERY_BROKER_URL, settings.CACHES["default"]["LOCATION"]) == (broker, cache)


def test_database_url_may_name_a_unix_socket():
    database = read(**SERVER | {"DATABASE_URL": "postgres://postgres@%2Frun%2Fpostgresql/topage"}).DATABASES["default"]
    found = [database[key] for key in ("ENGINE", "HOST", "NAME", "USER")]
    assert found == ["config.database", "/run/postgresql", "topage", "postgres"]


@pytest.mark.nightly("process")
def test_laptop_whose_key_is_set_by_hand_makes_the_folder_of_its_database(tmp_path):
    run = python("manage.py", "migrate", "contenttypes", SECRET_KEY="by hand", VAR_DIR=str(tmp_path / "new" / "var"))
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "new" / "var" / "db.sqlite3").exists()


@pytest.mark.nightly("process")
def test_laptop_waits_for_its_disk_at_every_commit(tmp_path):
    """Check that every thread has FULL (2): an acknowledged write survives a power cut."""
    told = show(
        "sorted(ThreadPoolExecutor(4).map(pragmas, range(4)))",
        "import django; django.setup()",
        "from concurrent.futures import ThreadPoolExecutor",
        "from django.db import connection",
        "connection.ensure_connection()",  # as `migrate` does: only one process may turn the journal on
        "pragmas = lambda _: [connection.cursor().execute(f'PRAGMA {name}').fetchone()[0] for name in NAMES]",
        "NAMES = ('journal_mode', 'synchronous')",
        VAR_DIR=str(tmp_path),
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    assert told == str([["wal", 2]] * 4)


def test_nobody_waits_longer_than_five_seconds_for_a_database_that_is_silent(tmp_path):
    """Add the wait in the queue to the wait for the database. On a laptop only SQLite's own limit counts."""
    assert 2 * read(**SERVER).DATABASE_SECONDS <= 5
    assert read(VAR_DIR=str(tmp_path)).DATABASES["default"]["OPTIONS"]["timeout"] <= 5


@pytest.mark.parametrize(
    ("environment", "there"),
    [({"DEBUG": "yes"}, True), ({}, False), (SERVER, False), (SERVER | {"DEBUG": "yes"}, False)],
    ids=["laptop at work", "laptop", "server", "server at work"],
)
def test_the_debug_toolbar_is_on_a_laptop_with_debug_alone(environment, there, tmp_path):
    settings = read(VAR_DIR=str(tmp_path), **environment)
    assert ("debug_toolbar" in settings.INSTALLED_APPS) == there
    assert any("debug_toolbar" in name for name in settings.MIDDLEWARE) == there
    assert settings.TOOLBAR is there


def test_the_debug_toolbar_has_addresses_where_it_is_on_alone():
    """Check only the case without it. The next test asks for a page that needs them."""
    with override_settings(TOOLBAR=False):
        addresses = runpy.run_path(str(PROJECT / "config" / "urls" / "__init__.py"))["urlpatterns"]
    assert not any("__debug__" in str(address.pattern) for address in addresses)


@pytest.mark.nightly("process")
def test_the_debug_toolbar_shows_on_a_page_to_this_machine_alone(tmp_path):
    told = show(
        "['djDebug' in Client(REMOTE_ADDR=one).get('/login/').content.decode() for one in ('127.0.0.1', '10.0.0.7')],"
        "any('__debug__' in str(address.pattern) for address in urls.urlpatterns)",
        "import django; django.setup()",
        "from config import urls",
        "from django.test import Client",
        VAR_DIR=str(tmp_path),
        DEBUG="yes",
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    assert told == "[True, False] True"


def test_debug_without_the_tools_of_development_starts_without_the_toolbar(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "debug_toolbar", None)
    assert read(DEBUG="yes", VAR_DIR=str(tmp_path)).TOOLBAR is False


def test_server_has_rooms_and_a_laptop_has_them_if_it_is_told():
    assert (read(**SERVER).ROOMS, read().ROOMS, read(ROOMS="yes").ROOMS) == (True, False, True)
    assert "sweep-rooms" in read(**SERVER).CELERY_BEAT_SCHEDULE
    assert "sweep-rooms" not in read().CELERY_BEAT_SCHEDULE


@pytest.mark.parametrize("minutes", ["", "60", "30,0", "0,0", "-1", "half", "0:sans", ":garde"])
def test_departures_are_minutes_of_an_hour_in_order(minutes):
    assert read(ROOM_DEPARTURES="5,35:garde").ROOM_DEPARTURES == {5: False, 35: True}
    with pytest.raises(EnvValidationError, match="ROOM_DEPARTURES"):
        read(ROOM_DEPARTURES=minutes)


@pytest.mark.parametrize(("name", "value"), [("ROOM_LEVEL", "20"), ("ROOM_ETUIS", "0"), ("ROOM_MINUTES", "60")])
def test_settings_of_rooms_have_limits(name, value):
    with pytest.raises(EnvValidationError, match=name):
        read(**{name: value})
