"""The deletion of personal data after its time: nothing of the results goes, and nothing goes too early."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session as LogIn
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from archives.privacy import periods
from archives.privacy.periods import DAYS, PERIODS, forget_what_is_over, without_make
from clubs.accounts.invitations import invite
from clubs.accounts.players import make_player_link
from clubs.house import change_settings
from clubs.models import Invitation, LogInTry, PlayerLink
from evenings.standings import computing
from evenings.tables.devices import make_code
from jobs import tasks
from rankings.publication.building import build_report
from registration.agenda.files import make_calendar_link
from registration.people.applicants import NewApplicant
from registration.people.registration import walk_in
from tests.evenings.requests.world import Four
from tests.evenings.tables.phones import Phone, command, tokens_of
from tests.factories import draft_session, make_director, make_tournament, plausible, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import (
    Applicant,
    ArbiterCode,
    CalendarLink,
    EntryCheck,
    LogEntry,
    RequestAnswer,
    ResultEntry,
    Session,
    TableDevice,
)

pytestmark = pytest.mark.django_db
AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"
ADDRESS = "198.51.100.7"
RESULTS = ("Play", "Entrant", "Penalty", "Publication", "PublishedPlayer", "EtuiRuling", "TieDraw", "CorrectionRequest")


def later(days):
    return timezone.now() + dt.timedelta(days=days)


@pytest.fixture
def evening():
    """Return an evening played with phones and published, with one of everything that is stored for a limited time."""
    tournament = make_tournament()
    club, director = tournament.club, make_director(tournament.club)
    change_settings(club, {"player_accounts": "open"}, now=timezone.now(), by=director)
    session = started_session(tournament, tables=1, positions=1, etuis_per_position=2)
    (token,) = tokens_of(session).values()
    number = session.tables.get().tokens.get().number
    Client(REMOTE_ADDR=ADDRESS, headers={"user-agent": AGENT}).post(reverse("table_number"), {"number": number})
    phone, other = Phone(token, "phone-one"), Phone(token, "phone-two")
    phone.send("join", name="iPhone")
    other.send("join", name="Galaxy")
    for play in session.plays.select_related("etui", "table"):
        phone.post(command("start", play=play), command("enter", play=play, seat="N", entry=plausible(play)))
    assert ResultEntry.objects.count() == 2
    make_code(table=session.tables.get(), by=director, now=timezone.now())
    publish(session, by=director)
    four = Four(session)
    asked = four.ask()
    RequestAnswer.objects.create(
        request=asked,
        entrant=four.others[0].entrant,
        agrees=True,
        device="Table 1 · iPhone 1",
        answered_at=timezone.now(),
    )
    down = draft_session(tournament, tables=1, positions=1)
    Session.objects.filter(pk=down.pk).update(date=timezone.localdate())
    who = NewApplicant("Tardif", "Léo", "LIC-1", "06 12 34 56 78")
    walk_in(session_id=down.pk, asked=who, by=director, now=timezone.now())
    Client(REMOTE_ADDR=ADDRESS, headers={"user-agent": AGENT}).post(
        reverse("login"), {"username": director.username, "password": "wrong"}
    )
    browser_of().post(reverse("login"), {"username": director.username, "password": "a long passphrase for tests"})
    invite(club, "helper", whom="Zoé", now=timezone.now(), by=director)
    make_player_link(session.entrants.first().player, now=timezone.now(), by=director)
    make_calendar_link(user=director, now=timezone.now())
    make_calendar_link(user=director, now=timezone.now(), anew=True)
    address = EmailAddress.objects.create(user=director, email="d@example.org")
    EmailConfirmation.objects.create(email_address=address, key="k", sent=timezone.now())
    return session


def due(now):
    """Return the number of rows that wait for deletion, by model."""
    found = [step.due(now) for period in PERIODS for step in period.steps]
    return {f"{rows.model._meta.label} {place}": rows.count() for place, rows in enumerate(found) if rows.count()}


def results_of(session):
    """Return all figures and players of the session: as rows, and computed anew."""
    rows = {name: list(apps.get_model("tournaments", name).objects.order_by("pk").values()) for name in RESULTS}
    entries = [
        {name: value for name, value in row.items() if name != "device"}
        for row in ResultEntry.objects.order_by("pk").values()
    ]
    return rows, entries, build_report(session, computing.compute(session.pk).data)


@pytest.mark.nightly("story")
def test_nothing_goes_before_its_time(evening):
    LogIn.objects.update(expire_date=later(30))
    assert due(later(29)) == {}
    assert forget_what_is_over(later(29)) == 0


@pytest.mark.nightly("story")
def test_after_its_time_everything_goes_but_the_results(evening):
    before = results_of(evening)
    assert set(LogInTry.objects.values_list("succeeded", flat=True)) == {True, False}
    assert UserSession.objects.exists()
    now = later(60)
    kinds = {name.split()[0] for name in due(now)}
    assert kinds == {
        "tournaments.TableDevice",
        "tournaments.ResultEntry",
        "tournaments.RequestAnswer",
        "tournaments.LogEntry",
        "tournaments.Applicant",
        "tournaments.ArbiterCode",
        "tournaments.CalendarLink",
        "clubs.LogInTry",
        "sessions.Session",
        "usersessions.UserSession",
        "account.EmailConfirmation",
        "clubs.Invitation",
        "clubs.PlayerLink",
    }
    assert forget_what_is_over(now) > 0
    assert due(now) == {}
    assert forget_what_is_over(now) == 0
    assert results_of(evening) == before
    gone = (LogInTry, UserSession, LogIn, EmailConfirmation)
    assert [rows.objects.count() for rows in (*gone, Invitation, PlayerLink, ArbiterCode)] == [0] * 7
    assert CalendarLink.objects.get().revoked_at is None
    assert set(Applicant.objects.values_list("contact", flat=True)) == {""}


@pytest.mark.nightly("story")
def test_no_address_and_no_make_is_left_in_any_row(evening):
    forget_what_is_over(later(60))
    kept = [
        f"{model._meta.label} {row}"
        for model in apps.get_models()
        for row in model._base_manager.values()
        for word in (ADDRESS, "iPhone", "iphone", "Galaxy", "galaxy", "phone-one", "phone-two", "06 12", "Mozilla")
        if word in str(row)
    ]
    assert kept == []


@pytest.mark.nightly("story")
def test_devices_stay_told_apart(evening):
    forget_what_is_over(later(60))
    assert set(ResultEntry.objects.values_list("device", flat=True)) == {"Table 1 · 1"}
    assert set(TableDevice.objects.values_list("label", flat=True)) == {"Table 1 · 1", "Table 1 · 2"}
    came = LogEntry.objects.filter(action__in=("device_writes", "device_follows"))
    assert set(came.values_list("device", "words")) == {("Table 1 · 1", "table 1 · 1"), ("Table 1 · 2", "table 1 · 2")}


@pytest.mark.nightly("story")
def test_log_of_an_old_evening_reads_on(evening):
    forget_what_is_over(later(60))
    director = evening.tournament.club.memberships.get().user
    place = [evening.tournament.club.slug, evening.tournament.slug, evening.number]
    assert "opened with its number, from –" in words(browser_of(director).get(reverse("log", args=place)))


@pytest.mark.parametrize(
    ("label", "left"),
    [
        ("Table 3 · iPhone 2", "Table 3 · 2"),
        ("Table 3 · 2", "Table 3 · 2"),
        ("Table 12 · Galaxy S 24 11", "Table 12 · 11"),
        ("table 3 · iphone 2", "table 3 · 2"),
        ("Jeanne’s iPad", ""),
    ],
)
def test_device_becomes_its_number(label, left):
    assert without_make(label) == left
    assert without_make(left) == left


@pytest.mark.nightly("story")
def test_check_and_ruling_lose_the_make_too(evening):
    entry = ResultEntry.objects.first()
    EntryCheck.objects.create(entry=entry, agrees=True, device="Table 1 · Pixel 2", checked_at=timezone.now())
    forget_what_is_over(later(31))
    assert EntryCheck.objects.get().device == "Table 1 · 2"


@pytest.mark.nightly("story")
def test_who_is_still_logged_in_stays_so(evening):
    kept = UserSession.objects.get()
    LogIn.objects.update(expire_date=later(90))
    UserSession.objects.update(user_agent=AGENT, ip=ADDRESS)
    forget_what_is_over(later(31))
    kept.refresh_from_db()
    assert (kept.ip, kept.user_agent) == ("::", "")
    assert LogIn.objects.filter(pk=kept.session_key).exists()


@pytest.mark.nightly("crawl")
def test_batches_are_bounded(evening, monkeypatch):
    monkeypatch.setattr(periods, "A_BATCH", 7)
    stop = LogEntry.objects.first()
    rows = [LogEntry(session=evening, at=stop.at, action="device_left", params={"table": 1, "id": "x"})] * 20
    LogEntry.objects.bulk_create(
        [LogEntry(session=row.session, at=row.at, action=row.action, params=row.params) for row in rows]
    )
    with CaptureQueriesContext(connection) as asked:
        forget_what_is_over(later(60))
    assert due(later(60)) == {}
    assert max(sum("LIMIT 7" in query["sql"] for query in asked), 0) > 3


@pytest.mark.nightly("process")
def test_the_job_and_the_command_do_it(evening, capsys):
    LogIn.objects.update(expire_date=timezone.now() - dt.timedelta(days=1))
    tasks.forget_what_is_over.delay()
    assert not LogIn.objects.exists()
    LogInTry.objects.update(at=timezone.now() - DAYS - dt.timedelta(hours=1))
    call_command("forget")
    assert "rows were due" in capsys.readouterr().out
    assert not LogInTry.objects.exists()


@pytest.mark.parametrize(("language", "heading"), [("fr", "Vie privée"), ("en", "Privacy")])
def test_page_says_all_of_the_table(client, language, heading):
    asked = {"accept-language": language}
    page = client.get(reverse("privacy"), headers=asked)
    text = page.content.decode()
    assert f"<h1>{heading}</h1>" in text
    with translation.override(language):
        told = [str(said) for period in PERIODS for said in (period.what, period.kept, period.why)]
    assert [said for said in told if said not in text] == []
    again = client.get(reverse("privacy"), headers=asked | {"if-none-match": page["ETag"]})
    assert again.status_code == 304
    assert "Cookie" in again["Vary"]


def test_page_asks_the_database_nothing(client, django_assert_num_queries):
    make_director(make_tournament().club)
    client.get(reverse("privacy"))
    with django_assert_num_queries(0):
        client.get(reverse("privacy"))


def test_line_of_a_device_forgets_its_id_and_address_and_keeps_the_table(db):
    told = {"id": "phone-one", "address": "10.0.0.7", "table": 3}
    row = LogEntry.objects.create(
        session=draft_session(),
        action="device_left",
        at=timezone.now(),
        params=told,
        device="3 · iPhone",
        words="iphone",
    )
    periods.forget_lines([row])
    row.refresh_from_db()
    assert row.params == {"id": periods.GONE, "address": periods.GONE, "table": 3}
    assert "iphone" not in row.words.lower()
