"""The mails to players whom a captain has named: to whom they go, once, in the club's language, and failures."""

import smtplib

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubSettings
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session, create_tournament
from jobs import tasks
from outgoing.mailing import invitations
from outgoing.mailing.invitations import FRESH, find_sessions_to_invite, send_invitations
from registration.people.applicants import NewApplicant
from registration.people.registration import set_registration, withdraw
from registration.people.teams import agree, name_player, register_team
from tests.factories import DATE, make_club, make_director, make_user
from tournaments.models import Applicant
from tournaments.queue import INVITE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def session():
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    session = create_session(tournament=tournament, date=DATE, positions=3)
    set_registration(accepts_at_once=True, session_id=session.pk, by=make_director(tournament.club), now=timezone.now())
    return session


def account_of(session, last, *, confirmed=True, club=None):
    (player,) = add_players(club=club or session.tournament.club, lines=[RosterLine(last, "Max")])
    user = make_user(f"{last}{player.pk}".lower())
    EmailAddress.objects.create(user=user, email=f"{last.lower()}@example.org", verified=confirmed, primary=True)
    player.account = user
    player.save()
    return user


def sign_up(session, *named):
    people = [NewApplicant(last, "Max") for last in named]
    return register_team(session_id=session.pk, captain=NewApplicant("Brun", "Zoé"), named=people, now=timezone.now())


def send(session):
    return send_invitations(session.pk, now=timezone.now())


@pytest.mark.parametrize(
    ("language", "subject"), [("fr", "Jouez-vous dans cette équipe"), ("en", "Do you play in this team?")]
)
def test_named_player_with_an_account_gets_one_mail_in_the_clubs_language(session, language, subject):
    ClubSettings.objects.update_or_create(club=session.tournament.club, defaults={"language": language})
    account_of(session, "Petit")
    add_players(club=session.tournament.club, lines=[RosterLine("Brun", "Zoé")])
    captain = sign_up(session, "Petit", "Adam")
    assert [send(session), send(session)] == [1, 0]
    (letter,) = mail.outbox
    assert letter.to == ["petit@example.org"]
    assert letter.subject.startswith(subject)
    assert "Zoé Brun" in letter.body
    assert f"https://tarot.example.org{reverse('registered', args=[captain.named.get(last_name='Petit').token])}" in (
        letter.body
    )
    assert captain.token not in letter.body


def test_nobody_is_written_to_without_a_confirmed_address_in_this_club(session):
    account_of(session, "Petit", confirmed=False)
    account_of(session, "Adam", club=make_club("autre"))
    sign_up(session, "Petit", "Adam")
    assert send(session) == 0
    assert mail.outbox == []


def test_namesakes_with_two_accounts_get_nothing(session):
    lines = [RosterLine("Petit", "Max", licence) for licence in ("11", "99")]
    for player in add_players(club=session.tournament.club, lines=lines):
        player.account = make_user(f"max{player.licence}")
        player.save()
        address = f"{player.licence}@example.org"
        EmailAddress.objects.create(user=player.account, email=address, verified=True, primary=True)
    sign_up(session, "Petit")
    assert send(session) == 0


def test_player_who_is_named_again_and_again_gets_one_mail(session):
    account_of(session, "Petit")
    captain = sign_up(session, "Petit")
    assert send(session) == 1
    withdraw(token=captain.named.get().token, now=timezone.now())
    name_player(token=captain.token, asked=NewApplicant("Petit", "Max"), now=timezone.now())
    assert send(session) == 0


def test_player_who_has_answered_gets_no_mail(session):
    account_of(session, "Petit")
    agree(token=sign_up(session, "Petit").named.get().token, now=timezone.now())
    assert send(session) == 0


@pytest.mark.parametrize("error", [smtplib.SMTPServerDisconnected(), smtplib.SMTPDataError(451, b"later")], ids=str)
def test_invitation_that_meets_a_failing_mail_server_is_tried_for_a_day(session, monkeypatch, caplog, error):
    account_of(session, "Petit")
    sign_up(session, "Petit")

    def fail(self):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", fail)
        assert send(session) == 0
    assert "is not sent yet" in caplog.text
    assert Applicant.objects.get(last_name="Petit").invited_at is None
    now = timezone.now()
    assert find_sessions_to_invite(now) == [session.pk]
    assert find_sessions_to_invite(now + FRESH) == []
    tasks.sweep_publications()
    assert [letter.to for letter in mail.outbox] == [["petit@example.org"]]
    assert find_sessions_to_invite(now) == []


def test_invitation_that_the_server_refuses_for_ever_counts_as_sent(session, monkeypatch):
    account_of(session, "Petit")
    account_of(session, "Adam")
    sign_up(session, "Petit", "Adam")
    really = EmailMessage.send

    def refuse_first(message, **more):
        if message.to == ["petit@example.org"]:
            raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such mailbox")})
        return really(message, **more)

    monkeypatch.setattr(EmailMessage, "send", refuse_first)
    assert [send(session), send(session)] == [1, 0]
    assert find_sessions_to_invite(timezone.now()) == []


def test_sweep_leaves_named_players_without_an_account_alone_for_an_hour(session):
    sign_up(session, "Petit")
    assert find_sessions_to_invite(timezone.now()) == [session.pk]
    assert send(session) == 0
    assert find_sessions_to_invite(timezone.now()) == []
    register_team(
        session_id=session.pk,
        captain=NewApplicant("Vert"),
        named=[NewApplicant("Noir", "Max")],
        now=timezone.now(),
    )
    assert find_sessions_to_invite(timezone.now()) == [session.pk]


def test_slow_server_gets_the_invitations_in_rounds_of_some_seconds(session, short_rounds):
    account_of(session, "Petit")
    account_of(session, "Adam")
    sign_up(session, "Petit", "Adam")
    assert [send(session), send(session), send(session)] == [1, 1, 0]
    assert short_rounds == [(session.pk, INVITE)] * 2


def test_naming_queues_the_job_that_writes(session, django_capture_on_commit_callbacks):
    account_of(session, "Petit")
    with django_capture_on_commit_callbacks(execute=True):
        sign_up(session, "Petit")
    assert len(mail.outbox) == 1
    assert Applicant.objects.get(last_name="Petit").invited_at is not None


SPAM = "Gagnez www.spam.example"


def test_mail_has_no_text_that_a_stranger_typed(session):
    """Check a stranger who writes an advertisement as the captain's name, and a known name with other signs."""
    account_of(session, "Petit")
    people = [NewApplicant("« PETIT »", "max !!! ☎")]
    asked = {"session_id": session.pk, "named": people, "name": "Achetez sur spam.example", "now": timezone.now()}
    register_team(captain=NewApplicant(SPAM, "https://spam.example/x"), **asked)
    assert send(session) == 1
    (letter,) = mail.outbox
    assert [word for word in ("spam", "Gagnez", "Achetez", "☎") if word in letter.body + letter.subject] == []
    assert letter.body.startswith("Max Petit,")
    assert "Un capitaine vous propose de jouer dans son équipe" in letter.body
    assert "/r/" in letter.body


@pytest.mark.nightly("story")
def test_session_and_name_get_only_so_many_mails_in_a_day(session, monkeypatch):
    monkeypatch.setattr(invitations, "MOST_OF_SESSION", 2)
    monkeypatch.setattr(invitations, "MOST_OF_NAME", 3)
    for last in ("Petit", "Adam", "Noir"):
        account_of(session, last)
    sign_up(session, "Petit", "Adam")
    register_team(
        session_id=session.pk,
        captain=NewApplicant("Vert"),
        named=[NewApplicant("Noir", "Max")],
        now=timezone.now(),
    )
    assert [send(session), send(session)] == [2, 0]
    assert {letter.to[0] for letter in mail.outbox} == {"petit@example.org", "adam@example.org"}
    for number in range(3):
        later = create_session(tournament=session.tournament, date=DATE, positions=3)
        set_registration(
            accepts_at_once=True,
            session_id=later.pk,
            by=make_director(later.tournament.club, f"d{number}"),
            now=timezone.now(),
        )
        sign_up(later, "Petit")
        assert send(later) == (1 if number < 2 else 0)


@pytest.mark.nightly("story")
def test_mails_need_no_query_for_each_player_who_gets_none(session, django_assert_num_queries):
    for number in range(8):
        register_team(
            session_id=session.pk,
            captain=NewApplicant(f"Chef{number}x"),
            named=[NewApplicant(f"Nom{number}x"), NewApplicant(f"Autre{number}x")],
            now=timezone.now(),
        )
    with django_assert_num_queries(4):
        assert send(session) == 0


def test_cancelled_evening_writes_to_nobody(session):
    account_of(session, "Petit")
    sign_up(session, "Petit")
    session.put_away_at = timezone.now()
    session.save()
    assert send(session) == 0
