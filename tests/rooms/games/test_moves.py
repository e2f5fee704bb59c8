"""A person's moves: the referee refuses, the bots answer, one UPDATE stores both, and no étui is met twice."""

import datetime as dt

import pytest

from deals.models import Etui
from referee.errors import PlayRefused
from rooms.errors import MoveConflict, RoomRefused
from rooms.games import list_games, make_move, moving, read_game
from rooms.models import Game, VisitorEtui
from rooms.opening import join_room
from rooms.record.moves import MoveError
from rooms.thinker import NoAnswer, thinker
from tests.rooms.tables import NOON, choose_token_of, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def room():
    return open_room(level=0)


@pytest.fixture
def visitor():
    return make_visitor()


@pytest.fixture
def where(room, visitor):
    """Return the place of the visitor's first étui."""
    join_room(room_id=room.pk, visitor=visitor, now=NOON)
    return {"room_id": room.pk, "visitor": visitor, "etui": 1, "now": NOON}


def at_turn(where):
    """Return the game when the person is to move."""
    game = read_game(**where)
    while game.is_thinking:
        game = read_game(**where)
    return game


@pytest.mark.nightly("story")
def test_whole_room_is_played_by_hand(room, visitor):
    for number in range(1, room.etuis + 1):
        game = play_by_hand(room, visitor, number)
        assert (game.is_over, game.finished_by, game.is_thinking, game.etui) == (True, "hand", False, number)
        assert (game.result is None) == (game.length == 4)  # four passes
        assert game.score == 0 or game.result is not None
    assert {each.state for each in list_games(room_id=room.pk, visitor=visitor)} == {"over"}
    assert (
        VisitorEtui.objects.filter(visitor=visitor).count()
        == room.etuis
        == Game.objects.filter(table__is_filler=False).count()
    )


def test_four_passes_end_the_etui_with_0_for_everybody(where):
    game = at_turn(where)
    while not game.is_over and game.view.phase == "auction":
        game = make_move(**where, at=game.length, move="-")
    stored = Game.objects.get(table__is_filler=False)
    if game.is_over:
        assert (stored.result, stored.score, stored.finished_by) == (None, 0, "hand")
    else:
        assert (stored.score, stored.finished_by) == (None, "")


def test_same_move_again_gets_the_same_answer_and_writes_nothing(where):
    game = at_turn(where)
    told = where | {"at": game.length, "move": choose_token_of(game.view)}
    first, stored = make_move(**told), Game.objects.filter(table__is_filler=False).values().get()
    assert (make_move(**told), Game.objects.filter(table__is_filler=False).values().get()) == (first, stored)


def test_other_move_gets_the_true_state(where):
    game = at_turn(where)
    made = make_move(**where, at=game.length, move="C")
    with pytest.raises(MoveConflict) as refused:
        make_move(**where, at=game.length, move="-")
    assert refused.value.game == made
    with pytest.raises(MoveConflict):
        make_move(**where, at=made.length + 5, move="-")


def test_another_seat_s_move_is_not_taken_for_the_person_s(where):
    """Check a late device that sends what a bot has done at that place of the record."""
    while (game := at_turn(where)).length == 0:  # South bids first
        where["etui"] += 1
        for number in range(1, where["etui"]):
            play_by_hand(game.room, where["visitor"], number)
    with pytest.raises(MoveConflict):
        make_move(
            **where, at=0, move=Game.objects.get(etui__number=where["etui"], table__is_filler=False).record.split()[0]
        )


@pytest.mark.parametrize("move", ["", "q", "k:78", "k:1,2", "e:", "G " * 9, "k:٣", "p:1;2"])
def test_text_that_is_no_move_is_refused(where, move):
    with pytest.raises(MoveError):
        make_move(**where, at=0, move=move)
    assert not Game.objects.exclude(record="").exists()


def test_illegal_move_is_refused_with_the_rule_and_nothing_is_stored(where):
    game = at_turn(where)
    before = Game.objects.filter(table__is_filler=False).values().get()
    for move in ("k:0", "e:1,2,3,4,5,6", "x", "n", "p:56"):
        with pytest.raises(PlayRefused):
            make_move(**where, at=game.length, move=move)
    assert Game.objects.filter(table__is_filler=False).values().get() == before


def test_of_several_moves_all_are_made_or_none(where):
    game = at_turn(where)
    before = Game.objects.filter(table__is_filler=False).values().get()
    with pytest.raises(PlayRefused):
        make_move(**where, at=game.length, move="C k:0")
    assert Game.objects.filter(table__is_filler=False).values().get() == before
    made = make_move(**where, at=game.length, move="C")
    assert made.view.bids.count("garde_contre") == 1


@pytest.mark.nightly("story")
def test_taker_who_does_not_lead_is_asked_for_a_chelem(room, visitor):
    """Check that the bots wait for the word of a person who plays a garde contre, and that it is stored."""
    asked = 0
    for number in range(1, 5):
        place = {"room_id": room.pk, "visitor": visitor, "etui": number, "now": NOON}
        join_room(room_id=room.pk, visitor=visitor, now=NOON)
        game = make_move(**place, at=at_turn(place).length, move="C")
        while game.is_thinking:
            game = read_game(**place)
        if game.asks_chelem:
            asked += 1
            assert (game.view.cards, game.view.tricks) == ((), ())
            word = "x" if asked == 1 else "n"
            game = make_move(**place, at=game.length, move=word)
            assert not game.asks_chelem
            assert (game.view.chelem is not None) == (word == "x")
            assert f" {word}" in Game.objects.get(etui__number=number, table__is_filler=False).record
        play_by_hand(room, visitor, number)
    assert asked == 3  # of four étuis in a row, South leads one


@pytest.mark.nightly("story")
def test_etuis_are_played_in_order_one_at_a_time(room, visitor, where):
    with pytest.raises(RoomRefused, match="etui_before"):
        read_game(**where | {"etui": 2})
    at_turn(where)
    with pytest.raises(RoomRefused, match="etui_before"):
        read_game(**where | {"etui": 2})
    assert VisitorEtui.objects.count() == 1
    assert [each.state for each in list_games(room_id=room.pk, visitor=visitor)][:3] == ["begun", "later", "later"]
    play_by_hand(room, visitor, 1)
    assert [each.state for each in list_games(room_id=room.pk, visitor=visitor)][:3] == ["over", "next", "later"]
    with pytest.raises(RoomRefused, match="game_over"):
        make_move(**where, at=Game.objects.get(table__is_filler=False).length, move="k:1")


def test_etui_that_was_met_elsewhere_is_never_shown_again(room, visitor, where):
    etui = Etui.objects.get(deal_set=room.deal_set, number=1)
    VisitorEtui.objects.create(visitor=visitor, etui=etui, shown_at=NOON)
    with pytest.raises(RoomRefused, match="etui_met"):
        read_game(**where)
    assert not Game.objects.filter(table__is_filler=False).exists()
    assert [each.state for each in list_games(room_id=room.pk, visitor=visitor)][:2] == ["met", "next"]
    assert not read_game(**where | {"etui": 2}).is_over


def test_room_is_played_between_its_hours_by_its_visitors_alone(room, where):
    late, early = room.closes_at, room.opens_at - dt.timedelta(seconds=1)
    for now, code in ((late, "room_over"), (early, "room_not_open")):
        with pytest.raises(RoomRefused, match=code):
            read_game(**where | {"now": now})
    with pytest.raises(RoomRefused, match="not_in_room"):
        read_game(**where | {"visitor": make_visitor()})
    with pytest.raises(RoomRefused, match="room_unknown"):
        read_game(**where | {"room_id": 0})
    with pytest.raises(RoomRefused, match="etui_unknown"):
        read_game(**where | {"etui": 9})
    assert not Game.objects.filter(table__is_filler=False).exists()


def test_bots_that_give_no_answer_leave_the_move_stored_and_the_next_request_goes_on(where, monkeypatch):
    game = at_turn(where)

    def fail(*_question):
        raise NoAnswer

    with monkeypatch.context() as patch:
        patch.setattr(thinker, "ask", fail)
        made = make_move(**where, at=game.length, move="C")
        if not made.is_over and not made.asks_chelem and made.view.turn != game.view.turn:
            assert made.is_thinking
        assert read_game(**where).length == made.length == game.length + 1
    assert at_turn(where).length >= made.length


def test_after_its_time_the_answers_so_far_are_stored(where, monkeypatch):
    game = at_turn(where)
    monkeypatch.setattr(moving, "THINKING", 0.0)
    made = make_move(**where, at=game.length, move="C")
    lengths = [made.length]
    while made.is_thinking:
        made = read_game(**where)
        lengths.append(made.length)
    assert lengths == list(range(lengths[0], lengths[-1] + 1))  # one answer in each request
    assert Game.objects.get(table__is_filler=False).length == lengths[-1]
