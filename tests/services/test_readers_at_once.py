"""A crowd of readers who open one page in the same moment: one of them builds it, on a server and on a laptop."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.urls import reverse

from pages.doors import session_url
from pages.public import all_kinds, feeds
from tests.factories import published_session
from tests.services.waiting import PATIENCE

pytestmark = pytest.mark.nightly("race")

READERS = 50
IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages of readers at once"}


# The answer, the function that builds it, and its address.
ASKED = {
    "page": (all_kinds, "render", lambda session: session_url("ranking", session)),
    "picture": (all_kinds, "draw_podium", lambda session: session_url("podium", session, 1)),
    "feed": (feeds, "read_all_podiums", lambda _session: reverse("feed")),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("cache", ["redis", "memory"])
def test_cold_page_is_built_by_one_reader_for_all(transactional_db, settings, monkeypatch, cache, asked):
    if cache == "memory":
        settings.CACHES = settings.CACHES | {"pages": IN_MEMORY}
    module, builder, address_of = ASKED[asked]
    built, really, together = [], getattr(module, builder), Barrier(READERS, timeout=PATIENCE)
    monkeypatch.setattr(module, builder, lambda *given, **more: built.append(1) or really(*given, **more))
    url = address_of(published_session())

    def ask(_number):
        try:
            together.wait()
            return Client(headers={"accept-encoding": "gzip"}).get(url)
        finally:
            connection.close()

    with ThreadPoolExecutor(READERS) as threads:
        answers = list(threads.map(ask, range(READERS)))
    caches["pages"].clear()
    assert len(built) == 1
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
