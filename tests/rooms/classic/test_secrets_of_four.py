"""The cards of a table for four: no answer of an open room changes with a card that its reader has not seen."""

import logging
import re
from itertools import islice

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clubs.models import User
from deals.domain.cards import Seat
from deals.domain.deal import Deal, dumps, loads
from deals.models import Etui
from referee.cards import cards_of
from referee.errors import PlayRefused
from referee.terms import DealPhase
from referee.views import view
from rooms.models import Game
from rooms.record.replaying import replay_record
from tests.rooms.api.test_games_api import list_addresses, read
from tests.rooms.classic.fours import START, seat_people
from tests.rooms.tables import make_visitor
from tests.rooms.web.classic.test_four_pages import client_of

pytestmark = pytest.mark.django_db
DRAWS = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
STAMP = rb'data-state="[^"]*"|"seen": ?"[^"]*"|data-state=\\"[^"]*\\"'
CSRF = rb'csrfmiddlewaretoken\\?" value=\\?"[^"]*"'


@pytest.fixture(autouse=True)
def noon(monkeypatch, settings):
    monkeypatch.setattr("django.utils.timezone.now", lambda: START)
    monkeypatch.setattr("api.base.Throttle.get_rate", lambda _self: "9999/min")
    settings.ROOMS, settings.ROOM_LEVEL = True, 0


def play_to(people, moves):
    """Return a table at which so many people have made so many moves. Bots have the other seats. Somebody takes."""
    four = seat_people(people, wait=10)
    four.now = START
    four.drive(10)
    four.now = START
    for _move in range(moves):
        seat, token = four.token()
        position = four.held.hold(seat).position
        takes = position.state.phase == DealPhase.AUCTION and "C" not in position.tokens
        four.move(seat, "C" if takes else token)
        four.drive()
    return four


def show_all(client, table):
    """Return everything that a player is told about the table: the page, the script's piece, the API, the poll."""
    page = reverse("room_four", args=[table])
    answers = [
        client.get(page).content,
        client.get(page, headers={"accept": "application/json"}).content,
        client.get(reverse("api_room_four", args=[table])).content,
        client.get(f"{page}state").content,
        client.get(f"/api/v1{page}state").content,
    ]
    return [re.sub(STAMP + b"|" + CSRF, b"", answer) for answer in answers]


def exchange(etui, record, seat, places):
    """Return the deal with two cards exchanged that a seat has not seen, or None if that seat would have seen it."""
    deal, dealer = loads(etui.cards), Seat(etui.dealer)
    before = replay_record(deal, dealer, record)
    unseen = list(cards_of(view(before.state, seat).unseen))
    if len(unseen) < 2:
        return None
    one, other = (unseen[place % len(unseen)] for place in places)
    holders = list(deal.holders)
    holders[one], holders[other] = holders[other], holders[one]
    changed = Deal.from_holders(bytes(holders))
    try:
        after = replay_record(changed, dealer, record)
    except PlayRefused:
        return None
    return changed if changed != deal and view(after.state, seat) == view(before.state, seat) else None


@pytest.mark.nightly("crawl", only=("4-30", "2-9", "4-5"))
@pytest.mark.guard("no seat is told of a card that it has not seen")
@pytest.mark.parametrize(("people", "moves"), [(4, 0), (4, 5), (4, 30), (2, 9)])
def test_no_seat_is_told_of_a_card_that_it_has_not_seen(people, moves):
    four = play_to(people, moves)
    etui, record, table = Etui.objects.get(games__isnull=False), Game.objects.get().record, four.table.pk
    clients = {seat: client_of(visitor) for seat, visitor in four.people.items()}
    before = {seat: show_all(client, table) for seat, client in clients.items()}
    cards = etui.cards
    assert all(b"data-card" in told[0] and b'"hand":[' in told[2] for told in before.values())

    @DRAWS
    @given(st.sampled_from(sorted(clients)), st.tuples(st.integers(0, 77), st.integers(0, 77)))
    def each(seat, places):
        changed = exchange(etui, record, seat, places)
        assume(changed is not None)
        try:
            Etui.objects.filter(pk=etui.pk).update(cards=dumps(changed))
            assert show_all(clients[seat], table) == before[seat]
        finally:
            Etui.objects.filter(pk=etui.pk).update(cards=cards)

    each()
    assert Game.objects.get().record == record


@pytest.mark.nightly("process")
def test_logs_of_a_table_for_four_tell_no_hand_and_no_seed(caplog):
    """Play a deal by the API with all loggers open. Then read every line: a hand, the chien, the record, the seed."""
    caplog.set_level(logging.DEBUG)
    four = play_to(2, 9)
    clients = {seat: client_of(visitor) for seat, visitor in four.people.items()}
    for _move in range(4):
        for client in clients.values():
            show_all(client, four.table.pk)
        seat, token = four.token()
        body = {"deal": 1, "at": Game.objects.get().length, "move": token}
        sent = clients[seat].post(reverse("api_room_four", args=[four.table.pk]), body, "application/json")
        assert sent.status_code == 200, sent.content
        refused = clients[seat].post(
            reverse("api_room_four", args=[four.table.pk]), body | {"move": "x"}, "application/json"
        )
        assert refused.status_code in (400, 409)
        four.drive()
    logging.getLogger("rooms").warning("This line is captured.")
    etui, game = Etui.objects.get(games__isnull=False), Game.objects.get()
    assert "This line is captured." in caplog.text
    for secret in (*etui.cards.split(), game.record, game.record.replace(" ", ""), four.room.deal_set.seed):
        assert secret not in caplog.text


@pytest.mark.nightly("story")
def test_no_address_of_an_open_room_for_four_tells_others_of_a_card():
    """Crawl all addresses as a player of another table, a stranger and the administrator; exchange cards; crawl again.

    They know no card of this table, so any two cards may be exchanged.
    """
    four = play_to(4, 12)
    etui, game = Etui.objects.get(games__isnull=False), Game.objects.get()
    chief, other = Client(), seat_people(1)
    chief.force_login(User.objects.create_superuser("chief", password="a long passphrase for tests"))
    readers = [Client(), client_of(make_visitor()), client_of(other.people[Seat.S]), chief]
    addresses = [*list_addresses(four.room, four.table.pk), reverse("room_four", args=[four.table.pk])]
    addresses += [f"/admin/deals/dealset/{four.room.deal_set_id}/change/", reverse("rooms_four")]
    assert reverse("api_room_four", args=[four.table.pk]) in addresses

    def crawl():
        return [re.sub(STAMP, b"", read(client, path)) for client in readers for path in addresses]

    crawl()
    before, known = crawl(), {etui.cards}
    told = b"\n".join(before)
    assert not any(secret.encode() in told for secret in (*etui.cards.split(), game.record, four.room.deal_set.seed))
    found = (exchange(etui, "", Seat.S, (place, 71 - place)) for place in range(30))
    for changed in islice(filter(None, found), 4):
        known.add(dumps(changed))
        Etui.objects.filter(pk=etui.pk).update(cards=dumps(changed))
        assert crawl() == before
    assert len(known) == 5
