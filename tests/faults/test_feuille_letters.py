"""A feuille by mail, tested from end to end.

A worker sends it over SMTP to a real server, and a link in it ends the mails.
"""

import threading
import time
from email import message_from_bytes, policy
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from tests.factories import enter_all, make_director, make_user, publish, started_session
from tests.services.waiting import wait_until
from tournaments.mailing.wishes import want_feuilles
from tournaments.models import FeuilleMail, SentFeuille
from tournaments.plays.entering import annul_play

SITE = "https://tarot.example.org"
ADDRESS = "zoe@example.org"


class Receiver(StreamRequestHandler):
    """A conversation by SMTP (RFC 5321), with the commands that Python's client uses."""

    def handle(self) -> None:
        self.say("220 mail.example.org")
        sender, to = "", []
        while line := self.rfile.readline().decode().strip():
            verb = line.partition(" ")[0].upper()
            if verb == "MAIL":
                sender, to = line.partition(":")[2], []
            elif verb == "RCPT":
                to.append(line.partition(":")[2].strip("<> "))
            elif verb == "DATA":
                self.say("354 go on")
                self.server.letters.append((sender, to, message_from_bytes(self.read_data(), policy=policy.default)))
            elif verb == "QUIT":
                self.say("221 bye")
                return
            self.say("250 OK")

    def read_data(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        time.sleep(self.server.slow_seconds)
        return b"".join(lines)

    def say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\r\n".encode())


@pytest.fixture
def post_office(settings):
    """Start a mail server. Its `letters` are those that it has accepted: sender, addresses, message.

    It takes `slow_seconds` for each.
    """
    with ThreadingTCPServer(("127.0.0.1", 0), Receiver) as server:
        server.daemon_threads, server.letters, server.slow_seconds = True, [], 0.0
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        # This process checks the same settings, before it sends any mail.
        settings.MAIL, settings.SITE_URL = True, SITE
        yield server
        server.shutdown()
        thread.join()


def start_post(start_worker, post_office, **how):
    host, port = post_office.server_address
    return start_worker(
        EMAIL_HOST=host,
        EMAIL_PORT=str(port),
        EMAIL_SECURITY="none",
        EMAIL_FROM="tarot@example.org",
        SITE_URL=SITE,
        **how,
    )


@pytest.fixture
def session(transactional_db):
    session = started_session()
    session.director = make_director(session.tournament.club)
    enter_all(session, by=session.director)
    player = session.entrants.get(player__last_name="Nom007").player
    player.account = make_user("zoe")
    player.save()
    EmailAddress.objects.create(user=player.account, email=ADDRESS, verified=True, primary=True)
    want_feuilles(player.account, now=timezone.now())
    return session


def test_letter_is_sent_by_a_worker_and_ended_by_one_click_in_it(start_worker, post_office, session, live_server):
    start_post(start_worker, post_office)
    publish(session, by=session.director)
    wait_until(lambda: SentFeuille.objects.exists(), what="the feuille")
    ((_sender, to, letter),) = post_office.letters
    text = letter.get_content()
    assert (to, letter["To"], letter["From"]) == ([ADDRESS], ADDRESS, "tarot@example.org")
    assert "Zoé Nom007" in text
    assert text.count("Étui ") == 5
    end = letter["List-Unsubscribe"].strip(" <>")  # a long header is folded
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert end in text
    assert f"{SITE}/clubs/club/" in text

    click = live_server.url + urlsplit(end).path
    with urlopen(click) as looked:
        assert looked.status == 200
    assert FeuilleMail.objects.exists(), "programs that look at links end nothing"
    with urlopen(click, urlencode({"List-Unsubscribe": "One-Click"}).encode()) as answer:
        assert answer.status == 200
    assert not FeuilleMail.objects.exists()

    annul_play(play_id=session.plays.first().pk, reason="x", by=session.director, now=timezone.now())
    publish(session, by=session.director)
    worker = start_post(start_worker, post_office)
    worker.wait_until_at_rest()
    assert (SentFeuille.objects.count(), len(post_office.letters)) == (1, 1)


def test_letter_that_no_server_took_is_sent_by_the_sweep(start_worker, post_office, session):
    silent = start_worker(EMAIL_HOST="127.0.0.1", EMAIL_PORT="1", EMAIL_SECURITY="none", SITE_URL=SITE)
    publish(session, by=session.director)
    wait_until(lambda: "is not sent: the sweep tries again" in silent.log(), what="the letter to fail")
    silent.stop()
    assert not SentFeuille.objects.exists()
    start_post(start_worker, post_office, sweep_seconds=1)
    wait_until(lambda: post_office.letters and SentFeuille.objects.exists(), what="the sweep")
    assert [to for _sender, to, _letter in post_office.letters] == [[ADDRESS]]
