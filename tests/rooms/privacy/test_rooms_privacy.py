"""The data of an account in rooms: exported to its owner, and a number after an erasure. Closed rooms do not change."""

import datetime as dt
import io
import json
import zipfile

import pytest

from archives.privacy.erasing import erase
from archives.privacy.export import write_export
from archives.privacy.periods import forget_what_is_over
from archives.privacy.whom import whom_of_account
from rooms.models import Game, RoomSeat, RoomTable, Visitor, VisitorEtui
from rooms.opening import join_room
from rooms.visitors.guests import ensure_visitor
from rooms.visitors.names import show_visitor_names
from tests.factories import make_user
from tests.rooms.lobby_world import MORNING, play_and_close
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

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


@pytest.mark.nightly("story")
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


@pytest.mark.nightly("story")
def test_erased_player_is_a_number_and_the_room_stays(visitor):
    room = play_and_close([visitor, make_visitor()])
    before = list(RoomSeat.objects.filter(room=room).values("pk", "notes_sum", "deals", "rank", "is_guest"))
    games = list(Game.objects.filter(table__room=room).order_by("pk").values())
    user = visitor.account
    assert erase(whom_of_account(user), by=user, now=NOON)
    visitor = Visitor.objects.get(pk=visitor.pk)
    assert (visitor.name, VisitorEtui.objects.filter(visitor=visitor).count()) == ("", 0)
    shown = show_visitor_names([visitor])[visitor.pk]
    assert (shown.is_named, shown.is_guest, str(visitor.pk) in shown.name) == (False, False, True)
    assert list(RoomSeat.objects.filter(room=room).values("pk", "notes_sum", "deals", "rank", "is_guest")) == before
    assert list(Game.objects.filter(table__room=room).order_by("pk").values()) == games


@pytest.mark.nightly("story")
def test_guest_without_a_deal_is_deleted_and_etuis_of_others_after_90_days():
    room, played = open_room(now=NOON), make_visitor("Zoé")
    play_by_hand(room, played, 1, now=NOON)
    ghost = make_visitor("Ombre")
    join_room(room_id=room.pk, visitor=ghost, now=NOON)
    Visitor.objects.update(seen_at=NOON)
    forget_what_is_over(NOON + dt.timedelta(hours=47))
    assert Visitor.objects.count() == 2
    forget_what_is_over(NOON + dt.timedelta(hours=49))
    assert [visitor.name for visitor in Visitor.objects.all()] == ["Zoé"]
    assert RoomTable.objects.filter(room=room, is_filler=False).count() == 1
    forget_what_is_over(NOON + dt.timedelta(days=89))
    assert VisitorEtui.objects.filter(visitor=played).count() == 1
    forget_what_is_over(NOON + dt.timedelta(days=91))
    assert (VisitorEtui.objects.count(), Game.objects.filter(table__is_filler=False).count()) == (0, 1)
    assert RoomSeat.objects.filter(visitor=played).exists(), "the ranking of the room keeps the number"


@pytest.mark.nightly("story")
def test_guest_of_no_ranking_goes_after_90_days_and_rankings_stay():
    played, passer = make_visitor("Zoé"), make_visitor("Passant")
    room = play_and_close([played])
    table = played.seats.get().table
    after = Game.objects.filter(table=table).latest("begun_at").begun_at + dt.timedelta(minutes=1)
    told = {"room": room, "table": table, "letter": "N", "is_solo": False}
    left = after + dt.timedelta(minutes=1)
    RoomSeat.objects.create(visitor=passer, joined_at=after, left_at=left, **told)
    Visitor.objects.update(seen_at=NOON)
    before = read_closed(room)
    forget_what_is_over(NOON + dt.timedelta(days=89))
    assert set(Visitor.objects.all()) == {played, passer}
    forget_what_is_over(NOON + dt.timedelta(days=91))
    assert set(Visitor.objects.all()) == {played}
    assert not RoomSeat.objects.filter(left_at=left).exists()
    assert read_closed(room) == before


def read_closed(room):
    """Return the ranked seats and all games of a closed room, as they are stored."""
    seats = RoomSeat.objects.filter(room=room, letter="S").order_by("pk")
    return list(seats.values()), list(Game.objects.filter(table__room=room).order_by("pk").values())


@pytest.mark.nightly("story")
def test_guest_who_has_played_stays_as_a_number_with_nothing_personal(administrator):
    guest = make_visitor("Zoé", country="Suisse", hidden_at=NOON, hidden_by=administrator)
    play_and_close([guest])
    Visitor.objects.update(seen_at=NOON)
    forget_what_is_over(NOON + dt.timedelta(days=91))
    row = Visitor.objects.values().get()
    kept = {name for name, value in row.items() if value not in ("", None, False)}
    assert kept == {"id", "created_at", "seen_at", "forgotten_at"}
    assert not VisitorEtui.objects.exists()


@pytest.fixture
def administrator():
    return make_user("admin")
