"""The field elsewhere: its page for frames and its line to share. They show what its page shows."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from tests.tournaments.pages import words
from tournaments.models import Session
from tournaments.simultaneous.field.publishing import FIELD_RANKINGS, publish_field
from tournaments.versions.steps import DirectorWord
from tournaments.web.public.field import ranking

pytestmark = pytest.mark.django_db
TAGS = ("<form", "<script", "<input", "<button", "style=")


@pytest.fixture
def simultaneous(played):
    caches["pages"].clear()
    return played[0]


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def publish(simultaneous, director):
    return publish_field(simultaneous_id=simultaneous.pk, word=word(director))


def get(name, simultaneous, asked="", **headers):
    path = reverse(name, args=[simultaneous.club.slug, simultaneous.slug])
    return Client(headers={"accept-language": "en"} | headers).get(path + asked)


def hide_somebody(director):
    """Hide a player of the first club, Hiver0. Return the last name."""
    session = Session.objects.get(tournament__club__slug="hiver0")
    player = session.entrants.earliest("pk").player
    choose_shown(player=player, shown=Visibility.HIDDEN, way=Way.DIRECTOR, by=director, now=timezone.now())
    return player.last_name


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
    FIELD_RANKINGS.withdraw(simultaneous.pk, word(director, "erreur"))
    answer = get("field_embedded", simultaneous)
    assert answer.status_code == 404
    assert answer.has_header("X-Frame-Options")


def test_frame_of_a_long_ranking_shows_a_part(simultaneous, director, monkeypatch):
    monkeypatch.setattr(ranking, "A_PART", 15)
    publish(simultaneous, director)
    first, last = (words(get("field_embedded", simultaneous, asked)) for asked in ("", "?part=3"))
    assert "Joueurs 1 à 15 sur 40" in first
    assert "Joueurs 31 à 40 sur 40" in last


def test_newest_version_can_be_shared(simultaneous, director):
    publish(simultaneous, director)
    assert re.search(r'data-share="[^"]*: the ranking over all clubs"', get("field", simultaneous).content.decode())
