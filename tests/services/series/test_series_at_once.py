"""The series, their clubs and mails, written to at once on connections to PostgreSQL: nothing is lost or doubled."""

import datetime as dt
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from clubs.models import Player
from outgoing.mailing import evenings
from outgoing.mailing.evenings import MailRefused
from outgoing.mailing.places import SERIES_KIND, send_place_letters
from outgoing.mailing.wishes import want_feuilles
from rankings.series import computing
from rankings.series.choosing import choose_events
from rankings.series.computing import figure_series, find_stale_series, refresh_series
from rankings.series.membership import MOST_ASKS_A_DAY, agree_to_series, ask_club
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.report import read_series
from rankings.series.setup import EventDecision, SeriesGiven, SeriesRefused, change_series, decide_events, lock_series
from registration.people.registration import set_registration
from tests.factories import draft_session, make_club, make_director, make_user
from tests.outgoing.mailing.evening import sign_up, write
from tests.rankings.series.seasons import FIRST, LAST, hold, make_series, name_players, publish_rows, thursdays
from tests.services.test_plan_at_once import take_in_turn
from tests.services.test_standings_jobs import in_threads
from tournaments.locks import lock_account
from tournaments.models import EveningMail, SentSeriesLetter, Series, SeriesClub, SeriesStandings
from tournaments.rules.series import SeriesSettings
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]
WEEK = dt.timedelta(weeks=1)


@pytest.fixture
def club():
    return make_club()


@pytest.fixture
def directors(club):
    return [make_director(club, name) for name in ("une", "autre")]


@pytest.fixture
def people(club):
    return name_players(club, "Ada", "Bob", "Cyr")


@pytest.fixture
def evening(club, people):
    return hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40), strict=True)))


@pytest.fixture
def series(club, directors, evening):
    made = make_series(club, directors[0])
    refresh_series(made.pk, now=timezone.now())
    return made


def assert_nobody_failed(outcomes):
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []


def assert_kept_as_computed(series):
    """Check that the stored standings are those of a computation from nothing."""
    refresh_series(series.pk, now=timezone.now())
    found = Series.objects.get(pk=series.pk)
    assert SeriesStandings.objects.get(pk=series.pk).data == figure_series(found, choose_events(found))
    assert find_stale_series() == []


def log_of(club):
    return [row.action for row in club.log.order_by("pk") if row.action.startswith("series_")]


def test_of_two_directors_who_change_the_rules_at_once_the_second_counts_whole(series, club, directors):
    def change(title, brings, by):
        given = SeriesGiven(title, FIRST, LAST, SeriesSettings(brings=brings))
        return change_series(series_id=series.pk, given=given, by=by, now=timezone.now()).revision

    first, second = (
        partial(change, *told, by) for told, by in zip((("Un", "places"), ("Deux", "hundred")), directors, strict=True)
    )
    outcomes = take_in_turn(first, lambda: lock_series(series.pk), second)
    assert outcomes == [1, 2]
    found = Series.objects.get(pk=series.pk)
    assert (found.title, found.rules["brings"], found.revision) == ("Deux", "hundred", 2)
    assert log_of(club).count("series_changed") == 2
    assert_kept_as_computed(series)


def test_rules_and_events_changed_at_once_are_both_kept(series, directors, evening):
    given = SeriesGiven(series.title, FIRST, LAST, SeriesSettings(brings="places"))
    told = {f"s{evening.pk}": EventDecision(counts=True, coefficient=2)}
    outcomes = in_threads(
        [
            lambda: change_series(series_id=series.pk, given=given, by=directors[0], now=timezone.now()),
            lambda: decide_events(series_id=series.pk, decisions=told, by=directors[1], now=timezone.now()),
        ]
    )
    assert_nobody_failed(outcomes)
    assert Series.objects.get(pk=series.pk).revision == 2
    assert_kept_as_computed(series)
    (ada, *_others) = SeriesStandings.objects.get(pk=series.pk).data["players"]
    assert ada["total"] == "6"  # 3 places, twice


def test_two_clubs_that_agree_at_once_both_take_part(series, club, directors):
    rows = []
    for slug, name in (("voisins", "Eve"), ("lointains", "Fay")):
        other = make_club(slug, slug.title())
        (player,) = name_players(other, name)
        hold(thursdays(other), FIRST + WEEK, {player: 55})
        row = ask_club(series_id=series.pk, slug=slug, by=directors[0], now=timezone.now())
        rows.append((other, row.pk, make_director(other, slug)))
    outcomes = in_threads(
        [
            partial(agree_to_series, club=other, row_id=row, by=by, now=timezone.now())
            for other, row, by in rows
            for _press in range(2)
        ]
    )
    assert_nobody_failed(outcomes)
    assert SeriesClub.objects.exclude(agreed_at=None).count() == 2
    assert Series.objects.get(pk=series.pk).revision == 2  # once for each club, not for each press
    assert [line for other, _row, _by in rows for line in log_of(other)] == ["series_asked", "series_agreed"] * 2
    assert log_of(club).count("series_club_agreed") == 2
    assert_kept_as_computed(series)
    assert len(SeriesStandings.objects.get(pk=series.pk).data["players"]) == 5


def test_series_that_is_ended_while_its_job_computes_is_whole(series, directors, people, evening, monkeypatch):
    """Publish between the reading and the writing of the job, after a correction that the job has not seen."""
    publish_rows(evening, dict(zip(people, (61, 50, 40), strict=True)))
    really, word = computing.figure_series, DirectorWord(directors[0], timezone.now())

    def end_meanwhile(found, events):
        data = really(found, events)
        monkeypatch.setattr(computing, "figure_series", really)
        publish_rows(evening, dict(zip(people, (62, 50, 40), strict=True)))
        in_threads([lambda: SERIES_OF_CLUBS.publish(series.pk, word)])
        return data

    monkeypatch.setattr(computing, "figure_series", end_meanwhile)
    refresh_series(series.pk, now=timezone.now())
    version = series.publications.get()
    assert read_series(version.data).rows[0].total == 62
    assert find_stale_series() == [series.pk], "the job wrote what it had read"
    assert_kept_as_computed(series)
    assert SeriesStandings.objects.get(pk=series.pk).data == version.data
    SERIES_OF_CLUBS.make_official(series.pk, word)
    refresh_series(series.pk, now=timezone.now())
    assert series.publications.count() == 2


def test_two_jobs_of_one_series_at_once_store_the_same_standings(series, people, evening):
    publish_rows(evening, dict(zip(people, (61, 50, 40), strict=True)))
    assert_nobody_failed(in_threads([lambda: refresh_series(series.pk, now=timezone.now())] * 4))
    assert_kept_as_computed(series)


def test_two_directors_who_publish_at_once_make_one_version(series, club, directors):
    def publish(by):
        return SERIES_OF_CLUBS.publish(series.pk, DirectorWord(by, timezone.now())).version

    assert in_threads([partial(publish, by) for by in directors * 2]) == [1] * 4
    assert list(series.publications.values_list("version", "status")) == [(1, "provisional")]
    assert log_of(club).count("series_published") == 1


def test_sweeps_at_once_make_a_series_official_once(series, club, directors):
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(directors[0], timezone.now() - dt.timedelta(days=3)))
    assert_nobody_failed(in_threads([SERIES_OF_CLUBS.settle_all] * 4))
    assert list(series.publications.order_by("version").values_list("status", flat=True)) == ["provisional", "official"]
    assert log_of(club).count("series_official") == 1


def test_director_of_two_clubs_asks_no_more_at_once_than_one_after_the_other(series, directors):
    """Ask the last question of the day in both clubs at once: one of them is refused."""
    by = directors[0]
    own = make_series(make_club("autre"), by, title="Ailleurs")
    for number in range(MOST_ASKS_A_DAY - 1):
        ask_club(series_id=series.pk, slug=make_club(f"club-{number}").slug, by=by, now=timezone.now())
    last = [make_club(slug).slug for slug in ("avant", "dernier")]

    def ask(which, slug):
        try:
            return ask_club(series_id=which.pk, slug=slug, by=by, now=timezone.now()).club.slug
        except SeriesRefused as refusal:
            return refusal.code

    first, second = (partial(ask, *pair) for pair in zip((series, own), last, strict=True))
    outcomes = take_in_turn(first, lambda: lock_account(by.pk), second)
    assert outcomes == ["avant", "series_asked_often"]


def test_director_who_writes_about_two_evenings_at_once_keeps_to_the_limit(directors, club, settings, monkeypatch):
    """Write the last letter of the day about two evenings at once: one of them is refused."""
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    monkeypatch.setattr(evenings, "MOST_OF_DIRECTOR", 1)
    sessions = [draft_session(thursdays(club, name)) for name in ("Jeudis", "Lundis")]
    for session, name in zip(sessions, ("Adam", "Bois"), strict=True):
        set_registration(accepts_at_once=True, session_id=session.pk, by=directors[0], now=timezone.now())
        sign_up(session, name)

    def write_about(session):
        try:
            return write(session, by=directors[0]).session_id
        except MailRefused as refusal:
            return refusal.code

    first, second = (partial(write_about, session) for session in sessions)
    outcomes = take_in_turn(first, lambda: lock_account(directors[0].pk), second)
    assert outcomes == [sessions[0].pk, "mails_of_director"]
    assert EveningMail.objects.count() == 1


def test_two_sweeps_mail_the_places_of_a_series_once(series, directors, people, settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    user = make_user("ada")
    EmailAddress.objects.create(user=user, email="ada@example.org", verified=True, primary=True)
    Player.objects.filter(pk=people[0].pk).update(account=user)
    assert want_feuilles(user, now=timezone.now())
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(directors[0], timezone.now()))
    outcomes = in_threads([lambda: send_place_letters(SERIES_KIND, series.pk, now=timezone.now())] * 3)
    assert sorted(outcomes) == [0, 0, 1]
    assert len(mail.outbox) == SentSeriesLetter.objects.count() == 1
