"""The seats of a session in preparation: players are added, moved, removed or drawn, and fillers complete tables.

Each change names the seat or the player, so it is idempotent. Its function returns the entrants after it.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import count

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from clubs.matching import MatchedLine
from clubs.models import User
from clubs.players import ListCounts, add_players, require_told, take_counted
from clubs.roster import RosterLine
from deals.domain.cards import LINES
from evenings.plans.choosing import choice_of
from evenings.sessions.checklist import fit
from evenings.sessions.setup import SeatGiven, set_entrants
from evenings.teams.partners import keep_partners_apart, seat_newcomers
from movements import LinePlan, Member, read_plan
from movements.draw import NO_TEAMS, Draw, assign_seats, draw_lines
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft
from tournaments.log import log_action
from tournaments.models import Entrant, Publication, Session, TournamentStandings
from tournaments.reports.session import decode_report
from tournaments.reports.tournament import decode_tournament


class DrawOrder(StrEnum):
    """The order for a draw of seats: by chance only, by the last published session, or by the tournament's ranking."""

    CHANCE = "chance"
    STRENGTH = "strength"
    RUNNING = "running"


def find_known_rankings(session: Session) -> QuerySet[Publication]:
    """Return the publications of the club's other sessions, without withdrawn ones.

    Those of the same tournament come first, and among them the newest sessions.
    """
    newer = Publication.objects.filter(
        session=OuterRef("session"), version__gte=OuterRef("version"), status="withdrawn"
    )
    others = Publication.objects.filter(~Exists(newer), session__tournament__club=session.tournament.club_id)
    others = others.exclude(session=session)
    elsewhere = Case(When(session__tournament=session.tournament_id, then=Value(0)), default=Value(1))
    return others.order_by(elsewhere, "-session__date", "-session__number", "-session_id", "-version")


def strongest_first(publication: Publication) -> list[int]:
    """Return the ids of the players with a rank in a publication, in the order of their overall ranks."""
    players = decode_report(publication.data).players
    ranked = [(player.rank_general, player.id, player) for player in players if player.rank_general is not None]
    return [player.player for _rank, _id, player in sorted(ranked, key=lambda one: one[:2])]


def running_order(session: Session) -> list[int]:
    """Return the ids of the players in the order of the present ranking of the session's tournament, or []."""
    kept = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None).first()
    players = decode_tournament(kept.data).players if kept else ()
    return [player.player for player in players if player.rank is not None]


def known_orders(session: Session) -> list[DrawOrder]:
    """Return the orders, other than chance, by which the seats of a session can be drawn."""
    running = TournamentStandings.objects.filter(tournament=session.tournament_id).exclude(computed_at=None)
    found = {
        DrawOrder.STRENGTH: find_known_rankings(session).exists(),
        DrawOrder.RUNNING: session.number > 1 and running.exists(),
    }
    return [order for order, there in found.items() if there]


def last_before(session: Session) -> Session | None:
    """Return the club's latest other session, up to this session's date, that has players, or None."""
    others = Session.objects.filter(tournament__club_id=session.tournament.club_id, date__lte=session.date)
    return others.exclude(pk=session.pk).filter(entrants__isnull=False).order_by("-date", "-pk").first()


def ranked_in(session: Session) -> list[int]:
    """Return the ids of the ranked players of a session, in the order of their starting numbers."""
    return list(session.entrants.filter(ranked=True).order_by("number", "pk").values_list("player_id", flat=True))


Place = tuple[str, int]
DRAWN = {DrawOrder.CHANCE: "draw", DrawOrder.STRENGTH: "draw_by_strength", DrawOrder.RUNNING: "draw_by_running"}


@transaction.atomic
def seat_players(
    *,
    session_id: int,
    player_ids: Sequence[int],
    taken: Sequence[MatchedLine] = (),
    told: ListCounts | None = None,
) -> list[Entrant]:
    """Seat the players who have no seat yet on the first free seats, table after table, in the given order.

    After them come the players of `taken`, lines of a pasted list; new players are added to the club's list. If a plan
    is chosen for the resulting number of players, its seats for fillers stay free. `told` has the numbers that a page
    has told. Raise `ListChanged`, and write nothing, if others would be written.
    """
    session = lock_draft(session_id)
    listed, counts = take_counted(club=session.tournament.club, taken=taken) if taken else ([], ListCounts())
    seats = current_seats(session_id)
    occupied = {(seat.line, seat.number) for seat in seats}
    seated = {seat.player_id for seat in seats}
    new = [
        player_id
        for player_id in dict.fromkeys([*player_ids, *(player.pk for player in listed)])
        if player_id not in seated
    ]
    require_told(told, counts._replace(rows=len(new)))
    plan = find_chosen(session, ranked=sum(seat.ranked for seat in seats) + len(new))
    free = (place for place in list_places(plan) if place not in occupied)
    placed = {place: player_id for player_id, place in zip(new, free, strict=False)}
    if find_format(session.tournament.format).partners:
        taken_places = {(seat.line, seat.number): seat.player_id for seat in seats}
        plan = fit(sum(seat.ranked for seat in seats) + len(new), session).plan
        placed = dict(zip(placed, seat_newcomers(session, taken_places, placed, plan), strict=True))
    seats += [SeatGiven(player_id, *place) for place, player_id in placed.items()]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def seat_filler(
    *, session_id: int, line: str, number: int, player_id: int = 0, unlisted: RosterLine | None = None
) -> list[Entrant]:
    """Seat a person as a filler: unranked, to complete a table. If the person already has a seat, it becomes empty.

    The person is a player of the club's list, or `unlisted`, who is added to the list.
    """
    session = lock_draft(session_id)
    if unlisted is not None:
        player_id = add_players(club=session.tournament.club, lines=[unlisted])[0].pk
    seats = [seat for seat in current_seats(session_id) if seat.player_id != player_id]
    seats.append(SeatGiven(player_id, line, number, ranked=False))
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def move_player(*, session_id: int, player_id: int, line: str, number: int) -> list[Entrant]:
    """Move a player to another seat. If another player sits there, the two exchange their seats."""
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
    """Remove a player from the session. The seat stays empty."""
    seats = [seat for seat in current_seats(session_id) if seat.player_id != player_id]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def close_gaps(*, session_id: int) -> list[Entrant]:
    """Move the ranked players to the first seats of the plan without gaps, in their present order. Fillers stay."""
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
    order: DrawOrder = DrawOrder.CHANCE,
    apart: Sequence[Collection[int]] = (),
) -> Draw:
    """Draw the seats of all ranked players, and return the draw. Fillers stay.

    The same seed gives the same seats to the same players. `apart` has groups of players (ids) who should not meet in
    position 1. Players of one team should never meet. With the order STRENGTH, the last published session tells how
    strong the players are. With the order RUNNING, the tournament's ranking decides about the lines: the first four
    players are put on four different lines, then the next four. Players without a rank count as weaker. Raise
    `ActionRefused` if there is no such ranking.
    """
    session = lock_draft(session_id)
    seats = current_seats(session_id)
    players = sorted(seat.player_id for seat in seats if seat.ranked)
    if not players:
        raise ActionRefused("no_players", "players")
    if order is not DrawOrder.CHANCE:
        strongest = {player: place for place, player in enumerate(find_order(session, order))}
        players.sort(key=lambda player: (strongest.get(player, len(strongest)), player))
    plan = find_chosen(session, ranked=len(players))
    drawn_places = [place for place, _ in zip(list_places(plan), players, strict=False)]
    tables = first_tables(drawn_places, plan)
    teams = NO_TEAMS
    if find_format(session.tournament.format).partners:
        teams = keep_partners_apart(session, players, drawn_places, fit(len(players), session).plan)
    if order is DrawOrder.RUNNING:
        lines = [LINES.index(line) for line, _number in drawn_places]
        drawn = draw_lines(players, list(zip(lines, tables, strict=True)), seed=seed, apart=apart, teams=teams)
    else:
        by_strength = order is DrawOrder.STRENGTH
        drawn = assign_seats(players, tables, seed=seed, by_strength=by_strength, apart=apart, teams=teams)
    moved = [SeatGiven(player, *place) for player, place in zip(drawn.players, drawn_places, strict=True)]
    set_entrants(session_id=session_id, seats=[*moved, *(seat for seat in seats if not seat.ranked)])
    log_action(session, DRAWN[order], by=by, now=now, seed=seed, count=len(players))
    return drawn


def find_order(session: Session, order: DrawOrder) -> list[int]:
    """Return the ids of the players, the strongest first. Raise `ActionRefused` if there is no such ranking."""
    if order is DrawOrder.RUNNING:
        strongest = running_order(session)
    else:
        publication = find_known_rankings(session).first()
        strongest = strongest_first(publication) if publication else []
    if not strongest:
        raise ActionRefused("no_ranking_yet", "by")
    return strongest


def find_chosen(session: Session, *, ranked: int) -> LinePlan | None:
    """Return the chosen plan if it fits this number of ranked players, else None."""
    version = choice_of(session, ranked)
    return read_plan(version.data) if version else None


def list_places(plan: LinePlan | None) -> Iterator[Place]:
    """Yield the seats for ranked players: first those of the plan, then more without end, table after table.

    A seat is a pair (line, number).
    """
    fillers: set[Member] = set()
    members: set[Member] = set()
    if plan is not None:
        fillers = set(plan.fillers)
        members = set(plan.everybody()) - fillers
        for member in sorted(members, key=lambda member: (member.number, member.line)):
            yield LINES[member.line], member.number
    for number in count(1):
        for line in range(len(LINES)):
            if Member(line, number) not in members and Member(line, number) not in fillers:
                yield LINES[line], number


def first_tables(seats: Sequence[Place], plan: LinePlan | None) -> list[int]:
    """Return the number of the table at which each seat plays in position 1.

    A seat that rests in position 1 gets a negative number of its own instead.
    """
    if plan is None:
        return [number for _, number in seats]
    found: dict[Place, int] = {
        (LINES[member.line], member.number): play.table for play in plan.at(1) for member in play.people
    }
    return [found.get(seat, -place) for place, seat in enumerate(seats, start=1)]


def current_seats(session_id: int) -> list[SeatGiven]:
    """Return the seats of a session in preparation, table after table. Lock the session until the transaction ends."""
    entrants = lock_draft(session_id).entrants.select_related("player")
    return in_order(SeatGiven(entrant.single.pk, entrant.line, entrant.number, entrant.ranked) for entrant in entrants)


def in_order(seats: Iterable[SeatGiven]) -> list[SeatGiven]:
    return sorted(seats, key=lambda seat: (seat.number, LINES.index(seat.line)))


def seat_of(player_id: int, seats: Iterable[SeatGiven]) -> SeatGiven:
    """Return the seat of a player. Raise `ActionRefused` if the player has none."""
    for seat in seats:
        if seat.player_id == player_id:
            return seat
    raise ActionRefused("player_unknown", "players", player=player_id)
