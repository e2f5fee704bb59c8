"""The versions of the final ranking of a series, as readers meet them, and the ranking on paper."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings, read_logo
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.outgoing.paper.test_pdf import flat, printed
from tests.pages.browsing import browser_of
from tests.pages.club.test_settings import PNG
from tests.pages.reading import read, words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments import page_cache
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
WEEK = dt.timedelta(weeks=1)

club = season.club
director = season.director
people = season.people


@pytest.fixture
def evenings(club, people):
    """Return two published evenings: Ada 60 and 52, Bob 50 and 61."""
    ada, bob, *_others = people
    tournament = thursdays(club)
    return hold(tournament, FIRST, {ada: 60, bob: 50}), hold(tournament, FIRST + WEEK, {bob: 61, ada: 52})


@pytest.fixture
def series(club, director, evenings):
    page_cache.ask_page_cache("clear")
    made = make_series(club, director)
    refresh_series(made.pk, now=timezone.now())
    return made


@pytest.fixture
def corrected(series, director, evenings, people):
    """Return the series with two versions: Ada before Bob, then Bob before Ada."""
    ada, bob, *_others = people
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    SERIES_OF_CLUBS.make_official(series.pk, word_of(director))
    publish_rows(evenings[0], {ada: 56, bob: 55})
    SERIES_OF_CLUBS.publish(series.pk, word_of(director, "une feuille mal lue"))
    return series


def word_of(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def url(name, series, *rest):
    return reverse(name, args=[series.club.slug, series.slug, *rest])


def get(name, series, *rest, **asked):
    return browser_of().get(url(name, series, *rest), asked)


@pytest.mark.nightly("story")
def test_page_of_versions_lists_each_with_its_reason_and_what_changed(corrected):
    assert url("series_versions", corrected) in read(get("series", corrected)).links
    page = get("series_versions", corrected)
    text = words(page)
    assert "une feuille mal lue" in text
    assert "Zoé Bob" in text  # from rank 2 to 1
    links = read(page).links
    assert [url("series_version", corrected, number) in links for number in (1, 2, 3)] == [True] * 3


@pytest.mark.nightly("story")
def test_each_version_is_read_as_it_was(corrected):
    first, last = (words(get("series_version", corrected, number)) for number in (1, 3))
    assert "version 3 replaces this one" in first
    assert "112" in first  # 60 + 52
    assert "112" not in last
    assert "116" in last  # 55 + 61
    assert "replaces this one" not in last
    assert "Champion:" not in first


@pytest.mark.nightly("story")
def test_old_version_has_its_own_files(corrected):
    links = read(get("series_version", corrected, 1)).links
    file, pinned = url("series_file", corrected), url("series_pdf", corrected)
    assert f"{file}?kind=csv&version=1" in links
    assert f"{pinned}?version=1" in links
    assert "112" in get("series_file", corrected, kind="csv", version=1).content.decode()
    assert "112" not in get("series_file", corrected, kind="csv").content.decode()
    assert "Version 1, replaced since" in flat(get("series_pdf", corrected, version=1).content)
    assert get("series_pdf", corrected, version=9).status_code == 404
    assert get("series_file", corrected, version=9).status_code == 404


@pytest.mark.nightly("story")
def test_version_zero_is_not_the_present_ranking(corrected):
    assert [get(name, corrected, 0).status_code for name in ("series_version", "api_series_version")] == [302, 404]


@pytest.mark.nightly("story")
def test_withdrawn_version_and_those_before_it_are_listed_and_not_read(corrected, director):
    SERIES_OF_CLUBS.withdraw(corrected.pk, word_of(director, "un doute"))
    text = words(get("series_versions", corrected))
    assert "un doute" in text
    assert "Zoé Bob" not in text
    for number in (1, 2, 3, 4):
        assert get("series_version", corrected, number).status_code == 302
        assert get("series_pdf", corrected, version=number).status_code == 404
    assert url("series_versions", corrected) in read(get("series", corrected)).links


@pytest.mark.nightly("story")
def test_withdrawn_ranking_is_not_shown_as_the_live_one(corrected, director, people):
    SERIES_OF_CLUBS.withdraw(corrected.pk, word_of(director, "un doute"))
    refresh_series(corrected.pk, now=timezone.now())
    ada = people[0]
    for name, rest in (("series", ()), ("series_embedded", ()), ("api_series", ())):
        text = get(name, corrected, *rest).content.decode()
        assert [word for word in ("Zoé", "112", "108") if word in text] == [], name
    assert "un doute" in words(get("series", corrected))
    assert get("api_series", corrected).json()["state"] == "withdrawn"
    assert get("series_player", corrected, ada.pk).status_code == 302
    assert get("series_file", corrected, kind="csv").status_code == 404
    assert get("series_pdf", corrected).status_code == 404
    SERIES_OF_CLUBS.publish(corrected.pk, word_of(director, "doute levé"))
    assert "Zoé" in words(get("series", corrected))


@pytest.mark.nightly("crawl")
def test_version_that_counts_a_hidden_evening_tells_nothing(corrected, evenings):
    Session.objects.filter(pk=evenings[1].pk).update(shows_ranking=False)
    text = words(get("series_versions", corrected))
    assert "whose ranking is not shown" in text
    assert "Zoé" not in text
    assert get("series_version", corrected, 1).status_code == 302
    assert get("series_pdf", corrected).status_code == 404
    assert get("series_pdf", corrected, version=1).status_code == 404
    assert get("series_file", corrected, version=1).status_code == 404


@pytest.mark.nightly("story")
def test_changes_since_a_version_that_is_held_back_are_not_told(corrected, director, evenings):
    Session.objects.filter(pk=evenings[1].pk).update(shows_ranking=False)
    SERIES_OF_CLUBS.publish(corrected.pk, word_of(director, "sans la seconde"))
    text = words(get("series_versions", corrected))
    assert "sans la seconde" in text
    assert "Zoé" not in text  # the ranks before would be those with the hidden evening
    assert get("series_version", corrected, 4).status_code == 200
    assert get("series_version", corrected, 3).status_code == 302


def test_series_under_way_has_no_version_and_says_so(series):
    assert "No final ranking yet" in words(get("series_versions", series))
    assert get("series_version", series, 1).status_code == 302


def test_ranking_to_pin_up_is_linked_and_whole(series):
    assert url("series_pdf", series) in read(get("series", series)).links
    answer = get("series_pdf", series)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["X-Robots-Tag"] == "noindex"
    text = flat(answer.content)
    assert len(printed(answer.content)) == 1
    for told in ("Challenge d’été", "Club des Étuis", "Ranking after 2 events", "Provisional", "Zoé Ada", "112.0"):
        assert told in text


@pytest.mark.nightly("story")
def test_ranking_to_pin_up_speaks_the_readers_language(series):
    french = Client(headers={"accept-language": "fr"}).get(url("series_pdf", series))
    text = flat(french.content).replace("\xa0", " ")
    assert "Classement après 2 épreuves, 11 septembre 2026" in text
    assert "Provisoire" in text
    assert "112,0" in text


@pytest.mark.nightly("print")
def test_final_ranking_on_paper_is_official_with_its_version(series, director):
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    assert "Version 1, published on" in flat(get("series_pdf", series).content)
    SERIES_OF_CLUBS.make_official(series.pk, word_of(director))
    text = flat(get("series_pdf", series).content)
    assert "Official" in text
    assert "Provisional" not in text


@pytest.mark.nightly("crawl")
def test_hidden_player_has_no_name_on_paper_even_just_after_it_was_made(series, people, director):
    assert "Ada" in flat(get("series_pdf", series).content)
    choose_shown(player=people[0], shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())
    text = flat(get("series_pdf", series).content)
    assert "Ada" not in text
    assert "Hidden player" in text


def test_logo_of_the_club_is_on_it(series, director):
    change_settings(series.club, {}, now=timezone.now(), by=director, logo=read_logo(PNG))
    assert get("series_pdf", series).content.count(b"/Subtype/Image") == 1


@pytest.mark.nightly("story")
def test_season_of_a_hundred_and_fifty_players_takes_three_sheets(club, director):
    many = name_players(club, *(f"Nom{number:03}" for number in range(150)))
    hold(thursdays(club), FIRST, {player: 80 - place / 4 for place, player in enumerate(many)})
    series = make_series(club, director, brings="places")
    refresh_series(series.pk, now=timezone.now())
    document = get("series_pdf", series).content
    assert len(printed(document)) == 3
    assert flat(document).count("Nom") == 150


def test_series_without_an_event_has_no_paper(club, director):
    series = make_series(club, director)
    refresh_series(series.pk, now=timezone.now())
    assert get("series_pdf", series).status_code == 404


@pytest.mark.nightly("story")
def test_live_ranking_stays_until_the_job_has_added_a_newer_version(series, evenings, people):
    """Let an evening become official, and correct it: the kept ranking is shown, and the page says so."""
    ada, bob, *_others = people
    for told in ({"status": "official"}, {}):
        publish_rows(evenings[0], {ada: 61, bob: 50}, **told)
        text = words(get("series", series))
        assert "Zoé Ada" in text
        assert "newer result" in text
        assert get("series_embedded", series).status_code == 200
    refresh_series(series.pk, now=timezone.now())
    assert "newer result" not in words(get("series", series))


def test_live_ranking_goes_where_a_version_that_it_counts_was_withdrawn(series, evenings, people):
    ada, bob, *_others = people
    publish_rows(evenings[0], {}, status="withdrawn", reason="erreur")
    assert "Zoé Ada" not in words(get("series", series))
    publish_rows(evenings[0], {ada: 44, bob: 43})  # the job has not run: the kept ranking still counts the old figures
    assert "112" not in words(get("series", series))
    refresh_series(series.pk, now=timezone.now())
    assert "Zoé Ada" in words(get("series", series))


@pytest.mark.nightly("story")
def test_withdrawn_ranking_shows_its_figures_nowhere_until_it_is_published_again(corrected, director):
    SERIES_OF_CLUBS.withdraw(corrected.pk, word_of(director, "un doute"))
    refresh_series(corrected.pk, now=timezone.now())
    page = words(get("series", corrected))
    assert "The final ranking was withdrawn: un doute" in page
    assert "under way" not in page
    assert "being computed" not in page
    program = browser_of().get(f"/api/v1/clubs/{corrected.club.slug}/series/{corrected.slug}/")
    assert (program.json()["state"], program.json()["status"], program.json()["players"]) == ("withdrawn",) * 2 + ([],)
    for name in ("series", "series_embedded", "series_file", "series_pdf", "series_feed"):
        assert "Zoé" not in get(name, corrected).content.decode(errors="replace")
    SERIES_OF_CLUBS.publish(corrected.pk, word_of(director))
    assert "Zoé Bob" in words(get("series", corrected))
