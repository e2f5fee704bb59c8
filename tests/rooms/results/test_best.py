"""The lists of rooms by kind: the best of a month and of all time, by percentage or by deals, also of one country."""

import datetime as dt

import pytest
from django.urls import reverse

from rooms.models import RoomKind, RoomSeat, RoomTable, Visitor
from rooms.results.own import DEALS, find_best, read_best, read_own_results
from rooms.visitors.guests import ensure_visitor, set_visitor_country
from rooms.visitors.names import VisitorRefused, show_visitor_names
from tests.factories import make_user
from tests.pages.reading import words
from tests.rooms.lobby_world import MORNING, play_and_close
from tests.rooms.tables import NOON, make_visitor, open_room

pytestmark = pytest.mark.django_db
MONTH = dt.date(2026, 11, 1)


@pytest.fixture(autouse=True)
def with_rooms(settings, monkeypatch):
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, 2
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)


@pytest.fixture
def people():
    """Return three accounts with 30, 40 and 50 deals, whose means fall, and a guest who is on no list."""
    names = {"ada": "Suisse", "bea": "France", "cleo": ""}
    visitors = [ensure_visitor(account=make_user(name), name=name.title(), now=MORNING) for name in names]
    room = play_and_close([*visitors, make_visitor()])
    for place, (visitor, country) in enumerate(zip(visitors, names.values(), strict=True)):
        set_visitor_country(visitor=visitor, country=country)
        deals, mean = 30 + 10 * place, 60 - 10 * place
        RoomSeat.objects.filter(room=room, visitor=visitor).update(deals=deals, notes_sum=str(deals * mean), rank=1)
    return visitors


def names_of(told):
    return [(row.rank, row.shown.name) for row in told.rows]


@pytest.mark.nightly("story")
def test_lists_by_percentage_by_deals_and_of_one_country(people):
    best = read_best(RoomKind.HALF, MONTH, visitor=people[0])
    assert names_of(best) == [(1, "Ada"), (2, "Bea"), (3, "Cleo")]
    assert (best.countries, [row.is_own for row in best.rows]) == (["France", "Suisse"], [True, False, False])
    assert names_of(read_best(RoomKind.HALF, None, visitor=None, by=DEALS)) == [(1, "Cleo"), (2, "Bea"), (3, "Ada")]
    assert names_of(read_best(RoomKind.HALF, MONTH, visitor=None, country="France")) == [(1, "Bea")]
    assert read_best(RoomKind.HALF, dt.date(2026, 10, 1), visitor=None).rows == []
    assert [len(find_best(kind, None)) for kind in RoomKind] == [3, 0, 0, 0]


@pytest.mark.nightly("story")
def test_equal_figures_share_a_rank(people):
    RoomSeat.objects.filter(visitor__in=people).update(deals=30, notes_sum="1500")
    assert [rank for rank, _name in names_of(read_best(RoomKind.HALF, MONTH, visitor=None))] == [1, 1, 1]


@pytest.mark.nightly("story")
def test_page_has_each_list(people, client):
    client.cookies["django_language"] = "en"
    page = words(client.get(reverse("rooms_best"), headers={"accept-language": "en"}))
    assert "Ada" in page
    assert "Switzerland" not in page
    told = words(
        client.get(
            reverse("rooms_best"),
            {"kind": "half", "month": "all", "by": "deals", "country": "Suisse"},
            headers={"accept-language": "en"},
        )
    )
    assert "Best of all time" in told
    assert ("Ada" in told, "Bea" in told) == (True, False)
    for kind in RoomKind:
        assert client.get(reverse("rooms_best"), {"kind": kind.value, "month": "x", "by": "x"}).status_code == 200


@pytest.mark.nightly("story")
def test_account_without_a_club_says_its_country_and_a_guest_does_not(people, client):
    client.force_login(people[2].account)
    me = reverse("rooms_me")
    assert client.post(me, {"act": "country", "country": "  Belgique "}).status_code == 302
    people[2].refresh_from_db()
    assert (people[2].country, show_visitor_names([people[2]])[people[2].pk].country) == ("Belgique", "Belgique")
    assert 'value="Belgique"' in client.get(me).content.decode()
    client.post(me, {"act": "country", "country": "<b>"})
    people[2].refresh_from_db()
    assert people[2].country == "Belgique"
    client.post(me, {"act": "country", "country": ""})
    people[2].refresh_from_db()
    assert people[2].country == ""
    client.logout()
    client.post(me, {"act": "country", "country": "France"})
    assert not Visitor.objects.filter(account=None).exclude(country="").exists()
    with pytest.raises(VisitorRefused):
        set_visitor_country(visitor=people[0], country="x" * 61)


def test_room_with_a_single_deal_is_among_the_results_of_its_visitor():
    room, visitor = open_room(closed_at=NOON), make_visitor()
    table = RoomTable.objects.create(room=room, number=1)
    seat = {"room": room, "table": table, "letter": "S", "visitor": visitor, "joined_at": MORNING}
    RoomSeat.objects.create(**seat, deals=1, notes_sum="50")
    own = read_own_results(visitor, number=1)
    assert (own.total, len(own.rows), [(sums.deals, sums.mean) for sums in own.sums]) == (1, 1, [(1, 50)])
