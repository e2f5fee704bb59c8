"""The notes and ranks of a closed room, of one for people who play alone and of one for four.

A deal belongs to a visitor who had the seat from its first card to its last, and for whom no bot has moved. It is
compared with the same seat at the other tables, if there are any. In a room without duplicate deals nobody is ranked.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from django.db.models import Q

from bots.levels import CHARACTERS
from clubs.models import Player
from deals.domain.cards import LINES, Seat
from rooms.models import ClassicTable, Game, Room, RoomKind, RoomSeat, RoomTable
from rooms.opening import SOLO
from rooms.record.tables import find_taker_in_record
from scoring.formats import FREE_AUCTION
from scoring.plays import SEATS, ScoringPlay
from scoring.ranking import check_plays, note_plays
from scoring.ties import share_ranks


def read_plays(games: Iterable[Game]) -> list[ScoringPlay]:
    """Return each finished game as a play, whose competitors are the seats. The games were read with their étuis."""
    plays = []
    for game in games:
        taker = find_taker_in_record(Seat(game.etui.dealer), game.record)
        seats = tuple((game.table_id, letter) for letter in LINES)
        plays.append(ScoringPlay(game.etui_id, seats, None if taker is None else str(taker), game.score))
    return plays


def find_note_against_bots(table: RoomTable, number: int) -> Fraction | None:
    """Return the note of South on étui `number` among the seven tables of bots of the room, once all have played it.

    It is not stored: when the room closes, the tables of all players are compared. None until the bots are done, and in
    rooms from before there were such tables.
    """
    compared = Game.objects.filter(Q(table__is_filler=True) | Q(table=table), table__room=table.room_id)
    over = compared.filter(etui__number=number, finished_at__isnull=False)
    games = list(over.select_related("etui").order_by("pk"))
    own = next((game for game in games if game.table_id == table.pk), None)
    return None if own is None or len(games) <= len(CHARACTERS) else find_notes(games)[own.pk][SOLO]


def find_notes(games: list[Game]) -> dict[int, Mapping[str, Fraction]]:
    """Return the exact note of each seat, by the id of the game."""
    plays = read_plays(games)
    check_plays(plays, FREE_AUCTION)
    notes_by_game: dict[int, Mapping[str, Fraction]] = {}
    for game, notes in zip(games, note_plays(plays, FREE_AUCTION), strict=True):
        assert notes is not None
        notes_by_game[game.pk] = {seat: note for seat, note in zip(SEATS, notes, strict=False) if note is not None}
    return notes_by_game


LEAST_OF_FOUR = 4  # deals that were compared with another table


def rank_again(room_id: int) -> None:
    """Rank the seats of a closed room by their stored sums, without those that were left out.

    The caller has locked the room.
    """
    room = Room.objects.get(pk=room_id)
    seats = list(room.seats.filter(visitor__isnull=False).select_related("visitor").order_by("joined_at", "pk"))
    rank_seats(room, seats)
    RoomSeat.objects.bulk_update(seats, ["rank"])


def rank_seats(room: Room, seats: list[RoomSeat]) -> None:
    """Give each of these seats its rank, or None. They are all seats of visitors, in the order in which they came.

    A seat is ranked if its visitor played at least half of the room's étuis by hand, or `LEAST_OF_FOUR` at tables for
    four. A person with two accounts is ranked by the first, and not at all if one of them was left out.
    """
    groups: dict[str, list[RoomSeat]] = defaultdict(list)
    persons = find_persons(seats)
    ranked_persons = {persons[seat.pk] for seat in seats if seat.left_out_at is not None and seat.pk in persons}
    for seat in seats:
        seat.rank = None
        if seat.left_out_at is not None or not seat.deals or seat.own_deals < find_least_deals(room):
            continue
        person = persons.get(seat.pk)
        if person in ranked_persons:
            continue
        if person is not None:
            ranked_persons.add(person)
        groups[find_group_of_seat(seat)].append(seat)
    for members in groups.values():
        ranks = share_ranks({seat: (False, -(find_mean_of_seat(seat) or Fraction())) for seat in members})
        for seat in members:
            seat.rank = ranks[seat]


def find_least_deals(room: Room) -> int:
    """Return how many étuis somebody has to play by hand in a room to be ranked."""
    return LEAST_OF_FOUR if room.kind == RoomKind.CLASSIC else -(-room.etuis // 2)


PLAYERS, GUESTS, PROGRAMS = "players", "guests", "programs"


def find_group_of_seat(seat: RoomSeat) -> str:
    """Return the group in which a visitor's seat is ranked."""
    if seat.is_program:
        return PROGRAMS
    return GUESTS if seat.is_guest else PLAYERS


def find_mean_of_seat(seat: RoomSeat) -> Fraction | None:
    """Return the exact percentage of a seat, or None without a note."""
    return Fraction(seat.notes_sum) / seat.deals if seat.deals and seat.notes_sum else None


def find_persons(seats: Iterable[RoomSeat]) -> dict[int, int]:
    """Return the person behind each seat of an account that is a player of a club, by the id of the seat."""
    accounts = {seat.pk: seat.visitor.account_id for seat in seats if seat.visitor and seat.visitor.account_id}
    players = Player.objects.filter(account__in=accounts.values(), erased_at=None).order_by("pk")
    persons = dict(players.values_list("account", "person"))
    return {pk: persons[account] for pk, account in accounts.items() if account in persons}


FIGURES = ["notes_sum", "deals", "own_deals", "is_guest", "is_program", "rank"]


def store_notes(games: list[Game]) -> dict[int, Mapping[str, Fraction]]:
    """Store the note of South in each game, and return the notes of all seats, by the id of the game."""
    notes = find_notes(games)
    for game in games:
        game.note = str(notes[game.pk][SOLO])
    Game.objects.bulk_update(games, ["note"], batch_size=500)
    return notes


def store_sums(room: Room, seats: list[RoomSeat], notes: Mapping[int, list[Fraction]], by_hand: Counter[int]) -> None:
    """Store the sums and ranks of seats. `notes` and `by_hand` have the notes, and the number of own games, by seat."""
    for seat in seats:
        seat.deals, seat.own_deals = len(notes[seat.pk]), by_hand[seat.pk]
        seat.notes_sum = str(sum(notes[seat.pk], Fraction()))
        seat.is_guest = seat.visitor is not None and seat.visitor.account_id is None
        seat.is_program = seat.visitor is not None and seat.visitor.is_program
    rank_seats(room, [seat for seat in seats if seat.visitor is not None])
    RoomSeat.objects.bulk_update(seats, FIGURES, batch_size=500)


def settle_solo(room: Room, games: list[Game]) -> None:
    """Store the notes and ranks of a solo room, in which visitors and the tables of bots are compared in South."""
    notes = store_notes(games)
    seats = list(room.seats.filter(letter=SOLO).select_related("visitor").order_by("joined_at", "pk"))
    own = {seat.pk: [game for game in games if game.table_id == seat.table_id] for seat in seats}
    own_notes = {seat: [notes[game.pk][SOLO] for game in played] for seat, played in own.items()}
    hand = Game.Finisher.HAND
    by_hand = Counter(seat for seat, played in own.items() for game in played if game.finished_by == hand)
    store_sums(room, seats, own_notes, by_hand)


def settle_fours(room: Room, games: list[Game], *, now: dt.datetime) -> None:
    """Store the notes and ranks of a room for four in which every deal is over. Its tables end.

    The figures of a visitor are stored with the seat that they took last. The caller has locked the room.
    """
    notes = store_notes(list_compared(games))
    seats = list(room.seats.filter(visitor__isnull=False).select_related("visitor").order_by("joined_at", "pk"))
    latest = {seat.visitor_id: seat.pk for seat in seats}
    own_notes: dict[int, list[Fraction]] = {seat.pk: [] for seat in seats}
    for seat in seats:
        played = [notes[game.pk][seat.letter] for game in list_own(seat, games) if game.pk in notes]
        own_notes[latest[seat.visitor_id]] += played
    by_hand = Counter({seat: len(found) for seat, found in own_notes.items()})
    store_sums(room, seats, own_notes, by_hand)
    ClassicTable.objects.filter(table__room=room, ended_at=None).update(ended_at=now)
    room.seats.filter(left_at=None).update(left_at=now)


def list_compared(games: Iterable[Game]) -> list[Game]:
    """Return the games of the étuis that at least two tables have played."""
    games = list(games)
    played = Counter(game.etui_id for game in games)
    return [game for game in games if played[game.etui_id] > 1]


def list_own(seat: RoomSeat, games: Iterable[Game]) -> list[Game]:
    """Return the deals of a table that the visitor of a seat played from the first card to the last."""
    return [
        game
        for game in games
        if game.table_id == seat.table_id
        and seat.letter not in game.bot_seats
        and seat.joined_at <= game.begun_at
        and (seat.left_at is None or game.finished_at is None or game.finished_at <= seat.left_at)
    ]
