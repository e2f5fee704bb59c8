"""Ways to go on when an evening does not go as planned, with what each of them means for whom. Reads only."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace

from clubs.models import Player
from deals.domain.cards import LINES
from movements import Member, Plan, PlannedPlay
from tournaments.changes.ways import Newcomer, Outcome, Unplayed, entrant_named, etuis_played, find_ways
from tournaments.errors import Refused
from tournaments.models import Entrant, Session
from tournaments.plans.current import SessionPlan, etuis_of, evening_of, faults_in
from tournaments.plans.layout import Row
from tournaments.plans.plays_after import PlaysAfter, PlaysBefore, lay_again, people_after, read_before
from tournaments.plans.starting import check_etuis
from tournaments.rules.operations import Leave, Operation, Return, Substitute, Swap, WrongEtuis


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody's place in a position to come, as it was and as it would be; None for a rest, or for not there."""

    name: str
    member: Member
    before: PlannedPlay | None
    after: PlannedPlay | None

    @property
    def line(self) -> str:
        return LINES[self.member.line]


def outcomes(session: Session, operation: Operation, unlisted: Mapping[int, Player] | None = None) -> list[Outcome]:
    """Every way to carry the operation out, the best first, those without the étuis for it last. `Refused`, or
    `PlanError`, where there is none. `unlisted`: players that the club's list has not yet, by their ids below 0."""
    evening = running_evening(session)
    before = read_before(session)
    found = list[Outcome]()
    for way in find_ways(evening, operation, unlisted or {}):
        way = with_unplayed(evening, operation, way, before)
        if not faults_in(way.plan, fixed=way.after):
            found.append(way)
        if isinstance(operation, Swap | WrongEtuis) and found and not found[0].unplayed:
            break  # to plan anew moves everybody: it is worth a thought only where it leaves fewer étuis out
    if isinstance(operation, Leave) and len(operation.entrants) == 1:
        found.sort(key=lambda way: sum(map(len, find_moves(evening, way).values())))
    if isinstance(operation, Return):
        # What others have had already, by an étui played wrongly, was left out before and is no reason to move them.
        back = {entrant_named(evening, pk).player.name for pk in operation.entrants}
        found.sort(key=lambda way: sum(not back.isdisjoint(one.names) for one in way.unplayed))
    if isinstance(operation, Swap | WrongEtuis):
        found = found[:1] + [way for way in found[1:] if len(way.unplayed) < len(found[0].unplayed)]
    found = with_etuis_for(evening, found)
    return sorted(found, key=lambda way: way.etuis_short > 0)


def with_etuis_for(evening: SessionPlan, found: list[Outcome]) -> list[Outcome]:
    """Without the ways whose étuis are there but may not be played; `Refused` where nothing else is left."""
    fit, refusal = list[Outcome](), None
    for way in found:
        try:
            if not way.etuis_short and etuis_of(way.plan) > etuis_of(evening.plan):
                check_etuis(evening.session, needed=etuis_of(way.plan))
        except Refused as reason:
            refusal = refusal or reason
        else:
            fit.append(way)
    if not fit:
        raise refusal or Refused("no_way_on")
    return fit


def with_unplayed(evening: SessionPlan, operation: Operation, way: Outcome, before: PlaysBefore) -> Outcome:
    """The way with the plays that it newly leaves out; none are told where the set lacks étuis for it anyway."""
    if way.etuis_short:
        return way
    after = lay_anew(evening, operation, way, before)
    check_once(before, after)
    names = {entrant.pk: entrant.name for entrant in evening.entrants}
    known = {locate(before, row) for row in before.rows.values() if row["is_replay"]}
    found = [
        Unplayed(*locate(before, row), tuple(names[pk] for pk in after.met[key] if pk in names), key in before.entered)
        for key, row in after.rows.items()
        if row["is_replay"] and locate(before, row) not in known
    ]
    return replace(way, unplayed=tuple(sorted(found, key=lambda one: (one.position, one.table, one.etui))))


def check_once(before: PlaysBefore, after: PlaysAfter) -> None:
    """`Refused` where a table would have an étui twice in a position, as one that it has still to make up for."""
    seen = set()
    for row in after.rows.values():
        if (place := locate(before, row)) in seen:
            raise Refused("etui_twice_at_table", "pairs", table=place[1])
        seen.add(place)


def locate(before: PlaysBefore, row: Row) -> tuple[int, int, int]:
    """Position, and the numbers of table and étui."""
    return row["position"], before.table_numbers.get(row["table_id"], -row["table_id"]), before.numbers[row["etui_id"]]


def lay_anew(evening: SessionPlan, operation: Operation, way: Outcome, before: PlaysBefore) -> PlaysAfter:
    """The plays as they are after that way."""
    people = people_after(evening, find_coming(evening, operation, way))
    exchanges = etuis_played(evening, operation) if isinstance(operation, WrongEtuis) else None
    return lay_again(before, way.plan, after=way.after, operation=operation, people=people, exchanges=exchanges)


def find_coming(evening: SessionPlan, operation: Operation, way: Outcome) -> list[Entrant]:
    """The entrants that are new, not yet written; a stand-in is none."""
    if isinstance(operation, Substitute) and not operation.own:
        return []
    if isinstance(operation, Return):
        return [bring_back(newcomer, way.after) for newcomer in way.newcomers]
    first, ranked = way.after + 1, True
    if isinstance(operation, Substitute):
        first, ranked = operation.position, entrant_named(evening, operation.entrant).ranked
    return [
        Entrant(
            session=evening.session,
            player=newcomer.player,
            line=newcomer.line,
            number=newcomer.member.number,
            first_position=first,
            ranked=ranked,
        )
        for newcomer in way.newcomers
    ]


def bring_back(newcomer: Newcomer, after: int) -> Entrant:
    """The entrant as he is once back; not yet written."""
    assert newcomer.entrant is not None
    entrant = copy(newcomer.entrant)
    entrant.earlier = [list(stay) for stay in entrant.stays]
    entrant.number, entrant.first_position, entrant.last_position = newcomer.member.number, after + 1, None
    return entrant


def running_evening(session: Session) -> SessionPlan:
    if session.status != Session.Status.RUNNING or (evening := evening_of(session)) is None:
        raise Refused("session_not_started")
    return evening


def find_moves(evening: SessionPlan, way: Outcome) -> dict[int, list[Move]]:
    """Who would sit elsewhere, or with other étuis, in each position to come where anybody would."""
    names = {newcomer.member: newcomer.player.name for newcomer in way.newcomers}
    found = {}
    for position in range(way.after + 1, max(way.plan.positions, evening.plan.positions) + 1):
        before, after = find_places(evening.plan, position), find_places(way.plan, position)
        found[position] = [
            Move(
                names.get(member) or evening.holder(member, position).name,
                member,
                before.get(member),
                after.get(member),
            )
            for member in sorted({*before, *after})
            if key(before.get(member)) != key(after.get(member))
        ]
    return {position: moved for position, moved in found.items() if moved}


def find_places(plan: Plan, position: int) -> dict[Member, PlannedPlay]:
    """Where everybody who plays in that position sits."""
    return {member: play for play in plan.at(position) if play.complete for member in play.members}


def key(play: PlannedPlay | None) -> tuple[int, tuple[int, ...]] | None:
    return (play.table, play.etuis) if play else None
