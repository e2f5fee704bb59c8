"""The feuilles de route by mail: who gets them, once for each version, ended by one click, and failures of the mail."""

import datetime as dt
import smtplib

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from evenings.plays.entering import annul_play
from jobs import tasks
from outgoing.mailing import feuilles
from outgoing.mailing.feuilles import TRIED_FOR, find_unsent, send_feuilles
from outgoing.mailing.wishes import want_feuilles
from rankings.publication.publishing import SESSIONS, switch_parts
from tests.factories import enter_all, make_director, make_user, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import FeuilleMail, SentFeuille
from tournaments.published import Shows
from tournaments.queue import FEUILLES
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
ADDRESS = "zoe@example.org"


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def session():
    session = started_session()
    session.director = make_director(session.tournament.club)
    enter_all(session, by=session.director)
    return session


def player_with_account(session, last="Nom007", *, confirmed=True):
    user = make_user(last.lower())
    EmailAddress.objects.create(user=user, email=f"{last.lower()}@example.org", verified=confirmed, primary=True)
    player = session.entrants.get(player__last_name=last).player
    player.account = user
    player.save()
    return user, player


def send(session):
    return send_feuilles(session.pk, now=timezone.now())


@pytest.mark.nightly("story")
def test_who_asks_is_sent_each_version_once(session):
    user, player = player_with_account(session)
    player_with_account(session, "Nom008")
    assert want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    assert [send(session), send(session)] == [1, 0]
    (letter,) = mail.outbox
    assert letter.to == ["nom007@example.org"]
    assert player.name in letter.body
    assert "Zoé Nom008" not in letter.body
    assert letter.body.count("Étui ") == 5
    assert 0 < letter.body.index("alterné") < letter.body.index("général"), "the rank of the reference comes first"
    assert "https://tarot.example.org/clubs/club/" in letter.body
    annul_play(play_id=session.plays.first().pk, reason="x", by=session.director, now=timezone.now())
    publish(session, by=session.director)
    assert [send(session), send(session)] == [1, 0]
    assert SentFeuille.objects.count() == 2


@pytest.mark.nightly("story")
def test_nobody_is_written_to_without_a_word_or_a_confirmed_address(session):
    player_with_account(session)
    user, _player = player_with_account(session, "Nom008", confirmed=False)
    assert not want_feuilles(user, now=timezone.now())
    assert not FeuilleMail.objects.exists()
    publish(session, by=session.director)
    assert send(session) == 0
    assert mail.outbox == []


@pytest.mark.nightly("story")
def test_address_that_is_confirmed_no_more_gets_nothing(session):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    EmailAddress.objects.update(verified=False)
    assert send(session) == 0


def test_one_click_ends_it(session):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    send(session)
    headers = mail.outbox[0].extra_headers
    end = headers["List-Unsubscribe"].strip("<>").removeprefix("https://tarot.example.org")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert end in mail.outbox[0].body
    reader = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    assert "Stop sending it" in words(reader.get(end)), "reading alone, as programs of mail do, ends nothing"
    assert FeuilleMail.objects.exists()
    assert reader.post(end, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not FeuilleMail.objects.exists()
    assert "You will receive no more feuilles de route." in words(reader.get(end))
    assert reader.post(end).status_code == 200
    assert Client().get(reverse("feuilles_end", args=["x" * 43])).status_code == 200


@pytest.mark.nightly("story")
@pytest.mark.parametrize("hidden", ["feuilles", "withdrawn"])
def test_what_readers_do_not_see_is_not_sent(session, hidden):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    word = DirectorWord(session.director, timezone.now(), "x")
    if hidden == "feuilles":
        switch_parts(session_id=session.pk, shows=Shows(feuilles=False), word=word)
    else:
        SESSIONS.withdraw(session.pk, word=word)
    assert send(session) == 0


@pytest.mark.nightly("crawl")
def test_hidden_players_stand_in_a_letter_as_in_public(session):
    user, player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    choose_shown(player=player, shown=Visibility.HIDDEN, way=Way.ACCOUNT, by=user, now=timezone.now())
    publish(session, by=session.director)
    assert send(session) == 1
    assert "Nom007" not in mail.outbox[0].body


def test_mail_that_fails_keeps_nothing_and_is_tried_again(session, monkeypatch):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.EmailMessage.send", fail)
        assert send(session) == 0
        tasks.keep_careers(session.pk)
    assert session.publications.count() == 1
    assert SentFeuille.objects.count() == 0
    assert find_unsent(timezone.now()) == [session.pk]
    assert send(session) == 1
    assert find_unsent(timezone.now()) == []


def fail(_message, **_more):
    raise ConnectionRefusedError("no mail server")


@pytest.mark.nightly("process")
@pytest.mark.django_db(transaction=True)
def test_no_transaction_waits_for_the_mail_server(session, monkeypatch):
    want_feuilles(player_with_account(session)[0], now=timezone.now())
    publish(session, by=session.director)
    within = []
    monkeypatch.setattr(EmailMessage, "send", lambda _message: within.append(connection.in_atomic_block))
    SentFeuille.objects.all().delete()
    send(session)
    assert within == [False]


def test_two_jobs_send_a_letter_once(session, monkeypatch):
    want_feuilles(player_with_account(session)[0], now=timezone.now())
    publish(session, by=session.director)
    others = []
    really = EmailMessage.send

    def send_beside(message, **more):
        others.append(send(session))
        return really(message, **more)

    monkeypatch.setattr(EmailMessage, "send", send_beside)
    assert send(session) == 1
    assert others == [0]
    assert len(mail.outbox) == 1


def test_letter_of_a_job_that_died_leaves_again_as_the_same_mail(session, monkeypatch):
    want_feuilles(player_with_account(session)[0], now=timezone.now())
    publish(session, by=session.director)
    with monkeypatch.context() as patch:
        patch.setattr(QuerySet, "bulk_create", die)
        with pytest.raises(SystemExit):
            send(session)
    assert SentFeuille.objects.count() == 0
    assert send(session) == 1
    ids = {each.extra_headers["Message-ID"] for each in mail.outbox}
    assert (len(mail.outbox), len(ids)) == (2, 1)


def die(*_given, **_more):
    raise SystemExit


@pytest.mark.nightly("process")
@pytest.mark.parametrize(
    ("error", "tried_again"),
    [
        (smtplib.SMTPRecipientsRefused({"nom007@example.org": (550, b"no such mailbox")}), 0),
        (smtplib.SMTPDataError(554, b"no"), 0),
        (smtplib.SMTPRecipientsRefused({"nom007@example.org": (450, b"later")}), 1),
        (smtplib.SMTPDataError(451, b"later"), 1),
    ],
    ids=["address", "text", "address_for_now", "text_for_now"],
)
def test_address_that_the_server_refuses_keeps_nobody_elses_back(session, monkeypatch, error, tried_again):
    for last in ("Nom007", "Nom008"):
        want_feuilles(player_with_account(session, last)[0], now=timezone.now())
    publish(session, by=session.director)
    really = EmailMessage.send

    def refuse_first(message, **more):
        if message.to == ["nom007@example.org"]:
            raise error
        return really(message, **more)

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", refuse_first)
        assert send(session) == 1
    assert [letter.to for letter in mail.outbox] == [["nom008@example.org"]]
    assert len(find_unsent(timezone.now())) == tried_again
    assert send(session) == tried_again


def test_version_with_the_same_figures_is_not_sent_again(session):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    assert send(session) == 1
    SESSIONS.make_official(session.pk, word=DirectorWord(session.director, timezone.now()))
    assert session.publications.count() == 2
    assert find_unsent(timezone.now()) == []
    assert send(session) == 0


@pytest.mark.nightly("story")
def test_old_news_is_not_sent(session):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    later = timezone.now() + TRIED_FOR + dt.timedelta(minutes=1)
    assert send_feuilles(session.pk, now=later) == 0
    assert find_unsent(later) == []


def test_what_was_published_before_somebody_asked_is_not_sent(session):
    user, _player = player_with_account(session)
    publish(session, by=session.director)
    want_feuilles(user, now=timezone.now())
    assert find_unsent(timezone.now()) == []
    assert send(session) == 0


@pytest.mark.nightly("story")
def test_site_without_mail_offers_and_sends_nothing(session, settings):
    user, _player = player_with_account(session)
    want_feuilles(user, now=timezone.now())
    publish(session, by=session.director)
    settings.MAIL = False
    assert feuilles.find_unsent(timezone.now()) == []
    assert send(session) == 0
    assert "My feuille de route by e-mail" not in words(browser_of(user).get(reverse("account")))


def test_account_asks_and_ends_on_its_page(session):
    user, _player = player_with_account(session)
    browser = browser_of(user)
    assert "My e-mails" in words(browser.get(reverse("account")))
    page = reverse("account_feuilles")
    assert "Send it to nom007@example.org" in words(browser.get(page))
    browser.post(page, {"do": "want"})
    browser.post(page, {"do": "want"})
    assert FeuilleMail.objects.get().user == user
    assert "It is sent to nom007@example.org" in words(browser.get(page))
    browser.post(page, {"do": "end"})
    assert not FeuilleMail.objects.exists()


def test_slow_server_gets_the_feuilles_in_rounds_of_some_seconds(session, short_rounds):
    for last in ("Nom007", "Nom008"):
        want_feuilles(player_with_account(session, last)[0], now=timezone.now())
    publish(session, by=session.director)
    assert [send(session), send(session), send(session)] == [1, 1, 0]
    assert short_rounds == [(session.pk, FEUILLES)] * 2
