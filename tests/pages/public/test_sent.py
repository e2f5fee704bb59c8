"""The bytes that are sent: a session's page, the rules and static files, compressed, and only to those without them."""

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.players import raise_names_version
from evenings.sessions.running import call_position
from pages.doors import session_url
from pages.public import calculator
from registration.people.registration import set_registration
from tests.factories import draft_session, enter_all, make_director, make_user, publish, started_session
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db

SMALL = {"accept-encoding": "gzip, deflate, br"}
MOST_OF_DOCS = 600_000


def ask(url, language="en", **headers):
    return Client(headers={"accept-language": language, **headers}).get(url)


def body(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.fixture
def pages():
    """Return the addresses of a session's page before and after its start, and of the rules."""
    draft = draft_session()
    running = started_session(draft.tournament)
    rules = reverse("rules")
    return {
        "draft": session_url("session", draft),
        "running": session_url("session", running),
        "rules": rules,
        "page": reverse("rules_page", args=["marks"]),
        "calculator": f"{rules}?players=4&contract=garde&bouts=2&points=30",
    }


@pytest.mark.nightly("story")
def test_page_goes_compressed_and_is_told_apart_by_its_etag(pages):
    for name, url in pages.items():
        plain, small = ask(url), ask(url, **SMALL)
        assert (name, plain.get("Content-Encoding"), small.get("Content-Encoding")) == (name, None, "gzip")
        assert gzip.decompress(small.content) == plain.content
        assert len(small.content) < len(plain.content) / 2
        assert small["ETag"] == plain["ETag"]
        again = ask(url, **{"if-none-match": small["ETag"]})
        assert (name, again.status_code, again.content) == (name, 304, b"")
        assert {"Accept-Encoding", "Accept-Language", "Cookie"} <= set(small["Vary"].split(", "))
        assert ask(url, language="fr")["ETag"] != small["ETag"]
    assert "−72" in ask(pages["calculator"]).content.decode()
    assert len({ask(url)["ETag"] for url in pages.values()}) == len(pages)


@pytest.mark.nightly("story")
def test_nothing_that_a_reader_typed_is_kept(pages, monkeypatch):
    built = []
    really = calculator.score_deal
    monkeypatch.setattr(calculator, "score_deal", lambda *given: built.append(given) or really(*given))
    for _time in range(2):
        ask(pages["calculator"])
    assert len(built) == 2


@pytest.mark.nightly("story")
@pytest.mark.parametrize("account", ["reader", "directrice"])
def test_page_of_an_account_is_neither_compressed_nor_kept(pages, account):
    """Check it: such a page has the tokens of forms, and parts that come from the address."""
    user = make_user("reader") if account == "reader" else make_director(Player.objects.first().club)
    for url in pages.values():
        answer = browser_of(user).get(url, headers=SMALL)
        assert answer.get("Content-Encoding") is None
        assert answer.get("ETag") is None


def test_page_of_a_draft_says_when_registration_opens():
    draft = draft_session()
    url, director = session_url("session", draft), make_director(draft.tournament.club)
    before = ask(url)
    set_registration(accepts_at_once=True, session_id=draft.pk, by=director, now=timezone.now())
    after = ask(url, **{"if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert session_url("sign_up", draft) in after.content.decode()


@pytest.mark.nightly("process")
def test_page_of_a_session_follows_names_settings_and_publications():
    session = started_session()
    url, director = session_url("session", session), make_director(session.tournament.club)
    seen = [ask(url)["ETag"]]

    def is_new():
        answer = ask(url, **{"if-none-match": seen[-1]})
        seen.append(answer["ETag"])
        return answer.status_code == 200

    assert not is_new()
    player = session.entrants.first().player
    player.last_name = "Rebaptisé"
    player.save()
    raise_names_version(player.club_id)
    assert is_new()
    assert "Rebaptisé" in ask(url).content.decode()
    call_position(session_id=session.pk, position=1, by=director, now=timezone.now())
    assert is_new()
    enter_all(session, by=director)
    publish(session, by=director)
    assert is_new()
    assert session_url("ranking", session) in ask(url).content.decode()
    assert not is_new()


def test_static_file_goes_compressed_to_who_takes_it_so():
    url = "/static/css/site.css"
    plain, small = ask(url), ask(url, **SMALL)
    whole = body(plain)
    sent = body(small)
    assert (plain.get("Content-Encoding"), small["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(sent) == whole
    assert int(small["Content-Length"]) == len(sent) < len(whole) / 2
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in small["Vary"]
    assert ask(url, **SMALL, **{"if-none-match": small["ETag"]}).status_code == 304
    part = ask(url, **SMALL, range="bytes=0-99")
    assert (part.status_code, part.get("Content-Encoding"), body(part)) == (206, None, whole[:100])
    picture = ask("/static/img/share.png", **SMALL)
    assert picture.get("Content-Encoding") is None
    assert body(picture).startswith(b"\x89PNG")


@pytest.mark.nightly("story")
def test_page_of_the_api_weighs_little_with_all_that_it_loads():
    sent = {}

    def load(url):
        answer = ask(url, **SMALL)
        assert answer.status_code == 200, url
        sent[url] = len(body(answer))
        return ask(url).content.decode() if not answer.streaming and not url.startswith("/static/") else ""

    docs = reverse("api_docs")
    page = load(docs)
    for url in re.findall(r'(?:src|href)="([^"]+)"', page):
        load(url.replace("&amp;", "&") if url.startswith("/") else docs + url)
    load(reverse("api_schema"))
    assert sum("swagger-ui" in url for url in sent) == 2
    assert sum(sent.values()) <= MOST_OF_DOCS, sent
