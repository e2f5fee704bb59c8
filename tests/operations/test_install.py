"""The way to a server in docs/install.md: its commands fit the files of operations/install, and lead to a site."""

import re
import shlex
import subprocess

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from jobs.management.lanes import DESK, HEALTH, PLAY, READER, TABLE, THREADS
from operations.doctor import jobs
from operations.management.commands import beat, worker
from tests.config.test_settings import python
from tests.operations.test_compose import COMPOSE
from tests.services.site import PROJECT

TEXT = (PROJECT / "docs" / "install.md").read_text()
SERVER = TEXT[TEXT.index("## A server without containers") : TEXT.index("## A server with containers")]
COMMANDS = "\n".join(re.findall(r"```sh\n(.*?)```", SERVER, re.DOTALL))
INSTALL = PROJECT / "operations" / "install"


def test_every_unit_is_started_and_each_queue_has_a_worker():
    (started,) = re.findall(r"systemctl enable --now (.+)", COMMANDS)
    units = {path.name.removesuffix(".service") for path in (INSTALL / "systemd").iterdir() if path.is_file()}
    workers = {f"topage-worker@{queue}" for queue in settings.CELERY_TASK_QUEUES}
    assert set(started.split()) == units - {"topage-worker@"} | workers


def test_units_services_and_doctor_know_every_queue(monkeypatch):
    """Read the units that the document starts, the services of containers, and what the doctor says without workers."""
    queues = set(settings.CELERY_TASK_QUEUES)
    assert set(re.findall(r"topage-worker@(\w+)", re.findall(r"systemctl enable --now (.+)", COMMANDS)[0])) == queues
    commands = [
        service["command"] for service in COMPOSE["services"].values() if "worker" in service.get("command", "")
    ]
    assert sorted(re.findall(r"--queues (\w+)", " ".join(commands))) == sorted(queues)
    assert "topage worker --queues %i" in (INSTALL / "systemd" / "topage-worker@.service").read_text()
    monkeypatch.setattr(jobs, "find_workers", lambda: dict.fromkeys(settings.CELERY_TASK_QUEUES, ()))
    monkeypatch.setattr(settings, "REDIS_URL", "redis://there")
    told = " ".join(found.remedy for found in jobs.examine_workers())
    assert set(re.findall(r"topage-worker@(\w+)", told)) == queues


def test_commands_of_units_and_services_start_workers_and_the_beat(monkeypatch):
    """Give each command to Celery, as the command line does. A queue that nobody knows is refused."""
    given = []
    monkeypatch.setattr(worker.current_app, "worker_main", given.append)
    monkeypatch.setattr(beat.current_app, "start", given.append)
    units = "".join(path.read_text() for path in sorted((INSTALL / "systemd").glob("*.service")))
    commands = re.findall(r"^ExecStart=/opt/topage/bin/(topage (?:worker|beat).*)", units, re.MULTILINE)
    commands += [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    started = [shlex.split(each)[1:] for each in commands if re.match("topage (worker|beat)", each)]
    for words in started:
        call_command(*[word.replace("%i", "rest") for word in words])
    assert len(given) == len(started) == 8
    assert ["worker", "--loglevel", "INFO", "--queues=rest", "--concurrency=1", "--hostname=rest@%h"] in given
    assert ["beat", "--loglevel", "INFO", "--schedule", "/tmp/beat"] in given
    call_command("worker")
    assert f"--queues={','.join(settings.CELERY_TASK_QUEUES)}" in given[-1]
    with pytest.raises(CommandError, match="invalid choice: 'nobody'"):
        call_command("worker", "--queues", "nobody")


def test_trial_of_a_server_upgrades_as_the_handbook_says():
    handbook, trial = (PROJECT / "docs" / "admin.md").read_text(), (PROJECT / ".ci" / "server").read_text()
    for command in ("topage-manage upgrade", "systemctl restart topage.target", "ln -sfn topage-OLD /opt/topage"):
        assert f"`{command}`" in handbook
        assert command.replace("OLD", "{old}") in trial


def test_way_of_a_laptop_is_short_and_names_three_systems():
    way = TEXT[TEXT.index("## A laptop") : TEXT.index("## A server without containers")].strip().splitlines()
    assert len(way) <= 20
    assert [system for system in ("Windows", "macOS", "Linux") if system not in "".join(way)] == []


def test_readme_begins_with_the_one_line():
    readme = (PROJECT / "README.md").read_text()
    first = re.search(r"```sh\n(.+)", readme)[1]
    assert first.startswith("uvx topage demo")
    assert "pipx run topage demo" in first
    assert "pip install topage && topage" in first


def test_every_file_that_the_commands_name_is_there():
    named = re.findall(r"\$FILES/([\w.-]+)", COMMANDS)
    assert named == ["topage.env", "topage-manage", "systemd", "Caddyfile"]
    assert [name for name in named if not (INSTALL / name).exists()] == []


@pytest.mark.nightly("process")
def test_settings_that_the_commands_write_start_a_server(tmp_path):
    """Run the commands of the step that writes the settings, and check the site with what they have written."""
    (step,) = re.findall(r"^4\. .*?```sh\n(.*?)```", SERVER, re.DOTALL | re.MULTILINE)
    written = tmp_path / "topage.env"
    step = step.replace("$FILES", str(INSTALL)).replace("/etc/topage.env", str(written))
    given = "DOMAIN=tarot.club.fr; PASSWORD=abc123\n"
    subprocess.run(["sh", "-euc", given + step], check=True)
    lines = [line for line in written.read_text().splitlines() if line and not line.startswith("#")]
    told = dict(line.split("=", 1) for line in lines)
    assert "example" not in " ".join(lines)
    assert told["DATABASE_URL"] == "postgres://topage:abc123@127.0.0.1:5432/topage"
    assert told["SITE_URL"] == "https://tarot.club.fr"
    assert written.stat().st_mode & 0o077 == 0
    run = python("manage.py", "check", "--deploy", **told | {"VAR_DIR": str(tmp_path)})
    assert (run.returncode, "no issues" in run.stdout) == (0, True), run.stderr


def test_proxy_gets_the_domain_everywhere():
    (command,) = re.findall(r'(sed "s.*Caddyfile) >', COMMANDS)
    given = "DOMAIN=tarot.club.fr; " + command.replace("$FILES", str(INSTALL))
    proxy = subprocess.run(["sh", "-euc", given], check=True, capture_output=True, text=True).stdout
    assert "tarot.club.fr {" in proxy
    assert "example.org" not in proxy


@pytest.mark.parametrize("unit", sorted((INSTALL / "systemd").glob("*.service")), ids=lambda path: path.name)
def test_unit_has_a_limit_of_memory(unit):
    assert re.search(r"^MemoryMax=[1-9][0-9]*[MG]$", unit.read_text(), re.MULTILINE)


def test_units_of_workers_for_whom_nobody_waits_let_the_others_go_first():
    """Compare them with the compose file: where all want the processor, both give them a quarter."""
    described = COMPOSE["services"].values()
    late = {each["command"].split("--queues ")[1].split()[0] for each in described if each.get("cpu_shares") == 256}
    units = {f"topage-worker@{queue}.service.d" for queue in late}
    assert units == {path.name for path in (INSTALL / "systemd").iterdir() if path.is_dir()}
    for unit in units:
        (file,) = (INSTALL / "systemd" / unit).glob("*.conf")
        assert re.findall(r"^\w.*", file.read_text(), re.MULTILINE) == ["CPUWeight=25"]


def test_sizing_tells_the_threads_of_each_lane():
    """Check the figures by which a reader sizes PostgreSQL."""
    text = " ".join((PROJECT / "docs" / "sizing.md").read_text().split())
    told = re.search(
        r"(\d+) for tables, (\d+) for the desk, (\d+) for readers, (\d+) for health .* (\d+) for rooms", text
    )
    assert [int(count) for count in told.groups()] == [THREADS[lane] for lane in (TABLE, DESK, READER, HEALTH, PLAY)]
    total = sum(THREADS.values())
    assert f"has {total - THREADS[PLAY]} × processes ({total} × with `ROOMS`)" in text


@pytest.mark.parametrize("name", ["install.md", "evening.md", "evening.fr.md"])
def test_documents_say_what_a_copy_of_a_laptop_needs(name):
    text = (PROJECT / "docs" / name).read_text()
    assert [word for word in ("`Topage`", "`db.sqlite3-wal`", "`topage backup ") if word not in text] == []
