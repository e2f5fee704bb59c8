"""The page on which directors write to the people who signed up: preview, names without addresses, progress."""

import pytest
from django.core import mail
from django.utils import timezone

from outgoing.mailing.wishes import stop_evening_mails
from pages.doors import session_url
from tests.outgoing.mailing.evening import make_evening, sign_up, write
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import EveningMail, EveningMailRecipient, Session

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def session():
    session = make_evening(places=2)
    for name in ("Adam", "Brun", "Clerc"):
        sign_up(session, name)
    return session


@pytest.fixture
def director(session):
    return browser_of(session.director)


def address(session):
    return session_url("evening_mails", session)


def test_preview_names_the_people_and_shows_no_address(session, director):
    sign_up(session, "Dubois", user=False)
    stop_evening_mails(session.applicants.get(last_name="Brun").user_id, now=timezone.now())
    page = director.post(address(session), {"kind": "moved", "text": "La salle est fermée.", "do": "preview"})
    text = words(page)
    assert "New date: Duplicate d’été" in text or "Nouvelle date" in text
    assert "La salle est fermée." in text
    assert "Send 2 e-mails" in text
    assert "2 people get it Adam Max · Clerc Max" in text
    assert "1 person has no account with a confirmed address: call or write yourself Dubois Max" in text
    assert "1 person wants no e-mails about evenings: call or write yourself Brun Max" in text
    assert "@" not in text.replace("@media", "")
    assert not EveningMail.objects.exists()
    assert mail.outbox == []


def test_preview_of_a_free_place_has_a_sentence_for_each_applicant_of_an_account(session, director):
    dora = sign_up(session, "Dora")
    sign_up(session, "Dubois", user=dora.user)
    session.applicants.exclude(last_name__in=["Dora", "Dubois"]).update(withdrawn_at=timezone.now())
    session.applicants.filter(last_name="Dora").update(moved_up_at=timezone.now())
    session.registration.places = 1
    session.registration.save()
    text = words(director.post(address(session), {"kind": "free", "text": "", "do": "preview"}))
    assert "Max Dora, Max Dubois," not in text
    assert text.index("Max Dora,") < text.index("Max Dubois,")
    assert dora.token not in text


def send(session, director, **fields):
    given = {"kind": "news", "text": "Bonjour", "do": "send", "once": "k" * 32} | fields
    return director.post(address(session), given, follow=True)


def test_sending_shows_how_far_it_is(session, director, django_capture_on_commit_callbacks):
    text = words(send(session, director))
    assert "The e-mail is on its way." in text
    assert "0 of 3" in text
    page = director.get(address(session))
    assert 'hx-trigger="load delay:2s"' in page.content.decode()
    part = director.get(address(session), headers={"hx-request": "true"}).content.decode()
    assert "<html" not in part
    EveningMailRecipient.objects.filter(applicant__last_name="Adam").update(outcome="sent")
    EveningMailRecipient.objects.filter(applicant__last_name="Brun").update(outcome="refused")
    EveningMailRecipient.objects.filter(applicant__last_name="Clerc").update(outcome="left_out")
    EveningMail.objects.update(ended_at=timezone.now())
    page = director.get(address(session))
    assert "1 of 3 sent Refused by the e-mail server: Brun Max" in words(page)
    assert "no longer needed or wanted: Clerc Max" in words(page)
    assert "hx-trigger" not in page.content.decode().split('id="sent"')[1]


def test_form_sent_twice_sends_once(session, director):
    send(session, director)
    send(session, director)
    assert EveningMail.objects.count() == 1


def test_refused_letter_keeps_what_was_typed(session, director):
    page = director.post(address(session), {"kind": "news", "text": " ", "do": "send", "once": "k" * 32})
    assert page.status_code == 409
    assert "Write what you want to tell them." in words(page)
    page = director.post(address(session), {"kind": "moved", "text": "x" * 2001, "do": "preview"})
    assert "x" * 2001 in page.content.decode()
    page = director.post(address(session), {"text": "Bonjour à tous", "do": "preview"})
    assert "Bonjour à tous" in page.content.decode()
    assert not EveningMail.objects.exists()


@pytest.mark.nightly("story")
@pytest.mark.parametrize("once", ["", "a\x00b", "reminder:2026-11-27"])
def test_form_that_comes_from_no_preview_is_refused_and_kept(session, director, once):
    page = send(session, director, once=once)
    assert page.status_code == 409
    assert "Look at the preview of the e-mail first" in words(page)
    assert "Bonjour" in page.content.decode()
    assert not EveningMail.objects.exists()


def test_cancelled_evening_offers_one_kind(session, director):
    Session.objects.filter(pk=session.pk).update(put_away_at=timezone.now())
    text = words(director.get(address(session)))
    assert "The session is cancelled" in text
    assert "takes place at another time" not in text


@pytest.mark.nightly("story")
def test_site_without_mail_says_why(session, director, settings):
    settings.MAIL = False
    reason = "This site sends no e-mail: its administrator has set no e-mail server."
    page = words(director.get(address(session)))
    assert reason in page
    assert "Preview the e-mail" not in page
    registration = words(director.get(session_url("registration", session)))
    assert reason in registration
    assert "reminder by e-mail" not in registration.lower()


def test_registration_leads_to_the_page_and_sets_the_reminder(session, director):
    registration = director.get(session_url("registration", session))
    assert address(session) in registration.content.decode()
    given = {"action": "settings", "is_open": "on", "way": "word", "places": "2", "reminds": "on"}
    assert director.post(session_url("registration", session), given).status_code == 302
    session.registration.refresh_from_db()
    assert session.registration.reminds


@pytest.mark.nightly("story")
def test_page_costs_the_same_for_many_people(session, director, django_assert_max_num_queries):
    write(session)
    with django_assert_max_num_queries(14):
        director.get(address(session))
    for name in ("Evrard", "Faure", "Girard"):
        sign_up(session, name)
    write(session, key="b" * 32)
    with django_assert_max_num_queries(14):
        director.get(address(session))
