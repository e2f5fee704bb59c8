"""The heads of pages: public pages describe themselves to search engines, private ones do not."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders
from django.db import transaction
from django.templatetags.static import static
from django.test import Client
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Club, User
from pages.public.sitemap import LISTED
from tests.test_access import PAGES, READ, address, visit, world  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]

# Addresses that everybody can read but that are no pages: files, pictures, fragments.
NO_PAGES = {
    *("calculator", "results_csv", "tournament_csv", "plan_file", "podium", "tournament_podium", "robots", "sitemap"),
    *("favicon", "ranking_pdf", "tournament_pdf", "ranking_embedded", "tournament_embedded"),
    *("published_file", "ask_published_file", "tournament_file", "feuilles_pdf", "rules_booklet"),
    *("matches_file", "field_file", "field_embedded", "field_pdf", "field_podium", "simultaneous_key"),
    *("leaderboards_file", "club_leaderboards_file"),
    *("series_file", "series_feed", "series_embedded", "series_pdf", "series_podium"),
    *("feed", "club_feed", "tournament_feed", "calendar_file", "club_calendar_file"),
}
# Pages of an account, which no search engine needs.
OF_ACCOUNTS = {
    "login",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "account_inactive",
}
PUBLIC = sorted({name for name, (_, need, _) in PAGES.items() if need == READ} - NO_PAGES - OF_ACCOUNTS)
PRIVATE = sorted(name for name, (method, need, _) in PAGES.items() if need > READ and method == "GET")
# The newest version has the same content as the address of the ranking.
STANDS_AT = {
    "ranking_version": "ranking",
    "tournament_version": "tournament_ranking",
    "series_version": "series",
    "field_version": "field",
}
SITE = "http://testserver"


class Head(HTMLParser):
    """A parser for the head of a page: its title, the values in `meta`, and its links."""

    def __init__(self, page):
        super().__init__()
        self.titles, self.meta, self.links = [], {}, []
        self.feed(page[: page.index("</head>")])

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        if tag == "title":
            self.titles.append("")
        elif tag == "meta" and ("property" in told or "name" in told):
            self.meta.setdefault(told.get("property") or told["name"], []).append(told["content"])
        elif tag == "link":
            self.links.append((told["rel"], told["href"]))

    def handle_data(self, data):
        if self.lasttag == "title" and self.titles:
            self.titles[-1] += data

    def linked(self, rel):
        return [href for name, href in self.links if name == rel]


@pytest.fixture(scope="module", params=["fr", "en"])
def heads(world, request):  # noqa: F811
    for client in world["clients"].values():
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = request.param
    pages = {name: visit(world, name, "anonymous") for name in PUBLIC}
    return request.param, {name: Head(page.content.decode()) for name, page in pages.items()}


def test_each_public_page_has_one_title_that_no_other_has(heads):
    _, found = heads
    assert {name: len(head.titles) for name, head in found.items()} == dict.fromkeys(PUBLIC, 1)
    titles = {name: head.titles[0].strip() for name, head in found.items() if name not in STANDS_AT}
    assert len(set(titles.values())) == len(titles), sorted(titles.values())
    assert [title for title in titles.values() if re.search(r"\s\s|\s,|,,|^ ·", title)] == []


def test_each_public_page_is_described_in_50_to_160_characters(heads):
    _, found = heads
    described = {name: [unescape(text) for text in head.meta.get("description", [])] for name, head in found.items()}
    assert {name: texts for name, texts in described.items() if len(texts) != 1} == {}
    sizes = {name: len(texts[0]) for name, texts in described.items()}
    assert {name: size for name, size in sizes.items() if not 50 <= size <= 160} == {}
    told = [texts[0] for name, texts in described.items() if name not in STANDS_AT]
    assert len(set(told)) == len(told)


def test_each_public_page_says_where_it_lies_without_parameters(world, heads):  # noqa: F811
    _, found = heads
    lies = {name: [SITE + address(world, STANDS_AT.get(name, name))] for name in PUBLIC}
    assert {name: head.linked("canonical") for name, head in found.items()} == lies
    assert {name: head.meta["og:url"] for name, head in found.items()} == lies


def test_what_a_reader_asks_for_besides_is_no_page_of_its_own(world):  # noqa: F811
    for name, asked in (("ranking", "?by=line&q=zoé"), ("tournament_ranking", "?utm_source=x"), ("rules", "?bouts=3")):
        page = Client().get(address(world, name) + asked).content.decode()
        assert Head(page).linked("canonical") == [SITE + address(world, name)]


def test_each_public_page_leads_to_the_news_of_what_it_is_about(heads):
    _, found = heads
    feeds = {
        name: [href for href in head.linked("alternate") if href.endswith("/feed/")] for name, head in found.items()
    }
    assert {name: len(each) for name, each in feeds.items()} == dict.fromkeys(PUBLIC, 1)


def test_each_public_page_has_a_picture_for_where_it_is_shared(world, heads):  # noqa: F811
    _, found = heads
    pictures = {name: head.meta["og:image"] for name, head in found.items()}
    assert {name: len(urls) for name, urls in pictures.items()} == dict.fromkeys(PUBLIC, 1)
    assert {url for urls in pictures.values() for url in urls} == {
        f"{SITE}{static('img/share.png')}",
        SITE + address(world, "podium"),
        SITE + address(world, "tournament_podium"),
        SITE + address(world, "field_podium"),
        SITE + address(world, "series_podium"),
    }
    assert finders.find("img/share.png")


def test_what_is_shared_says_the_same_as_the_page(heads):
    language, found = heads
    for head in found.values():
        assert [*head.meta["og:title"], *head.meta["og:description"]] == [
            head.titles[0].strip().removesuffix(" · Topage"),
            *head.meta["description"],
        ]
        assert head.meta["og:locale"] == [{"fr": "fr_FR", "en": "en_GB"}[language]]


def test_names_of_any_length_leave_a_description_short_and_whole(world):  # noqa: F811
    name = "« L’Excuse & <i>compagnie</i> »" + "ô" * 89
    Club.objects.filter(pk=world["club"].pk).update(name=name)
    for page in ("club", "ranking"):
        text = Head(visit(world, page, "anonymous").content.decode()).meta["description"][0]
        assert len(text) <= 160
        assert "« L’Excuse & <i>compagnie</i> »" in text


@pytest.mark.nightly("story")
def test_private_pages_and_those_of_accounts_say_nothing_of_themselves(world):  # noqa: F811
    for name in (*PRIVATE, *sorted(OF_ACCOUNTS)):
        answer = visit(world, name, "director" if name in PRIVATE else "anonymous")
        if "html" in answer.get("Content-Type", "") and "<head>" in (page := answer.content.decode()):
            head = Head(page)
            assert (name, head.meta.get("description"), head.linked("canonical")) == (name, None, [])


@pytest.mark.nightly("story")
def test_search_engines_may_list_events_and_rankings_and_nothing_else(world):  # noqa: F811
    for _time in range(2):  # first built, then from the cache
        kept_out = {name for name in PAGES if "noindex" in visit(world, name, "anonymous").get("X-Robots-Tag", "")}
        assert kept_out == PAGES.keys() - LISTED


@pytest.mark.nightly("story")
def test_club_may_keep_its_events_and_rankings_out_of_search_engines(world):  # noqa: F811
    of_the_club = {name for name in LISTED & PAGES.keys() if PAGES[name][2] not in (None, "handbook slug")}

    def listed():
        return {name for name in of_the_club if "X-Robots-Tag" not in visit(world, name, "anonymous")}

    director = User.objects.get(username="director")
    with transaction.atomic():
        assert listed() == of_the_club
        change_settings(world["club"], {"indexed": False}, now=timezone.now(), by=director)
        assert listed() == set()
        assert listed() == set()  # the cached pages follow too
        change_settings(world["club"], {"indexed": True}, now=timezone.now(), by=director)
        assert listed() == of_the_club
        transaction.set_rollback(True)
