"""The settings of the site, read from environment variables. A wrong or missing variable stops the start.

There are two modes. `MODE=laptop`, the default, needs no other variable: SQLite and a secret key are in VAR_DIR, and
jobs run in the process. `MODE=server` refuses to start without SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and REDIS_URL.
Both modes refuse EMAIL_HOST without SITE_URL.
"""

import re
import secrets
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.http.request import validate_host
from django.utils.translation import gettext_lazy as _
from environs import FileAwareEnv, ValidationError, validate

from config.caches import configure_caches
from config.checks import (
    MAIL_ADDRESS,
    check_backup_key,
    check_card_keys,
    check_departures,
    check_metrics_token,
    read_departures,
    read_imprint,
)
from config.logs import configure_logs
from config.queues import QUEUES, REST

BASE_DIR = Path(__file__).resolve().parent.parent

# With SECRET_KEY_FILE=/run/secrets/key, for example, the text of that file is the value of SECRET_KEY.
env = FileAwareEnv(eager=False, strip_whitespace=True)

MODE = env.str("MODE", "laptop", validate=validate.OneOf(["laptop", "server"]))
SERVER = MODE == "server"
VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var")))
COMMAND = env.str("TOPAGE_COMMAND", "python manage.py")  # which sentences name, as in “topage backup”


def laptop_secret_key() -> str:
    """Return the secret key in VAR_DIR, which the first start writes there.

    If VAR_DIR cannot be written, return a new key for this process.
    """
    path = VAR_DIR / "secret_key"
    try:
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_urlsafe(50), encoding="utf-8")
        return path.read_text(encoding="utf-8")
    except OSError:
        return secrets.token_urlsafe(50)


REDIS_ADDRESS = r"(rediss?|unix|redis\+socket)://."

if SERVER:
    SECRET_KEY = env.str("SECRET_KEY", validate=validate.Length(min=32))
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", validate=validate.Length(min=1))
    DATABASES = {"default": env.dj_db_url("DATABASE_URL", conn_max_age=60, conn_health_checks=True)}
    REDIS_URL = env.str("REDIS_URL", validate=validate.Regexp(REDIS_ADDRESS))
else:
    with suppress(OSError):  # if the database is in another place, the folder is not needed, and need not be writable
        VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    SECRET_KEY = env.str("SECRET_KEY", None) or laptop_secret_key()
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["*"])
    DATABASES = {"default": env.dj_db_url("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
    REDIS_URL = env.str("REDIS_URL", "")
# Another Redis, for what can be made again. It may delete the oldest keys when its memory is full.
PAGES_REDIS_URL = env.str("PAGES_REDIS_URL", "", validate=validate.Regexp(rf"({REDIS_ADDRESS}.*)?$")) or REDIS_URL

HTTPS = env.bool("HTTPS", SERVER)


def check_site_url(text: str) -> None:
    """Raise ValidationError unless the text is empty, or the scheme and host of an address of the site."""
    match = re.fullmatch(
        r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]+)?", text, re.ASCII | re.IGNORECASE
    )
    is_address = False
    with suppress(ValueError):  # the text may have a port above 65535, or brackets without an IP address
        is_address = match is not None and urlsplit(text).port != 0
    if text and not is_address:
        raise ValidationError(
            "Give scheme and host alone, without a slash or a path behind them: https://tarot.example.org"
        )
    if match and SERVER and HTTPS and match[1].lower() != "https":
        raise ValidationError("It must begin with https://, for HTTPS is true.")
    if match and SERVER and not validate_host(match[2].lower(), ALLOWED_HOSTS or []):
        raise ValidationError(f"Its host {match[2]} is not among ALLOWED_HOSTS: who follows a link would be refused.")


SITE_URL = (env.str("SITE_URL", "", validate=check_site_url) or "").lower()


def check_mail(host: str) -> None:
    """Raise ValidationError if mails can be sent, but SITE_URL is missing.

    Without SITE_URL, the person who asks for a mail could choose the host of the links in it.
    """
    if host and not SITE_URL:
        raise ValidationError(
            "Letters have links in them: set SITE_URL to where people find the site, as https://tarot.example.org"
        )


def check_admin_mail(address: str) -> None:
    """Raise `ValidationError` if the text is not a mail address, or one to which no mail server would send."""
    if address and not MAIL_ADDRESS.fullmatch(address):
        raise ValidationError("Give one mail address.")
    if address and not env.str("EMAIL_HOST", ""):
        raise ValidationError("Faults are mailed by a mail server: set EMAIL_HOST.")


CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
DEBUG = env.bool("DEBUG", False)
LOG_LEVEL = env.str("LOG_LEVEL", "INFO")
LOG_FORMAT = env.str("LOG_FORMAT", "text", validate=validate.OneOf(["text", "json"]))
SCORE_THROTTLE = env.str("SCORE_THROTTLE", "60/min")
PLANS_THROTTLE = env.str("PLANS_THROTTLE", "20/min")
TIME_ZONE = env.str("TIME_ZONE", "Europe/Paris")
CARD_KEYS: list[str] = env.list("CARD_KEYS", [], validate=check_card_keys)
SWEEP_SECONDS = env.float("SWEEP_SECONDS", 30.0, validate=validate.Range(min=0, min_inclusive=False))
DATABASE_SECONDS = env.float("DATABASE_SECONDS", 2.4, validate=validate.Range(min=1))
JOB_DATABASE_SECONDS = env.float("JOB_DATABASE_SECONDS", 20.0, validate=validate.Range(min=1))
NUM_PROXIES = env.int("NUM_PROXIES", 0, validate=validate.Range(min=0))
EMAIL_HOST = env.str("EMAIL_HOST", "", validate=check_mail)
EMAIL_PORT = env.int("EMAIL_PORT", 587, validate=validate.Range(min=1, max=65_535))
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_SECURITY = env.str("EMAIL_SECURITY", "starttls", validate=validate.OneOf(["starttls", "tls", "none"]))
EMAIL_FROM = env.str("EMAIL_FROM", "")
ADMIN_MAIL = env.str("ADMIN_MAIL", "", validate=check_admin_mail)
# Scheduled backups: without a folder there are none.
backups = env.str("BACKUP_DIR", "") or ("none" if SERVER else str(VAR_DIR / "backups"))
BACKUP_DIR = None if backups == "none" else Path(backups)
BACKUP_KEY = env.str("BACKUP_KEY", "", validate=check_backup_key)
BACKUP_COMMAND = env.str("BACKUP_COMMAND", "")
# Without a token nothing is counted, and /metrics does not exist.
METRICS_TOKEN = env.str("METRICS_TOKEN", "", validate=check_metrics_token)
FIGURES_DIR = env.str("PROMETHEUS_MULTIPROC_DIR", str(VAR_DIR / "figures"))
IMPRINT = read_imprint(env)
# The rooms in which people play against bots. `docs/rooms.md` explains these settings.
ROOMS = env.bool("ROOMS", SERVER)
ROOM_DEPARTURES = read_departures(
    env.list("ROOM_DEPARTURES", ["0", "30:garde"], validate=[validate.Length(min=1), check_departures]) or []
)
ROOM_ETUIS = env.int("ROOM_ETUIS", 8, validate=validate.Range(min=1, max=99))
ROOM_LEVEL = env.int("ROOM_LEVEL", 10, validate=validate.OneOf([0, 10, 30, 100]))
ROOM_TABLES = env.bool("ROOM_TABLES", True)  # tables for four people
ROOM_TOPAGE = env.str("ROOM_TOPAGE", "closing", validate=validate.OneOf(["closing", "played"]))
ROOM_MINUTES = env.int("ROOM_MINUTES", 29, validate=validate.Range(min=1, max=59))
# The minutes after one o'clock at night in which bots play étuis whose cards are public (docs/bots.md).
# the search for members of the federation, on the lists that clubs keep
LICENCE_SEARCH = env.bool("LICENCE_SEARCH", True)
BOT_NIGHT_MINUTES = env.int("BOT_NIGHT_MINUTES", 60 if SERVER else 0, validate=validate.Range(min=0, max=1380))
env.seal()

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Without IMMEDIATE, two writers at once cause the error "database is locked". With WAL, others can read while one
    # writes. With FULL, every commit waits for the disk, so saved data survives a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": DATABASE_SECONDS,  # seconds
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "config.database"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "clubs",
    "deals",
    "tournaments",
    "pages",
    "jobs",
    "rooms",
    "operations",
]

MIDDLEWARE = [
    "config.logs.RequestIdMiddleware",
    "operations.figures.middleware.CountingMiddleware",
    "api.public.schema.OpenMiddleware",
    "config.patience.PatienceMiddleware",
    "operations.health.HealthMiddleware",
    "operations.figures.middleware.MetricsMiddleware",
    "config.middleware.PermissionsPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.StaticFilesMiddleware",
    "tournaments.addresses.AddressMiddleware",
    "pages.public.shortcut.ShortcutMiddleware",
    "pages.public.sitemap.RobotsMiddleware",
    "rooms.web.watch.WatchMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.PrivacyMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.middleware.FirstRunMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "clubs.guard.devices.DeviceMiddleware",
    "clubs.guard.log_in.LockOutMiddleware",
]

# Developers see queries and templates beside each page, but only in a browser on the same machine.
TOOLBAR = DEBUG and not SERVER and find_spec("debug_toolbar") is not None
if TOOLBAR:
    INSTALLED_APPS.append("debug_toolbar")
    # It runs inside the middleware that says which scripts a page may load, because it has scripts of its own.
    inside = MIDDLEWARE.index("csp.middleware.CSPMiddleware") + 1
    MIDDLEWARE.insert(inside, "debug_toolbar.middleware.DebugToolbarMiddleware")
    INTERNAL_IPS = ["127.0.0.1", "::1"]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["config.middleware.PageLoader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Accounts: passwords, second steps, how wrong tries are counted

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "clubs.guard.log_in.PasswordBackend",
    # This backend keeps sessions of earlier releases valid. It never gets a password.
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "pages.accounts.adapter.AccountAdapter"
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # some pages ask a user who is logged in to log in with another account
ACCOUNT_CHANGE_EMAIL = True  # an account has only one address
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # people without an account get no mail
ACCOUNT_EMAIL_VERIFICATION = "none"  # an address is confirmed when it is entered; a log-in does not need it
ACCOUNT_FORMS = {
    "login": "pages.accounts.forms.LoginForm",
    "add_email": "pages.accounts.forms.EmailForm",
    "change_password": "pages.accounts.forms.ChangePasswordForm",
    "reset_password": "pages.accounts.forms.ForgottenForm",
    "reset_password_from_key": "pages.accounts.forms.ChooseForm",
    "reauthenticate": "pages.accounts.forms.ConfirmForm",
}
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_SESSION_REMEMBER = True
# clubs.guard counts wrong passwords and codes; links of 128 bits are not counted.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/5m/key",  # only for codes of the second step
    "reset_password": "30/m/ip,5/m/key",  # how many mails of each kind are sent
    "reset_password_from_key": None,
}
MFA_FORMS = {
    "authenticate": "pages.accounts.forms.CodeForm",
    "reauthenticate": "pages.accounts.forms.ConfirmCodeForm",
    "activate_totp": "pages.accounts.forms.ActivateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # helpers have no mail address, but may use the second step
MFA_RECOVERY_CODES_SHOW_ONCE = False
MFA_TOTP_ISSUER = "Topage"
MFA_TOTP_TOLERANCE = 1  # the clock of a telephone may be half a minute wrong

# Mail. Without a mail server no page offers mails, and people hand over links themselves.

MAIL = bool(EMAIL_HOST)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL else 'dummy'}.EmailBackend"
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "starttls", EMAIL_SECURITY == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = EMAIL_FROM or EMAIL_HOST_USER or "topage@localhost"

# Language and time

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", _("French")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "tournaments" / "locale"]
FORMAT_MODULE_PATH = "config.formats"
USE_I18N = True
USE_TZ = True

# Static files

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "staticfiles" if SERVER else None  # a laptop serves static files from their source folders
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if SERVER
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS, WHITENOISE_AUTOREFRESH = not SERVER, False
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site needs these files: pages in frames ask for them as this site

# Security

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# HSTS for subdomains (W005) and preloading (W021) bind the whole domain: its owner decides that, not this site.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# Jobs are sent to a broker if there is one. Otherwise they run in the process, and a job that fails does not fail the
# request.

CACHES = configure_caches(REDIS_URL, PAGES_REDIS_URL)
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://")
else:
    CELERY_BROKER_URL = "memory://localhost/"  # nothing is ever sent to it
    CELERY_TASK_ALWAYS_EAGER = True
    CELERY_TASK_EAGER_PROPAGATES = False
# A worker that is started without the name of a queue takes jobs from all queues.
JOB_QUEUES = QUEUES
CELERY_TASK_QUEUES: dict[str, dict[str, object]] = {name: {} for name in QUEUES}
CELERY_TASK_DEFAULT_QUEUE = REST
CELERY_TASK_ROUTES = {job: {"queue": name} for name, queue in QUEUES.items() for job in queue.jobs}
CELERY_TASK_REJECT_ON_WORKER_LOST = True  # a job whose worker was lost is tried again, as often as config.jobs says
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as necessary
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "socket_timeout": 5}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"
# A sweep is dropped if no worker has taken it after this number of seconds. The next sweep finds the same work. The
# clocks of two machines may also differ by this number of seconds.
SWEEP_EXPIRES = max(60.0, 2 * SWEEP_SECONDS)
SWEEP = {"schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_EXPIRES}}
DAILY = {"schedule": crontab(hour="4", minute="30"), "options": {"expires": 86_400}}
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "sweep-standings": {"task": "jobs.tasks.sweep_standings"} | SWEEP,
    "sweep-publications": {"task": "jobs.tasks.sweep_publications"} | SWEEP,
    "sweep-webhooks": {"task": "jobs.tasks.sweep_webhooks"} | SWEEP,
    "note-worker-of-mails": {"task": "jobs.tasks.note_worker_of_mails"} | SWEEP,
    "forget": {"task": "jobs.tasks.forget_what_is_over"} | DAILY,
    "play-by-bots": {
        "task": "jobs.tasks.play_by_bots",
        "schedule": crontab(minute="*/5"),
        "options": {"expires": 240},
    },
}
if ROOMS:
    CELERY_BEAT_SCHEDULE["sweep-rooms"] = {"task": "rooms.tasks.sweep_rooms"} | SWEEP
if BACKUP_DIR:
    nightly = {"schedule": crontab(hour="4", minute="0"), "options": {"expires": 43_200}}
    CELERY_BEAT_SCHEDULE["backup"] = {"task": "operations.tasks.back_up"} | nightly

# API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.tokens.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "api.scopes.ScopeSchema",
    "DEFAULT_VERSIONING_CLASS": None,
    "EXCEPTION_HANDLER": "api.errors.exception_handler",
    "DEFAULT_THROTTLE_RATES": {
        "score": SCORE_THROTTLE,
        "plans": PLANS_THROTTLE,
        "search": "60/min",
        "games": "60/min",
        "rooms-play": "240/min",
        "rooms": "120/min",
    },
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Topage",
    "DESCRIPTION": "Duplicate French Tarot tournaments: deals, plays, results, standings and publications.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",  # the next part of the path names the group of an operation
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {"number": int},
    "ENUM_NAME_OVERRIDES": {
        "PenaltyKind": ["penalty", "bonus", "warning"],
        "SeriesUnit": ["per_cent", "points", "marks"],
        "UnitEnum": ["per_cent", "match_points", "marks"],
        "TakerEnum": ["N", "E", "S", "W", "F"],
    },
    "SWAGGER_UI_DIST": "SIDECAR",
}

LOGGING = configure_logs(LOG_LEVEL, LOG_FORMAT, fault_mails=bool(ADMIN_MAIL))

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
