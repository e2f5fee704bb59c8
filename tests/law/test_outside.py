"""The modules that wait for other servers: few, each with its bound, and none that answers a request sends a mail."""

import ast

import pytest

from tests.law.packages import MODULES, within
from tests.law.uses import find_uses

SENDING = {
    "django.core.mail.get_connection",
    "django.core.mail.send_mail",
    "django.core.mail.mail_admins",
    "django.core.mail.mail_managers",
    "django.core.mail.send_mass_mail",
    "smtplib.SMTP",
    "smtplib.SMTP_SSL",
    "socket.create_connection",
    "socket.getaddrinfo",
    "urllib.request.urlopen",
    "http.client.HTTPConnection",
    "http.client.HTTPSConnection",
}
# Who calls other servers, and what bounds the time.
OUTSIDE = {
    "outgoing.mailing.sending": "rounds of twenty seconds; a silent mail server is left alone by all jobs",
    "outgoing.webhooks.posting": "five seconds for each call; jobs call eight servers at once, in rounds",
    "operations.doctor.jobs": "a command of the administrator, which asks the mail server on purpose",
    "operations.doctor.proxy": "a command of the administrator, which asks the site's own address",
}
# Who writes mails: a job gives them to `outgoing.mailing.sending`. Faults are mailed by a thread of their own.
LETTERS = {f"outgoing.mailing.{name}" for name in ("feuilles", "invitations", "letters", "places", "queued", "sending")}
WRITERS = LETTERS | {"config.fault_mails", "operations.doctor.jobs"}
ANSWERING = ("pages", "api", "rooms.web", "rooms.api", "clubs", "evenings", "rankings", "registration", "archives")


# Who starts a program, and what bounds its time.
PROGRAMS = {
    "clubs.uploads.child": "reads an uploaded file for seconds, within the limits of `ReadingTime`",
    "rooms.thinker": "bots think; the parent ends them",
    "operations.tasks": "a backup: on a server a thread waits for it, and no other job",
    "operations.backup.scheduled": "the command of the administrator after a backup, within that process",
    "jobs.management.processes": "a server that starts its own successor",
}


def find_callers(sources, wanted):
    """Return the modules that use one of these functions or classes."""
    words = {each.rpartition(".")[2] for each in wanted}
    return {
        name
        for name, source in sources.items()
        if any(word in source for word in words) and wanted & {used for used, _line in find_uses(ast.parse(source))}
    }


@pytest.fixture(scope="module")
def sources():
    words = ("mail", "socket", "urllib", "http", "smtplib")
    found = {name: path.read_text() for name, path in MODULES.items()}
    return {name: source for name, source in found.items() if any(word in source for word in words)}


def test_few_modules_call_other_servers(sources):
    assert find_callers(sources, SENDING) == set(OUTSIDE)


def test_few_modules_start_programs():
    found = {name: path.read_text() for name, path in MODULES.items() if "subprocess" in path.read_text()}
    assert find_callers(found, {"subprocess.run", "subprocess.Popen", "subprocess.call"}) == set(PROGRAMS)


def test_mails_are_written_by_jobs_and_by_nothing_that_answers_a_request(sources):
    writers = find_callers(sources, {"django.core.mail.EmailMessage", "django.core.mail.EmailMultiAlternatives"})
    assert writers == WRITERS
    assert [name for name in writers if within(name, ANSWERING)] == []


def find_jobs_in_requests(sources):
    """Return the modules that answer requests and import a function that sends letters."""
    return {
        f"{name}: {each.name}"
        for name, source in sources.items()
        if within(name, ANSWERING) and "outgoing." in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("outgoing.")
        for each in node.names
        if each.name.startswith(("send_", "call_webhook", "post_"))
    }


def test_nothing_that_answers_a_request_sends_letters_or_calls(sources):
    assert find_jobs_in_requests(sources) == set()


def test_planted_senders_are_found():
    planted = {
        "pages.planted": "from outgoing.mailing.queued import send_queued_mails",
        "clubs.planted": "from django.core.mail import send_mail\nsend_mail('', '', None, [])",
        "api.planted": "from urllib import request\nrequest.urlopen('https://club.example')",
    }
    assert find_jobs_in_requests(planted) == {"pages.planted: send_queued_mails"}
    assert find_callers(planted, SENDING) == {"clubs.planted", "api.planted"}
