"""A feuille by mail, tested from end to end.

A worker sends it over SMTP to a real server, and a link in it ends the mails.
"""

from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.utils import timezone

from evenings.plays.entering import annul_play
from outgoing.mailing.wishes import want_feuilles
from tests.factories import enter_all, make_director, make_user, publish, started_session
from tests.services.mail_server import serve_mails
from tests.services.waiting import wait_until
from tournaments.models import FeuilleMail, SentFeuille
from tournaments.queue import MAIL_WORKER

pytestmark = pytest.mark.nightly("process")

SITE = "https://tarot.example.org"
ADDRESS = "zoe@example.org"


@pytest.fixture
def post_office(settings):
    """Start a mail server for the site."""
    with serve_mails() as server:
        # This process checks the same settings, before it sends any mail.
        settings.MAIL, settings.SITE_URL = True, SITE
        yield server


def start_post(start_worker, post_office, **how):
    return start_worker(**post_office.settings, SITE_URL=SITE, **how)


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
    ((_sender, to, letter),) = post_office.accepted
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
    assert (SentFeuille.objects.count(), len(post_office.accepted)) == (1, 1)


def test_letter_that_no_server_took_is_sent_by_the_sweep(start_worker, post_office, session):
    silent = start_worker(EMAIL_HOST="127.0.0.1", EMAIL_PORT="1", EMAIL_SECURITY="none", SITE_URL=SITE)
    publish(session, by=session.director)
    wait_until(lambda: "is not sent: the sweep tries again" in silent.log(), what="the letter to fail")
    silent.stop()
    assert not SentFeuille.objects.exists()
    start_post(start_worker, post_office, sweep_seconds=1)
    wait_until(lambda: post_office.accepted and SentFeuille.objects.exists(), what="the sweep")
    assert [to for _sender, to, _letter in post_office.accepted] == [[ADDRESS]]


def test_slow_mail_server_keeps_nothing_but_mails_waiting(start_worker, redis_server, post_office, session):
    """Check it with a server that takes two seconds for each reply, and two letters."""
    player = session.entrants.get(player__last_name="Nom008").player
    player.account = make_user("bob")
    player.save()
    EmailAddress.objects.create(user=player.account, email="bob@example.org", verified=True, primary=True)
    want_feuilles(player.account, now=timezone.now())
    post_office.reply_seconds = 2
    mailer = start_post(start_worker, post_office, queues="mails", sweep_seconds=1)
    keeper = start_worker(queues="standings,rest,searches,bots", SITE_URL=SITE, **post_office.settings)
    wait_until(lambda: cache.get(MAIL_WORKER), what="the worker of mails")
    publish(session, by=session.director)
    wait_until(lambda: post_office.met, what="the first letter")
    swept = keeper.jobs("jobs.tasks.sweep_publications")
    wait_until(lambda: keeper.jobs("jobs.tasks.sweep_publications") > swept + 3, what="sweeps")
    assert (keeper.jobs("jobs.tasks.mail_feuilles"), post_office.accepted) == (0, [])
    post_office.reply_seconds = 0
    wait_until(lambda: SentFeuille.objects.count() == 2, what="both letters")
    for worker in (mailer, keeper):  # a beat queues jobs without end, and neither worker takes those of the other
        worker.kill()
