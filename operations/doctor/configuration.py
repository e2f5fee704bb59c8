"""The doctor's examination of the settings and of the secret keys (the subjects `settings` and `secrets`)."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.checks import ERROR, run_checks

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning

UNITS = Path("/etc/systemd/system")
# A site that was installed as a source folder has units that name the environment in it.
OF_SOURCE = "/opt/topage/.venv/"


def examine_settings() -> Iterator[SiteFinding]:
    """Yield the findings of Django's own checks and, on a server, the settings that are missing."""
    told = [each for each in run_checks(include_deployment_checks=settings.SERVER) if not each.is_silenced()]
    for each in told:
        make = tell_error if each.level >= ERROR else tell_warning
        yield make(f"{each.msg.strip()} ({each.id})", "Django's checks ask for it.", each.hint or "See its message.")
    if settings.SERVER:
        yield from examine_server_settings()
    if not told:
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
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        why = "No page finds its styles and scripts."
        yield tell_error(
            "The static files are not collected.", why, f"Run `{settings.COMMAND} collectstatic --no-input`."
        )


def examine_units() -> Iterator[SiteFinding]:
    """Yield a warning about units of systemd that start the site from a source folder. The next release ends them."""
    try:
        old = [unit.name for unit in sorted(UNITS.glob("topage-*.service")) if OF_SOURCE in unit.read_text()]
    except OSError:
        return
    if old:
        why = "They start the site from a source folder. They work with this release, and no longer with the next one."
        remedy = (
            "Follow docs/admin.md, “From a source folder”: it installs the release beside it, and copies the units."
        )
        yield tell_warning(f"Units of the old installation: {', '.join(old)}.", why, remedy)


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
