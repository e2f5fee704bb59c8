"""The ranks of a closed room. Accounts, guests and programs are ranked apart, by the mean of their notes."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from clubs.models import Player
from rooms.models import Room, RoomKind, RoomSeat
from scoring.ties import share_ranks

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
        groups[find_group(seat)].append(seat)
    for members in groups.values():
        ranks = share_ranks({seat: (False, -mean_of(seat)) for seat in members})
        for seat in members:
            seat.rank = ranks[seat]


def find_least_deals(room: Room) -> int:
    """Return how many étuis somebody has to play by hand in a room to be ranked."""
    return LEAST_OF_FOUR if room.kind == RoomKind.CLASSIC else -(-room.etuis // 2)


def find_group(seat: RoomSeat) -> str:
    """Return the group in which a seat is ranked."""
    return "program" if seat.is_program else "guest" if seat.is_guest else "account"


def mean_of(seat: RoomSeat) -> Fraction:
    """Return the exact mean of a seat's notes."""
    return Fraction(seat.notes_sum) / seat.deals


def find_persons(seats: Iterable[RoomSeat]) -> dict[int, int]:
    """Return the person behind each seat of an account that is a player of a club, by the id of the seat."""
    accounts = {seat.pk: seat.visitor.account_id for seat in seats if seat.visitor and seat.visitor.account_id}
    players = Player.objects.filter(account__in=accounts.values(), erased_at=None).order_by("pk")
    persons = dict(players.values_list("account", "person"))
    return {pk: persons[account] for pk, account in accounts.items() if account in persons}
