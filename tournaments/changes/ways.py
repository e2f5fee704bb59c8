"""How the plan of an evening could go on after each of the operations: found by the planner, checked by nobody yet.
Reads only.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db.models import Max, Q

from clubs.models import Player
from deals.domain.cards import LINES
from movements import Figures, Member, Plan, PlannedPlay, Proposal, arrival_line, changes
from tournaments.errors import Refused
from tournaments.models import Entrant, ResultEntry, Ruling, Session
from tournaments.plans.current import SessionPlan, figures_of, member_at, member_of
from tournaments.plans.layout import newest_rulings
from tournaments.rules.operations import Arrive, Leave, Operation, Resize, Return, Substitute, Swap, WrongEtuis


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who takes that starting number; `entrant` where he has been there before."""

    player: Player
    member: Member
    entrant: Entrant | None = None

    @property
    def line(self) -> str:
        return LINES[self.member.line]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way to go on: the plan as it would be, fixed up to position `after`, and who would come and go.

    `code` and `params` are its words, as of a proposal. `etuis_short` étuis are lacking in the session's set.
    `unplayed` are the plays that it leaves out, since somebody there has had the étui.
    """

    code: str
    params: dict[str, int]
    plan: Plan
    figures: Figures
    after: int
    newcomers: tuple[Newcomer, ...] = ()
    gone: tuple[int, ...] = ()
    etuis_short: int = 0
    unplayed: tuple["Unplayed", ...] = ()


@dataclass(frozen=True, slots=True)
class Unplayed:
    """An étui that is not played at a table, since those named have had it. `counted`: its result no longer counts."""

    position: int
    table: int
    etui: int
    names: tuple[str, ...]
    counted: bool


def find_settled(session: Session) -> int:
    """The last position of which anything is known: its plan can no longer change. 0 where nothing is."""
    mended = session.plans.filter(undone_at=None, operation__kind__in=(Swap.kind, WrongEtuis.kind))
    ruled = newest_rulings(session).exclude(force=Ruling.Kind.RESTORED)  # what was taken back tells nothing
    known = [
        ResultEntry.objects.filter(play__session=session).order_by("-play__position").values_list("play__position"),
        ruled.order_by("-position").values_list("position"),
        session.plays.filter(started_at__isnull=False).order_by("-position").values_list("position"),
        mended.order_by("-operation__position").values_list("operation__position"),
    ]
    return max((row[0] for rows in known if (row := rows.first())), default=0)


def find_held(session: Session) -> int:
    """The last position that stays as it is by itself: called, or begun."""
    return max(session.position, find_settled(session))


def find_ways(evening: SessionPlan, operation: Operation, unlisted: Mapping[int, Player]) -> Iterable[Outcome]:
    """The best first, not checked yet; `Refused` or `PlanError` where there is none."""
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
                raise Refused("positions_played", "positions", held=held)
            return resize(evening, positions)


@lru_cache(maxsize=32)  # a preview and what is carried out of it ask the same; planning anew takes up to seconds
def replan(
    plan: Plan,
    after: int,
    *,
    leaving: tuple[Member, ...] = (),
    arriving: tuple[int, ...] = (),
    positions: int | None = None,
    again: bool = False,
) -> tuple[Proposal, ...]:
    """As the planner's `changes`, remembered."""
    return changes(plan, after, leaving=leaving, arriving=arriving, positions=positions, again=again)


def of_arrival(evening: SessionPlan, operation: Arrive, unlisted: Mapping[int, Player]) -> list[Outcome]:
    check_after(evening, operation.after)
    players = {
        **Player.objects.real().filter(club=evening.session.tournament.club).in_bulk(operation.players),
        **unlisted,
    }
    seated = {pk for entrant in evening.entrants for pk in (entrant.player_id, entrant.stand_in_id)}
    for player_id in operation.players:
        if player_id not in players:
            raise Refused("player_unknown", "players", player=player_id)
        if player_id in seated:
            raise Refused("player_seated", "players", name=players[player_id].name)
    if not operation.players:
        raise Refused("nobody_named", "players")
    for player_id in operation.players:
        if operation.players.count(player_id) > 1:
            raise Refused("player_twice", "players", name=players[player_id].name)
    plan, lines = evening.plan, list[int]()
    sizes = list(plan.lines)
    for _ in operation.players:
        line = arrival_line(replace(plan, lines=tuple(sizes)), operation.after)
        lines.append(line)
        sizes[line] += 1
    newcomers = []
    sizes = list(plan.lines)
    for player_id, line in zip(operation.players, lines, strict=True):
        sizes[line] += 1
        newcomers.append(Newcomer(players[player_id], Member(line, sizes[line])))
    found = replan(plan, operation.after, arriving=tuple(lines))
    return [outcome(evening, way.code, way.plan, operation.after, newcomers=tuple(newcomers)) for way in found]


def of_departure(evening: SessionPlan, operation: Leave) -> list[Outcome]:
    check_after(evening, operation.after)
    if not operation.entrants:
        raise Refused("nobody_named", "entrants")
    gone = tuple(dict.fromkeys(operation.entrants))
    leaving = [member_of(entrant_there(evening, pk)) for pk in gone]
    found = replan(evening.plan, operation.after, leaving=tuple(leaving))
    return [outcome(evening, way.code, way.plan, operation.after, gone=gone) for way in found]


def of_return(evening: SessionPlan, operation: Return) -> list[Outcome]:
    """Each is back on his line: on an empty seat of it, as his own, or as a rover, or all are planned anew."""
    check_after(evening, operation.after)
    if not operation.entrants:
        raise Refused("nobody_named", "entrants")
    sizes, newcomers = list(evening.plan.lines), list[Newcomer]()
    for pk in dict.fromkeys(operation.entrants):
        entrant = entrant_named(evening, pk)
        if entrant.last_position is None or entrant.last_position > operation.after:
            raise Refused("entrant_there", "entrants", name=entrant.player.name)
        line = member_of(entrant).line
        sizes[line] += 1
        newcomers.append(Newcomer(entrant.player, Member(line, sizes[line]), entrant))
    found = replan(evening.plan, operation.after, arriving=tuple(one.member.line for one in newcomers))
    return [outcome(evening, way.code, way.plan, operation.after, newcomers=tuple(newcomers)) for way in found]


def of_substitute(evening: SessionPlan, operation: Substitute, unlisted: Mapping[int, Player]) -> list[Outcome]:
    entrant = entrant_there(evening, operation.entrant)
    listed = Player.objects.real().filter(club=evening.session.tournament.club, pk=operation.player)
    player = unlisted.get(operation.player) or listed.first()
    if player is None:
        raise Refused("player_unknown", "player", player=operation.player)
    if any(player.pk in (other.player_id, other.stand_in_id) for other in evening.entrants):
        raise Refused("player_seated", "player", name=player.name)
    if not 1 <= operation.position <= evening.plan.positions:
        raise Refused("position_unknown", "position", most=evening.plan.positions)
    if operation.position < (first := max(entrant.first_position, last_entered(entrant))):
        raise Refused("position_begun", "position", settled=first, last=evening.plan.positions)
    if entrant.stand_in_id is not None:
        raise Refused("entrant_gone", "entrant", name=entrant.player.name)
    newcomer = Newcomer(player, member_of(entrant))
    return [outcome(evening, "kept", evening.plan, find_held(evening.session), newcomers=(newcomer,))]


def mend_plan(evening: SessionPlan, plan: Plan, *, happened: int) -> Iterator[Outcome]:
    """Everybody keeps the seat, or else is planned anew, which is searched for only when it is asked for: in that
    position went something else than planned, though nothing of it may be entered yet."""
    after = max(happened, find_held(evening.session))
    yield outcome(evening, "unmoved", plan, after)
    for way in replan(plan, after, again=True):
        if way.code != "kept":
            yield outcome(evening, way.code, way.plan, after)


def resize(evening: SessionPlan, positions: int) -> list[Outcome]:
    after = find_held(evening.session)
    found = replan(evening.plan, after, positions=positions)
    if not found:  # nothing is left to be played
        return [outcome(evening, "unmoved", evening.plan, after)]
    return [outcome(evening, way.code, way.plan, after) for way in found]


def swap_seats(evening: SessionPlan, operation: Swap) -> Plan:
    """The plan with the two exchanged in that position. Who sat on another line than his own is known to the plays
    alone."""
    one, other = entrant_named(evening, operation.one), entrant_named(evening, operation.other)
    plan, position = evening.plan, operation.position
    if not 1 <= position <= max(1, find_held(evening.session)):
        raise Refused("position_unknown", "position", most=max(1, find_held(evening.session)))
    if one.pk == other.pk:
        raise Refused("swap_of_one", "other", name=one.player.name)
    a, b = member_at(one, position), member_at(other, position)
    for entrant in (one, other):
        if not is_there(evening, entrant, position):
            raise Refused("entrant_gone", name=entrant.player.name)
    if a.line != b.line:
        return plan
    return with_plays(plan, {(play.position, play.table): play.exchange({a: b, b: a}) for play in plan.at(position)})


def with_etuis(evening: SessionPlan, operation: WrongEtuis) -> Plan:
    """The plan with the étuis that were really played, at the table and at those that got the others in return."""
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
            raise Refused("etui_twice_at_table", "pairs", table=play.table)
    plays = {
        (operation.position, table): play._replace(etuis=tuple(sorted(play.etuis))) for table, play in changed.items()
    }
    return with_plays(evening.plan, plays)


def etuis_played(evening: SessionPlan, operation: WrongEtuis) -> dict[tuple[int, int], int]:
    """The étui that was played, by table and étui planned, for each place where they differ."""
    first, numbers = evening.session.first_etui, available_etuis(evening.session)
    at = {play.table: {etui + first - 1 for etui in play.etuis} for play in evening.plan.at(operation.position)}
    if operation.table not in at or operation.position > max(1, find_held(evening.session)):
        raise Refused("table_unknown", "table", table=operation.table)
    pairs = {planned: played for planned, played in operation.pairs if planned != played}
    if not pairs:
        raise Refused("etuis_unchanged", "pairs")
    for planned, played in pairs.items():
        if planned not in at[operation.table] or played not in numbers:
            raise Refused("etui_unknown", "pairs", number=played)
    return find_exchanges(evening.plan, first, operation)


def find_exchanges(plan: Plan, first_etui: int, operation: WrongEtuis) -> dict[tuple[int, int], int]:
    """Return the étui that was played, by table and étui planned: at the table itself, and at those whose étuis it had,
    where they exchanged them. Checks nothing: `etuis_played` does."""
    pairs = {planned: played for planned, played in operation.pairs if planned != played}
    found = {(operation.table, planned): played for planned, played in pairs.items()}
    if operation.exchange and not plan.in_barometer(operation.position):
        at = {play.table: {etui + first_etui - 1 for etui in play.etuis} for play in plan.at(operation.position)}
        for planned, played in pairs.items():
            for table, etuis in at.items():
                if table != operation.table and played in etuis:
                    found[table, played] = planned
    return found


def with_plays(plan: Plan, plays: dict[tuple[int, int], PlannedPlay]) -> Plan:
    """No sentence announces a plan that something has gone wrong in."""
    return replace(plan, shifts=None, plays=tuple(plays.get((play.position, play.table), play) for play in plan.plays))


def outcome(
    evening: SessionPlan,
    code: str,
    plan: Plan,
    after: int,
    *,
    newcomers: tuple[Newcomer, ...] = (),
    gone: tuple[int, ...] = (),
) -> Outcome:
    needed = max(etui for play in plan.plays for etui in play.etuis) + evening.session.first_etui - 1
    short = max(0, needed - max(available_etuis(evening.session), default=0))
    found = figures_of(plan, takers=evening.takers)
    return Outcome(code, {}, plan, found, after, newcomers, gone, short)


def available_etuis(session: Session) -> set[int]:
    assert session.deal_set is not None
    etuis = session.deal_set.etuis.filter(number__gte=session.first_etui)
    return set(etuis.values_list("number", flat=True))


def check_after(evening: SessionPlan, after: int) -> None:
    settled = find_settled(evening.session)
    if not settled <= after < evening.plan.positions:
        raise Refused("position_begun", "after", settled=settled, last=evening.plan.positions - 1)


def entrant_named(evening: SessionPlan, pk: int) -> Entrant:
    for entrant in evening.entrants:
        if entrant.pk == pk:
            return entrant
    raise Refused("entrant_unknown", "entrant")


def entrant_there(evening: SessionPlan, pk: int) -> Entrant:
    """Who has neither gone home nor left the seat to somebody."""
    entrant = entrant_named(evening, pk)
    if entrant.last_position is not None:
        raise Refused("entrant_gone", name=entrant.player.name)
    return entrant


def is_there(evening: SessionPlan, entrant: Entrant, position: int) -> bool:
    """Whether the seat is his in that position."""
    return entrant.is_there(position) and evening.holder(member_at(entrant, position), position) == entrant


def last_entered(entrant: Entrant) -> int:
    """The last position in which he has a result; 0 without one."""
    his = Q(play__north=entrant) | Q(play__east=entrant) | Q(play__south=entrant) | Q(play__west=entrant)
    return ResultEntry.objects.filter(his, current=True).aggregate(last=Max("play__position"))["last"] or 0
