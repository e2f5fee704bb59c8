"""The news of a simultaneous: one event in lists and feeds of readers, and webhooks tell of its ranking."""

import json

import pytest
from django.utils import timezone

from clubs.models import Player, ShownWord, Visibility
from clubs.shown import choose_shown
from outgoing.webhooks.calling import call_webhooks, note_new_calls
from outgoing.webhooks.posting import Answer
from outgoing.webhooks.setup import EVENTS, WebhookGiven, make_webhook
from pages.doors import session_url
from rankings.listing import find_latest_events, read_all_podiums
from rankings.simultaneous.field.publishing import FIELDS
from rankings.simultaneous.setup import put_simultaneous_away
from registration.agenda.events import of_club, over_clubs, read_day
from tests.factories import make_director, publish
from tests.pages.browsing import browser_of
from tests.rankings.simultaneous.national_day import word

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


def read_feed(club):
    return browser_of().get(f"/clubs/{club.slug}/feed/").content.decode()


def read_feeds(club):
    return [browser_of().get("/feed/").content.decode(), read_feed(club)]


def clubs_of(sessions):
    return [session.tournament.club for session in sessions]


def test_feeds_of_the_site_and_of_the_organiser_list_the_ranking(played, director, organiser):
    simultaneous, _sessions = played
    assert all(simultaneous.title not in feed for feed in read_feeds(organiser))
    version = FIELDS.publish(simultaneous.pk, word(director))
    place = f"/clubs/{organiser.slug}/simultaneous/{simultaneous.slug}/ranking/"
    for feed in read_feeds(organiser):
        assert f"{simultaneous.title}, ranking of all clubs" in feed
        assert place in feed
    steps = read_all_podiums([version])[version]
    assert [step.rank for step in steps][:1] == [1]
    first = Player.objects.get(pk=steps[0].player)
    now, hidden = timezone.now(), Visibility.HIDDEN
    choose_shown(player=first, shown=hidden, way=ShownWord.WordWay.DIRECTOR, by=director, now=now)
    assert first.last_name in steps[0].name
    assert all(first.last_name not in step.name for step in read_all_podiums([version])[version])
    put_simultaneous_away(simultaneous_id=simultaneous.pk, by=director, now=timezone.now())
    assert all(place not in feed for feed in read_feeds(organiser))


def test_webhooks_of_the_organiser_are_told(played, director, organiser, settings):
    settings.SITE_URL = "https://tarot.example.org"
    simultaneous, _sessions = played
    given = WebhookGiven("https://club.example/topage", frozenset(EVENTS))
    make_webhook(organiser, given, by=director, now=timezone.now())
    bodies = []

    def listen(_url, body, _headers):
        bodies.append(json.loads(body))
        return Answer(200, "")

    def sweep():
        note_new_calls(timezone.now())
        call_webhooks(find_now=timezone.now, post=listen)

    FIELDS.publish(simultaneous.pk, word(director))
    sweep()
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    sweep()
    assert [(body["event"], body["kind"], body["version"]) for body in bodies] == [
        ("published", FIELDS.name, 1),
        ("withdrawn", FIELDS.name, 2),
    ]
    place = f"https://tarot.example.org/clubs/{organiser.slug}/simultaneous/{simultaneous.slug}/ranking/"
    assert (bodies[0]["page"], bodies[0]["api"]) == (place, place.replace("/clubs/", "/api/v1/clubs/"))


def test_clubs_of_a_simultaneous_are_one_event_and_lead_to_their_common_ranking(played, director, organiser):
    simultaneous, sessions = played
    for session in sessions:
        publish(session, by=make_director(session.tournament.club, f"chef-{session.pk}"), allow_missing=True)
    (own,) = find_latest_events(4)
    assert own.session in sessions  # nobody has published the common ranking yet
    version = FIELDS.publish(simultaneous.pk, word(director))
    (event,) = find_latest_events(4)
    assert (event.version, event.title, event.session) == (version, simultaneous.title, None)
    clubs = sorted((session.tournament.club.name, session_url("session", session)) for session in sessions)
    assert list(event.clubs) == clubs
    common = f'href="/clubs/{organiser.slug}/simultaneous/{simultaneous.slug}/ranking/"'
    for page in ("/", f"/clubs/{sessions[0].tournament.club.slug}/"):
        shown = browser_of().get(page).content.decode()
        links = 1 if page == "/" else 2  # the podium, and the tournament on the page of its club
        assert (page, shown.count('<li class="podium">'), shown.count(common)) == (page, 1, links)
        assert all(f'href="{path}"' in shown for _name, path in clubs)
    for feed in (read_feeds(organiser)[0], *map(read_feed, clubs_of(sessions))):
        assert (feed.count("<entry>"), simultaneous.title in feed) == (1, True)
    for session in sessions:
        read = read_day(of_club(session.tournament.club), session.date, 1, timezone.now())
        assert [each.ranking for each in read.events] == [event.place.page]
    (day,) = read_day(over_clubs(), sessions[0].date, 1, timezone.now()).events
    assert (day.tournament, day.page, day.ranking) == (simultaneous.title, event.place.page, event.place.page)
    assert [part.club for part in day.parts] == [name for name, _path in clubs]
    month = browser_of().get("/calendar/", {"month": f"{sessions[0].date:%Y-%m}"}).content.decode()
    assert month.count(f"{common}>{simultaneous.title}<") == 1
    FIELDS.withdraw(simultaneous.pk, word(director, "erreur"))
    assert [each.session in sessions for each in find_latest_events(4)] == [True]
    assert read_feeds(organiser)[0].count("<entry>") == 2  # the withdrawal, and the newest ranking of a club
