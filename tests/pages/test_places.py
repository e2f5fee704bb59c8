"""The navigation of places: every page in one entry, at most five parts, and what each reader may open."""

import re
from collections import Counter

import pytest
from django.template.loader import get_template
from django.urls import URLResolver, get_resolver

from pages.format_places import PLACES, PREPARATION, list_session_more, list_session_parts, list_tournament_parts
from pages.places import CLUB, PlaceFacts, find_bar
from scoring.formats import FORMATS
from tests.factories import make_club
from tests.law.packages import PROJECT
from tests.test_access import PAGES, address
from tests.world import make_world
from tournaments.permissions import Can

EACH_FORM = pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
# The pages below a place that are in no entry, with the reason.
APART = dict.fromkeys(
    ("ranking_embedded", "tournament_embedded", "series_embedded", "field_embedded"),
    "a frame on a page of another site",
)
SESSION = {"club": "c", "tournament": "t", "number": 1}


def list_places():
    """Yield the entries of a club, and of a tournament and a session of each form of play."""
    yield "club", CLUB, ()
    for name, form in FORMATS.items():
        yield f"tournament {name}", list_tournament_parts(form), ()
        yield name, list_session_parts(form), list_session_more(form)


def list_patterns(resolver):
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from list_patterns(each)
        else:
            yield each


EACH_PLACE = pytest.mark.parametrize(("parts", "more"), [pytest.param(*rest, id=name) for name, *rest in list_places()])


@EACH_PLACE
def test_place_has_at_most_five_parts_and_each_page_once(parts, more):
    assert len(parts) <= 5
    pages = [page for part in parts for page in part.pages] + list(more)
    # a session has one entry before its start, and another one after it
    names = Counter(name for page in pages for name in (page.name, *page.also) if page is not PREPARATION)
    assert [name for name, times in names.items() if times > 1] == []


def list_entries():
    """Return the kinds of places (club, tournament, session) that have each page in their entries, by its name."""
    kinds = {}
    for place, parts, more in list_places():
        kind = place.split()[0] if place.split()[0] in ("club", "tournament") else "session"
        for page in [page for part in parts for page in part.pages] + list(more):
            for name in (page.name, *page.also):
                kinds.setdefault(name, set()).add(kind)
    return kinds


@pytest.mark.django_db
@pytest.mark.nightly("crawl")
def test_each_whole_page_below_a_place_is_in_the_entries_of_one_place():
    world, entries = make_world(make_club(), ["director"]), list_entries()
    assert {name: kinds for name, kinds in entries.items() if len(kinds) > 1} == {}
    apart = set()
    for name in [name for name, (method, _, _) in PAGES.items() if method == "GET" and name not in entries]:
        url = address(world, name)
        answer = world["clients"]["director"].get(url) if url.startswith("/clubs/") else None
        if answer is not None and answer.status_code == 200 and b"<html" in answer.content[:1000]:
            apart.add(name)
    assert apart == APART.keys()
    assert len(APART) <= 15


@EACH_PLACE
def test_page_needs_the_right_that_its_door_asks_for(parts, more):
    pages = [page for part in parts for page in part.pages] + list(more)
    doors = {each.name: getattr(each.callback, "need", Can.READ) for each in list_patterns(get_resolver())}
    doors |= {name: need for name, (_, need, _) in PAGES.items()}
    assert {page.name: page.need for page in pages} == {page.name: doors[page.name] for page in pages}


@EACH_FORM
@pytest.mark.parametrize("draft", [True, False], ids=["draft", "begun"])
def test_reader_gets_only_what_everybody_may_read(form, draft):
    facts = PlaceFacts(Can.READ, draft=draft, ranked=not draft, etuis=None if draft else 3, phones=True)
    bar = find_bar(list_session_parts(form), list_session_more(form), facts, "session", SESSION)
    urls = {page.url for part in bar.parts for page in part.pages}
    base = "/clubs/c/tournaments/t/1/"
    read = {base} if draft else {base, f"{base}plan/", f"{base}hall/", f"{base}ranking/"}
    if not draft and not form.has_free_deals:
        read.add(f"{base}ranking/3/etuis/")
    assert urls == read
    assert len(bar.parts) <= 5


def test_current_part_shows_its_pages_and_marks_one():
    form = FORMATS["individual"]
    facts = PlaceFacts(Can.DIRECT, ranked=True, etuis=1, cash=True, phones=True)
    bar = find_bar(list_session_parts(form), list_session_more(form), facts, "live_feuille", SESSION)
    assert [part.pages for part in bar.parts if part.link.here] == [bar.pages]
    base = "/clubs/c/tournaments/t/1/"
    assert [(page.url.removeprefix(base), page.here) for page in bar.pages] == [
        ("standings/", True),
        ("publish/", False),
        ("requests/", False),
        ("ranking/", False),
    ]


def test_practice_club_has_no_page_that_only_a_real_club_has():
    bar = find_bar(CLUB, (), PlaceFacts(Can.DIRECT, practice=True), "club", {"club": "c"})
    urls = {page.url.removeprefix("/clubs/c/") for part in bar.parts for page in part.pages}
    assert {"team/", "programs/", "simultaneous/", "statistics/"} & urls == set()
    assert {"", "players/", "etuis/"} <= urls


@pytest.mark.parametrize("ranked", [True, False])
def test_tournament_leads_readers_to_its_ranking_once_there_is_one(ranked):
    parts = list_tournament_parts(FORMATS["individual"])
    bar = find_bar(parts, (), PlaceFacts(Can.READ, ranked=ranked), "tournament", {"club": "c", "tournament": "t"})
    ranking = [page.url for part in bar.parts for page in part.pages if page.url.endswith("ranking/")]
    assert ranking == ["/clubs/c/tournaments/t/ranking/"] * ranked


def test_each_part_is_a_template_and_has_a_place_on_a_page():
    parts = [pair for each in PLACES.values() for pair in each.parts.items()]
    for _place, name in parts:
        get_template(name)
    named = re.compile(r'{% parts \S+ "(\w+)"')
    used = {place for path in (PROJECT / "templates").rglob("*.html") for place in named.findall(path.read_text())}
    assert used == {place for place, _name in parts}
