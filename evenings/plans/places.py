"""The plan of a session for readers: seats and étuis, by position and by player.

It is read by two queries, and contains no results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from deals.domain.cards import LINES
from evenings.plays.attackers import members_of
from evenings.teams.lineups import SOUTH, SeatPlaces, find_line_up, read_session_line_ups
from evenings.teams.membership import was_active
from evenings.teams.naming import join_public_names
from scoring.plays import EAST_WEST, NORTH_SOUTH
from scoring.teams import ATTACK, DEFENCE, TeamTable, find_parted, order_teams
from tournaments.models import Entrant, Session, TeamMember
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.models.seats import find_taker_seat, read_with_seats
from tournaments.words.figures import etuis_text
from tournaments.words.team_plans import badges_of


class SeatedMember(NamedTuple):
    """A member of a team in a seat."""

    seat: str
    member: TeamMember


@dataclass(slots=True)
class TablePlace:
    """One table in one position: its four players by line, and its étuis.

    Two teams stand under NS and EW. If teams sit at several tables at once, the two stand under ATTACK and DEFENCE.

    `takers` has the taker that each étui names ("" for none), by the étui's number. Replays are left out: étuis that a
    player at the table has already played. `attacking` is the team that attacks the first étui, or None. `attacker` is
    the place of the member who attacks it. `badge` is that place if it has a colour, and if the member attacks all
    étuis of the table; else it is 0. `members` has the players of both teams by ATTACK and DEFENCE where line-ups name
    them.
    """

    position: int
    table: int
    seats: dict[str, Entrant]
    takers: dict[int, str] = field(default_factory=dict)
    attacking: Entrant | None = None
    badge: int = 0
    attacker: int = 0
    members: dict[str, list[SeatedMember]] = field(default_factory=dict)

    @property
    def people(self) -> list[tuple[str, Entrant, list[SeatedMember]]]:
        """The entrants by line, each with the members of the team by seat, where line-ups name them."""
        return [(line, entrant, self.members.get(line, [])) for line, entrant in self.seats.items()]

    @property
    def etuis(self) -> list[int]:
        return list(self.takers)

    @property
    def etuis_text(self) -> str:
        """The numbers of the étuis as text, such as "9–12"."""
        return etuis_text(self.takers)

    @property
    def deals_text(self) -> str:
        """The numbers of the deals of a game as text, such as "1–4", where the table deals."""
        return etuis_text(range(1, len(self.takers) + 1))


class TableSpot(NamedTuple):
    """A table in a position, and the line on which an entrant sits there."""

    place: TablePlace
    line: str


class Stop(NamedTuple):
    """The places of an entrant in a position. `home` is the entrant's own line; a rover may sit on another one.

    `spots` is empty if the entrant rests, or is not `there`. Only a team can have several of them.
    """

    position: int
    spots: tuple[TableSpot, ...]
    there: bool
    home: str = ""

    @property
    def place(self) -> TablePlace | None:
        """The first table of the entrant, or None."""
        return self.spots[0].place if self.spots else None

    @property
    def line(self) -> str:
        """The line on which the entrant sits."""
        return self.spots[0].line if self.spots else self.home

    @property
    def groups(self) -> list[tuple[str, str]]:
        """The entrant's tables as text, with the line on which the entrant sits there: [("6", "attack"), ("1", …)].

        There is one pair, unless a team attacks at one table and defends at another one.
        """
        lines = sorted({spot.line for spot in self.spots})
        return [(etuis_text(spot.place.table for spot in self.spots if spot.line == line), line) for line in lines]

    @property
    def tables(self) -> str:
        """The numbers of the entrant's tables as text: "3", or "1–3" for a team that sits at several."""
        return etuis_text(spot.place.table for spot in self.spots)


@dataclass(slots=True)
class PlayerWay:
    """A player's evening: one stop for each position of the plan."""

    entrant: Entrant
    stops: list[Stop] = field(default_factory=list)

    @property
    def places(self) -> list[TablePlace]:
        """The places where the player plays."""
        return [spot.place for stop in self.stops for spot in stop.spots]


@dataclass(frozen=True)
class PlanOfPlaces:
    """The plan of a session, by position and by player.

    `positions` has the tables of each position. `resting` has the players who rest in each position. `entrants` has all
    players by line and number.
    """

    positions: list[list[TablePlace]]
    resting: list[list[Entrant]]
    entrants: list[Entrant]

    @cached_property
    def ways(self) -> list[PlayerWay]:
        """The evenings of the players who are there in some position. A page with one position needs none of them."""
        ways = [PlayerWay(entrant) for entrant in self.entrants]
        for tables in self.positions:
            position = tables[0].position
            spots: dict[int, tuple[TableSpot, ...]] = {}
            for place in tables:
                for line, entrant in place.seats.items():
                    spots[entrant.pk] = *spots.get(entrant.pk, ()), TableSpot(place, line)
            for way in ways:
                found = spots.get(way.entrant.pk, ())
                there = bool(found) or way.entrant.is_there(position)
                way.stops.append(Stop(position, found, there, way.entrant.line))
        return [way for way in ways if any(stop.there for stop in way.stops)]


def read_plan_of_places(session: Session) -> PlanOfPlaces:
    """Return the plan of a session under way. It is empty before the start."""
    entrants = {entrant.pk: entrant for entrant in session.entrants.select_related(*PUBLIC_PEOPLE)}
    join_public_names(entrants.values())
    positions: dict[int, list[TablePlace]] = {}
    for place in read_places(session, entrants):
        positions.setdefault(place.position, []).append(place)
    if seating := read_session_line_ups(session):
        name_members(session, seating, [place for tables in positions.values() for place in tables])
    by_seat = sorted(entrants.values(), key=order_of)
    resting = []
    for position, tables in positions.items():
        if tables[0].attacking is not None:
            name_parts(tables)
        playing = {entrant.pk for place in tables for entrant in place.seats.values()}
        resting.append([one for one in by_seat if one.pk not in playing and one.is_there(position)])
    return PlanOfPlaces(list(positions.values()), resting, by_seat)


def read_places(session: Session, entrants: Mapping[int, Entrant]) -> Iterable[TablePlace]:
    """Return the tables of each position with their étuis, by position and table."""
    places: dict[tuple[int, int], TablePlace] = {}
    badges = badges_of(session.tournament.format)
    plays = session.plays.order_by("position", "table__number", "etui__number")
    columns = "position", "table__number", "etui__number", "etui__taker", "is_replay", "badge"
    for (position, table, etui, named, left_out, badge), seats in read_with_seats(plays, *columns):
        taker = find_taker_seat(seats, named)
        place = places.get((position, table))
        if place is None:
            seated = {line: entrants[pk] for line, pk in find_sides(seats, taker, entrants).items()}
            attacking = entrants[seats[taker]] if badge else None
            place = TablePlace(
                position, table, seated, attacking=attacking, badge=badge if badge in badges else 0, attacker=badge
            )
            places[position, table] = place
        if place.attacker != badge:
            place.badge = 0
        if not left_out:
            place.takers[etui] = taker
    return places.values()


def name_members(session: Session, seating: Mapping[int, Sequence[SeatPlaces]], tables: Iterable[TablePlace]) -> None:
    """Put the players of both teams at each table, by the line-ups. The attacker sits South. This takes one query."""
    members = members_of(seating)
    for place in tables:
        there = {
            (each.team_id, each.place): each for each in members if was_active(each, session.number, place.position)
        }
        for entrant in place.seats.values():
            line_up = find_line_up(seating.get(entrant.team_id or 0, ()), place.position)
            part = ATTACK if entrant == place.attacking else DEFENCE
            seats = {SOUTH: place.attacker} if part == ATTACK else {s: p for s, p in line_up.items() if s != SOUTH}
            named = [(seat, there.get((entrant.team_id or 0, own))) for seat, own in seats.items()]
            place.members[part] = [SeatedMember(seat, member) for seat, member in named if member]


def name_parts(tables: Sequence[TablePlace]) -> None:
    """Put the teams under ATTACK and DEFENCE if one of them sits at several tables of the position.

    At such tables the same team attacks every étui. At other tables nobody attacks all étuis, so they have no badge.
    """
    parted = find_parted(
        TeamTable(place.position, place.table, frozenset(entrant.pk for entrant in place.seats.values()))
        for place in tables
    )
    for place in tables:
        if place.position not in parted:
            place.badge = 0
            continue
        parts = sorted(place.seats.values(), key=lambda entrant: entrant != place.attacking)
        place.seats = dict(zip((ATTACK, DEFENCE), parts, strict=True))


def find_sides(seats: Mapping[str, int], taker: str, entrants: Mapping[int, Entrant]) -> Mapping[str, int]:
    """Return the ids of the entrants of one étui by line or, if teams play, of the two teams by side.

    `seats` maps each line to the id of its entrant. The team on the line of the `taker` attacks.
    """
    attacking = seats.get(taker)
    if attacking is None or entrants[attacking].team_id is None:
        return seats
    defending = next(pk for pk in seats.values() if pk != attacking)
    return dict(zip((NORTH_SOUTH, EAST_WEST), order_teams(attacking, defending, taker, parted=False), strict=True))


def order_of(entrant: Entrant) -> tuple[int, int]:
    """Return the key that sorts entrants by line and number. Teams that change sides have no line, and come first."""
    return (LINES.index(entrant.line) if entrant.line else -1), entrant.number
