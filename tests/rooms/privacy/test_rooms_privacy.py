"""The data of an account in rooms: exported to its owner, and a number after an erasure. Closed rooms do not change."""

import io
import json
import zipfile

import pytest

from rooms.models import Game, RoomSeat, Visitor, VisitorEtui
from rooms.visitors import ensure_visitor, show_visitor_names
from tests.factories import make_user
from tests.rooms.lobby_world import MORNING, play_and_close
from tests.rooms.tables import NOON, make_visitor
from tournaments.privacy.erasing import erase
from tournaments.privacy.export import write_export
from tournaments.privacy.whom import whom_of_account

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_rooms(settings):
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, 2


@pytest.fixture
def visitor():
    return ensure_visitor(account=make_user("zoe"), name="Zoé", now=MORNING)


def read_export(user):
    with write_export(whom_of_account(user), told="", now=NOON) as file:
        written = io.BytesIO(file.read())
    with zipfile.ZipFile(written) as zipped:
        return {name: zipped.read(name).decode() for name in zipped.namelist()}


def test_export_has_what_the_account_played_and_nothing_of_others(visitor):
    other = make_visitor("Voisin")
    room = play_and_close([visitor, other])
    files = read_export(visitor.account)
    me, seats, met = (json.loads(files[f"{name}.json"]) for name in ("visitor", "room_seats", "etuis_met"))
    assert [row["name"] for row in me] == ["Zoé"]
    assert [(row["room"], row["letter"], row["deals"]) for row in seats] == [("half", "S", 2)]
    assert [row["etui"] for row in met] == [1, 2]
    assert "Voisin" not in "".join(files.values())
    assert room.deal_set.seed not in "".join(files.values())


def test_erased_player_is_a_number_and_the_room_stays(visitor):
    room = play_and_close([visitor, make_visitor()])
    before = list(RoomSeat.objects.filter(room=room).values("pk", "notes_sum", "deals", "rank", "is_guest"))
    games = list(Game.objects.filter(table__room=room).values())
    user = visitor.account
    assert erase(whom_of_account(user), by=user, now=NOON)
    visitor = Visitor.objects.get(pk=visitor.pk)
    assert (visitor.name, VisitorEtui.objects.filter(visitor=visitor).count()) == ("", 0)
    shown = show_visitor_names([visitor])[visitor.pk]
    assert (shown.is_named, shown.is_guest, str(visitor.pk) in shown.name) == (False, False, True)
    assert list(RoomSeat.objects.filter(room=room).values("pk", "notes_sum", "deals", "rank", "is_guest")) == before
    assert list(Game.objects.filter(table__room=room).values()) == games
