"""The mails about faults: one an hour of each kind, over all processes, and nothing in them about people."""

import logging
from threading import Thread
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.cache import cache

from config.fault_mails import HOUR, FaultMails
from config.logs import configure_logs, request_id
from tests.config.test_settings import SERVER, read
from tournaments.job_health import SILENT

NAME = "Zénobie Pralinova"


@pytest.fixture
def handler(settings, monkeypatch):
    """Return a handler whose mails are sent at once."""
    settings.ADMIN_MAIL = "admin@example.org"
    monkeypatch.setattr(Thread, "start", lambda self: None if self.daemon and self.name != "fault mail" else self.run())
    return FaultMails()


def fail(handler, error=None, message="failed for %s", name=NAME, **more):
    """Log an error as the site does."""
    logger = logging.Logger("site")
    logger.addHandler(handler)
    try:
        raise error or ValueError(name)
    except Exception:
        logger.exception(message, name, extra=more)


def test_fault_is_mailed_with_its_place_and_without_its_text(handler):
    request_id.set("0123456789abcdef")
    request = SimpleNamespace(resolver_match=SimpleNamespace(view_name="ranking"), path=f"/{NAME}/", body=NAME)
    fail(handler, request=request)
    (sent,) = mail.outbox
    assert sent.to == ["admin@example.org"]
    assert sent.subject.startswith("Topage: ValueError at tests/operations/test_fault_mails.py:")
    assert sent.subject.endswith("in fail")
    for told in ("Page: ranking", "Request: 0123456789abcdef", "tests/operations/test_fault_mails.py:"):
        assert told in sent.body
    assert NAME not in sent.subject + sent.body


def test_kind_of_fault_is_mailed_once_an_hour(handler, monkeypatch):
    for _ in range(3):
        fail(handler)
    assert len(mail.outbox) == 1
    fail(handler, KeyError(NAME))
    assert len(mail.outbox) == 2
    monkeypatch.setattr("config.fault_mails.monotonic", lambda: HOUR * 1e6)
    cache.clear()
    fail(handler)
    assert len(mail.outbox) == 3


def test_mail_server_that_was_silent_is_left_alone_until_the_fault_comes_again(handler):
    cache.set(SILENT, True, 60)
    fail(handler)
    assert not mail.outbox
    cache.delete(SILENT)
    fail(handler)
    assert len(mail.outbox) == 1


def test_other_processes_do_not_mail_the_same_fault(handler):
    for each in (handler, FaultMails()):
        fail(each)
    assert len(mail.outbox) == 1


def test_fault_is_mailed_while_redis_is_away(handler, redis_server):
    redis_server.stop()
    for _ in range(2):
        fail(handler)
    assert len(mail.outbox) == 1


def test_line_without_an_error_is_told_with_its_gaps_unfilled(handler):
    logger = logging.Logger("site")
    logger.addHandler(handler)
    logger.error("%s was not done", NAME)
    logger.error(NAME)
    assert [sent.subject.partition(" at ")[0] for sent in mail.outbox] == ["Topage: %s was not done", "Topage: site"]
    assert NAME not in "".join(sent.body for sent in mail.outbox)


def test_mail_that_fails_asks_for_no_other(handler, monkeypatch, caplog):
    def refuse(self):
        logging.getLogger("smtp").error("refused")
        raise OSError("refused")

    monkeypatch.setattr("config.fault_mails.EmailMessage.send", refuse)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        fail(handler)
    finally:
        root.removeHandler(handler)
    assert "A fault could not be mailed: OSError" in caplog.text


def test_failed_request_and_warnings_are_told_apart(handler):
    logger = logging.Logger("site")
    handler.setLevel(configure_logs("INFO", "text", fault_mails=True)["handlers"]["faults"]["level"])
    logger.addHandler(handler)
    logger.warning("Not Found: %s", NAME)
    assert mail.outbox == []
    logger.error("Internal Server Error: %s", NAME)
    assert len(mail.outbox) == 1


def test_administrator_needs_a_mail_server():
    mails = {"SITE_URL": "https://tarot.example.org", "EMAIL_HOST": "smtp.example.org"}
    settings = read(**SERVER | mails | {"ADMIN_MAIL": "admin@example.org"})
    assert settings.LOGGING["root"]["handlers"] == ["stderr", "faults"]
    with pytest.raises(Exception, match=r"'ADMIN_MAIL': .*set EMAIL_HOST"):
        read(**SERVER | {"ADMIN_MAIL": "admin@example.org"})
    with pytest.raises(Exception, match=r"'ADMIN_MAIL': .*Give one mail address"):
        read(**SERVER | mails | {"ADMIN_MAIL": "admin"})
