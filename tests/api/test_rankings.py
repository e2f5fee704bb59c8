"""The published rankings of all kinds by the API: the same addresses, fields, steps and limits for each kind."""

import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import V1, Client
from tests.rankings.all_kinds import KINDS, AllKinds, make_all_kinds

pytestmark = pytest.mark.django_db
BRIEF = {"version", "status", "official_from", "published_at", "reason", "digest"}
MOST_QUERIES = 3


@pytest.fixture(scope="module")
def world(rows_of_the_file: None) -> AllKinds:
    return make_all_kinds()


@pytest.fixture
def director(world: AllKinds) -> Client:
    return Client(world.by)


@pytest.fixture
def stranger(db: None) -> Client:
    return Client(None)


STORIES = {"session", "tournament"}  # jobs about players follow each of their versions


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.nightly("story") if kind in STORIES else ()) for kind in KINDS]
)
def test_ranking_is_made_official_reopened_withdrawn_and_published_again(
    world: AllKinds, director: Client, stranger: Client, kind: str
) -> None:
    base = world.api(kind)
    assert director.post(base, {}, status=200)["version"] == 1  # readers see these figures already
    steps = [
        director.post(f"{base}official/", {}, status=200),
        director.post(f"{base}reopen/", {"reason": "relu"}, status=200),
        director.post(f"{base}withdraw/", {"reason": "faux"}, status=200),
        director.post(base, {}, status=201),
    ]
    assert [(each["version"], each["status"], each["reason"]) for each in steps] == [
        (2, "official", ""),
        (3, "provisional", "relu"),
        (4, "withdrawn", "faux"),
        (5, "provisional", ""),
    ]
    assert {frozenset(each) for each in steps} == {frozenset(BRIEF | {"changes"})}
    listed = stranger.get(base)
    assert [each["version"] for each in listed] == [5, 4, 3, 2, 1]
    assert listed[0] == steps[-1]
    assert stranger.refused("GET", f"{base}3/", status=404) == "withdrawn"


@pytest.mark.parametrize("kind", KINDS)
def test_step_is_refused_with_the_same_code_for_each_kind(world: AllKinds, director: Client, kind: str) -> None:
    base = world.api(kind)
    assert director.refused("POST", f"{base}reopen/", {"reason": "x"}, status=422) == "ranking_not_official"
    assert director.refused("POST", f"{base}withdraw/", {}, status=400) == "invalid"
    assert director.refused("POST", base, {"why": "x"}, status=400) == "invalid"


@pytest.mark.parametrize("kind", KINDS)
def test_version_and_the_newest_one_have_the_same_fields(world: AllKinds, stranger: Client, kind: str) -> None:
    newest, first = stranger.get(world.api(kind, 1)), stranger.get(f"{world.api(kind)}1/")
    assert newest == first
    assert BRIEF | {"unit", "players"} <= newest.keys()
    assert newest["unit"] in ("per_cent", "points")
    assert {name: newest[name] for name in BRIEF} | {"changes": []} == stranger.get(world.api(kind))[0]
    figure = newest["players"][0]["total" if kind in ("tournament", "series") else "overall"]
    assert figure.keys() == {"exact", "decimal"}
    assert re.fullmatch(r"-?\d+\.\d{6}", figure["decimal"])


@pytest.mark.guard("each page keeps its budget of queries in any hall")
@pytest.mark.parametrize("kind", KINDS)
def test_later_answer_takes_at_most_three_queries(world: AllKinds, kind: str) -> None:
    caches["pages"].clear()
    for path in (world.api(kind, 1), world.api(kind), f"{world.api(kind)}1/"):
        first = Browser().get(V1 + path)
        with CaptureQueriesContext(connection) as asked:
            again = Browser().get(V1 + path)
        assert again.content == first.content
        assert len(asked) <= MOST_QUERIES, path
        assert Browser().get(V1 + path, headers={"if-none-match": first["ETag"]}).status_code == 304
