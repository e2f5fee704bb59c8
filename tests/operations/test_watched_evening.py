"""An evening with faults: no name and no secret of it stands in the logs, the mails about faults, or the figures."""

import io
import logging
from threading import Thread

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from api.tokens import make_api_token
from clubs.models import Player, User
from config.fault_mails import FaultMails
from config.logs import HideCodes, JsonLines
from evenings.requests.links import ensure_links
from pages.desk import desk
from pages.doors import session_url
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import PASSWORD, enter_all, make_director, make_tournament, publish, started_session
from tournaments.queue import Background

pytestmark = pytest.mark.nightly("process")

TOKEN = "a token of tests alone"
DEVICE = "phone-of-the-first-table"
ACCOUNT, ADDRESS = "zenobie.pralinova", "zenobie@example.org"
WRONG = "a wrong password of hers"


@pytest.fixture
def streams(settings, monkeypatch):
    """Write the log of this test as text and as JSON, mail its faults, and count. Return the two streams."""
    settings.METRICS_TOKEN, settings.ADMIN_MAIL = TOKEN, "admin@example.org"
    start = Thread.start
    monkeypatch.setattr(Thread, "start", lambda self: self.run() if self.name == "fault mail" else start(self))
    root, streams, handlers = logging.getLogger(), (io.StringIO(), io.StringIO()), [FaultMails()]
    handlers[0].setLevel("ERROR")
    for stream, formatter in zip(streams, (HideCodes("{request_id} {message}", style="{"), JsonLines()), strict=True):
        handlers.append(logging.StreamHandler(stream))
        handlers[-1].setFormatter(formatter)
    for handler in handlers:
        root.addHandler(handler)
    monkeypatch.setattr(root, "level", logging.INFO)
    yield streams
    for handler in handlers:
        root.removeHandler(handler)


def add_her_again(*_given, **_more):
    """Fail as the database does: its message has the name of the account that is already there."""
    with transaction.atomic():
        User.objects.create(username=ACCOUNT)


def play_an_evening(monkeypatch):
    """Play it with wrong codes, a wrong password, a page and a job that fail. Return every name and secret of it."""
    tournament = make_tournament()
    director = make_director(tournament.club, ACCOUNT)
    EmailAddress.objects.create(user=director, email=ADDRESS, verified=True, primary=True)
    session = started_session(tournament)
    tables, links = tokens_of(session), ensure_links(session, now=timezone.now())
    token = make_api_token(director)
    visitor, hers = Client(), Client(raise_request_exception=False)
    for typed in (WRONG, PASSWORD):
        hers.post(reverse("login"), {"username": ADDRESS, "password": typed})
    for table in tables.values():
        visitor.get(f"/t/{table}/state/?device={DEVICE}")
        body = {"device": DEVICE, "commands": [command("call")]}
        visitor.post(f"/t/{table}/send/", body, content_type="application/json")
        visitor.get(f"/t/{table[::-1]}/")
    for link in links.values():
        visitor.get(f"/p/{link.token}/")
        visitor.get(f"/p/{link.token[::-1]}/")
    Client(headers={"authorization": f"Token {token}"}).get("/api/v1/sessions/")
    Client(headers={"authorization": f"Token {token[::-1]}"}).get("/api/v1/sessions/")
    with monkeypatch.context() as patch:
        patch.setattr(desk, "read_desk", add_her_again)
        assert hers.get(session_url("session", session)).status_code == 500
    enter_all(session, by=director)
    publish(session, by=director)
    visitor.get(session_url("ranking", session))
    with pytest.raises(IntegrityError, match=ACCOUNT):
        add_her_again()
    with monkeypatch.context() as patch:
        patch.setattr("jobs.tasks.computing.refresh", add_her_again)
        Background().run("jobs.tasks.compute_standings", session.pk)
    secrets = {*tables.values(), *(link.token for link in links.values()), token, site.SECRET_KEY, TOKEN}
    secrets |= {hers.cookies[site.SESSION_COOKIE_NAME].value, PASSWORD, WRONG, DEVICE, ACCOUNT, ADDRESS}
    names = {player.name for player in Player.objects.all()}
    assert len(names) > 10
    return secrets | {secret[::-1] for secret in secrets if len(secret) > 20} | names


def test_no_name_and_no_secret_is_told_to_whoever_watches(db, streams, monkeypatch):
    monkeypatch.setattr("tournaments.queue.connections.close_all", lambda: None)  # the test's own connection
    hidden = play_an_evening(monkeypatch)
    figures = Client(headers={"authorization": f"Bearer {TOKEN}"}).get("/metrics").content.decode()
    text, lines = (stream.getvalue() for stream in streams)
    mails = "\n".join(f"{sent.subject}\n{sent.body}" for sent in mail.outbox)
    assert text.count("Internal Server Error") == lines.count("Internal Server Error") == 1
    assert text.count("DETAIL: …") >= 2, "the database told the name"
    assert "Not Found: /t/…/" in text
    assert [sent.subject.partition(" at ")[0] for sent in mail.outbox] == ["Topage: IntegrityError"]
    assert "topage_requests_total" in figures
    for told in (text, lines, mails, figures):
        assert not [each for each in hidden if each in told]
