"""The file docker-compose.yml: it gives the site every setting that it reads, and the site starts with them."""

import re

import pytest
import yaml
from django.conf import settings

from config.queues import QUEUES
from operations.health import READY
from tests.config.test_settings import PROJECT, python

COMPOSE = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
WORKERS = ("worker", "keeper", "searcher", "mailer", "bots")
SITE = ("web", *WORKERS, "beat", "migrate")
NEEDED = {"SECRET_KEY": "k3Y" * 12, "ALLOWED_HOSTS": "tarot.example.org", "POSTGRES_PASSWORD": "pa55word"}
VARIABLE = re.compile(r"\$\{(\w+):?([?-])([^}]*)\}")
SECRETS = yaml.safe_load((PROJECT / "operations/install/docker-compose.secrets.yml").read_text())
DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]


def interpolated(given: dict[str, str]) -> dict[str, str]:
    """Return the environment of the site if these variables are given, as Compose interpolates them."""

    def value(match: re.Match[str]) -> str:
        name, kind, default = match.groups()
        return given[name] if kind == "?" else given.get(name, default)

    return {name: VARIABLE.sub(value, text) for name, text in COMPOSE["services"]["web"]["environment"].items()}


def test_compose_gives_every_variable_that_the_settings_read():
    texts = [(PROJECT / "config" / name).read_text() for name in ("settings.py", "checks.py")]
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', "".join(texts)))
    given = set(COMPOSE["services"]["web"]["environment"])
    # A server stores nothing in VAR_DIR, and never shows its internals after an error. The image has its own command.
    assert given == read - {"VAR_DIR", "DEBUG", "TOPAGE_COMMAND"}


def test_compose_demands_what_has_no_default():
    text = (PROJECT / "docker-compose.yml").read_text()
    assert {name for name, kind, _ in VARIABLE.findall(text) if kind == "?"} == set(NEEDED)


@pytest.mark.nightly("story")
def test_site_starts_with_what_compose_gives_by_default():
    run = python("manage.py", "check", **interpolated(NEEDED))
    assert run.returncode == 0, run.stderr


@pytest.mark.nightly("story")
def test_site_with_mail_starts_once_compose_is_given_its_address():
    mail = NEEDED | {"EMAIL_HOST": "smtp.example.org"}
    run = python("manage.py", "check", **interpolated(mail))
    assert (run.returncode, "set SITE_URL" in run.stderr) == (1, True)
    run = python("manage.py", "check", **interpolated(mail | {"SITE_URL": "https://tarot.example.org"}))
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("service", COMPOSE["services"])
def test_service_has_limits_and_time_to_end(service):
    described = COMPOSE["services"][service]
    limit = re.sub(r".*:-(.*)}", r"\1", described["mem_limit"])
    assert re.fullmatch(r"[1-9][0-9]*[mg]", limit)
    assert described["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "5"}}
    assert (described["init"], described["stop_grace_period"]) == (True, "70s")


def test_each_secret_may_come_from_a_file_in_every_service_of_the_site():
    names = {"SECRET_KEY", "DATABASE_URL", "EMAIL_HOST_PASSWORD", "CARD_KEYS", "METRICS_TOKEN"}
    files = {f"{name}_FILE": f"/run/secrets/{name.lower()}" for name in names}
    described = {"environment": files, "secrets": sorted(map(str.lower, names))}
    of_database = {
        "environment": {"POSTGRES_PASSWORD_FILE": "/run/secrets/postgres_password"},
        "secrets": ["postgres_password"],
    }
    assert SECRETS["services"] == dict.fromkeys(SITE, described) | {"postgres": of_database}
    kept = {name: {"file": f"./secrets/{name}"} for name in (*described["secrets"], "postgres_password")}
    assert SECRETS["secrets"] == kept
    assert names < set(COMPOSE["services"]["web"]["environment"])
    # Compose refuses a missing variable, but an empty one beside a file is right.
    assert COMPOSE["services"]["web"]["environment"]["SECRET_KEY"].startswith("${SECRET_KEY?")


def test_upgrade_with_containers_writes_a_backup_before_it_migrates():
    assert COMPOSE["services"]["migrate"]["command"] == "topage upgrade --no-static"
    text = (PROJECT / "docs" / "admin.md").read_text()
    steps = text[text.index("With containers:\n") : text.index("### In the middle of an evening")]
    places = [steps.index(step) for step in ("topage backup", "docker compose build", "docker compose up")]
    assert places == sorted(places)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_documented_command_starts_the_migrations(document):
    """Check it because `docker compose run` starts what a service depends on, `migrate` too."""
    words = document.read_text().split()
    runs = [words[at + 2 : at + 5] for at in range(len(words)) if words[at : at + 2] == ["compose", "run"]]
    assert all("--no-deps" in run for run in runs)


@pytest.mark.parametrize("service", ["web", *WORKERS, "beat", "postgres", "redis", "pages"])
def test_service_has_a_health_check_and_comes_back(service):
    assert COMPOSE["services"][service]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert COMPOSE["services"][service]["restart"] == "unless-stopped"


def test_site_is_healthy_once_it_is_ready_for_requests():
    """Check the command's text. It needs no host and no scheme: tests/operations/test_health.py sends neither."""
    assert COMPOSE["services"]["web"]["healthcheck"]["test"][:3] == ["CMD", "python", "-c"]
    code = COMPOSE["services"]["web"]["healthcheck"]["test"][3]
    compile(code, "health", "exec")
    assert f'urlopen("http://127.0.0.1:8000{READY}", timeout=' in code


@pytest.mark.parametrize("service", SITE)
def test_site_service_shares_image_and_settings_and_waits_for_the_database(service):
    described = COMPOSE["services"][service]
    assert described["image"] == "${TOPAGE_IMAGE:-topage}"
    assert described["environment"] == COMPOSE["services"]["web"]["environment"]
    assert described["depends_on"]["postgres"] == {"condition": "service_healthy"}


@pytest.mark.parametrize("service", ["web", *WORKERS, "beat"])
def test_site_service_starts_after_the_migrations(service):
    assert COMPOSE["services"][service]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_each_queue_has_one_worker_and_searches_have_their_own():
    """Check it because a search for plans takes a core for seconds, and no other job may wait behind it."""
    commands = {service: COMPOSE["services"][service]["command"].split() for service in WORKERS}
    queues = {service: words[words.index("--queues") + 1] for service, words in commands.items()}
    assert queues == {
        "worker": "standings",
        "keeper": "rest",
        "searcher": "searches",
        "mailer": "mails",
        "bots": "bots",
    }
    assert set(queues.values()) == set(QUEUES)
    assert settings.CELERY_TASK_ROUTES["jobs.tasks.search_plans"] == {"queue": "searches"}


def test_workers_for_whom_nobody_waits_get_a_quarter_of_the_processor_time():
    shares = {service: COMPOSE["services"][service].get("cpu_shares", 1024) for service in COMPOSE["services"]}
    lower = {service for service, share in shares.items() if share < 1024}
    assert lower == {*WORKERS} - {"worker", "mailer"}
    assert {shares[service] for service in lower} == {256}


def test_only_the_redis_of_pages_may_delete_what_it_holds():
    """Check it because a deleted counter of wrong passwords lets somebody guess on."""
    environment = COMPOSE["services"]["web"]["environment"]
    assert (environment["REDIS_URL"], environment["PAGES_REDIS_URL"]) == (
        "redis://redis:6379/0",
        "redis://pages:6379/0",
    )
    commands = {service: COMPOSE["services"][service]["command"] for service in ("redis", "pages")}
    policies = {service: command.split("--maxmemory-policy ")[1] for service, command in commands.items()}
    assert policies == {"redis": "noeviction", "pages": "allkeys-lru"}


@pytest.mark.parametrize("service", SITE)
def test_site_service_writes_only_in_its_volume_and_for_a_moment(service):
    described = COMPOSE["services"][service]
    assert (described["read_only"], described["tmpfs"], described["volumes"]) == (True, ["/tmp"], ["backups:/backups"])
    assert (described["cap_drop"], described["security_opt"]) == (["ALL"], ["no-new-privileges:true"])


def test_images_of_others_are_named_by_version_and_digest():
    base = re.findall(r"^FROM (\S+)", (PROJECT / "Dockerfile").read_text(), re.MULTILINE)
    images = base + [COMPOSE["services"][service]["image"] for service in ("postgres", "redis", "pages")]
    assert len(images) == 4
    for image in images:
        assert re.fullmatch(r"\w+:\d+(\.\d+)+(-\w+)?@sha256:[0-9a-f]{64}", image), image
