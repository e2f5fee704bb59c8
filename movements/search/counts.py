"""The plans for players that do not fill tables of four: fillers, phantoms and rovers are put into a plan.

A *filler* plays and is in no ranking. A *phantom* is an empty seat: the others at that table rest. A *rover* is an
additional player of a line, who in each position takes the seat of a player of that line. That player rests.
"""

from collections.abc import Iterable
from dataclasses import replace

from deals.domain.dealing import numbers, shuffle
from movements.plan.plan import LinePlan, Member, PlanStop, Stay, resize_lines

_ATTEMPTS = 30
_NODES = 400  # the most search steps of one attempt; after that, a new attempt in another order succeeds sooner


def with_fillers(plan: LinePlan, fillers: tuple[Member, ...]) -> LinePlan:
    """Return the plan in which these members are fillers, who are in no ranking."""
    return replace(plan, fillers=(*plan.fillers, *fillers))


def with_phantom(plan: LinePlan, member: Member, *, after: int = 0) -> LinePlan:
    """Return the plan in which the member's seats are empty after position `after`. All others keep their seats."""
    plays = tuple(
        play if play.position <= after or member not in play.people else play.exchange({member: None})
        for play in plan.stops
    )
    mine = [stay for stay in plan.stays if stay.competitor == member]
    first = mine[0].first if mine else 1
    stays = (*(stay for stay in plan.stays if stay not in mine), Stay(member, first, after))
    return replace(plan, stops=plays, stays=stays)


def with_rovers(plan: LinePlan, lines: tuple[int, ...], *, after: int = 0, seed: int = 1) -> LinePlan | None:
    """Return the plan with one more player in each of these lines after position `after`.

    No meeting is repeated, the new players play no étui twice, and nobody rests twice. Return None if no such plan was
    found.
    """
    for attempt in range(_ATTEMPTS):
        roved: LinePlan | None = plan
        for line in lines:
            roved = roved and _with_rover(roved, line, after, seed + attempt)
        if roved is not None:
            return roved
    return None


def _with_rover(plan: LinePlan, line: int, after: int, seed: int) -> LinePlan | None:
    rested = {member for resting in plan.list_resting() for member in resting} | set(plan.fillers)
    draw = numbers(seed, f"rover {line} {plan.tables} {plan.positions}")
    choices: list[list[PlanStop[Member]]] = []
    bits: dict[Member | int, int] = {}
    for position in range(after + 1, plan.positions + 1):
        free = [play for play in plan.at(position) if play.complete and play.seats[line] not in rested]
        choices.append([free[i] for i in shuffle(draw, list(range(len(free))))])
    way = _find([[(_mask(play, bits), play) for play in plays] for plays in choices])
    if way is None:
        return None
    rover = Member(line, plan.lines[line] + 1)
    stand_ins = {(play.position, play.table): play.take_seat(line, rover) for play in way}
    return join_line(plan, rover, [stand_ins.get((play.position, play.table), play) for play in plan.stops], after)


def join_line(plan: LinePlan, member: Member, stops: Iterable[PlanStop[Member]], after: int) -> LinePlan:
    """Return the plan with these tables, and with one more member of a line after position `after`."""
    sizes = (size + (line == member.line) for line, size in enumerate(plan.lines))
    stays = plan.stays if after == 0 else (*plan.stays, Stay(member, after + 1, plan.positions))
    return replace(resize_lines(plan, sizes), stops=tuple(stops), stays=stays)


def _mask(play: PlanStop[Member], bits: dict[Member | int, int]) -> int:
    """Return a whole number that has one bit for each player and étui of the play.

    Two plays have different players and different étuis if their masks have no common bit.
    """
    found: tuple[Member | int, ...] = (*play.people, *play.etuis)
    return sum(bits.setdefault(it, 1 << len(bits)) for it in found)


_Choices = list[list[tuple[int, PlanStop[Member]]]]


def _find(choices: _Choices) -> list[PlanStop[Member]] | None:
    """Return a play for each position, or None. No two of these plays have a player or an étui in common.

    The new player sits in these plays. So nobody rests twice, and the new player meets nobody twice. The position with
    the fewest plays left is tried first.
    """
    nodes = 0

    def complete(left: _Choices, taken: list[PlanStop[Member]]) -> list[PlanStop[Member]] | None:
        nonlocal nodes
        if not left:
            return taken
        nodes += 1
        left = sorted(left, key=len)
        for mask, play in left[0]:
            if nodes > _NODES:
                return None
            apart = [[other for other in plays if not other[0] & mask] for plays in left[1:]]
            found = complete(apart, [*taken, play])
            if found is not None:
                return found
        return None

    return complete(choices, [])
