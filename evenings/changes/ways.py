"""The possible outcomes of each operation, as the planner finds them.

This module only reads. `evenings.changes.outcomes` later checks whether the plans have faults.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db.models import Max, Q

from clubs.models import Player
from deals.domain.cards import LINES
from evenings.plans.current import SessionPlan, figures_of, member_at, member_of
from evenings.plans.layout import newest_rulings
from movements import LinePlan, Member, Plan, PlanFigures, PlanStop, Proposal, arrival_lines, propose_changes
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, ResultEntry, Ruling, Session
from tournaments.rules.operations import Arrive, Leave, Operation, Resize, Return, Substitute, Swap, WrongEtuis


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player who will sit at a starting number (`member`).

    `entrant` is set if the player was in this session before.
    """

    player: Player
    member: Member
    entrant: Entrant | None = None

    @property
    def line(self) -> str:
        return LINES[self.member.line]


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """One way to go on: the plan as it would be, and the players who come and leave.

    Positions up to `after` stay as they are. `code` and `params` choose the sentence that describes the outcome. `gone`
    has the ids of the entrants who leave. `etuis_short` is the number of étuis that the session's deal set lacks.
    `unplayed` has the étuis that a table leaves out because somebody there has already played them.
    """

    code: str
    params: dict[str, int]
    plan: LinePlan
    figures: PlanFigures
    after: int
    newcomers: tuple[Newcomer, ...] = ()
    gone: tuple[int, ...] = ()
    etuis_short: int = 0
    unplayed: tuple["UnplayedEtui", ...] = ()


@dataclass(frozen=True, slots=True)
class UnplayedEtui:
    """An étui that a table does not play, because the players in `names` have already played it.

    `counted` is True if the table has already entered a result, which counts no longer.
    """

    position: int
    table: int
    etui: int
    names: tuple[str, ...]
    counted: bool


def find_settled(session: Session) -> int:
    """Return the last position that has a result, a ruling, a started play or a corrected mistake; 0 if none has.

    The plan of positions up to it can no longer change.
    """
    mended = session.plans.filter(undone_at=None, operation__kind__in=(Swap.kind, WrongEtuis.kind))
    ruled = newest_rulings(session).exclude(
        force=Ruling.RulingKind.RESTORED
    )  # a cancelled ruling does not settle the position
    known = [
        ResultEntry.objects.filter(play__session=session).order_by("-play__position").values_list("play__position"),
        ruled.order_by("-position").values_list("position"),
        session.plays.filter(started_at__isnull=False).order_by("-position").values_list("position"),
        mended.order_by("-operation__position").values_list("operation__position"),
    ]
    return max((row[0] for rows in known if (row := rows.first())), default=0)


def find_held(session: Session) -> int:
    """Return the last position that the director has called or that has begun. A change must leave it as it is."""
    return max(session.position, find_settled(session))


def find_ways(evening: SessionPlan, operation: Operation, unlisted: Mapping[int, Player]) -> Iterable[ChangeOutcome]:
    """Return the possible outcomes of the operation, the best first. Their plans are not checked for faults yet.

    Raise `ActionRefused` or `PlanError` if there is none.
    """
    match operation:
        case Arrive():
            return of_arrival(evening, operation, unlisted)
        case Leave():
            return of_departure(evening, operation)
        case Return():
            return of_return(evening, operation)
        case Substitute():
            return of_substitute(evening, operation, unlisted)
        case Swap(position=position):
            return mend_plan(evening, swap_seats(evening, operation), happened=position)
        case WrongEtuis(position=position):
            return mend_plan(evening, with_etuis(evening, operation), happened=position)
        case Resize(positions=positions):
            if positions < (held := find_held(evening.session)) or positions > 60:
                raise ActionRefused("positions_played", "positions", held=held)
            return resize(evening, positions)


@lru_cache(maxsize=32)  # the preview and then the change itself need the same plans; finding them can take seconds
def replan(
    plan: LinePlan,
    after: int,
    *,
    leaving: tuple[Member, ...] = (),
    arriving: tuple[int, ...] = (),
    positions: int | None = None,
    again: bool = False,
) -> tuple[Proposal, ...]:
    """Return the plans that `propose_changes` finds for positions after `after`. They are cached in the process."""
    return propose_changes(plan, after, leaving=leaving, arriving=arriving, positions=positions, again=again)


def of_arrival(evening: SessionPlan, operation: Arrive, unlisted: Mapping[int, Player]) -> list[ChangeOutcome]:
    """Return the outcomes for players who arrive. Raise `ActionRefused` if one is unknown, seated or named twice."""
    check_after(evening, operation.after)
    players = {
        **Player.objects.real().filter(club=evening.session.tournament.club).in_bulk(operation.players),
        **unlisted,
    }
    seated = {pk for entrant in evening.entrants for pk in (entrant.player_id, entrant.stand_in_id)}
    for player_id in operation.players:
        if player_id not in players:
            raise ActionRefused("player_unknown", "players", player=player_id)
        if player_id in seated:
            raise ActionRefused("player_seated", "players", name=players[player_id].name)
    if not operation.players:
        raise ActionRefused("nobody_named", "players")
    for player_id in operation.players:
        if operation.players.count(player_id) > 1:
            raise ActionRefused("player_twice", "players", name=players[player_id].name)
    plan, coming = evening.plan, operation.players
    lines = arrival_lines(plan, operation.after, len(coming))
    seats = number_seats(plan, lines)
    newcomers = tuple(Newcomer(players[player_id], seat) for player_id, seat in zip(coming, seats, strict=True))
    found = replan(plan, operation.after, arriving=tuple(lines))
    return [outcome(evening, way.code, way.plan, operation.after, newcomers=newcomers) for way in found]


def number_seats(plan: LinePlan, lines: Iterable[int]) -> list[Member]:
    """Return a starting number for a newcomer on each of these lines: those after the last ones of the plan."""
    sizes, found = list(plan.lines), list[Member]()
    for line in lines:
        sizes[line] += 1
        found.append(Member(line, sizes[line]))
    return found


def of_departure(evening: SessionPlan, operation: Leave) -> list[ChangeOutcome]:
    """Return the outcomes for entrants who leave. Raise `ActionRefused` if one has already left, or comes later."""
    check_after(evening, operation.after)
    if not operation.entrants:
        raise ActionRefused("nobody_named", "entrants")
    gone = tuple(dict.fromkeys(operation.entrants))
    leaving = [entrant_there(evening, pk) for pk in gone]
    for entrant in leaving:
        refuse_before_coming(entrant, operation.after)
    found = replan(evening.plan, operation.after, leaving=tuple(map(member_of, leaving)))
    return [outcome(evening, way.code, way.plan, operation.after, gone=gone) for way in found]


def refuse_before_coming(entrant: Entrant, after: int) -> None:
    """Raise `ActionRefused` if the entrant would leave after a position in which somebody else still has the seat."""
    if entrant.first_position > after + 1:
        raise ActionRefused("entrant_not_come", "after", name=entrant.own_name, first=entrant.first_position)


def of_return(evening: SessionPlan, operation: Return) -> list[ChangeOutcome]:
    """Return the outcomes for entrants who come back on their former lines.

    They take an empty seat, play as rovers, or all players get a new plan. Raise `ActionRefused` if one has not left.
    """
    check_after(evening, operation.after)
    if not operation.entrants:
        raise ActionRefused("nobody_named", "entrants")
    coming = list[Entrant]()
    for pk in dict.fromkeys(operation.entrants):
        entrant = entrant_named(evening, pk)
        if entrant.last_position is None or entrant.last_position > operation.after:
            raise ActionRefused("entrant_there", "entrants", name=entrant.own_name)
        coming.append(entrant)
    seats = number_seats(evening.plan, [member_of(entrant).line for entrant in coming])
    newcomers = tuple(Newcomer(back.single, seat, back) for back, seat in zip(coming, seats, strict=True))
    found = replan(evening.plan, operation.after, arriving=tuple(seat.line for seat in seats))
    return [outcome(evening, way.code, way.plan, operation.after, newcomers=newcomers) for way in found]


def of_substitute(evening: SessionPlan, operation: Substitute, unlisted: Mapping[int, Player]) -> list[ChangeOutcome]:
    """Return the one outcome for a substitute: the plan stays, the substitute gets the entrant's starting number.

    Raise `ActionRefused` if the player is unknown or already seated, or if the position has begun.
    """
    entrant = entrant_there(evening, operation.entrant)
    listed = Player.objects.real().filter(club=evening.session.tournament.club, pk=operation.player)
    player = unlisted.get(operation.player) or listed.first()
    if player is None:
        raise ActionRefused("player_unknown", "player", player=operation.player)
    if any(player.pk in (other.player_id, other.stand_in_id) for other in evening.entrants):
        raise ActionRefused("player_seated", "player", name=player.name)
    if not 1 <= operation.position <= evening.plan.positions:
        raise ActionRefused("position_unknown", "position", most=evening.plan.positions)
    if operation.position < (first := max(entrant.first_position, last_entered(entrant))):
        raise ActionRefused("position_begun", "position", settled=first, last=evening.plan.positions)
    if entrant.stand_in_id is not None:
        raise ActionRefused("entrant_gone", "entrant", name=entrant.own_name)
    newcomer, plan = Newcomer(player, member_of(entrant)), evening.plan
    if operation.own:
        plan = rank_members(plan, [newcomer.member], ranked=operation.ranked)
    return [outcome(evening, "kept", plan, find_held(evening.session), newcomers=(newcomer,))]


def rank_members(plan: LinePlan, members: Collection[Member], *, ranked: bool) -> LinePlan:
    """Return the plan in which these members are ranked, or are fillers, whatever they were before."""
    others = tuple(member for member in plan.fillers if member not in members)
    return replace(plan, fillers=others if ranked else (*others, *members))


def mend_plan(evening: SessionPlan, plan: LinePlan, *, happened: int) -> Iterator[ChangeOutcome]:
    """Yield the outcomes after a mistake: first `plan` with everybody at the planned seats, then new plans.

    `plan` describes what was really played in position `happened`. New plans are slow to find, so they are only
    searched when the caller asks for them.
    """
    after = max(happened, find_held(evening.session))
    yield outcome(evening, "unmoved", plan, after)
    for way in replan(plan, after, again=True):
        if way.code != "kept":
            yield outcome(evening, way.code, way.plan, after)


def resize(evening: SessionPlan, positions: int) -> list[ChangeOutcome]:
    """Return the outcomes for an evening of `positions` positions."""
    after = find_held(evening.session)
    found = replan(evening.plan, after, positions=positions)
    if not found:  # nothing is left to be played
        return [outcome(evening, "unmoved", evening.plan, after)]
    return [outcome(evening, way.code, way.plan, after) for way in found]


def swap_seats(evening: SessionPlan, operation: Swap) -> LinePlan:
    """Return the plan in which the two entrants have exchanged their starting numbers in that position.

    If they sat on different lines, return the plan unchanged: only the plays' rows record that exchange.
    """
    one, other = entrant_named(evening, operation.one), entrant_named(evening, operation.other)
    plan, position = evening.plan, operation.position
    if not 1 <= position <= max(1, find_held(evening.session)):
        raise ActionRefused("position_unknown", "position", most=max(1, find_held(evening.session)))
    if one.pk == other.pk:
        raise ActionRefused("swap_of_one", "other", name=one.own_name)
    a, b = member_at(one, position), member_at(other, position)
    for entrant in (one, other):
        if not is_there(evening, entrant, position):
            raise ActionRefused("entrant_gone", name=entrant.own_name)
    if a.line != b.line:
        return plan
    return with_plays(plan, {(play.position, play.table): play.exchange({a: b, b: a}) for play in plan.at(position)})


def with_etuis(evening: SessionPlan, operation: WrongEtuis) -> LinePlan:
    """Return the plan with the étuis that were really played.

    They are those of this table, and of the tables that got this table's étuis in exchange.

    Raise `ActionRefused` if a table would have the same étui twice.
    """
    first = evening.session.first_etui
    exchanged: dict[int, dict[int, int]] = {}
    for (table, planned), number in etuis_played(evening, operation).items():
        exchanged.setdefault(table, {})[planned - first + 1] = number - first + 1
    changed = {
        play.table: play._replace(etuis=tuple(exchanged[play.table].get(etui, etui) for etui in play.etuis))
        for play in evening.plan.at(operation.position)
        if play.table in exchanged
    }
    for play in changed.values():
        if len(set(play.etuis)) < len(play.etuis):
            raise ActionRefused("etui_twice_at_table", "pairs", table=play.table)
    plays = {
        (operation.position, table): play._replace(etuis=tuple(sorted(play.etuis))) for table, play in changed.items()
    }
    return with_plays(evening.plan, plays)


def etuis_played(evening: SessionPlan, operation: WrongEtuis) -> dict[tuple[int, int], int]:
    """Return the étuis that were played instead of the planned ones, by table and planned étui.

    Raise `ActionRefused` if the table, the position or an étui of the operation does not exist, or if nothing differs.
    """
    first, numbers = evening.session.first_etui, available_etuis(evening.session)
    at = {play.table: {etui + first - 1 for etui in play.etuis} for play in evening.plan.at(operation.position)}
    if operation.table not in at or operation.position > max(1, find_held(evening.session)):
        raise ActionRefused("table_unknown", "table", table=operation.table)
    pairs = {planned: played for planned, played in operation.pairs if planned != played}
    if not pairs:
        raise ActionRefused("etuis_unchanged", "pairs")
    for planned, played in pairs.items():
        if planned not in at[operation.table] or played not in numbers:
            raise ActionRefused("etui_unknown", "pairs", number=played)
    return find_exchanges(evening.plan, first, operation)


def find_exchanges(plan: LinePlan | Plan[int], first_etui: int, operation: WrongEtuis) -> dict[tuple[int, int], int]:
    """Return the étui that was really played, by table and planned étui, without checking the operation.

    If the étuis were exchanged with other tables, those tables are included.
    """
    pairs = {planned: played for planned, played in operation.pairs if planned != played}
    found = {(operation.table, planned): played for planned, played in pairs.items()}
    if operation.exchange and not plan.in_barometer(operation.position):
        at = {play.table: {etui + first_etui - 1 for etui in play.etuis} for play in plan.at(operation.position)}
        for planned, played in pairs.items():
            for table, etuis in at.items():
                if table != operation.table and played in etuis:
                    found[table, played] = planned
    return found


def with_plays(plan: LinePlan, plays: dict[tuple[int, int], PlanStop[Member]]) -> LinePlan:
    """Return the plan with these plays in place of its own, by position and table.

    `shifts` is removed: a plan with a mistake does not follow the simple moves that are announced to players.
    """
    return replace(plan, shifts=None, stops=tuple(plays.get((stop.position, stop.table), stop) for stop in plan.stops))


def outcome(
    evening: SessionPlan,
    code: str,
    plan: LinePlan,
    after: int,
    *,
    newcomers: tuple[Newcomer, ...] = (),
    gone: tuple[int, ...] = (),
) -> ChangeOutcome:
    """Return an outcome with the figures of its plan and the number of étuis that the set lacks."""
    needed = plan.count_etuis() + evening.session.first_etui - 1
    short = max(0, needed - max(available_etuis(evening.session), default=0))
    found = figures_of(plan, takers=evening.takers)
    return ChangeOutcome(code, {}, plan, found, after, newcomers, gone, short)


def available_etuis(session: Session) -> set[int]:
    """Return the numbers of the set's étuis that the session may use: from its first one on."""
    assert session.deal_set is not None
    etuis = session.deal_set.etuis.filter(number__gte=session.first_etui)
    return set(etuis.values_list("number", flat=True))


def check_after(evening: SessionPlan, after: int) -> None:
    """Raise `ActionRefused` if the plan cannot change after position `after`: it is over, or the last one."""
    settled = find_settled(evening.session)
    if not settled <= after < evening.plan.positions:
        raise ActionRefused("position_begun", "after", settled=settled, last=evening.plan.positions - 1)


def entrant_named(evening: SessionPlan, pk: int) -> Entrant:
    """Return the entrant with this id. Raise `ActionRefused` if the session has none."""
    for entrant in evening.entrants:
        if entrant.pk == pk:
            return entrant
    raise ActionRefused("entrant_unknown", "entrant")


def entrant_there(evening: SessionPlan, pk: int) -> Entrant:
    """Return the entrant with this id. Raise `ActionRefused` if the entrant has left or a substitute has the seat."""
    entrant = entrant_named(evening, pk)
    if entrant.last_position is not None:
        raise ActionRefused("entrant_gone", name=entrant.own_name)
    return entrant


def is_there(evening: SessionPlan, entrant: Entrant, position: int) -> bool:
    """Return whether the entrant holds the seat in that position."""
    return entrant.is_there(position) and evening.holder(member_at(entrant, position), position) == entrant


def last_entered(entrant: Entrant) -> int:
    """Return the last position in which the entrant has a result, or 0."""
    his = Q(play__north=entrant) | Q(play__east=entrant) | Q(play__south=entrant) | Q(play__west=entrant)
    return ResultEntry.objects.filter(his, current=True).aggregate(last=Max("play__position"))["last"] or 0
