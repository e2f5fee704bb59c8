"""The large tables of directors: a job makes them, for the director who asked. And very many who ask for one file."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evenings.plays.entering import annul_play
from jobs.tasks import make_file, make_file_of_club
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import make_director, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import ClubFile, Publication, WantedFile

pytestmark = pytest.mark.django_db


def read_csv(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";"))


session = shared_evenings.published


@pytest.fixture
def director(session):
    return session.tournament.club.memberships.get(role="director").user


@pytest.fixture
def browser(director):
    browser = browser_of(director)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return browser


def ask_for_large(browser, where, monkeypatch):
    """Return the file that a director gets at once, and the one that a job makes if a single row counts as many."""
    small = browser.get(where)
    monkeypatch.setattr("pages.files.session.LARGE", 1)
    page = browser.get(where)
    assert "It is ready in a moment" in words(page)
    assert not ClubFile.objects.exists()
    asked = browser.post(where, {"kind": "csv"})["Location"]
    assert "The site is making the file." in words(browser.get(asked))
    make_file_of_club(ClubFile.objects.get().pk)
    assert "The file is ready." in words(browser.get(asked))
    return small, browser.get(f"{asked}content/")


def test_job_makes_the_same_file_of_members(session, browser, monkeypatch):
    where = reverse("members_file", args=[session.tournament.club.slug]) + "?kind=csv"
    small, large = ask_for_large(browser, where, monkeypatch)
    assert (large.content, large["Content-Disposition"]) == (small.content, small["Content-Disposition"])
    assert len(read_csv(large)) == 20


def test_job_makes_the_same_file_of_rulings(session, browser, director, monkeypatch):
    play = session.plays.first()
    annul_play(play_id=play.pk, by=director, reason="cartes mêlées", now=session.tournament.created_at)
    small, large = ask_for_large(browser, session_url("rulings_file", session) + "?kind=csv", monkeypatch)
    assert large.content == small.content
    assert "cartes mêlées" in large.content.decode()


def test_second_file_of_one_director_waits_for_the_first(session, browser, monkeypatch):
    monkeypatch.setattr("pages.files.session.LARGE", 1)
    where = reverse("members_file", args=[session.tournament.club.slug])
    browser.post(where, {"kind": "csv"})
    assert "The site is making another file for you" in words(browser.post(where, {"kind": "xlsx"}, follow=True))
    other = browser_of(make_director(session.tournament.club, "autre"))
    assert other.post(where, {"kind": "csv"}).status_code == 302
    assert ClubFile.objects.count() == 2


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_50_people_who_ask_for_5000_plays_at_once_get_one_file():
    session = published_session()
    publication = Publication.objects.get(session=session)
    etuis = publication.data["etuis"]
    plays = [play for etui in etuis for play in etui["plays"]]
    times = -(-5000 // len(plays))
    for etui in etuis:
        etui["plays"] *= times
    publication.save(update_fields=["data"])
    where = session_url("ask_published_file", session, 1)

    def ask(number):
        try:
            client = Client(REMOTE_ADDR=f"192.0.2.{number}")
            return client.post(where, {"table": "plays", "kind": "csv"})["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as people:
        leads = set(people.map(ask, range(1, 51)))
    row = WantedFile.objects.get()
    assert leads == {reverse("wanted_file", args=[row.token])}
    make_file(row.pk)
    answer = Client().get(reverse("wanted_file_content", args=[row.token]))
    assert len(read_csv(answer)) == times * len(plays) >= 5000
