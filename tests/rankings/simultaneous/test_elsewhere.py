"""The field elsewhere: in a frame, as a line to share, and for programs. They show what its page shows."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from pages import ranking_pages
from rankings.simultaneous.field.publishing import FIELDS
from tests.pages.reading import words
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
TAGS = ("<form", "<script", "<input", "<button", "style=")


@pytest.fixture
def simultaneous(played):
    caches["pages"].clear()
    return played[0]


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def publish(simultaneous, director):
    return FIELDS.publish(simultaneous.pk, word(director))


def get(name, simultaneous, asked="", **headers):
    path = reverse(name, args=[simultaneous.club.slug, simultaneous.slug])
    return Client(headers={"accept-language": "en"} | headers).get(path + asked)


def hide_somebody(director):
    """Hide a player of the first club, Hiver0. Return the last name."""
    session = Session.objects.get(tournament__club__slug="hiver0")
    player = session.entrants.earliest("pk").player
    choose_shown(player=player, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())
    return player.last_name


@pytest.mark.nightly("story")
def test_frame_shows_the_published_ranking_without_form_or_script(simultaneous, director):
    change_settings(simultaneous.club, {"embedders": ["https://club.example"]}, now=timezone.now(), by=director)
    publish(simultaneous, director)
    answer = get("field_embedded", simultaneous)
    page = answer.content.decode()
    assert [tag for tag in TAGS if tag in page] == []
    assert not answer.cookies
    assert "frame-ancestors https://club.example" in answer["Content-Security-Policy"]
    assert not answer.has_header("X-Frame-Options")
    assert page.count("<tr ") + page.count("<tr>") == 41
    assert "classement de tous les clubs" in words(answer)
    assert "Hiver1" in words(answer)


def test_frame_forgets_who_hides_and_is_none_before_or_after(simultaneous, director):
    assert get("field_embedded", simultaneous).status_code == 404
    publish(simultaneous, director)
    before = get("field_embedded", simultaneous, "?club=hiver0").content.decode()
    name = hide_somebody(director)
    after = get("field_embedded", simultaneous, "?club=hiver0").content.decode()
    assert (name in before, name in after) == (True, False)
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    answer = get("field_embedded", simultaneous)
    assert answer.status_code == 404
    assert answer.has_header("X-Frame-Options")


def test_frame_of_a_long_ranking_shows_a_part(simultaneous, director, monkeypatch):
    monkeypatch.setattr(ranking_pages, "A_PART", 15)
    publish(simultaneous, director)
    first, last = (words(get("field_embedded", simultaneous, asked)) for asked in ("", "?part=3"))
    assert "Joueurs 1 à 15 sur 40" in first
    assert "Joueurs 31 à 40 sur 40" in last


@pytest.mark.nightly("story")
def test_newest_version_can_be_shared(simultaneous, director):
    publish(simultaneous, director)
    page = get("field", simultaneous, "?by=general").content.decode()
    assert re.search(r'data-share="[^"]*, ranking of all clubs\s+–\s+1\. [^"]+"', page)


@pytest.mark.nightly("story")
def test_programs_read_the_ranking_page_by_page(simultaneous, director):
    publish(simultaneous, director)
    (listed,) = Client().get(reverse("api_simultaneous_list", args=[simultaneous.club.slug])).json()
    assert (listed["slug"], listed["title"]) == ("hiver", "Simultané d’hiver")
    answer = get("api_field", simultaneous, "?size=15&by=general")
    told = answer.json()
    first = get("api_field", simultaneous).json()["players"][0]
    assert (told["reference"], first["rank_alterne"]) == ("alterne", 1)
    assert (told["version"], told["status"], told["count"], len(told["players"])) == (1, "provisional", 40, 15)
    assert told["clubs"] == [{"slug": "hiver0", "name": "Hiver0"}, {"slug": "hiver1", "name": "Hiver1"}]
    stored = simultaneous.publications.get().data["players"]
    read, path = [], answer
    while path is not None:
        read += path.json()["players"]
        following = re.search(r'<http://testserver([^>]*)>; rel="next"', path.get("Link", ""))
        path = following and Client().get(following[1])
    assert [(each["player"], each["rank_general"], each["overall"]["exact"]) for each in read] == [
        (row["player"], row["rank_general"], row["overall"]) for row in stored
    ]
    ours = get("api_field", simultaneous, "?by=N&club=hiver1").json()
    assert {(each["line"], each["club"]) for each in ours["players"]} == {("N", "Hiver1")}
    assert get("api_field", simultaneous, "?club=nulle-part").json()["count"] == 0
    assert get("api_field", simultaneous, "?by=points").status_code == 400


@pytest.mark.nightly("story")
def test_programs_read_nothing_before_a_version_or_after_its_withdrawal(simultaneous, director):
    assert get("api_field", simultaneous).status_code == 404
    publish(simultaneous, director)
    assert get("api_field", simultaneous).status_code == 200
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    gone = get("api_field", simultaneous)
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "withdrawn")


def test_programs_learn_no_hidden_name_and_no_note_of_an_etui(simultaneous, director):
    publish(simultaneous, director)
    first = get("api_field", simultaneous)
    assert first["Access-Control-Allow-Origin"] == "*"
    assert get("api_field", simultaneous, if_none_match=first["ETag"]).status_code == 304
    hide_somebody(director)
    told = get("api_field", simultaneous, "?club=hiver0", if_none_match=first["ETag"])
    assert told.status_code == 200
    hidden = [each for each in told.json()["players"] if each["shown"] == "hidden"]
    assert [(each["player"], each["name"]) for each in hidden] == [(None, "Hidden player")]
    assert {name for name in told.json() if "etui" in name or "score" in name} == set()
    assert set(hidden[0]) & {"id", "session", "number"} == set()


def test_programs_ask_as_few_queries_for_a_page_as_for_all(simultaneous, director, django_assert_max_num_queries):
    publish(simultaneous, director)
    for asked in ("?size=1", "?size=500"):
        with django_assert_max_num_queries(9):
            get("api_field", simultaneous, asked)
    etag = get("api_field", simultaneous)["ETag"]
    with django_assert_max_num_queries(4):
        assert get("api_field", simultaneous, if_none_match=etag).status_code == 304
