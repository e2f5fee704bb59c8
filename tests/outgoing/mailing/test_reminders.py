"""The reminders of the day before: off by default, by the clock of the club, once for each date."""

import contextlib
import datetime as dt
import zoneinfo

import pytest
from django.core import mail
from django.db import DatabaseError
from django.utils import timezone

from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session
from outgoing.mailing import evenings
from outgoing.mailing.evenings import MailRefused, make_reminders
from outgoing.mailing.letters import send_evening_mail
from registration.people.registration import set_registration
from tests.outgoing.mailing.evening import make_evening, sign_up, write
from tournaments.models import EveningMail, LogEntry, Registration, Session

pytestmark = pytest.mark.django_db
PARIS = zoneinfo.ZoneInfo("Europe/Paris")


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def session():
    session = make_evening(reminds=True, places=1)
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    return session


def day_before(session, hour=12, days=1):
    day = session.date - dt.timedelta(days=days)
    return dt.datetime.combine(day, dt.time(hour), PARIS)


def remind(now):
    return sum(send_evening_mail(pk, now=now) for pk in make_reminders(now))


def test_people_with_a_place_are_reminded_once(session):
    now = day_before(session)
    assert [remind(now), remind(now + dt.timedelta(hours=1))] == [1, 0]
    assert mail.outbox[0].to == ["adam@example.org"]
    assert mail.outbox[0].subject.startswith("Demain :")
    (line,) = LogEntry.objects.filter(session=session, action="mail_reminder")
    assert (line.params, line.author) == ({"count": 1}, None)


def test_reminder_is_off_by_default():
    session = make_evening()
    sign_up(session, "Adam")
    assert not session.registration.reminds
    assert remind(day_before(session)) == 0


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("hour", "days", "sent"), [(9, 1, 0), (10, 1, 1), (19, 1, 1), (20, 1, 0), (12, 2, 0), (12, 0, 0)]
)
def test_reminder_leaves_by_day_on_the_day_before(session, hour, days, sent):
    assert remind(day_before(session, hour, days)) == sent


def test_club_far_away_is_reminded_by_its_own_clock(session):
    session.tournament.club.time_zone = "Pacific/Noumea"
    session.tournament.club.save()
    assert remind(day_before(session)) == 0, "there it is night"
    assert remind(day_before(session, 2)) == 1


@pytest.mark.parametrize("change", ["cancelled", "put_away", "tournament", "moved", "started", "practice"])
def test_evening_that_changed_before_is_not_reminded_of(session, change):
    now = day_before(session)
    if change == "cancelled":
        write(session, "cancelled", "", now=now - dt.timedelta(hours=1))
    elif change == "put_away":
        Session.objects.update(put_away_at=now)
    elif change == "tournament":
        session.tournament.put_away_at = now
        session.tournament.save()
    elif change == "moved":
        Session.objects.update(date=session.date + dt.timedelta(days=7))
    elif change == "started":
        start_session(session_id=session.pk, now=now)
    else:
        club = session.tournament.club
        club.practice_of = club.__class__.objects.create(name="Vrai", slug="vrai")
        club.save()
    assert make_reminders(now) == []


@pytest.mark.parametrize("change", ["cancelled", "put_away", "moved"])
def test_evening_that_changes_while_it_is_sent_is_not_reminded_of(session, change):
    now = day_before(session)
    (pk,) = make_reminders(now)
    if change == "cancelled":
        write(session, "cancelled", "", now=now)
    elif change == "put_away":
        Session.objects.update(put_away_at=now)
    else:
        Session.objects.update(date=session.date + dt.timedelta(days=7))
    assert send_evening_mail(pk, now=now) == 0


@pytest.mark.parametrize("hours", [8, 12, 14, 24], ids=["in_the_night", "at_dawn", "on_the_day", "a_day_late"])
def test_reminder_that_was_kept_waiting_is_not_sent(session, hours):
    now = day_before(session, 19)
    (pk,) = make_reminders(now)
    assert send_evening_mail(pk, now=now + dt.timedelta(hours=hours)) == 0
    assert mail.outbox == []


def test_evening_that_moved_is_reminded_of_again_on_its_new_day(session):
    remind(day_before(session))
    Session.objects.update(date=session.date + dt.timedelta(days=7))
    session.refresh_from_db()
    assert remind(day_before(session)) == 1
    assert EveningMail.objects.filter(kind="reminder").count() == 2


def test_evening_that_was_cancelled_and_moved_is_reminded_of(session):
    now = day_before(session)
    write(session, "cancelled", "", now=now - dt.timedelta(hours=1))
    Session.objects.update(date=session.date + dt.timedelta(days=7))
    session.refresh_from_db()
    assert remind(day_before(session)) == 1


def test_sweep_leaves_a_cancelled_evening_alone(session):
    now = day_before(session)
    write(session, "cancelled", "", now=now - dt.timedelta(hours=1))
    before = Session.objects.get().revision
    make_reminders(now)
    assert Session.objects.get().revision == before


def test_form_never_takes_the_key_of_the_reminder(session):
    now = day_before(session)
    with contextlib.suppress(MailRefused):
        write(session, key=f"reminder:{session.date}", now=now)
    assert remind(now) == 1


def test_evening_that_fails_keeps_nobody_elses_reminder_back(session, monkeypatch, caplog):
    other = create_session(tournament=session.tournament, date=session.date, positions=3)
    set_registration(accepts_at_once=True, session_id=other.pk, by=session.director, now=timezone.now(), reminds=True)
    really = evenings.find_audience

    def fail_for_one(each, kind):
        if each.pk == session.pk:
            raise DatabaseError("refused")
        return really(each, kind)

    monkeypatch.setattr(evenings, "find_audience", fail_for_one)
    (pk,) = make_reminders(day_before(session))
    assert EveningMail.objects.get(pk=pk).session_id == other.pk
    assert f"the reminder of session {session.pk} cannot be made" in caplog.text


def test_evening_without_anybody_to_remind_is_looked_at_once():
    session = make_evening(reminds=True)
    now = day_before(session)
    (pk,) = make_reminders(now)
    assert send_evening_mail(pk, now=now) == 0
    assert EveningMail.objects.get(pk=pk).ended_at == now
    assert not LogEntry.objects.filter(action="mail_reminder").exists()


def test_site_without_mail_reminds_nobody(session, settings):
    settings.MAIL = False
    assert make_reminders(day_before(session)) == []


@pytest.mark.nightly("story")
def test_reminders_do_not_count_as_letters_of_a_director(session):
    now = day_before(session)
    remind(now)
    assert Registration.objects.get(session=session).reminds
    for key in "abcd":
        write(session, key=key * 32, now=now)
    assert timezone.is_aware(now)
