"""The cards, the sheets and the report of evenings seated in games: codes, parts of a game, words, own places."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deals.exports.pdf import Sheets
from evenings.plays.entering import correct_result, enter_result
from evenings.plays.free import OwnSeat, find_own_seats
from evenings.requests.links import ensure_links
from evenings.sessions.running import call_position, last_call
from outgoing.paper import free
from outgoing.paper.evening_report import evening_report
from outgoing.paper.free import LAYOUTS, PaperChoice, read_free_evening
from pages.doors import session_url
from tests.evenings.free.test_reading import text_of
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_director
from tests.free_evenings import lay_out_games, lay_out_tables, plays_at, start_free_session
from tests.outgoing.paper.test_evening_report import text_of as read_report
from tests.pages.browsing import browser_of
from tournaments.models import Session
from tournaments.rules.entry import GameSheet

pytestmark = pytest.mark.django_db
FRENCH = {"accept-language": "fr"}


def read_cards(monkeypatch, session, document):
    """Return the cards of a document, as the layout gets them."""
    given = {}
    monkeypatch.setattr(free, "set_sheets", lambda *told: given.update(told[-1]) or Sheets(Path(), {}, Path()))
    monkeypatch.setattr(Sheets, "typeset", lambda sheets: b"%PDF")
    browser_of(make_director(session.tournament.club)).get(session_url("prints_pdf", session), {"document": document})
    return given["cards"]


def test_table_cards_have_the_codes_of_the_screens_and_the_seats_of_each_game(monkeypatch):
    session = lay_out_tables([4, 3], games=2)
    tokens = tokens_of(session)
    cards = read_cards(monkeypatch, session, "cards")
    assert [card["table"] for card in cards] == [1, 2]
    assert [len(row["players"]) for row in cards[1]["rows"]] == [3, 3]
    opened = [Client().get(reverse("table_number")).status_code, *(len(token) > 20 for token in tokens.values())]
    assert opened == [200, True, True]
    assert [bool(card["screen"]["code"]) for card in cards] == [True, True]


def test_guide_cards_have_the_number_alone_and_the_code_of_the_own_page(monkeypatch):
    session = lay_out_tables([4, 3], games=2)
    cards = read_cards(monkeypatch, session, "guides")
    assert [card["number"] for card in cards] == ["1", "2", "3", "4", "5", "6", "7"]
    typed = {link.code for link in ensure_links(session, now=timezone.now()).values()}
    assert {card["screen"]["typed"].replace("\xa0", "") for card in cards} == typed


def leave_within_a_game():
    """Return a session in which the player of West leaves table 1 after the first of three deals."""
    session = lay_out_games([[[0, 1, 2, 3], [4, 5, 6, 7]]], deals=3)
    session.plays.filter(pk__in=[play.pk for play in plays_at(session)[1:]]).update(west=None)
    return session


@pytest.mark.usefixtures("english")
def test_game_with_two_parts_has_two_sheets_and_one_place_on_the_wall():
    evening = read_free_evening(leave_within_a_game())
    _layout, sheets = LAYOUTS["sheets"](evening, PaperChoice())
    assert [(form["table"], form["game"], len(form["players"])) for form in sheets["forms"]] == [
        ("Table 1", "Game 1, deal 1", 4),
        ("Table 1", "Game 1, deals 2 to 3", 3),
        ("Table 2", "Game 1", 4),
    ]
    assert [[deal["dealer"] for deal in form["deals"]] for form in sheets["forms"]] == [
        ["N"],
        ["S", "E"],
        ["N", "W", "S"],
    ]
    _layout, wall = LAYOUTS["tables"](evening, PaperChoice())
    assert [(one["name"], len(one["players"])) for one in wall["tables"]] == [("Table 1", 3), ("Table 2", 4)]


def test_report_speaks_of_games_and_deals():
    session = start_free_session(7, games=2, deals=2)
    by, now = make_director(session.tournament.club), timezone.now()
    call_position(session_id=session.pk, position=1, by=by, now=now)
    last_call(session_id=session.pk, position=1, table=None, unstarted="", by=by, now=now)
    play = plays_at(session)[0]
    seats = [*play.seat_ids]
    for mark in (10, 20):
        marks = tuple((seat, mark * (len(seats) - 1) if seat == "N" else -mark) for seat in seats)
        seen = {"seen_version": 1, "reason": "faute"} if mark == 20 else {}
        write = correct_result if seen else enter_result
        write(play_id=play.pk, entry=GameSheet(marks), by=by, now=timezone.now(), **seen)
    text = read_report(evening_report(session, language="en", now=timezone.now(), hidden=frozenset()))
    assert "Games 2, of 2 deals" in text
    assert "Game 1 called" in text
    assert "Last call of game 1 at every table" in text
    assert "Deal 1, game 1, table 1: " in text
    assert "became N +60, E −20" in text
    assert [word for word in ("tui", "osition") if word in text.replace("Club des Étuis", "")] == []


def test_log_speaks_of_games():
    session = start_free_session(7, games=2)
    by = make_director(session.tournament.club)
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    page = text_of(browser_of(by).get(session_url("log", session), headers=FRENCH))
    assert "Partie 1 lancée" in page
    assert "Position" not in page


def test_own_page_shows_where_the_player_sits_until_the_publication():
    session = start_free_session(9, games=2, odd_tables="mort")
    entrant = session.entrants.get(number=5)
    play = next(play for play in session.plays.select_related("table") if entrant.pk in play.seat_ids.values())
    url = reverse("personal", args=[ensure_links(session, now=timezone.now())[entrant.pk].token])
    seat = next(seat for seat, pk in play.seat_ids.items() if pk == entrant.pk)
    assert find_own_seats(entrant, session) == [OwnSeat(1, play.table.number, seat)]
    page = text_of(Client().get(url, headers=FRENCH))
    assert f"Votre place Partie 1 Table {play.table.number}" in page
    assert "La partie suivante apparaît ici" in page
    Session.objects.filter(pk=session.pk).update(closed_at=timezone.now())
    assert "Votre place" not in text_of(Client().get(url, headers=FRENCH))


def test_own_page_takes_as_many_queries_with_ten_games(django_assert_num_queries):
    for games in (1, 6):
        session = lay_out_tables([4, 3], games=games)
        link = next(iter(ensure_links(session, now=timezone.now()).values()))
        with django_assert_num_queries(4):
            Client().get(reverse("personal", args=[link.token]))
