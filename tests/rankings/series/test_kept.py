"""The pages of a series are kept as those of sessions are, and disappear at once when an evening does."""

import datetime as dt
import hashlib

import pytest
from django.core.cache import caches
from django.db import connection
from django.db.utils import ConnectionHandler
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Player, Visibility
from clubs.players import raise_names_version
from clubs.shown import Way, choose_shown
from evenings.sessions.put_away import put_session_away
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS, digest_rows
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, publish_rows, thursdays
from tournaments.models import Publication, Session, Tournament
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db

club = season.club
director = season.director
people = season.people


@pytest.fixture
def series(club, director, people):
    """Return a series of two evenings, in which Ada leads before Bob."""
    caches["pages"].clear()
    ada, bob, cyr, _dan = people
    evenings = thursdays(club)
    hold(evenings, FIRST, {ada: 60, bob: 50, cyr: 40})
    hold(evenings, FIRST + dt.timedelta(weeks=1), {ada: 61, bob: 52, cyr: 43})
    made = make_series(club, director)
    refresh_series(made.pk, now=timezone.now())
    return made


def test_digest_of_rows_is_the_same_in_whatever_order_sqlite_reads_them():
    sqlite = ConnectionHandler({"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})["default"]
    rows = digest_rows(Club.every.filter(names_version__gt=0), ("pk", "names_version"))
    told = Club.every.order_by().values_list(rows)[:1]
    with sqlite.cursor() as cursor:
        cursor.execute("CREATE TABLE clubs_club (id integer PRIMARY KEY, names_version integer, name text)")
        cursor.execute("CREATE INDEX by_version ON clubs_club (names_version)")  # SQLite reads the rows by it
        cursor.execute("INSERT INTO clubs_club VALUES (1, 9, 'A'), (2, 5, 'B'), (3, 7, 'C')")
        cursor.execute(*told.query.get_compiler(connection=sqlite).as_sql())
        assert cursor.fetchone() == (hashlib.md5(b"1/9,2/5,3/7").hexdigest(),)
    sqlite.close()


def publish(series, director):
    SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, timezone.now()))


@pytest.fixture
def read_page(series):
    """Return a function that gives the words of the page for a reader, and the number of its queries."""
    reader = Client(headers={"accept-language": "en"})  # one browser, as each process remembers pages

    def read():
        with CaptureQueriesContext(connection) as queries:
            page = reader.get(reverse("series", args=[series.club.slug, series.slug]))
        return words(page), len(queries)

    return read


@pytest.mark.parametrize("published", [False, True])
def test_later_read_of_a_page_takes_one_query(read_page, series, director, published):
    if published:
        publish(series, director)
    first, _many = read_page()
    assert "Ada" in first
    assert read_page() == (first, 1)


def second_evening():
    return Session.objects.get(date=FIRST + dt.timedelta(weeks=1))


def hide_ranking(*_):
    Session.objects.filter(pk=second_evening().pk).update(shows_ranking=False)


def withdraw_evening(*_):
    newest = second_evening().publications.get()
    fields = {"pk": None, "version": 2, "status": Publication.PublicationStatus.WITHDRAWN, "reason": "faux"}
    for name, value in fields.items():
        setattr(newest, name, value)
    newest._state.adding = True
    newest.save()


def put_away(_series, director, _people):
    put_session_away(session_id=second_evening().pk, by=director, now=timezone.now())


def move_out_of_the_season(*_):
    Session.objects.filter(pk=second_evening().pk).update(date=FIRST - dt.timedelta(weeks=9))


# Each cause takes the evening from readers, so that a live ranking with it is shown no more.
CAUSES = {"hidden": hide_ranking, "withdrawn": withdraw_evening, "put away": put_away, "moved": move_out_of_the_season}


@pytest.mark.parametrize("cause", CAUSES)
def test_evening_that_readers_lose_leaves_a_kept_page_at_once(read_page, series, director, people, cause):
    assert "Ada" in read_page()[0]
    CAUSES[cause](series, director, people)
    assert "Ada" not in read_page()[0]


@pytest.mark.parametrize("cause", ["hidden", "withdrawn"])
def test_final_ranking_is_held_back_on_a_kept_page_at_once(read_page, series, director, people, cause):
    publish(series, director)
    assert "Ada" in read_page()[0]
    CAUSES[cause](series, director, people)
    assert "Ada" not in read_page()[0]


def hide_ada(_series, director, people):
    choose_shown(player=people[0], shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())


def withdraw_final(series, director, _people):
    SERIES_OF_CLUBS.withdraw(series.pk, DirectorWord(director, timezone.now(), "faux"))


@pytest.mark.parametrize("cause", [hide_ada, withdraw_final])
def test_name_and_ranking_that_readers_lose_leave_a_kept_page_at_once(read_page, series, director, people, cause):
    publish(series, director)
    assert "Ada" in read_page()[0]
    cause(series, director, people)
    assert "Ada" not in read_page()[0]


def test_new_version_of_an_evening_is_announced_on_a_kept_page(read_page, series, people):
    said = "A newer result is being added"
    assert said not in read_page()[0]
    publish_rows(second_evening(), dict(zip(people[:3], (10, 52, 43), strict=True)))
    assert said in read_page()[0]
    refresh_series(series.pk, now=timezone.now())
    assert said not in read_page()[0]


def test_renamed_tournament_is_named_on_a_kept_page(read_page, series):
    read_page()
    Tournament.objects.update(name="Les mercredis")
    assert "Les mercredis" in read_page()[0]


def test_director_reads_buttons_that_no_kept_page_has(read_page, series, director):
    read_page()
    page = browser_of(director).get(reverse("series", args=[series.club.slug, series.slug]))
    assert "Final ranking" in words(page)
    assert "Final ranking" not in read_page()[0]


@pytest.mark.parametrize("published", [False, True])
def test_page_has_a_podium_the_orders_and_a_picture(series, director, published):
    if published:
        publish(series, director)
    answer = Client(headers={"accept-language": "en"}).get(reverse("series", args=[series.club.slug, series.slug]))
    podium = [(row.rank, row.player.name) for row in answer.context["podium"]]
    assert podium == [(1, "Zoé Ada"), (2, "Zoé Bob"), (3, "Zoé Cyr")]
    path = reverse("series_podium", args=[series.club.slug, series.slug])
    text = answer.content.decode()
    assert f'{path}"' in text
    assert "Sort by" in words(answer)
    assert ("digest" in words(answer)) is published
    picture = Client().get(path)
    assert (picture["Content-Type"], picture.content[:4]) == ("image/png", b"\x89PNG")


def test_picture_changes_when_a_name_is_hidden(series, director, people):
    path = reverse("series_podium", args=[series.club.slug, series.slug])
    before = Client().get(path).content
    hide_ada(series, director, people)
    assert Client().get(path).content != before
    Session.objects.update(shows_ranking=False)
    assert Client().get(path).status_code == 404


def test_frame_shows_the_categories_too(series, people):
    Player.objects.filter(pk__in=[each.pk for each in people]).update(category="junior")
    raise_names_version(series.club_id)
    path = reverse("series_embedded", args=[series.club.slug, series.slug])
    whole, juniors = words(Client().get(path)), words(Client().get(path, {"by": "category"}))
    assert "Junior" not in whole
    assert "Junior" in juniors
