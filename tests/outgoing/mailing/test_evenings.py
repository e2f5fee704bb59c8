"""The letters of directors: who gets them, who does not, what is refused, and what the log says."""

import datetime as dt

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from outgoing.mailing import evenings
from outgoing.mailing.evenings import MailRefused, clean_text, find_audience
from outgoing.mailing.wishes import allow_evening_mails, stop_evening_mails
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration, walk_in, withdraw
from tests.factories import make_director
from tests.outgoing.mailing.evening import make_account, make_evening, sign_up, write
from tournaments.models import EveningMail, EveningMailRecipient, LogEntry

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def names(applicants):
    return [each.last_name for each in applicants]


def reached(session, kind):
    return sorted(each.last_name for group in find_audience(session, kind).reached.values() for each in group)


def test_only_accounts_with_a_confirmed_address_are_reached(session):
    sign_up(session, "Adam")
    sign_up(session, "Brun", confirmed=False)
    sign_up(session, "Clerc", user=False)
    stopped = sign_up(session, "Dubois").user
    stop_evening_mails(stopped.pk, now=timezone.now())
    found = find_audience(session, "news")
    assert reached(session, "news") == ["Adam"]
    assert (names(found.stopped), names(found.unreached)) == (["Dubois"], ["Brun", "Clerc"])
    allow_evening_mails(stopped.pk)
    assert reached(session, "news") == ["Adam", "Dubois"]


def test_closed_account_is_not_reached(session):
    user = sign_up(session, "Adam").user
    user.is_active = False
    user.save()
    assert reached(session, "news") == []


def test_account_that_signed_up_two_people_gets_one_letter(session):
    user = sign_up(session, "Adam").user
    sign_up(session, "Brun", user=user)
    mail = write(session)
    assert mail.recipients.count() == 1
    assert LogEntry.objects.filter(session=session, action="mail_news").get().params == {"count": 1}


def test_player_whom_a_director_has_chosen_is_reached_by_their_account(session):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max")])
    player.account = make_account("Petit")
    player.save()
    asked = NewApplicant("Petit", "Max")
    walk_in(session_id=session.pk, asked=asked, player=player, by=session.director, now=timezone.now())
    assert list(find_audience(session, "moved").reached) == [player.account_id]


def test_free_place_is_for_people_who_wait_and_who_moved_up():
    session = make_evening(places=1)
    for name in ("Adam", "Brun", "Clerc"):
        sign_up(session, name)
    assert reached(session, "free") == ["Brun", "Clerc"]
    assert reached(session, "reminder") == ["Adam"]
    assert reached(session, "cancelled") == ["Adam", "Brun", "Clerc"]
    withdraw(token=session.applicants.get(last_name="Adam").token, now=timezone.now())
    assert reached(session, "free") == ["Brun", "Clerc"]
    write(session, "free", "")
    assert reached(session, "free") == ["Clerc"], "Brun knows of the place"


def test_named_player_of_a_team_is_reached_after_agreeing():
    from evenings.sessions.setup import create_session, create_tournament
    from registration.people.teams import agree, register_team
    from tests.factories import DATE, make_club

    now = timezone.now()
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=now)
    session = create_session(tournament=tournament, date=DATE, positions=3)
    set_registration(accepts_at_once=True, session_id=session.pk, by=make_director(tournament.club), now=now)
    (player,) = add_players(club=tournament.club, lines=[RosterLine("Petit", "Max")])
    player.account = make_account("Petit")
    player.save()
    team = {"captain": NewApplicant("Brun", "Zoé"), "named": [NewApplicant("Petit", "Max")]}
    captain = register_team(session_id=session.pk, user=make_account("Brun"), now=now, **team)
    assert reached(session, "news") == ["Brun"]
    named = captain.named.get()
    agree(token=named.token, user=player.account, now=now, language="en")
    assert reached(session, "news") == ["Brun", "Petit"]
    named.refresh_from_db()
    assert named.language == "en"
    assert reached(session, "reminder") == [], "the team lacks a player, so it has no place"


@pytest.mark.nightly("story")
def test_same_form_makes_one_letter(session):
    sign_up(session, "Adam")
    assert write(session) == write(session)
    assert EveningMail.objects.count() == EveningMailRecipient.objects.count() == 1
    assert write(session, key="b" * 32) != write(session)


def test_same_form_with_other_words_makes_another_letter(session):
    sign_up(session, "Adam")
    written = {write(session).pk, write(session, text="Bonsoir").pk, write(session, "moved").pk}
    assert len(written) == EveningMail.objects.count() == 3


@pytest.mark.parametrize("key", ["", "short", "a\x00" + "b" * 30, "reminder:2026-11-27", "é" * 32, "a" * 41])
def test_form_without_a_key_of_the_preview_is_refused(session, key):
    sign_up(session, "Adam")
    assert refused(session, key=key) == ("mail_without_preview", "")


def refused(session, *args, **kwargs):
    before = EveningMail.objects.count()
    with pytest.raises(MailRefused) as refusal:
        write(session, *args, **kwargs)
    assert EveningMail.objects.count() == before
    return refusal.value.code, refusal.value.field


def test_letter_that_cannot_be_sent_is_refused(session, settings):
    assert refused(session) == ("mail_nobody", "")
    sign_up(session, "Adam")
    assert refused(session, text=" \n ") == ("mail_needs_text", "text")
    assert refused(session, text="x" * 2001) == ("mail_too_long", "text")
    with pytest.raises(ValueError, match="reminder"):
        write(session, "reminder")
    settings.MAIL = False
    assert refused(session) == ("mail_no_server", "")


def test_practice_evening_writes_to_nobody(session):
    sign_up(session, "Adam")
    session.tournament.club.practice_of = session.tournament.club.__class__.objects.create(name="Vrai", slug="vrai")
    session.tournament.club.save()
    assert refused(session) == ("mail_of_practice", "")


def test_cancelled_evening_has_one_kind_of_letter(session):
    sign_up(session, "Adam")
    session.put_away_at = timezone.now()
    session.save()
    assert refused(session, "moved") == ("mail_session_cancelled", "kind")
    assert write(session, "cancelled", "").kind == "cancelled"


@pytest.mark.nightly("story")
def test_letters_are_limited_for_a_session_and_a_director(session, monkeypatch):
    monkeypatch.setattr(evenings, "MOST_OF_SESSION", 2)
    monkeypatch.setattr(evenings, "MOST_OF_DIRECTOR", 3)
    now = timezone.now()
    sign_up(session, "Adam")
    for key in "ab":
        write(session, key=key * 32, now=now)
    assert refused(session, key="z" * 32) == ("mails_of_session", "")
    other = make_director(session.tournament.club, "autre")
    assert refused(session, key="z" * 32, by=other) == ("mails_of_session", "")
    next_day = now + dt.timedelta(days=1, seconds=1)
    write(session, key="c" * 32, now=next_day)
    monkeypatch.setattr(evenings, "MOST_OF_SESSION", 9)
    for key in "de":
        write(session, key=key * 32, now=next_day)
    assert refused(session, key="z" * 32, now=next_day) == ("mails_of_director", "")
    assert write(session, key="f" * 32, by=other, now=next_day)


def test_text_keeps_its_lines_and_loses_control_characters():
    assert clean_text("\r\n Salut \x00\u202e!\r\nBcc: x@example.org\r\n\n") == "Salut !\nBcc: x@example.org"


def test_queries_do_not_grow_with_the_people(session, django_assert_num_queries):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    with django_assert_num_queries(4):
        find_audience(session, "news")
    for name in ("Clerc", "Dubois", "Evrard"):
        sign_up(session, name)
    with django_assert_num_queries(4):
        find_audience(session, "news")


def test_language_of_the_pages_is_kept(session):
    registered = register(session_id=session.pk, asked=NewApplicant("Adam"), now=timezone.now(), language="en")
    assert registered.language == "en"
