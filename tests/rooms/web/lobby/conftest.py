"""The fixtures of the lobby: it is noon, and the site has rooms, made once for each file."""

from dataclasses import replace

import pytest
from django.test import override_settings

from tests.rooms.lobby_world import ETUIS, draw_same_seeds, make_clients, make_lobby_world
from tests.rooms.tables import NOON


@pytest.fixture(scope="module")
def made_once(rows_of_the_file):
    with override_settings(ROOMS=True, ROOM_LEVEL=0, ROOM_ETUIS=ETUIS), pytest.MonkeyPatch.context() as patch:
        draw_same_seeds(patch)
        patch.setattr("django.utils.timezone.now", lambda: NOON)  # rows that are kept are of the same moment
        yield make_lobby_world()


@pytest.fixture
def world(made_once):
    """Return the site with rooms, with devices on which nobody has done anything yet."""
    for rows in (made_once.closed, made_once.open, made_once.next, *made_once.visitors.values()):
        rows.refresh_from_db()
    return replace(made_once, clients=make_clients(made_once.users, made_once.token))


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings):
    """Let it be noon, on a site with rooms."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, ETUIS
