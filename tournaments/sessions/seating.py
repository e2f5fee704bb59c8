"""Writes to the seating of a session in preparation: who joins, moves, leaves or completes a table, and the draw.

Each change names the seat or the player it is about, so that doing it twice is doing it once.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count

from django.db import transaction

from clubs.answers import Taken
from clubs.models import User
from clubs.players import add_players, take_list
from clubs.roster import RosterLine
from deals.domain.cards import LINES
from movements import Member, Plan, from_data
from movements.draw import Draw, draw, draw_lines
from tournaments.errors import Refused
from tournaments.locks import lock_draft
from tournaments.log import log
from tournaments.models import Entrant, Session
from tournaments.plans.choosing import choice_of
from tournaments.sessions.known_ranks import Order, read_rankings, running_order, strongest_first
from tournaments.sessions.setup import SeatGiven, set_entrants

Place = tuple[str, int]
DRAWN = {Order.CHANCE: "draw", Order.STRENGTH: "draw_by_strength", Order.RUNNING: "draw_by_running"}


@transaction.atomic
def seat_players(*, session_id: int, player_ids: Sequence[int], taken: Sequence[Taken] = ()) -> list[Entrant]:
    """Seats the players who have no seat yet on the first free ones, table after table, in the order given.

    Whom the lines `taken` mean come after them; who is new is put on the club's list with it. The seats of fillers
    stay free, where a plan is chosen for as many as will then be there.
    """
    session = lock_draft(session_id)
    listed = take_list(club=session.tournament.club, taken=taken) if taken else []
    seats = current_seats(session_id)
    occupied = {(seat.line, seat.number) for seat in seats}
    seated = {seat.player_id for seat in seats}
    new = [
        player_id
        for player_id in dict.fromkeys([*player_ids, *(player.pk for player in listed)])
        if player_id not in seated
    ]
    plan = find_chosen(session, ranked=sum(seat.ranked for seat in seats) + len(new))
    free = (place for place in list_places(plan) if place not in occupied)
    seats += [SeatGiven(player_id, *place) for player_id, place in zip(new, free, strict=False)]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def seat_filler(
    *, session_id: int, line: str, number: int, player_id: int = 0, unlisted: RosterLine | None = None
) -> list[Entrant]:
    """Puts somebody on a seat, unranked, to complete a table; who is there already leaves his own seat for it. Who is
    `unlisted` is put on the club's list with it."""
    session = lock_draft(session_id)
    if unlisted is not None:
        player_id = add_players(club=session.tournament.club, lines=[unlisted])[0].pk
    seats = [seat for seat in current_seats(session_id) if seat.player_id != player_id]
    seats.append(SeatGiven(player_id, line, number, ranked=False))
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def move_player(*, session_id: int, player_id: int, line: str, number: int) -> list[Entrant]:
    """Puts a player on a seat; whoever sits there takes the seat that becomes free."""
    seats = current_seats(session_id)
    here = seat_of(player_id, seats)
    moved = [
        seat._replace(line=line, number=number)
        if seat == here
        else seat._replace(line=here.line, number=here.number)
        if (seat.line, seat.number) == (line, number)
        else seat
        for seat in seats
    ]
    return set_entrants(session_id=session_id, seats=moved)


@transaction.atomic
def unseat_player(*, session_id: int, player_id: int) -> list[Entrant]:
    """Takes a player out; the seat stays empty for whoever comes next."""
    seats = [seat for seat in current_seats(session_id) if seat.player_id != player_id]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def close_gaps(*, session_id: int) -> list[Entrant]:
    """Seats everybody who is ranked anew, in the present order, on the seats of the plan; fillers stay."""
    session = lock_draft(session_id)
    seats = current_seats(session_id)
    ranked = [seat for seat in seats if seat.ranked]
    free = list_places(find_chosen(session, ranked=len(ranked)))
    moved = [seat._replace(line=line, number=number) for seat, (line, number) in zip(ranked, free, strict=False)]
    return set_entrants(session_id=session_id, seats=[*moved, *(seat for seat in seats if not seat.ranked)])


@transaction.atomic
def draw_seats(
    *,
    session_id: int,
    seed: int,
    by: User,
    now: dt.datetime,
    order: Order = Order.CHANCE,
    apart: Sequence[Collection[int]] = (),
) -> Draw:
    """Draws the seats of all who are ranked; fillers stay. `apart`: ids of players who should not meet in position 1.

    The same seed gives the same seats to the same players. By strength, the order is that of the last published
    session; by the running ranking of the tournament the lines are drawn anew, the first four of it on the four lines.
    Who is not in it counts as less strong. `Refused` where there is none.
    """
    session = lock_draft(session_id)
    seats = current_seats(session_id)
    players = sorted(seat.player_id for seat in seats if seat.ranked)
    if not players:
        raise Refused("no_players", "players")
    if order is not Order.CHANCE:
        strongest = {player: place for place, player in enumerate(find_order(session, order))}
        players.sort(key=lambda player: (strongest.get(player, len(strongest)), player))
    plan = find_chosen(session, ranked=len(players))
    drawn_places = [place for place, _ in zip(list_places(plan), players, strict=False)]
    tables = first_tables(drawn_places, plan)
    if order is Order.RUNNING:
        lines = [LINES.index(line) for line, _number in drawn_places]
        drawn = draw_lines(players, list(zip(lines, tables, strict=True)), seed=seed, apart=apart)
    else:
        drawn = draw(players, tables, seed=seed, by_strength=order is Order.STRENGTH, apart=apart)
    moved = [SeatGiven(player, *place) for player, place in zip(drawn.players, drawn_places, strict=True)]
    set_entrants(session_id=session_id, seats=[*moved, *(seat for seat in seats if not seat.ranked)])
    log(session, DRAWN[order], by=by, now=now, seed=seed, count=len(players))
    return drawn


def find_order(session: Session, order: Order) -> list[int]:
    """The strongest first; `Refused` where there is no such ranking."""
    if order is Order.RUNNING:
        strongest = running_order(session)
    else:
        publication = read_rankings(session).first()
        strongest = strongest_first(publication) if publication else []
    if not strongest:
        raise Refused("no_ranking_yet", "by")
    return strongest


def find_chosen(session: Session, *, ranked: int) -> Plan | None:
    """The plan chosen, where it is for so many ranked players."""
    version = choice_of(session, ranked)
    return from_data(version.data) if version else None


def list_places(plan: Plan | None) -> Iterator[Place]:
    """The seats of ranked players in order: those of the plan, and beyond it table after table, N, E, S, W."""
    fillers: set[Member] = set()
    members: set[Member] = set()
    if plan is not None:
        fillers = set(plan.fillers)
        members = set(plan.members()) - fillers
        for member in sorted(members, key=lambda member: (member.number, member.line)):
            yield LINES[member.line], member.number
    for number in count(1):
        for line in range(len(LINES)):
            if Member(line, number) not in members and Member(line, number) not in fillers:
                yield LINES[line], number


def first_tables(seats: Sequence[Place], plan: Plan | None) -> list[int]:
    """The table of each seat in position 1; who rests then has one of his own, below 0."""
    if plan is None:
        return [number for _, number in seats]
    found: dict[Place, int] = {
        (LINES[member.line], member.number): play.table for play in plan.at(1) for member in play.members
    }
    return [found.get(seat, -place) for place, seat in enumerate(seats, start=1)]


def current_seats(session_id: int) -> list[SeatGiven]:
    """The seats of a session in preparation, table after table; the session is locked until the change is written."""
    entrants = lock_draft(session_id).entrants.all()
    return in_order(SeatGiven(entrant.player_id, entrant.line, entrant.number, entrant.ranked) for entrant in entrants)


def in_order(seats: Iterable[SeatGiven]) -> list[SeatGiven]:
    return sorted(seats, key=lambda seat: (seat.number, LINES.index(seat.line)))


def seat_of(player_id: int, seats: Iterable[SeatGiven]) -> SeatGiven:
    for seat in seats:
        if seat.player_id == player_id:
            return seat
    raise Refused("player_unknown", "players", player=player_id)
