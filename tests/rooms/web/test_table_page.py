"""The page of a table: forms and the script use the same door, and the reader sees only what the seat may know."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from deals.domain.cards import CARDS
from referee.cards import cards_of
from referee.rules import find_legal_bids
from referee.views import SeatView
from rooms.models import Game, Room, RoomKind
from scoring.values import Contract
from tests.pages.test_weights import weigh
from tests.rooms.seated import SOUTH, makes_ecart, must_follow, never, seat_guest
from tests.rooms.tables import choose_token_of
from tournaments.words.figures import name_card

pytestmark = pytest.mark.django_db
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture(autouse=True)
def _with_rooms(settings):
    settings.ROOMS, settings.LANGUAGE_CODE = True, "en"


@pytest.fixture
def seated():
    return seat_guest()


@pytest.fixture
def client(seated):
    return seated.client()


def address(seated, etui=None):
    return reverse("room_play", args=[seated.room.pk]) + (f"?etui={etui}" if etui else "")


def post(client, seated, move, *, etui=1, at=None, **more):
    at = seated.game(etui).length if at is None else at
    wants = JSON if more.pop("json", False) else {}
    return client.post(address(seated), {"etui": etui, "at": at, "move": move, **more}, **wants)


def drawn_cards(html: str) -> set[int]:
    """Return every card that an English page names, draws or offers."""
    with override("en"):
        numbers = {name_card(card): card for card in range(CARDS)}
    named = {numbers[name] for name in map(unescape, re.findall(r'aria-label="([^"]+)"', html)) if name in numbers}
    assert html.count("card-face") == 0 or named
    return named | set(map(int, re.findall(r'(?:data-card="|value="k:)(\d+)', html)))


def known_cards(seen: SeatView) -> set[int]:
    """Return the cards that the seat has seen."""
    return set(range(CARDS)) - set(cards_of(seen.unseen))


@pytest.mark.nightly("story")
def test_page_needs_rooms_a_visitor_and_a_seat(seated, client, settings):
    assert client.get(address(seated)).status_code == 200
    assert Client().get(address(seated)).headers["Location"] == reverse("rooms")
    other = seat_guest(name="Ana", kind=RoomKind.DAY)
    assert client.get(address(other)).headers["Location"] == reverse("rooms")
    assert client.get(address(other), **JSON).json() == {"go": reverse("rooms")}
    settings.ROOMS = False
    assert client.get(address(seated)).status_code == 404


@pytest.mark.nightly("story")
def test_page_is_never_cached_and_offers_the_bids_as_buttons(seated, client):
    page = client.get(address(seated))
    assert "no-store" in page.headers["Cache-Control"]
    game = seated.game()
    assert game.length == len(game.view.bids)
    assert re.findall(r'name="move"\s+value="([^"]+)"', page.content.decode())[0] == "-"
    assert drawn_cards(page.content.decode()) == set(cards_of(game.view.hand))


def test_bid_of_a_form_is_stored_and_leads_back_to_the_table(seated, client):
    client.get(address(seated))
    answer = post(client, seated, "-")
    assert (answer.status_code, answer.headers["Location"]) == (302, address(seated, 1))
    assert Game.objects.get(table__is_filler=False).record.split()[:4].count("-") >= 1


@pytest.mark.nightly("crawl")
def test_every_page_of_an_etui_shows_only_cards_that_the_seat_knows(seated, client):
    """Crawl étuis, page by page and answer by answer, until one was played, and compare each with the view."""
    for etui in range(1, 9):
        for _move in range(60):
            page = client.get(address(seated, etui)).content.decode()
            game = seated.game(etui)
            assert drawn_cards(page) <= known_cards(game.view)
            if game.is_over:
                break
            token = choose_token_of(game.view, asks_chelem=game.asks_chelem)
            answer = post(client, seated, token, etui=etui, json=True).json()
            assert drawn_cards(answer["html"]) <= known_cards(seated.game(etui).view)
        assert game.is_over
        if game.result:
            return
    raise AssertionError("every étui was passed")


def test_illegal_card_is_refused_with_the_rule_and_moves_nothing(seated, client):
    etui = seated.find_moment(must_follow)
    game = seated.game(etui)
    wrong = cards_of(game.view.hand & ~game.view.legal)[0]
    record = Game.objects.latest("pk").record
    answer = post(client, seated, f"k:{wrong}", etui=etui, json=True)
    assert (answer.status_code, set(answer.json())) == (400, {"refused"})
    assert "South cannot play" in answer.json()["refused"]
    page = post(client, seated, f"k:{wrong}", etui=etui)
    assert page.status_code == 400
    assert 'role="alert"' in page.content.decode()
    assert Game.objects.latest("pk").record == record


@pytest.mark.nightly("story")
@pytest.mark.parametrize("move", ["", "k:99", "k:x", "z", "e:", "k:1,2", "- - - - - - - - - - -"])
def test_text_that_is_no_move_is_refused_without_harm(seated, client, move):
    client.get(address(seated))
    before = Game.objects.get(table__is_filler=False).record
    assert post(client, seated, move, json=True).status_code == 400
    assert post(client, seated, move).status_code == 400
    assert Game.objects.get(table__is_filler=False).record == before


def test_same_move_twice_is_one_move_and_another_move_gets_the_true_table(seated, client):
    client.get(address(seated))
    game = seated.game()
    first = post(client, seated, "-", at=game.length, json=True)
    again = post(client, seated, "-", at=game.length, json=True)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["html"].count("card-face") == again.json()["html"].count("card-face")
    other = post(client, seated, "C", at=game.length, json=True)
    assert (other.status_code, other.json()["conflict"]) == (409, True)
    assert "another device" in other.json()["html"]
    page = post(client, seated, "C", at=game.length)
    assert (page.status_code, "another device" in page.content.decode()) == (409, True)


def find_ecart(client, seated):
    """Return the number of an étui on which South makes the écart, and the cards that the page offers."""
    etui = seated.find_moment(makes_ecart, takes=True)
    page = client.get(address(seated, etui)).content.decode()
    return etui, re.findall(r'name="ecart"\s+value="(\d+)"', page)


@pytest.mark.nightly("story")
def test_refused_ecart_keeps_its_ticks_and_a_whole_one_is_made(seated, client):
    etui, offered = find_ecart(client, seated)
    assert len(offered) >= 6
    page = post(client, seated, "e", etui=etui, ecart=offered[:4])
    assert (page.status_code, "6 cards, not 4" in page.content.decode()) == (400, True)
    assert page.content.decode().count("checked") == 4
    assert "6 cards, not 0" in post(client, seated, "e", etui=etui, json=True).json()["refused"]
    assert post(client, seated, "e", etui=etui, ecart=offered[:6]).status_code == 302
    assert set(cards_of(seated.game(etui).view.ecart)) == set(map(int, offered[:6]))


def leads_as_taker(game):
    return game.view.taker == game.view.turn == SOUTH and bool(game.view.legal) and not game.view.tricks


@pytest.mark.nightly("story")
def test_first_button_of_the_form_does_nothing_and_a_chelem_wants_two_steps(seated, client):
    etui = seated.find_moment(leads_as_taker, takes=True)
    page = client.get(address(seated, etui)).content.decode()
    buttons = re.findall(r"<button\s+type=\"submit\"[^>]*>", page[page.index("data-play") :])
    assert 'formmethod="dialog"' in buttons[0]
    assert all("name=" in button for button in buttons[1:])
    assert ('value="x"' in page) == ("<details" in page[: page.find('value="x"')])


@pytest.mark.nightly("story")
def test_chelem_is_announced_with_the_ecart(seated, client):
    etui, offered = find_ecart(client, seated)
    post(client, seated, "e", etui=etui, ecart=offered[:6], chelem="x")
    assert seated.game(etui).view.chelem == SOUTH
    assert "South announces a chelem." in client.get(address(seated, etui)).content.decode()


def test_taker_who_does_not_lead_is_asked_for_a_chelem_and_the_others_wait(seated, client):
    for etui in range(1, 9):
        game = seated.play_until(lambda game: game.view.turn == SOUTH, etui=etui)
        if game.view.phase == "auction" and Contract.GARDE_CONTRE in find_legal_bids(game.view.bids):
            game = seated.move("C", etui)
        if game.asks_chelem:
            break
        seated.play_until(never, etui=etui)
    page = client.get(address(seated, etui)).content.decode()
    assert "Do you announce a chelem?" in page
    assert re.findall(r'name="move"\s+value="([^"]+)"', page) == ["n", "x"]
    assert post(client, seated, "n", etui=etui).status_code == 302
    assert not seated.game(etui).asks_chelem
    assert seated.game(etui).view.cards


def test_end_of_an_etui_explains_the_score_and_leads_to_the_next(seated, client):
    game = seated.play_until(never)
    page = client.get(address(seated, 1)).content.decode()
    assert f"{reverse('room_play', args=[seated.room.pk])}?etui=2" in page
    assert ("made by" in page or "failed by" in page) == (game.result is not None)
    assert "room-score" in page
    assert 'name="move"' not in page
    ended = post(client, seated, "k:1", json=True)
    assert ended.json() == {"go": address(seated)}


@pytest.mark.nightly("story")
def test_page_without_a_number_is_the_etui_to_play_now(seated, client):
    assert "Étui 1/24" in client.get(address(seated)).content.decode()
    seated.play_until(never)
    assert "Étui 2/24" in client.get(address(seated)).content.decode()
    assert client.get(address(seated, 5)).headers["Location"] == address(seated)


@pytest.mark.nightly("story")
def test_last_etui_leads_to_the_room(seated, client):
    Game.objects.filter(table__room=seated.room, etui__number__gt=1).delete()
    seated.room.deal_set.etuis.filter(number__gt=1).delete()
    seated.play_until(never)
    page = client.get(address(seated, 1)).content.decode()
    assert "You have played every étui of this room." in page
    assert client.get(address(seated)).headers["Location"] == reverse("room", args=[seated.room.pk])


def test_closed_room_sends_to_its_page(seated, client):
    client.get(address(seated))
    Room.objects.filter(pk=seated.room.pk).update(closes_at=timezone.now())
    room = reverse("room", args=[seated.room.pk])
    assert client.get(address(seated, 1)).headers["Location"] == room
    answer = client.post(address(seated), {"etui": 1, "at": 0, "move": "-"}, **JSON)
    assert answer.json() == {"go": room}


@pytest.mark.nightly("story")
def test_visitor_who_asks_too_often_waits_and_others_do_not(seated, client, monkeypatch):
    monkeypatch.setattr("rooms.web.table.pages.MOST_ASKED", 3)
    answers = [client.get(address(seated, 1)).status_code for _time in range(4)]
    assert answers == [200, 200, 200, 429]
    length = seated.game().length
    assert client.post(address(seated), {"etui": 1, "at": length, "move": "-"}, **JSON).status_code == 429
    assert seated.game().length == length
    other = seat_guest(name="Ana", kind=RoomKind.DAY)
    assert other.client().get(address(other, 1)).status_code == 200


def test_table_is_read_and_moved_by_few_queries(seated, client, django_assert_max_num_queries):
    client.get(address(seated))
    with django_assert_max_num_queries(10):
        client.get(address(seated, 1))
    length = seated.game().length
    with django_assert_max_num_queries(12):
        client.post(address(seated), {"etui": 1, "at": length, "move": "-"}, **JSON)


@pytest.mark.nightly("story")
def test_page_is_light_with_its_scripts_and_styles(seated, client):
    """Check what a phone loads once for the table, beside what every page of the site has. An answer is far smaller."""
    etui, _offered = find_ecart(client, seated)
    scripts = [path.read_bytes() for path in (settings.BASE_DIR / "rooms/static/rooms/table").glob("*.js")]
    styles = [(settings.BASE_DIR / f"pages/static/css/rooms/{name}.css").read_bytes() for name in ("table", "hand")]
    page = client.get(address(seated, etui))
    assert sum(map(weigh, [*scripts, *styles, page.content])) < 25_000
    assert weigh(client.get(address(seated, etui), **JSON).content) < 4_000


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_page_speaks_one_language(seated, client, language):
    page = client.get(address(seated), HTTP_ACCEPT_LANGUAGE=language).content.decode()
    assert ("Votre enchère" in page, "Your bid?" in page) == (language == "fr", language == "en")
