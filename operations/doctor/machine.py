"""The doctor's examination of the machine: versions, settings, secret keys, who may read the files, disk, time zone."""

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import django
from django.conf import settings
from django.core.checks import ERROR, run_checks
from django.utils import timezone

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

# free bytes below which the doctor warns, and below which it reports an error
LITTLE, TOO_LITTLE = 1_000_000_000, 100_000_000
LITTLE_SHARE = 0.05
UNITS = Path("/etc/systemd/system")
# A site that was installed as a source folder has units that name the environment in it.
OF_SOURCE = b"/opt/topage/.venv/"


def examine_disk() -> Iterator[SiteFinding]:
    """Yield how much space is free on the disks of VAR_DIR and BACKUP_DIR. PostgreSQL may use another disk."""
    yield examine_folder(settings.VAR_DIR)
    if settings.BACKUP_DIR and not lies_on_disk_of(settings.BACKUP_DIR, settings.VAR_DIR):
        yield examine_folder(settings.BACKUP_DIR)


def lies_on_disk_of(folder: Path, other: Path) -> bool:
    """Return whether two folders are on the same file system.

    A missing folder counts as a folder of the file system on which it would be created.
    """
    return find_existing(folder).stat().st_dev == find_existing(other).stat().st_dev


def find_existing(folder: Path) -> Path:
    """Return the folder, or the first existing folder above it."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def examine_folder(folder: Path) -> SiteFinding:
    """Return how much space is free on the disk of a folder.

    If the folder does not exist, the first existing folder above it counts.
    """
    existing = find_existing(folder)
    usage = shutil.disk_usage(existing)
    what = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.0f} GB are free at {existing}."
    why = "A full disk stops results from being saved and backups from being written."
    remedy = "Free some space: old backups, old logs, unused images."
    if usage.free < TOO_LITTLE:
        return tell_error(what, why, remedy)
    if usage.free < LITTLE or usage.free < LITTLE_SHARE * usage.total:
        return tell_warning(what, why, remedy)
    return tell_good(what)


def examine_time_zone() -> Iterator[SiteFinding]:
    """Yield the time of day that the site shows. Only a person knows whether it is right."""
    local_time = timezone.localtime()
    what = f"{settings.TIME_ZONE}: the site shows {local_time:%H:%M}."
    if settings.TIME_ZONE.upper() in {"UTC", "GMT", "ETC/UTC"}:
        yield tell_warning(what, "Evenings would begin at the wrong hour.", "Set TIME_ZONE, as Europe/Paris.")
    else:
        yield tell_good(what)


def examine_settings() -> Iterator[SiteFinding]:
    """Yield the findings of Django's own checks and, on a server, the settings that are missing."""
    messages = [each for each in run_checks(include_deployment_checks=settings.SERVER) if not each.is_silenced()]
    for each in messages:
        make = tell_error if each.level >= ERROR else tell_warning
        yield make(f"{each.msg.strip()} ({each.id})", "Django's checks ask for it.", each.hint or "See its message.")
    if settings.SERVER:
        yield from examine_server_settings()
    if not messages:
        yield tell_good(f"MODE={settings.MODE}; Django's checks find nothing.")


def examine_server_settings() -> Iterator[SiteFinding]:
    if not settings.SITE_URL:
        why = "Links on prints, in calendars and in feeds begin with whatever host a reader asked for."
        yield tell_warning("SITE_URL is not set.", why, "Set SITE_URL, as https://tarot.example.org.")
    if "*" in settings.ALLOWED_HOSTS:
        why = "Anybody can have the site make links to a host of theirs."
        yield tell_warning("ALLOWED_HOSTS allows every host.", why, "Set ALLOWED_HOSTS to the names of the site.")
    if settings.HTTPS and not settings.NUM_PROXIES:
        why = "Everybody then has the address of the proxy, and shares its count of wrong passwords and codes."
        yield tell_warning("NUM_PROXIES is 0 behind HTTPS.", why, "Set NUM_PROXIES to the number of your own proxies.")
    if not (settings.IMPRINT.publisher and settings.IMPRINT.contact):
        why = "The law of most countries asks a public site for it, and nobody knows whom to write to."
        yield tell_warning("The imprint is not filled in.", why, "Set IMPRINT_PUBLISHER, IMPRINT_HOST and CONTACT.")
    if settings.MAIL and not settings.ADMIN_MAIL:
        why = "Nobody hears of failed requests and failed jobs before users tell them."
        yield tell_warning("ADMIN_MAIL is not set.", why, "Set ADMIN_MAIL to your own address.")
    yield from examine_units()
    if not (settings.VAR_DIR / "staticfiles" / "staticfiles.json").exists():
        why = "No page finds its styles and scripts."
        remedy = f"Run `{settings.COMMAND} collectstatic --no-input`."
        yield tell_error("The static files are not collected.", why, remedy)


def examine_units() -> Iterator[SiteFinding]:
    """Yield a warning about each unit of systemd that starts the site from a source folder, with its new line."""
    why = "It works with this release, and no longer with the next one."
    for unit in sorted((settings.BASE_DIR / "operations" / "install" / "systemd").glob("*.service")):
        installed = UNITS / unit.name
        if installed.exists() and OF_SOURCE in installed.read_bytes():
            (line,) = re.findall("^ExecStart=.+", unit.read_text(encoding="utf-8"), re.MULTILINE)
            remedy = f"Follow docs/admin.md, “From a source folder”. The new line is `{line}`."
            yield tell_warning(f"{unit.name} starts the site from a source folder.", why, remedy)


def examine_secrets() -> Iterator[SiteFinding]:
    """Yield the faults of the secret key, and of the password of the database."""
    key, kept = settings.SECRET_KEY, settings.VAR_DIR / "secret_key"
    if len(key) < 32 or len(set(key)) < 10:
        why = "Whoever guesses it can log in as anybody."
        yield tell_error("SECRET_KEY is short or uniform.", why, "Set 50 random characters; everybody logs in again.")
    elif not settings.SERVER and kept.exists() and kept.read_text(encoding="utf-8") != key:
        why = "A start without it takes the other key: everybody is then logged out."
        yield tell_warning(
            "SECRET_KEY is set beside var/secret_key.", why, "Keep it set, or delete it from the environment."
        )
    elif not settings.SERVER and not kept.exists():
        why = "Each start makes another one: everybody is then logged out."
        yield tell_warning("The secret key is kept nowhere.", why, f"Let the site's user write to {settings.VAR_DIR}.")
    else:
        yield tell_good("The secret key is long enough.")
    database = settings.DATABASES["default"]
    is_far = database.get("HOST", "") and not str(database["HOST"]).startswith("/")
    if is_far and not database.get("PASSWORD"):
        why = "Whoever reaches its port reads and changes everything."
        yield tell_warning("DATABASE_URL has no password.", why, "Give the site's user a password in PostgreSQL.")


WINDOWS = os.name == "nt"  # where files have no such permissions
READ_BY_OTHERS, WRITTEN_BY_OTHERS = 0o044, 0o022


def examine_permissions() -> Iterator[SiteFinding]:
    """Yield the faults in the permissions of VAR_DIR and of the secret files in it."""
    folder = settings.VAR_DIR
    if WINDOWS or not folder.is_dir():
        on_windows = f"On Windows the rights of the folder above protect {folder}: keep it in your home."
        yield tell_good(on_windows if WINDOWS else f"{folder} is not there; a server needs no files.")
        return
    mode = folder.stat().st_mode
    findings = [finding for path in list_secret_files(folder) if (finding := examine_file_mode(path, mode))]
    if mode & WRITTEN_BY_OTHERS:
        why = "Another user of this machine can put files of theirs in place of the site's."
        findings.append(tell_error(f"Other users may write to {folder}.", why, f"Run `chmod 700 {folder}`."))
    yield from findings or [tell_good(f"Only its owner may read the files in {folder}.")]


def list_secret_files(folder: Path) -> list[Path]:
    """Return the files that no other user may read: the secret key, and the files of the database."""
    return [path for path in (folder / "secret_key", *sorted(folder.glob("*.sqlite3*"))) if path.is_file()]


def examine_file_mode(path: Path, folder_mode: int) -> SiteFinding | None:
    mode = path.stat().st_mode
    if mode & WRITTEN_BY_OTHERS:
        why = "Another user of this machine can change it."
        return tell_error(f"Other users may write to {path}.", why, f"Run `chmod 600 {path}`.")
    if mode & READ_BY_OTHERS and folder_mode & 0o011:  # other users may enter the folder and read the file
        why = "Another user of this machine can read the cards of sealed étuis, or log in as anybody."
        return tell_warning(f"Other users may read {path}.", why, f"Run `chmod 600 {path}`.")
    return None


PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
OLDEST_PYTHON = (3, 11)
INSTALL = "Run `pip install --require-hashes --no-deps -r requirements.txt`."


def examine_versions() -> Iterator[SiteFinding]:
    """Yield the version of Python and, on a server, the libraries that differ from requirements.txt."""
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        yield tell_error(
            f"Python {platform.python_version()} is too old.", "The site is not tested with it.", f"Use {wanted}."
        )
    # pip and uv choose the libraries of a laptop, within the ranges of the wheel
    pins = read_pins(settings.BASE_DIR / "requirements.txt") if settings.SERVER else {}
    differ = {name: installed for name, pin in pins.items() if (installed := find_version(name)) != pin}
    missing = sorted(name for name, installed in differ.items() if installed is None)
    if missing:
        yield tell_error(f"Not installed: {', '.join(missing)}.", "Some pages or commands fail.", INSTALL)
    others = [
        f"{name} {installed} instead of {pins[name]}"
        for name, installed in sorted(differ.items())
        if installed is not None
    ]
    if others:
        yield tell_warning(f"{', '.join(others)}.", "The release was not tested with these versions.", INSTALL)
    if not differ:
        names = f"Python {platform.python_version()}, Django {django.get_version()}"
        yield tell_good(f"{names}; all {len(pins)} libraries are those of the release." if pins else f"{names}.")


def read_pins(path: Path) -> dict[str, str]:
    """Return the pinned version of each library, by its name."""
    return dict(PINNED.findall(path.read_text(encoding="utf-8")))


def find_version(name: str) -> str | None:
    """Return the installed version of a library, or None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
