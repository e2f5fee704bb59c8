"""The numbers that strangers write: no number in an address or a form causes an error of the site."""

import re
from itertools import product

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve
from django.utils.http import urlencode

from clubs.models import User
from evenings.plans.choosing import shape_of
from tests.test_access import address as page
from tests.test_access import world  # noqa: F401  (a fixture)
from tournaments.numbers import MOST_DIGITS, read_number

pytestmark = pytest.mark.django_db
NO_NUMBER = ["", "x", "1e3", "1.0", "٣", "²", "１２", "1_000", "+1", " 1", "-", "9" * 19, "9" * 5000]
ODD = ["0", "2147483648", "9" * 18]  # valid numbers that belong to nothing
POSTED = ["00000000012", "9" * 18, "٣", "-1", "9" * 5000]
FIELDS = (
    "apart", "at", "barometer", "by", "choice", "count", "do", "entrant", "etui", "first", "first_etui", "from",
    "from_position", "last", "leaving", "line", "member", "minutes", "number", "other", "page", "play", "player",
    "players", "points", "position", "positions", "seed", "seen_version", "session", "table", "unstarted", "version",
)  # fmt: skip
BUTTONS = [
    {"action": action, "do": do}
    for action, do in zip(
        ("choose", "fill", "release", "move", "leave", "join"),
        ("pause", "resume", "9" * 13, "-5", "0", ""),
        strict=True,
    )
]


def routes(patterns, before=""):
    """Yield the pattern of every address except the admin's."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if not route.startswith("admin/"):
                yield from routes(pattern.url_patterns, route)
        else:
            yield route


PART = re.compile(r"<\w+:(\w+)>")
NUMBERS = re.compile(r"<(?:int|number):(\w+)>")
ALL = sorted({route for route in routes(get_resolver().url_patterns) if "(?P" not in route})
NUMBERED = [route for route in ALL if NUMBERS.search(route)]
PREPARING = [route for route in ALL if route.endswith(("plan/choose/", ">/players/", "/etuis/"))]
PAGES = [route for route in ALL if not route.startswith("api/")]  # the API's numbers are JSON, and have their own tests


def test_every_number_in_an_address_is_read_by_one_converter():
    assert len(NUMBERED) > 60
    assert [route for route in NUMBERED if "<int:" in route] == []


def right(world, state, route):  # noqa: F811
    """Return right values for the parts of an address."""
    session = world[state]
    return {
        "club": world["club"].slug, "slug": world["club"].slug, "tournament": world["tournament"].slug,
        "number": session.number, "play": world["play"]["running"], "entrant": world["entrant"]["running"],
        "fmt": "json", "kind": "wrong-etuis" if "changes/" in route else "csv", "token": "x" * 43, "rest": "x",
        "pk": session.pk if "etuis" not in route else session.deal_set_id, "commitment": "0" * 64, "name": "garde-1",
    }  # fmt: skip


def address(route, parts):
    return "/" + PART.sub(lambda part: str(parts.get(part[1], 1)), route)


def ask(client, method, address, *given):
    """Return the answer, and roll back its changes."""
    with transaction.atomic():
        response = client.post(address, *given) if given else client.generic(method, address)
        list(response)  # reading to the end closes a file
        transaction.set_rollback(True)
    return response


def has_read(response, what):
    """Return True if the page has read GET or POST, which Django parses only on demand.

    A page that does not read one value does not read another.
    """
    return {"GET": "GET", "POST": "_post"}[what] in vars(response.wsgi_request)


def errors_of(client, method, tries):
    """Ask each address with one form after the other while the page reads it. Return what failed.

    `tries` is {address: [form, ...]}. The forms of a GET are its parameters.
    """
    failed = []
    for url, forms in tries.items():
        for form in forms:
            asked = [url, form] if method == "POST" else [f"{url}?{urlencode(form)}"]
            response = ask(client, method, *asked)
            if response.status_code >= 500:
                failed.append((url, form))
            if not has_read(response, method):
                break
    return failed


@pytest.fixture
def director(world):  # noqa: F811
    client = Client()
    client.force_login(User.objects.get(username="director"))
    return client


def odd_addresses(world, state):  # noqa: F811
    """Return addresses in which one number is odd and the others are right, for each number."""
    return {
        address(route, right(world, state, route) | {name: value})
        for route in NUMBERED
        for name in NUMBERS.findall(route)
        for value in ["1", *ODD]
    }


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("state", ["draft", "running", "published"])
def test_no_number_in_an_address_makes_an_error(world, director, state):  # noqa: F811
    running = odd_addresses(world, "running")
    asked = [("GET", url) for url in sorted(odd_addresses(world, state) - (set() if state == "running" else running))]
    asked += [("POST", url) for url in sorted(running)] if state == "running" else []
    assert [(method, url) for method, url in asked if ask(director, method, url).status_code >= 500] == []


@pytest.mark.parametrize("text", NO_NUMBER)
def test_what_is_no_number_is_no_address(text):
    with pytest.raises(Resolver404):
        resolve(f"/clubs/club/tournaments/ete/{text}/plan/")


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("state", ["draft", "running"])
def test_no_number_that_is_posted_makes_an_error(world, director, state):  # noqa: F811
    """Post every field of every form at once, with one button after the other."""
    common = {"shape": shape_of(world["draft"]), "reason": "x"}
    each, every = list(zip(POSTED, BUTTONS, strict=False)), list(product(POSTED, BUTTONS))
    tries = {
        address(route, right(world, state, route)): [
            dict.fromkeys(FIELDS, value) | common | button
            for value, button in (every if state == "draft" and route in PREPARING else each)
        ]
        for route in PAGES
    }
    assert errors_of(director, "POST", tries) == []


@pytest.mark.nightly("crawl")
def test_no_number_that_is_asked_for_makes_an_error(world, director):  # noqa: F811
    tries = {
        address(route, right(world, "running", route)): [dict.fromkeys(FIELDS, value) for value in POSTED]
        for route in ALL
    }
    assert errors_of(director, "GET", tries) == []


def test_page_that_reads_what_it_is_asked_with_is_known(world, director):  # noqa: F811
    """Check `has_read`; otherwise the tests above would ask once and stop."""
    assert has_read(ask(director, "GET", f"{page(world, 'session_plan')}?by=1"), "GET")
    assert has_read(ask(director, "POST", page(world, "clock"), {"do": "pause"}), "POST")
    assert not has_read(ask(director, "GET", "/robots.txt?by=1"), "GET")


@pytest.mark.parametrize("text", NO_NUMBER)
def test_what_is_no_number_is_none(text):
    assert read_number({"n": text}, "n", none=-1) == -1


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("0000000012", 12), ("-5", -5), ("9" * MOST_DIGITS, 10**18 - 1)]
)
def test_number_is_read(text, number):
    assert read_number({"n": text}, "n") == number


def test_number_that_is_missing_is_none():
    assert read_number({}, "n") == 0
