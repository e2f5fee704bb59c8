"""The drawing of a table in words: the question, the announcements, the end of the étui."""

import random

import pytest
from django.utils.translation import override

from bots.levels import BotLevel
from deals.domain.cards import Seat
from referee.state import GameState, start_auction, start_imposed
from referee.views import view
from rooms.record.shown import describe_table
from rooms.web.table.drawing import TableDrawing, draw_table
from scoring.values import Contract
from tests.bots.games import play_bots
from tests.referee.games import deal_at_random
from tests.rooms.record.test_shown import deal_strong

N, E, S, W, _F = Seat
NAMES = {"S": "You", "N": "bot", "E": "bot", "W": "bot"}


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


def draw(state: GameState, *, chosen=(), **more: bool) -> TableDrawing:
    return draw_table(describe_table(view(state, S), names=NAMES, etui=1, of=8, length=0, **more), chosen)


def at_auction(*bids: Contract | None) -> GameState:
    state = start_auction(deal_at_random(random.Random(1), 4), dealer=N)
    for bid in bids:
        state = state.bid(state.seat, bid)
    return state


def test_bids_stand_beside_their_seats_and_the_viewer_is_asked():
    table = draw(at_auction(Contract.PRISE))
    assert table.asked == "Your bid?"
    assert [(plate.shown["seat"], plate.bid) for plate in table.plates] == [
        ("W", "Prise"),
        ("N", ""),
        ("E", ""),
        ("S", ""),
    ]
    assert [(bid.name, bid.move) for bid in table.bids] == [
        ("Pass", "-"),
        ("Garde", "G"),
        ("Garde sans", "S"),
        ("Garde contre", "C"),
    ]
    assert table.news == ["West: Prise."]


def test_others_are_waited_for_by_name():
    assert draw(at_auction()).asked == "West is to bid…"
    taken = at_auction(Contract.GARDE, None, None, None)
    assert draw(taken).asked == "West makes the écart…"
    assert draw(taken).news[-2] == "West takes: Garde."
    assert draw(start_imposed(deal_strong(), E, S, Contract.GARDE_SANS)).asked == "North is to play…"


def test_ecart_stands_in_rows_by_suit_and_keeps_what_was_ticked():
    table = draw(at_auction(None, Contract.GARDE, None, None), chosen={3, 17})
    assert table.asked == "Choose 6 cards for your écart."
    assert 4 <= len(table.rows) <= 5
    assert sum(map(len, table.rows)) == 24
    assert len(table.chien) == 6
    assert {button.card for row in table.rows for button in row if button.is_chosen} <= {3, 17}


def test_chien_of_another_taker_lies_open_in_the_first_trick_alone():
    states = [play_bots(1, BotLevel.POLICY, moves=moves) for moves in range(2, 12)]
    shown = [(len(state.tricks), len(draw(state).chien)) for state in states]
    assert set(shown) == {(0, 6), (1, 0), (2, 0)}
    assert any(sentence.startswith("Chien: ") for sentence in draw(states[0]).news)


def test_forced_trumps_are_asked_for():
    shown = describe_table(view(at_auction(None, Contract.GARDE, None, None), S), names=NAMES, etui=1, of=8, length=0)
    shown["asks"]["trumps"] = 2
    assert draw_table(shown).asked == "Choose 6 cards for your écart. 2 of them are trumps."


def test_chelem_and_poignee_are_offered_then_told():
    state = start_imposed(deal_strong(), W, S, Contract.GARDE_SANS)
    table = draw(state)
    assert table.asked == "You lead."
    assert [(offer.name, offer.count, offer.is_choice) for offer in table.poignees] == [("simple poignée", 10, False)]
    assert all(button.is_chosen for button in table.poignees[0].cards)
    state = state.announce_chelem(S).show_poignee(S, [button.card for button in table.poignees[0].cards])
    told = draw(state)
    assert told.notes == [
        "South announces a chelem.",
        "South shows a simple poignée: 21, 20, 19, 18, 17, 16, 15, 14, 13, 12",
    ]
    assert told.poignees == []
    assert draw(start_imposed(deal_strong(), E, S, Contract.GARDE_SANS), asks_chelem=True).asked == (
        "Do you announce a chelem?"
    )


def test_end_is_explained_line_by_line():
    result = draw(play_bots(2, BotLevel.POLICY)).result
    assert result is not None
    assert " made" in result.title or " failed" in result.title
    assert "were needed." in result.points
    assert result.lines[0][0].startswith("Garde ")
    assert result.score == {seat["seat"]: mark for seat, mark in result.marks}["S"]


def test_deal_that_everybody_passed_says_so():
    result = draw(at_auction(None, None, None, None)).result
    assert result is not None
    assert (result.title, result.score, result.lines) == (
        "The four players passed: the étui counts 0 for all of them.",
        "0",
        [],
    )


@pytest.mark.parametrize("moves", range(6, 16))
def test_cards_of_a_trick_have_their_places_in_the_order_played(moves):
    table = draw(play_bots(1, BotLevel.POLICY, moves=moves))
    played = sorted((plate for plate in table.plates if plate.card), key=lambda plate: plate.place)
    assert [plate.shown["seat"] for plate in played] == [card["seat"] for card in table.shown["trick"]["cards"]]
    assert [plate.place for plate in played] == list(range(len(played)))


def test_chien_is_told_card_by_card_in_the_order_of_a_hand():
    news = draw(at_auction(None, Contract.GARDE, None, None)).news
    told = "9 of spades, 4 of hearts, 2 of hearts, 5 of diamonds, 17 of trumps, 8 of trumps"
    assert news[-1] == f"Chien: {told}."
