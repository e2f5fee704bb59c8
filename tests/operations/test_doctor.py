"""The doctor: what it finds on real servers that are well, away, or wrong, and its exit codes."""

import ssl
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from ipaddress import ip_address
from threading import Thread
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import override_settings

from clubs.models import LicenceList
from config.queues import QUEUES
from jobs.tasks import compute_standings, sweep_standings
from operations import queues
from operations.doctor import database, examining, machine, proxy, servers
from operations.doctor import jobs as servers_of_jobs
from operations.doctor.findings import Level, say_seconds, tell_error, tell_good, tell_warning
from operations.health import AWAY, HOPS, LIVE, ask_redis
from operations.management.commands import upgrade
from operations.management.commands.doctor import Command
from tests.clubs.licences.test_storing import keep
from tests.factories import make_club, make_director
from tests.services.site import free_port
from tests.services.waiting import wait_until
from tournaments import queue
from tournaments.queue import TICK, note_tick


def examine(subject, mail_to=""):
    """Return the findings of a subject as (level, what)."""
    return [(found.level, found.what) for found in examining.list_subjects(mail_to)[subject]()]


def levels(subject, mail_to=""):
    return [level for level, _ in examine(subject, mail_to)]


def diagnose(*arguments):
    """Run the command in this process. Return its exit code and its output."""
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", *arguments, stdout=out)
    return ended.value.code, out.getvalue()


# The command


def of_levels(*found):
    return {f"subject {number}": lambda each=each: iter([each]) for number, each in enumerate(found)}


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ([tell_good("a")], 0),
        ([tell_warning("a", "b", "c"), tell_good("a")], 1),
        ([tell_warning("a", "b", "c"), tell_error("a", "b", "c"), tell_good("a")], 2),
    ],
    ids=["well", "warning", "error"],
)
def test_exit_code_is_that_of_the_worst_finding(found, code, monkeypatch):
    monkeypatch.setattr(examining, "list_subjects", lambda mail_to: of_levels(*found))
    assert diagnose()[0] == diagnose("--json")[0] == code


def test_subject_that_fails_is_a_finding_and_hides_no_other(monkeypatch):
    broken = {"first": lambda: iter([1 / 0]), "second": lambda: iter([tell_good("well")])}
    monkeypatch.setattr(examining, "list_subjects", lambda mail_to: broken)
    code, told = diagnose()
    assert code == 2
    assert "first: This could not be examined (ZeroDivisionError: division by zero)." in told
    assert "ok       second: well" in told


# Database, Redis and jobs


def test_missing_and_unknown_migrations_are_named(db, monkeypatch):
    assert levels("migrations") == [Level.GOOD]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'deals'")
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('clubs', '9999_later', now())")
    missing = sum(app == "deals" for app, _name in MigrationLoader(None).disk_migrations)
    # A connection of the doctor's own would not see this transaction.
    monkeypatch.setattr(database, "brief_connection", lambda: nullcontext(connection))
    assert examine("migrations") == [
        (Level.ERROR, "clubs.9999_later is not known here."),
        (Level.ERROR, f"{missing} migrations are missing, deals.0001_initial first."),
    ]


def test_list_of_the_federation_that_is_past_its_time_is_told(db, monkeypatch):
    monkeypatch.setattr(database, "brief_connection", lambda: nullcontext(connection))
    club = make_club()
    keep(club, make_director(club))
    assert examine("licences") == [(Level.GOOD, "1 clubs keep the federation's list; their directors can search them.")]
    LicenceList.objects.update(read_at=datetime.now(UTC) - timedelta(days=400))
    assert examine("licences") == [(Level.WARNING, "1 lists of the federation are past their time.")]


def test_oldest_job_that_no_worker_takes_is_told(start_worker, redis_server, monkeypatch):
    assert levels("queues") == [Level.GOOD] * len(QUEUES)
    compute_standings.apply_async((1,))
    wait_until(lambda: redis_server.client.llen("standings") == 1, what="the job to be queued")
    assert levels("queues") == [Level.GOOD] * len(QUEUES)
    now = queue.time
    monkeypatch.setattr(queue, "time", lambda: now() + 600)
    assert examine("queues")[0] == (Level.WARNING, "standings: 1 jobs wait, the oldest for 10 min.")


def test_job_of_an_older_release_has_no_age(start_worker, redis_server):
    redis_server.client.lpush("standings", '{"headers": {}}')
    assert queues.read_queues(redis_server.client)[0] == ("standings", 1, 0.0)


@pytest.mark.parametrize("missing", [*QUEUES])
def test_missing_worker_is_named_with_the_line_that_starts_it(missing, settings, monkeypatch):
    settings.COMMAND = "topage"
    taken = {name: [] if name == missing else [f"{name}@host"] for name in QUEUES}
    for module in (servers_of_jobs, upgrade):
        monkeypatch.setattr(module, "find_workers", lambda: taken)
    line = f"`topage worker --queues {missing}`, or `systemctl enable --now topage-worker@{missing}`"
    (finding,) = [each for each in servers_of_jobs.examine_workers() if each.level != Level.GOOD]
    assert (finding.what, finding.remedy) == (f"No worker takes the queue {missing}.", f"Start one: {line}.")
    assert upgrade.find_queues_without_worker() == [missing]
    assert line in queues.say_how_to_start(missing)


def test_old_tick_means_that_beat_is_away(db, redis_server, monkeypatch):
    sweep_standings()
    assert levels("beat") == [Level.GOOD]
    monkeypatch.setattr("tournaments.queue.time", lambda: 0.0)
    note_tick()
    monkeypatch.undo()
    assert levels("beat") == [Level.ERROR]
    assert redis_server.client.ttl(f":1:{TICK}") == -1


class AnsweringRedis(nullcontext):
    """A client of Redis that tells its policy, by the name of its cache."""

    def __init__(self, policies, cache):
        super().__init__(self)
        self.told = {"redis_version": "7.4.9", "maxmemory": 1, "maxmemory_policy": policies[cache]}

    def info(self):
        return self.told


@pytest.mark.parametrize(
    ("of_jobs", "of_pages", "expected"),
    [
        ("noeviction", "allkeys-lru", [Level.GOOD, Level.GOOD]),
        ("allkeys-lru", "allkeys-lru", [Level.WARNING, Level.GOOD, Level.GOOD]),
        ("noeviction", "noeviction", [Level.GOOD, Level.WARNING, Level.GOOD]),
    ],
)
def test_redis_that_may_delete_jobs_or_keep_too_many_pages_is_told(of_jobs, of_pages, expected, settings, monkeypatch):
    settings.PAGES_REDIS_URL = "redis://pages:6379/0"
    policies = {"default": of_jobs, "pages": of_pages}
    monkeypatch.setattr(servers, "make_redis_client", lambda *, cache: AnsweringRedis(policies, cache))
    assert levels("redis") == expected


def test_redis_of_pages_that_is_away_is_told_by_its_setting(settings, redis_server):
    missing = f"redis://127.0.0.1:{free_port()}/0"
    settings.PAGES_REDIS_URL = missing
    settings.CACHES = settings.CACHES | {"pages": settings.CACHES["pages"] | {"LOCATION": missing}}
    assert levels("redis") == [Level.GOOD, Level.ERROR]
    assert ask_redis() == AWAY


def test_clock_that_differs_is_told(monkeypatch):
    monkeypatch.setattr(servers, "ask_database_clock", lambda: 3600.0)
    monkeypatch.setattr(servers, "ask_redis_clock", lambda: -3.0)
    assert examine("clock")[:2] == [
        (Level.ERROR, "The clock of the database is 3600.0 s ahead of this machine's."),
        (Level.WARNING, "The clock of the Redis is 3.0 s behind this machine's."),
    ]


# Mail


def test_mail_is_sent_only_if_asked_for(db, settings):
    assert levels("mail") == [Level.GOOD]
    assert levels("mail", "me@example.org") == [Level.ERROR]
    settings.MAIL = True
    assert (levels("mail"), mail.outbox) == ([Level.GOOD], [])
    assert levels("mail", "me@example.org") == [Level.GOOD]
    assert [sent.to for sent in mail.outbox] == [["me@example.org"]]


def test_mail_server_that_is_away_is_told(db, settings):
    settings.MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT = True, "127.0.0.1", free_port()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert levels("mail") == [Level.ERROR]


# The machine


@pytest.mark.parametrize(
    ("mode", "of_key", "level"),
    [
        (0o700, 0o644, Level.GOOD),
        (0o755, 0o600, Level.GOOD),
        (0o755, 0o644, Level.WARNING),
        (0o777, 0o600, Level.ERROR),
    ],
)
def test_files_that_others_may_read_or_write_are_told(mode, of_key, level, tmp_path, settings):
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").touch()
    (tmp_path / "secret_key").chmod(of_key)
    tmp_path.chmod(mode)
    assert max(found.level for found in machine.examine_permissions()) == level


@pytest.mark.parametrize(("zone", "level"), [("Europe/Paris", Level.GOOD), ("UTC", Level.WARNING)])
def test_time_of_day_is_shown_with_its_zone(zone, level, settings):
    settings.TIME_ZONE = zone
    (found,) = machine.examine_time_zone()
    assert (found.level, found.what.partition(": the site shows ")[0]) == (level, zone)


def test_database_file_is_as_secret_as_the_key(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o755)
    (tmp_path / "db.sqlite3").touch()
    (tmp_path / "db.sqlite3").chmod(0o644)
    assert "db.sqlite3" in examine("permissions")[0][1]


@pytest.mark.parametrize(
    ("free", "level"), [(50_000_000, Level.ERROR), (900_000_000, Level.WARNING), (90_000_000_000, Level.GOOD)]
)
def test_disk_that_is_nearly_full_is_told(free, level, tmp_path, monkeypatch):
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda path: machine.shutil._ntuple_diskusage(10**11, 0, free))
    assert machine.examine_folder(tmp_path / "not" / "there").level == level


@pytest.mark.parametrize(("zone", "level"), [("Europe/Paris", Level.GOOD), ("UTC", Level.WARNING)])
def test_time_zone_of_nobody_is_told(zone, level, settings):
    settings.TIME_ZONE = zone
    assert levels("time zone") == [level]


def test_units_that_start_a_source_folder_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "UNITS", tmp_path)
    (tmp_path / "topage-web.service").write_text("ExecStart=/opt/topage/bin/topage serve\n")
    assert not list(machine.examine_units())
    (tmp_path / "topage-beat.service").write_text("ExecStart=/opt/topage/.venv/bin/celery -A config beat\n")
    (tmp_path / "topage-worker@.service").write_text("ExecStart=/opt/topage/.venv/bin/celery -A config worker -Q %i\n")
    beat, worker = machine.examine_units()
    assert beat.what == "topage-beat.service starts the site from a source folder."
    assert "`ExecStart=/opt/topage/bin/topage beat`" in beat.remedy
    assert "`ExecStart=/opt/topage/bin/topage worker --queues %i`" in worker.remedy


def test_laptop_names_the_folder_of_its_data(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o700)
    for subject in ("permissions", "disk"):
        ((_level, words),) = examine(subject)
        assert str(tmp_path) in words


@pytest.mark.parametrize("installed", ["99.0", None])
def test_laptop_may_have_any_libraries_within_the_ranges_of_the_wheel(installed, monkeypatch, settings):
    """Allow missing ones too, because a newer Python needs fewer libraries than the pins name."""
    settings.SERVER = False
    monkeypatch.setattr(machine, "find_version", lambda _name: installed)
    ((level, words),) = examine("versions")
    assert level == Level.GOOD
    assert "Django" in words


def test_library_of_another_version_is_told_on_a_server(monkeypatch, settings):
    settings.SERVER = True
    assert levels("versions") == [Level.GOOD]
    monkeypatch.setattr(machine, "find_version", {"django": "4.0"}.get)
    found = examine("versions")
    assert [level for level, _ in found] == [Level.ERROR, Level.WARNING]
    assert "celery" in found[0][1]
    assert "django 4.0 instead of" in found[1][1]


@pytest.mark.parametrize(
    ("seconds", "words"), [(40, "40 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (200_000, "2 days")]
)
def test_duration_is_told_in_one_unit(seconds, words):
    assert say_seconds(seconds) == words


# The proxy


class Proxy(BaseHTTPRequestHandler):
    """A proxy in front of the site, with one of several faults."""

    fault, hops = "", 1
    headers_told = dict.fromkeys(proxy.HEADERS, "told")

    def do_GET(self):
        live = self.path == LIVE
        status = 200 if live else {"host": 400, "scheme": 301, "broken": 502}.get(self.fault, 200)
        self.send_response(status)
        self.send_header(HOPS, str(self.hops))
        if self.fault == "scheme":
            self.send_header("Location", f"{self.server.url}{self.path}")
        if self.fault != "headers":
            for name, value in self.headers_told.items():
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}' if live and self.fault != "other" else b"<html>")

    def log_message(self, *told):
        pass


@pytest.fixture
def start_proxy(settings):
    """Provide a function that starts a proxy with a fault, and sets SITE_URL to it."""
    started = []

    def start(fault="", context=None):
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Faulty", (Proxy,), {"fault": fault}))
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.url = f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}"
        settings.SITE_URL = server.url
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        started.append(server)

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("host", "The proxy does not pass the host."),
        ("scheme", "The proxy does not tell of HTTPS."),
        ("broken", "A page fails (502)."),
        ("other", "is not this site (200)."),
    ],
)
def test_fault_of_the_proxy_is_told(fault, what, start_proxy):
    start_proxy(fault)
    ((level, told),) = examine("https")
    assert level == Level.ERROR
    assert told.endswith(what)


@pytest.mark.parametrize(
    ("proxies", "seen", "expected"),
    [
        (0, 0, []),
        (1, 1, []),
        (1, 2, []),
        (1, 0, ["NUM_PROXIES is 1, but no proxies are seen."]),
        (2, 1, ["NUM_PROXIES is 2, but 1 proxies are seen."]),
    ],
)
def test_more_trusted_proxies_than_there_are_is_told(proxies, seen, expected, start_proxy, settings, monkeypatch):
    """Check it because everybody could then write an address of their own."""
    settings.NUM_PROXIES = proxies
    monkeypatch.setattr(Proxy, "hops", seen)
    start_proxy()
    assert [what for level, what in examine("https") if level == Level.ERROR] == expected


@override_settings(SITE_URL="", NUM_PROXIES=1)
def test_laptop_that_trusts_a_proxy_is_told():
    assert levels("https") == [Level.GOOD, Level.ERROR]


def test_site_that_is_not_reached_is_told(settings):
    settings.SITE_URL = f"http://127.0.0.1:{free_port()}"
    assert levels("https") == [Level.ERROR]


@pytest.fixture
def certificate(tmp_path):
    """Make a certificate for this machine which ends in five days. Return its file, with the key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=5))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption(), serialization.PrivateFormat.PKCS8, serialization.Encoding.PEM
    path = tmp_path / "certificate.pem"
    path.write_bytes(made.public_bytes(plain[2]) + key.private_bytes(plain[2], plain[1], plain[0]))
    return path


def test_certificate_and_headers_are_examined_over_https(start_proxy, certificate, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    start_proxy("headers", context)
    (refused,) = examine("https")
    assert (refused[0], "CERTIFICATE_VERIFY_FAILED" in refused[1]) == (Level.ERROR, True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    found = examine("https")
    assert [level for level, _ in found] == [Level.GOOD, Level.WARNING, Level.WARNING]
    assert found[1][1] == f"Missing: {', '.join(proxy.HEADERS)}."
    assert found[2][1] == "The certificate ends in 4 days."


@override_settings(SITE_URL="")
def test_laptop_has_no_address_to_fetch():
    assert levels("https") == [Level.GOOD]


def test_finding_is_printed_with_its_reason_and_its_remedy():
    out = StringIO()
    command = Command(stdout=out, no_color=True)
    wait = tell_warning("4 mails wait", "Nobody gets them.", "Start a mailer.")
    for finding in (wait, tell_good("all mails are sent")):
        command.print_finding(examining.SubjectFinding("mails", finding))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert [line.partition(" mails: ")[2] for line in (lines[0], lines[-1])] == ["4 mails wait", "all mails are sent"]
    assert lines[1:-1] == ["Why: Nobody gets them.", "Do: Start a mailer."]


@pytest.mark.parametrize(
    ("days", "level", "said"), [(5, Level.WARNING, "ends in 4"), (90, Level.GOOD, "lasts 89 more")]
)
def test_certificate_is_renewed_in_time_or_a_warning_says_so(monkeypatch, days, level, said):
    end = (datetime.now(UTC) + timedelta(days=days)).strftime("%b %d %H:%M:%S %Y GMT")
    safe = SimpleNamespace(getpeercert=lambda: {"notAfter": end})
    context = SimpleNamespace(wrap_socket=lambda plain, server_hostname: nullcontext(safe))
    monkeypatch.setattr(proxy.socket, "create_connection", lambda address, timeout: nullcontext())
    monkeypatch.setattr(proxy.ssl, "create_default_context", lambda: context)
    (found,) = proxy.examine_certificate("https://topage.example")
    assert (found.level, found.what) == (level, f"The certificate {said} days.")
