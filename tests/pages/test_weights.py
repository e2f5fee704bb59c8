"""The size of public pages in the largest hall, as they are sent: small enough for any phone."""

import gzip
import re
from pathlib import Path
from random import Random

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from evenings.tables.words import FILES, find_file
from pages.doors import session_url
from tests.evenings.tables.phones import tokens_of
from tests.factories import enter_all, make_director, make_tournament, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.test_budgets import make_hall
from tests.test_access import PAGES, READ, address
from tournaments.page_cache import ask_page_cache

pytestmark = pytest.mark.django_db

TABLES = 150
MOST = 60_000  # bytes, compressed as the site does, without pictures
MOST_OF_TABLE = 95_000  # for the screen of a table of three to five with all of its files, which a phone loads once
# Files and pictures, which the reader asks for separately.
NO_PAGES = {
    "results_csv",
    "tournament_csv",
    "plan_file",
    "podium",
    "tournament_podium",
    "ranking_pdf",
    "field_pdf",
    "field_podium",
    "rules_booklet",
    "tournament_pdf",
    "published_file",
    "tournament_file",
    "series_file",
    "series_pdf",
    "series_podium",
    "feuilles_pdf",
}
# The longer page of each view, when a reader asks for all of it at once.
WHOLE = dict.fromkeys(("ranking", "tournament_ranking", "series"), "?part=all")
WHOLE |= {"session_plan": "?all", "hall": "?by=table"}
# For the first visit of a page with an empty cache: the page and its files as sent, with the headers of each answer.
# The evening has seven tables and twenty étuis. Lower these numbers.
FIRST_VISITS = {"home": 25_000, "ranking": 29_000, "session": 97_000}
LETTERS = "aàbcçdeéèêfghiïjklmnoôpqrstuùvwxyz"


def weigh(content):
    """Return the number of bytes as sent."""
    return len(gzip.compress(content, 6, mtime=0))


@pytest.fixture(scope="module")
def hall(rows_of_the_file):
    """Give everybody a random name, since the names of the factories compress better than a real club's."""
    made, draw = make_hall(TABLES), Random(14)
    players = list(made["club"].players.all())
    for player in players:
        player.first_name, player.last_name = ("".join(draw.choices(LETTERS, k=9)).title() for _name in range(2))
    Player.objects.bulk_update(players, ["first_name", "last_name"])
    ask_page_cache("clear")
    return made


@pytest.mark.nightly("story")
def test_each_public_page_is_light_in_the_largest_hall(hall):
    names = {name for name, (method, need, _) in PAGES.items() if (method, need) == ("GET", READ)} - NO_PAGES
    asked = [(name, "") for name in sorted(names)] + list(WHOLE.items())
    sizes = {}
    for name, more in asked:
        answer = Client().get(address(hall, name) + more)
        assert answer.status_code in (200, 302), name
        sizes[name + more] = weigh(answer.content)
    assert {name: size for name, size in sizes.items() if size > MOST} == {}


def weigh_head(answer):
    """Return the bytes of an answer's status and headers, as a browser counts them."""
    status = b"HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 00:00:00 GMT\r\n"
    return len(status + answer.serialize_headers() + b"\r\n\r\n")


def weigh_file(name):
    told = Client().head(f"/static/{name}")  # reading it there would end the test's connection to the database
    assert told.status_code == 200, name
    return weigh_head(told) + len(b"Content-Encoding: gzip\r\n") + weigh(Path(finders.find(name)).read_bytes())


def weigh_first_visit(client, where):
    """Return the bytes of a page and of its stylesheets, scripts and icon. A page of an account goes uncompressed."""
    page = client.get(where, headers={"accept-encoding": "gzip"})
    assert page.status_code == 200
    html = gzip.decompress(page.content) if page.get("Content-Encoding") == "gzip" else page.content
    files = set(re.findall(r"""(?:href|src)="/static/([^"?]+\.(?:css|js|svg))\"""", html.decode()))
    assert len(files) > 6
    return weigh_head(page) + len(page.content) + sum(map(weigh_file, files))


@pytest.mark.nightly("story")
def test_first_visit_of_home_ranking_and_desk_is_light():
    tournament = make_tournament()
    director = make_director(tournament.club)
    shape = {"tables": 7, "positions": 5, "etuis_per_position": 4}
    published, running = (started_session(tournament, **shape) for _evening in range(2))
    enter_all(published, by=director)
    publish(published, by=director)
    enter_all(running, by=director, plays=running.plays.filter(position__lte=3).select_related("etui"))
    clients = {"session": browser_of(director)}
    places = {"home": "/", "ranking": session_url("ranking", published), "session": session_url("session", running)}
    sizes = {name: weigh_first_visit(clients.get(name, Client()), where) for name, where in places.items()}
    assert {name: size for name, size in sizes.items() if size > FIRST_VISITS[name]} == {}, sizes


@pytest.mark.nightly("story")
def test_screen_of_a_table_is_light_with_all_its_files():
    page = Client().get(reverse("table_screen", args=[tokens_of(started_session())[1]])).content
    sizes = {name: weigh(find_file(name).read_bytes()) for name in FILES} | {"page": weigh(page)}
    assert sum(sizes.values()) < MOST_OF_TABLE, sizes
