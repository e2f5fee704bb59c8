"""The possible outcomes of a change, for example when a player leaves, and the moves of players in each outcome.

This module only reads.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace

from clubs.models import Player
from deals.domain.cards import LINES
from evenings.changes.fillers import find_stopping, put_fillers_seats_first
from evenings.changes.ways import ChangeOutcome, Newcomer, UnplayedEtui, entrant_named, etuis_played, find_ways
from evenings.plans.current import SessionPlan, evening_of, faults_in
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.layout import Row
from evenings.plans.plays_after import PlaysAfter, PlaysBefore, lay_plays_again, people_after, read_before
from evenings.plans.starting import check_etuis
from movements import LinePlan, Member, PlanStop
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Session
from tournaments.rules.formats import require_offered
from tournaments.rules.operations import Arrive, Leave, Operation, Return, Substitute, Swap, WrongEtuis


@dataclass(frozen=True, slots=True)
class PlaceMove:
    """A player whose place changes in a position to come: the play before and after the change.

    The play is None if the player rests or is absent. `member` is the player's line and starting number.
    """

    name: str
    member: Member
    before: PlanStop[Member] | None
    after: PlanStop[Member] | None

    @property
    def line(self) -> str:
        return LINES[self.member.line]


def outcomes(
    session: Session, operation: Operation, unlisted: Mapping[int, Player] | None = None
) -> list[ChangeOutcome]:
    """Return every possible outcome of the operation: the best first, those for which the set lacks étuis last.

    `unlisted` has the players who are not on the club's list yet, by provisional ids below 0. Raise `ActionRefused` or
    `PlanError` if there is no outcome.
    """
    evening = running_evening(session)
    before = read_before(session)
    found = list[ChangeOutcome]()
    ways = find_ways(evening, operation, unlisted or {})
    if isinstance(operation, Arrive | Leave | Return):
        ways = put_fillers_seats_first(evening, operation, list(ways))
    for way in ways:
        way = with_unplayed(evening, operation, way, before)
        if not faults_in(way.plan, fixed=way.after):
            found.append(way)
        if isinstance(operation, Swap | WrongEtuis) and found and not found[0].unplayed:
            break  # a new plan moves everybody; do not search one if every étui can be played without it
    if isinstance(operation, Leave) and len(operation.entrants) == 1:
        found.sort(key=lambda way: order_departure(evening, operation, way))
    if isinstance(operation, Return):
        # Prefer outcomes in which the returning entrants play every étui. Other players may miss étuis because
        # of earlier mistakes; that does not matter here.
        back = {entrant_named(evening, pk).own_name for pk in operation.entrants}
        found.sort(key=lambda way: sum(not back.isdisjoint(one.names) for one in way.unplayed))
    if isinstance(operation, Swap | WrongEtuis):
        found = found[:1] + [way for way in found[1:] if len(way.unplayed) < len(found[0].unplayed)]
    found = with_etuis_for(evening, found)
    return sorted(found, key=lambda way: way.etuis_short > 0)


def order_departure(evening: SessionPlan, operation: Leave, way: ChangeOutcome) -> int:
    """Return the key that sorts the outcomes of one departure: fillers stop, then the fewest players move."""
    if find_stopping(operation, way.gone):
        return -1
    return sum(map(len, find_moves(evening, way).values()))


def with_etuis_for(evening: SessionPlan, found: list[ChangeOutcome]) -> list[ChangeOutcome]:
    """Return the outcomes whose étuis may all be played now.

    An outcome stays in the list if the set lacks étuis for it: more étuis can still be added. Raise `ActionRefused` if
    no outcome is left.
    """
    fit, refusal = list[ChangeOutcome](), None
    for way in found:
        try:
            if not way.etuis_short and way.plan.count_etuis() > evening.plan.count_etuis():
                check_etuis(evening.session, needed=way.plan.count_etuis())
        except ActionRefused as reason:
            refusal = refusal or reason
        else:
            fit.append(way)
    if not fit:
        raise refusal or ActionRefused("no_way_on")
    return fit


def with_unplayed(evening: SessionPlan, operation: Operation, way: ChangeOutcome, before: PlaysBefore) -> ChangeOutcome:
    """Return the outcome with `unplayed` filled: the plays that this change newly leaves out.

    If the set lacks étuis for the outcome, return it unchanged.
    """
    if way.etuis_short:
        return way
    after = lay_anew(evening, operation, way, before)
    check_once(before, after)
    names = {entrant.pk: entrant.name for entrant in evening.entrants}
    known = {locate(before, row) for row in before.rows.values() if row["is_replay"]}
    found = [
        UnplayedEtui(
            *locate(before, row), tuple(names[pk] for pk in after.met[key] if pk in names), key in before.entered
        )
        for key, row in after.rows.items()
        if row["is_replay"] and locate(before, row) not in known
    ]
    return replace(way, unplayed=tuple(sorted(found, key=lambda one: (one.position, one.table, one.etui))))


def check_once(before: PlaysBefore, after: PlaysAfter) -> None:
    """Raise `ActionRefused` if a table would play the same étui twice in one position.

    That could happen if a table is to make up for an étui that it also has in the new plan.
    """
    seen = set()
    for row in after.rows.values():
        if (place := locate(before, row)) in seen:
            raise ActionRefused("etui_twice_at_table", "pairs", table=place[1])
        seen.add(place)


def locate(before: PlaysBefore, row: Row) -> tuple[int, int, int]:
    """Return the position of a row, its table's number and its étui's number in the set."""
    return row["position"], before.table_numbers.get(row["table_id"], -row["table_id"]), before.numbers[row["etui_id"]]


def lay_anew(evening: SessionPlan, operation: Operation, way: ChangeOutcome, before: PlaysBefore) -> PlaysAfter:
    """Return all plays of the session as they would be after this outcome."""
    people = people_after(evening, find_coming(evening, operation, way), gone=way.gone, after=way.after)
    exchanges = etuis_played(evening, operation) if isinstance(operation, WrongEtuis) else None
    return lay_plays_again(before, way.plan, after=way.after, operation=operation, people=people, exchanges=exchanges)


def find_coming(evening: SessionPlan, operation: Operation, way: ChangeOutcome) -> list[Entrant]:
    """Return the entrants whom this outcome adds or brings back, with their new seats, not saved yet.

    A stand-in plays under the absent player's entrant and is not returned.
    """
    if isinstance(operation, Substitute) and not operation.own:
        return []
    if isinstance(operation, Return):
        return [bring_back(newcomer, way.after) for newcomer in way.newcomers]
    first, ranked = way.after + 1, True
    if isinstance(operation, Substitute):
        first, ranked = operation.position, operation.ranked
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
    """Return a copy of a returning entrant with the new seat, not saved. The former stay is moved to `earlier`."""
    assert newcomer.entrant is not None
    entrant = copy(newcomer.entrant)
    entrant.earlier = [list(stay) for stay in entrant.stays]
    entrant.number, entrant.first_position, entrant.last_position = newcomer.member.number, after + 1, None
    return entrant


def running_evening(session: Session) -> SessionPlan:
    """Return the session with its present plan. Raise `ActionRefused` if it is not running."""
    require_offered(session.tournament.format, ActionRefused("plan_of_teams"), GamesRefused("plan_of_games"))
    if session.status != Session.Status.RUNNING or (evening := evening_of(session)) is None:
        raise ActionRefused("session_not_started")
    return evening


def find_moves(evening: SessionPlan, way: ChangeOutcome) -> dict[int, list[PlaceMove]]:
    """Return the players whose table or étuis change, by position.

    Only positions after `way.after` in which somebody moves have an entry.
    """
    names = {newcomer.member: newcomer.player.name for newcomer in way.newcomers}
    found = {}
    for position in range(way.after + 1, max(way.plan.positions, evening.plan.positions) + 1):
        before, after = find_places(evening.plan, position), find_places(way.plan, position)
        found[position] = [
            PlaceMove(
                names.get(member) or evening.holder(member, position).name,
                member,
                before.get(member),
                after.get(member),
            )
            for member in sorted({*before, *after})
            if key(before.get(member)) != key(after.get(member))
        ]
    return {position: moved for position, moved in found.items() if moved}


def find_places(plan: LinePlan, position: int) -> dict[Member, PlanStop[Member]]:
    """Return the planned play of each player in that position. Players who rest have none."""
    return {member: play for play in plan.at(position) if play.complete for member in play.people}


def key(play: PlanStop[Member] | None) -> tuple[int, tuple[int, ...]] | None:
    """Return the table and étuis of a play, to compare two places; None for a rest."""
    return (play.table, play.etuis) if play else None
