"""The closing of a room: once, whoever does it and however often it is stopped; notes exact, ranks by hand alone."""

import datetime as dt
from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import transaction

from bots.levels import CHARACTERS, VERSION, BotLevel, Character
from bots.secrets import bot_secret
from clubs.models import User
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.domain.cards import Seat
from deals.domain.dealing import commitment, deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from deals.models import DealSet
from rooms import closing
from rooms.closing import settling
from rooms.errors import RoomRefused
from rooms.games import read_game
from rooms.games.moving import answer_moves
from rooms.games.setting import begin_game
from rooms.models import Game, Room, RoomSeat, RoomTable
from rooms.opening import AUCTION, join_room
from rooms.record.replaying import replay_record
from rooms.record.tables import find_taker_in_record, list_filler_bots, share_secret
from rooms.tasks import close_room, sweep_rooms
from rooms.thinker import NoAnswer, thinker
from rooms.visitors.guests import mark_program
from scoring.formats import FREE_AUCTION
from scoring.plays import ScoringPlay
from scoring.ranking import standings
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand
from tournaments.job_health import claim_key
from tournaments.queue import ROOM

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=399)
AFTER = NOON + dt.timedelta(minutes=40)
SEATS = tuple(map(str, (Seat.N, Seat.E, Seat.S, Seat.W)))


@pytest.fixture
def room():
    return open_room(level=0, etuis=4)


def stored():
    """Return everything that a closing stores."""
    games = Game.objects.order_by("table__number", "etui__number")
    seats = RoomSeat.objects.order_by("table__number", "letter")
    return (
        list(games.values_list("table__number", "etui__number", "record", "score", "note", "finished_by")),
        list(seats.values_list("table__number", "letter", "notes_sum", "deals", "own_deals", "rank")),
    )


def deal_again(seed, number):
    """Return the deal of an étui of a room with a free auction, from the seed alone."""
    return deal_etui(seed, number, accept=accepts_etui(AUCTION, number)).deal


def replayed(room):
    """Return the position of each game, from the seed and the records alone."""
    seed = bytes.fromhex(room.deal_set.seed)
    return {
        game: replay_record(deal_again(seed, game.etui.number), taker_and_dealer(game.etui.number)[1], game.record)
        for game in Game.objects.filter(table__room=room).select_related("etui", "table").order_by("pk")
    }


@pytest.mark.nightly("story")
def test_room_of_one_player_is_filled_with_marked_tables_of_bots(room):
    visitor = make_visitor()
    for number in (1, 2, 3):
        play_by_hand(room, visitor, number)
    assert closing.close_room(room.pk, AFTER)
    tables = RoomTable.objects.filter(room=room)
    assert (tables.count(), tables.filter(is_filler=True).count()) == (8, 7)
    seat = RoomSeat.objects.get(visitor=visitor)
    assert (seat.deals, seat.own_deals, seat.rank, seat.is_guest) == (3, 3, 1, True)
    assert not RoomSeat.objects.filter(table__is_filler=True).exclude(rank=None).exists()
    assert not Game.objects.filter(table__is_filler=True).exclude(finished_by="bot").exists()
    assert Game.objects.count() == 8 * 3  # nobody has begun étui 4: it counts nowhere


@pytest.mark.nightly("story")
def test_notes_are_those_of_the_free_auction_and_their_sums_are_exact(room):
    """Compare with the standings that `scoring` computes from the records and the seed alone."""
    visitors = [make_visitor() for _table in range(3)]
    for place, visitor in enumerate(visitors):
        for number in range(1, 5 - place):
            play_by_hand(room, visitor, number)
    closing.close_room(room.pk, AFTER)
    positions = replayed(room)
    plays = []
    for game, position in positions.items():
        assert position.is_over
        assert (game.score, game.result) == (position.base_score, position.result_data)
        taker = find_taker_in_record(Seat(game.etui.dealer), game.record)
        players = tuple(f"{game.table_id} {letter}" for letter in SEATS)
        plays.append(ScoringPlay(game.etui.number, players, taker and str(taker), position.base_score))
    ranking = {each.player: each for each in standings(plays, FREE_AUCTION).players}
    for seat in RoomSeat.objects.filter(letter="S"):
        own = ranking[f"{seat.table_id} S"]
        assert (Fraction(seat.notes_sum) / seat.deals, seat.deals) == (own.overall, own.deals)
    for number in range(1, 5):
        notes = [Fraction(game.note) for game in positions if game.etui.number == number]
        assert sum(notes) == 50 * len(notes)


@pytest.mark.nightly("story")
def test_tables_of_bots_replay_from_the_revealed_seed(room):
    play_by_hand(room, make_visitor(), 1)
    closing.close_room(room.pk, AFTER)
    deal_set = DealSet.objects.get(pk=room.deal_set_id)
    seed = bytes.fromhex(deal_set.seed)
    assert (deal_set.revealed_at, deal_set.commitment) == (AFTER, commitment(seed, 4, AUCTION))
    for game, position in replayed(room).items():
        if game.table.is_filler:
            bots = list_filler_bots(bot_secret(seed, game.etui.number), BotLevel.POLICY, game.table.number)
            begun = replay_record(deal_again(seed, game.etui.number), Seat(game.etui.dealer), "")
            again = answer_moves(begun, bots, seconds=60).position
            assert again == position


def test_tables_of_bots_differ_only_by_their_south(monkeypatch):
    monkeypatch.setattr("rooms.record.tables.CHARACTERS", CHARACTERS)
    secret = bytes(32)
    tables = [list_filler_bots(secret, 10, number) for number in range(2, 9)]
    assert len({each[Seat.S].secret for each in tables}) == 7
    assert {each[Seat.S].character for each in tables} == set(CHARACTERS)
    assert {each[seat] for each in tables for seat in (Seat.N, Seat.E, Seat.W)} == {share_secret(secret, 10)[Seat.N]}


def test_tables_of_bots_of_older_rooms_are_proven_as_they_were():
    """Check rooms of version 2, whose South had the room's level and, as today, a secret of its own."""
    old, new = (list_filler_bots(bytes(32), 10, 3, version)[Seat.S] for version in ("2", VERSION))
    assert (old.secret, old.character) == (new.secret, Character(BotLevel.TEN))
    assert old.secret.hex()[:16] == "0ae95df22b432fb9"


@pytest.mark.nightly("story")
def test_tables_at_which_nobody_plays_do_not_stand_for_comparison(room):
    """Check that seven tables of bots are compared with each table at which somebody plays, if nine people join."""
    visitors = [make_visitor() for _table in range(9)]
    for visitor in visitors:
        join_room(room_id=room.pk, visitor=visitor, now=NOON)
    play_by_hand(room, visitors[0], 1)
    play_by_hand(room, visitors[1], 1)
    play_by_hand(room, visitors[1], 2)
    closing.close_room(room.pk, AFTER)
    games = Game.objects.filter(table__room=room)
    assert [games.filter(etui__number=number).count() for number in (1, 2, 3)] == [9, 8, 0]
    assert [games.filter(etui__number=number, table__is_filler=True).count() for number in (1, 2)] == [7, 7]
    assert RoomTable.objects.filter(room=room, is_filler=True).count() == 7
    assert not RoomSeat.objects.filter(visitor__in=visitors[2:]).exists()  # they have made no move


@pytest.mark.nightly("story")
def test_room_in_which_the_bots_give_no_answer_at_its_level_is_closed_all_the_same(room, monkeypatch):
    play_by_hand(room, make_visitor(), 1)
    Room.objects.update(level=10)
    ask = thinker.ask

    def fail(seen, bot, secret):
        if bot.level:
            raise NoAnswer
        return ask(seen, bot, secret)

    monkeypatch.setattr(thinker, "ask", fail)
    assert closing.close_room(room.pk, AFTER)
    assert not Game.objects.filter(finished_at=None).exists()


@pytest.mark.nightly("story")
def test_closed_room_is_entered_by_nobody_even_if_the_clock_is_set_back(room):
    """Check the steps that would show étuis whose seed is public."""
    visitor, late = make_visitor(), make_visitor()
    play_by_hand(room, visitor, 1)
    seat = RoomSeat.objects.select_related("room__deal_set", "table").get(visitor=visitor)
    etui = room.deal_set.etuis.get(number=2)
    closing.close_room(room.pk, AFTER)
    told = Game.objects.count()
    with pytest.raises(RoomRefused, match="room_over"):
        join_room(room_id=room.pk, visitor=late, now=NOON)
    with pytest.raises(RoomRefused, match="room_over"):
        read_game(room_id=room.pk, visitor=visitor, etui=2, now=NOON)
    with pytest.raises(RoomRefused, match="room_over"):
        begin_game(seat, visitor, etui, now=NOON)  # a request that has read the room before it was closed
    assert (Game.objects.count(), RoomTable.objects.count()) == (told, 8)


@pytest.mark.nightly("story")
def test_begun_etui_is_finished_by_the_bot_and_marked(room):
    visitor = make_visitor()
    play_by_hand(room, visitor, 1)
    join_room(room_id=room.pk, visitor=visitor, now=NOON)
    left = read_game(room_id=room.pk, visitor=visitor, etui=2, now=NOON)
    assert not left.is_over
    closing.close_room(room.pk, AFTER)
    by = dict(Game.objects.filter(table__seats__visitor=visitor).values_list("etui__number", "finished_by"))
    assert by == {1: "hand", 2: "bot"}
    seat = RoomSeat.objects.get(visitor=visitor)
    assert (seat.deals, seat.own_deals, seat.rank) == (2, 1, None)  # of four étuis, one by hand is not half


@pytest.mark.nightly("story")
def test_game_in_which_only_bots_had_to_move_counts_as_played_by_hand(room, monkeypatch):
    visitor = make_visitor()
    game = play_by_hand(room, visitor, 1)
    stored_game = Game.objects.get(table__is_filler=False)
    tokens = stored_game.record.split()
    own = max(place for place, seat in enumerate(replayed(room)[stored_game].seats) if seat == Seat.S)
    cut = tokens[: own + 1]
    assert game.is_over
    Game.objects.filter(pk=stored_game.pk).update(
        record=" ".join(cut), length=len(cut), score=None, result=None, finished_by="", finished_at=None
    )
    closing.close_room(room.pk, AFTER)
    again = Game.objects.get(pk=stored_game.pk)
    assert (again.finished_by, again.record) == ("hand", stored_game.record)


@pytest.mark.nightly("story")
def test_closing_again_changes_nothing(room):
    play_by_hand(room, make_visitor(), 1)
    assert closing.close_room(room.pk, AFTER)
    before = stored()
    assert not closing.close_room(room.pk, AFTER + dt.timedelta(hours=1))
    assert not settling.settle_room(room.pk, now=AFTER)
    assert (stored(), Room.objects.get(pk=room.pk).closed_at) == (before, AFTER)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("questions", [0, 1, 20, 40])
def test_closing_that_was_stopped_in_the_middle_ends_alike(room, monkeypatch, questions):
    """Stop the bots after so many questions. The next beat goes on, and the result is that of one that ran through."""
    visitor = make_visitor()
    play_by_hand(room, visitor, 1)
    read_game(room_id=room.pk, visitor=visitor, etui=2, now=NOON)
    with transaction.atomic():
        closing.close_room(room.pk, AFTER)
        through = stored()
        transaction.set_rollback(True)
    asked, ask = [], thinker.ask

    def stop(*question):
        asked.append(question)
        if len(asked) > questions:
            raise NoAnswer
        return ask(*question)

    with monkeypatch.context() as patch:
        patch.setattr(thinker, "ask", stop)
        with pytest.raises(NoAnswer):
            closing.close_room(room.pk, AFTER)
    assert Room.objects.get(pk=room.pk).closed_at is None
    assert DealSet.objects.get(pk=room.deal_set_id).revealed_at is None
    assert closing.close_room(room.pk, AFTER)
    assert stored() == through


@pytest.mark.nightly("story")
def test_closing_in_pieces_ends_as_one_that_ran_through(room):
    visitor = make_visitor()
    play_by_hand(room, visitor, 1)
    read_game(room_id=room.pk, visitor=visitor, etui=2, now=NOON)
    with transaction.atomic():
        closing.close_room(room.pk, AFTER)
        through = stored()
        transaction.set_rollback(True)
    pieces = 1
    while not closing.close_room(room.pk, AFTER, seconds=0.0):  # the bots make as few moves as they can
        assert Room.objects.get(pk=room.pk).closed_at is None
        pieces += 1
    assert pieces > 8
    assert stored() == through


@pytest.mark.nightly("story")
def test_closing_of_a_long_game_stops_within_the_game_and_asks_for_the_rest(room, settings, monkeypatch):
    settings.ROOMS, asked = True, []
    monkeypatch.setattr("rooms.tasks.go_on_later", lambda *job: asked.append(job) or True)
    monkeypatch.setattr("rooms.tasks.SLICE", 0.0)
    monkeypatch.setattr("rooms.closing.finishing.GLANCE", 0.0)  # one move
    play_by_hand(room, make_visitor(), 1, moves=1)
    Room.objects.filter(pk=room.pk).update(opens_at=NOON - dt.timedelta(days=400), closes_at=NOON - DAY)
    lengths = [Game.objects.order_by("pk").first().length]
    for _piece in range(2):
        close_room(room.pk)
        lengths.append(Game.objects.order_by("pk").first().length)
    assert lengths == [0, 1, 2]
    assert asked == [(ROOM, room.pk)] * 2
    assert cache.get(claim_key(f"room-{room.pk}")) is None  # any worker may take the next piece
    monkeypatch.setattr("rooms.tasks.go_on_later", lambda *_job: False)  # there is no queue
    close_room(room.pk)
    assert Room.objects.get(pk=room.pk).closed_at is not None
    assert Game.objects.order_by("pk").first().finished_by == "bot"


@pytest.mark.nightly("story")
def test_room_is_closed_only_after_its_last_moves(room):
    play_by_hand(room, make_visitor(), 1)
    assert not closing.close_room(room.pk, room.closes_at)
    assert not closing.find_due(room.closes_at + dt.timedelta(seconds=4)).exists()
    assert closing.find_due(room.closes_at + dt.timedelta(seconds=5)).get() == room


def test_room_without_visitors_stays_empty_and_opens_its_seed(room):
    assert closing.close_room(room.pk, AFTER)
    assert not RoomTable.objects.exists()
    assert DealSet.objects.get(pk=room.deal_set_id).revealed_at == AFTER


@pytest.mark.nightly("story")
def test_accounts_guests_and_programs_are_ranked_apart_and_shared_ranks_are_shared(room):
    kinds = [
        {"account": User.objects.create(username="one"), "cookie_digest": ""},
        {"account": User.objects.create(username="two"), "cookie_digest": ""},
        {},
        {},
        {"is_program": True},
    ]
    visitors = [make_visitor(**kind) for kind in kinds]
    for visitor in visitors:
        for number in (1, 2):
            play_by_hand(room, visitor, number)
    closing.close_room(room.pk, AFTER)
    # All of them play by the same policy, so all have the same notes.
    assert [RoomSeat.objects.get(visitor=visitor).rank for visitor in visitors] == [1, 1, 1, 1, 1]
    seats = list(RoomSeat.objects.filter(visitor__in=visitors).order_by("pk"))
    for place, seat in enumerate(seats):
        RoomSeat.objects.filter(pk=seat.pk).update(notes_sum=str(100 + place))
    closing.rank_again(room.pk)
    assert [RoomSeat.objects.get(visitor=visitor).rank for visitor in visitors] == [2, 1, 2, 1, 1]
    RoomSeat.objects.filter(visitor=visitors[1]).update(left_out_at=AFTER)
    closing.rank_again(room.pk)
    assert [RoomSeat.objects.get(visitor=visitor).rank for visitor in visitors] == [1, None, 2, 1, 1]


@pytest.mark.nightly("story")
def test_person_with_two_accounts_is_ranked_once(room, club):
    """Check that the seat taken first counts, whatever the other one has played."""
    accounts = [User.objects.create(username=name) for name in ("first", "second")]
    one, other = add_players(club=club, lines=[RosterLine("Un", "Ute"), RosterLine("Deux", "Ute")])
    for player, account in zip((one, other), accounts, strict=True):
        type(player).objects.filter(pk=player.pk).update(account=account, person=one.person)
    visitors = [make_visitor(account=account, cookie_digest="") for account in accounts]
    for visitor in visitors:
        for number in (1, 2):
            play_by_hand(room, visitor, number)
    closing.close_room(room.pk, AFTER)
    assert [RoomSeat.objects.get(visitor=visitor).rank for visitor in visitors] == [1, None]
    RoomSeat.objects.filter(visitor=visitors[0]).update(left_out_at=AFTER)
    closing.rank_again(room.pk)
    assert [RoomSeat.objects.get(visitor=visitor).rank for visitor in visitors] == [None, None]


@pytest.mark.nightly("story")
def test_visitor_who_is_a_program_later_moves_no_closed_ranking(room):
    visitors = [make_visitor(), make_visitor()]
    for visitor in visitors:
        for number in (1, 2):
            play_by_hand(room, visitor, number)
    closing.close_room(room.pk, AFTER)
    seats = RoomSeat.objects.filter(visitor__in=visitors).order_by("pk")
    seats.filter(visitor=visitors[0]).update(notes_sum="200")
    seats.filter(visitor=visitors[1]).update(notes_sum="100")
    closing.rank_again(room.pk)
    assert list(seats.values_list("rank", "is_program")) == [(1, False), (2, False)]
    mark_program(visitors[0])
    closing.rank_again(room.pk)
    assert list(seats.values_list("rank", "is_program")) == [(1, False), (2, False)]


@pytest.mark.nightly("story")
def test_room_is_closed_by_one_job_at_a_time(room, settings):
    settings.ROOMS = True
    play_by_hand(room, make_visitor(), 1)
    hours = {"opens_at": NOON - dt.timedelta(days=400), "closes_at": NOON - dt.timedelta(days=399)}
    Room.objects.filter(pk=room.pk).update(**hours)
    key = claim_key(f"room-{room.pk}")
    cache.set(key, True, 60)
    close_room(room.pk)
    assert Room.objects.get(pk=room.pk).closed_at is None
    cache.delete(key)
    close_room(room.pk)
    assert Room.objects.get(pk=room.pk).closed_at is not None
    assert cache.get(key) is None


@pytest.mark.nightly("story")
def test_sweep_makes_rooms_and_closes_those_that_are_due(settings):
    sweep_rooms()
    assert not Room.objects.exists()  # without the setting
    settings.ROOMS = True
    room = open_room(level=0, now=NOON - dt.timedelta(days=400))
    play_by_hand(room, make_visitor(), 1, now=room.opens_at)
    sweep_rooms()
    assert Room.objects.get(pk=room.pk).closed_at is not None
    assert {each.kind for each in Room.objects.filter(closed_at=None)} == {"half", "day", "week"}


def test_first_who_looks_after_the_hour_has_the_room_closed(room):
    closing.ask_to_close(room, room.closes_at)
    assert Room.objects.get(pk=room.pk).closed_at is None
    closing.ask_to_close(room, AFTER)  # the job runs at once, and looks at the real clock
    assert (Room.objects.get(pk=room.pk).closed_at is not None) == (room.closes_at < dt.datetime.now(dt.UTC))


def test_room_that_is_not_due_is_not_closed(room):
    assert settling.close_room(room.pk, room.opens_at) is False
    assert settling.close_room(room.pk + 1, room.closes_at) is False
