"""A series elsewhere: its feed, its page for frames, its addresses for programs. They show what its page shows."""

import re
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from rankings.series.computing import refresh_series
from rankings.series.membership import agree_to_series, ask_club
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SPACE = "{http://www.w3.org/2005/Atom}"

club = season.club
director = season.director
people = season.people


@pytest.fixture
def evening(club, people):
    caches["pages"].clear()
    return hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40, 30), strict=True)))


@pytest.fixture
def series(club, director, evening):
    made = make_series(club, director)
    refresh_series(made.pk, now=timezone.now())
    return made


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def publish(series, director, reason=""):
    return SERIES_OF_CLUBS.publish(series.pk, word(director, reason))


def get(name, series, **headers):
    return Client(headers=headers).get(reverse(name, args=[series.club.slug, series.slug]))


def entries(answer):
    found = ElementTree.fromstring(answer.content).iter(f"{SPACE}entry")
    return [tuple(entry.find(f"{SPACE}{name}").text for name in ("title", "summary")) for entry in found]


def hide(player, director):
    choose_shown(player=player, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())


@pytest.mark.nightly("story")
def test_feed_tells_of_each_version_from_the_first_publication_on(series, director, people, evening):
    assert entries(get("series_feed", series)) == []
    publish(series, director)
    (one,) = entries(get("series_feed", series, accept_language="en"))
    assert one[0] == "Challenge d’été"
    assert one[1].startswith("Provisional ranking, version 1. 1. ")
    assert "Ada" in one[1]
    for name in ("club_feed", "feed"):
        path = reverse(name, args=[series.club.slug] if name == "club_feed" else [])
        assert "Challenge d’été" in [title for title, _summary in entries(Client().get(path))]
    publish_rows(evening, dict(zip(people, (10, 50, 40, 30), strict=True)))
    publish(series, director)
    SERIES_OF_CLUBS.withdraw(series.pk, word(director, "erreur"))
    (one,) = entries(get("series_feed", series, accept_language="en"))
    assert one[1] == "The ranking has been withdrawn: erreur."


def test_feed_of_a_tournament_names_no_series(series, director, evening):
    publish(series, director)
    path = reverse("tournament_feed", args=[series.club.slug, evening.tournament.slug])
    assert [title for title, _summary in entries(Client().get(path)) if "Challenge" in title] == []


def test_feed_forgets_a_name_that_is_hidden_even_in_another_club(series, director):
    other = make_club("voisins", "Voisins")
    neighbour = make_director(other, "voisine")
    (eve,) = name_players(other, "Eve")
    hold(thursdays(other, "Lundis"), FIRST, {eve: 99})
    row = ask_club(series_id=series.pk, slug=other.slug, by=director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    publish(series, director)
    before = get("series_feed", series)
    assert "Eve" in before.content.decode()
    hide(eve, neighbour)
    after = get("series_feed", series, if_none_match=before["ETag"])
    assert after.status_code == 200
    assert "Eve" not in after.content.decode()


def test_page_says_which_feed_it_has(series):
    path = reverse("series_feed", args=[series.club.slug, series.slug])
    assert f'href="http://testserver{path}"' in get("series", series).content.decode()


@pytest.mark.nightly("story")
def test_frame_shows_the_live_and_the_published_ranking_without_form_or_script(series, director, people):
    change_settings(series.club, {"embedders": ["https://club.example"]}, now=timezone.now(), by=director)
    live = get("series_embedded", series)
    publish(series, director)
    hide(people[1], director)
    published = get("series_embedded", series)
    for answer in (live, published):
        page = answer.content.decode()
        assert [tag for tag in ("<form", "<script", "<input", "<button", "style=") if tag in page] == []
        assert not answer.cookies
        assert "frame-ancestors https://club.example" in answer["Content-Security-Policy"]
        assert not answer.has_header("X-Frame-Options")
        assert "Ada" in page
    assert ("Bob" in live.content.decode(), "Bob" in published.content.decode()) == (True, False)
    assert "suit chaque soirée" in words(live)
    assert "suit chaque soirée" not in words(published)


def test_frame_of_a_ranking_that_is_held_back_or_unknown_is_a_404(series, director):
    publish(series, director)
    Session.objects.update(shows_ranking=False)
    assert get("series_embedded", series).status_code == 404
    assert Client().get(reverse("series_embedded", args=[series.club.slug, "rien"])).status_code == 404


def test_programs_read_the_list_and_the_ranking(series, director, people):
    place = [series.club.slug]
    (row,) = Client().get(reverse("api_series_list", args=place)).json()
    assert row == {"slug": series.slug, "title": "Challenge d’été", "starts_on": "2026-09-04", "ends_on": "2027-06-30"}
    hide(people[1], director)
    refresh_series(series.pk, now=timezone.now())
    live = get("api_series", series).json()
    assert {name: live[name] for name in ("state", "version", "status", "unit")} == {
        "state": "live", "version": None, "status": None, "unit": "points",
    }  # fmt: skip
    (event,) = live["events"]
    assert (event["day"], event["coefficient"], event["club"]) == ("2026-09-04", "1.00", series.club.name)
    first, second, *_others = live["players"]
    assert (first["rank"], first["total"]["exact"], first["marks"], first["played"]) == (1, "60", None, 1)
    assert first["results"] == [{"value": {"exact": "60", "decimal": "60.000000"}, "rank": 1, "counts": True}]
    assert "Ada" in first["name"]
    assert (second["player"], "Bob" in second["name"]) == (None, False)
    publish(series, director)
    published = get("api_series", series).json()
    assert (published["state"], published["version"], published["status"]) == ("published", 1, "provisional")
    assert published["players"] == live["players"]


def test_programs_read_nothing_of_a_ranking_that_is_held_back(series, director):
    publish(series, director)
    Session.objects.update(shows_ranking=False)
    held = get("api_series", series).json()
    assert (held["state"], held["events"], held["players"]) == ("held", [], [])


def test_answer_to_programs_is_kept_until_something_changes(series, director, people):
    first = get("api_series", series)
    assert first["Access-Control-Allow-Origin"] == "*"
    assert get("api_series", series, if_none_match=first["ETag"]).status_code == 304
    hide(people[0], director)
    assert get("api_series", series, if_none_match=first["ETag"]).status_code == 200


def test_page_can_be_shared(series):
    assert re.search(
        r'data-share="[^"]*Challenge',
        browser_of().get(reverse("series", args=[series.club.slug, series.slug])).content.decode(),
    )
