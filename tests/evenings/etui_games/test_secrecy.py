"""The secrecy of étuis for three or five: no card before the publication, and afterwards only what is shown."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deals.domain.cards import by_suit
from deals.domain.deal import loads
from pages.doors import session_url
from pages.parts.cards import faces
from rankings.publication.publishing import SESSIONS
from tests.etui_games import play_etuis
from tests.evenings.free.crawling import crawl
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_helper
from tests.pages.browsing import browser_of
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db


def secrets_of(session):
    """Return the texts that only somebody who knows the cards can write: deals, and the seed."""
    return {etui.cards for etui in session.deal_set.etuis.all()} | {session.deal_set.seed}


def answers_of(browser, session):
    """Return the bytes of every page and file that this reader finds, by address, and the hands drawn on pages."""
    club, tournament = session.tournament.club.slug, session.tournament.slug
    starts = [
        reverse("tournament", args=[club, tournament]),
        session_url("session", session),
        session_url("hall", session),
    ]
    tables = [reverse("table_screen", args=[token]) for token in tokens_of(session).values()]
    states = [reverse("table_state", args=[token]) for token in tokens_of(session).values()]
    pages = crawl(browser, [*starts, *tables], "en")
    found = {url: browser.get(url).content.decode(errors="replace") for _name, url in pages}
    return found | {url: browser.get(url).content.decode(errors="replace") for url in states}


def leaks(found, session):
    wanted = secrets_of(session)
    drawn = re.compile(r'class="(card|hand)\b')
    return {
        url: [secret[:12] for secret in wanted if secret in text] or drawn.findall(text)
        for url, text in found.items()
        if any(secret in text for secret in wanted) or drawn.search(text)
    }


@pytest.mark.nightly("story")
def test_no_reader_and_no_helper_finds_a_card_before_the_publication(evening):
    session, by = evening
    play_etuis(session, by, most=3)
    for browser in (Client(), browser_of(make_helper(session.tournament.club))):
        assert leaks(answers_of(browser, session), session) == {}


@pytest.mark.nightly("story")
def test_readers_find_cards_after_the_publication_only_if_they_are_shown(evening):
    session, by = evening
    play_etuis(session, by)
    SESSIONS.publish(session.pk, DirectorWord(by, timezone.now()))
    Session.objects.filter(pk=session.pk).update(shows_cards=False)
    assert leaks(answers_of(Client(), session), session) == {}
    Session.objects.filter(pk=session.pk).update(shows_cards=True)
    etui = Client().get(session_url("published_etui", session, 1, 1)).content.decode()
    deal = loads(session.deal_set.etuis.get(number=1).cards)
    for hand in deal.hands:
        for card in faces(hand):
            assert card.name in etui
    assert len(by_suit(deal.chien)) == 5


@pytest.mark.parametrize("role", ["anonymous", "helper"])
def test_the_pages_of_the_set_are_for_directors(evening, role):
    session, _by = evening
    club, pk = session.tournament.club, session.deal_set_id
    browser = Client() if role == "anonymous" else browser_of(make_helper(club))
    for name in ("deal_set", "deal_set_cards", "deal_set_print", "deal_set_statistics"):
        answer = browser.get(reverse(name, args=[club.slug, pk]))
        assert answer.status_code in (302, 403, 404), name
        assert not any(secret in answer.content.decode() for secret in secrets_of(session))
