"""The plans for players that do not fill tables of four: fillers, phantoms and rovers are put into a plan.

A *filler* plays and is in no ranking. A *phantom* is an empty seat: the others at that table rest. A *rover* is an
additional player of a line, who in each position takes the seat of a player of that line. That player rests.
"""

from dataclasses import replace

from deals.domain.chance import numbers, shuffle
from movements.plans.plan import Member, Plan, PlannedPlay, Seated, Span

_ATTEMPTS = 30
_NODES = 400  # the most search steps of one attempt; after that, a new attempt in another order succeeds sooner


def with_fillers(plan: Plan, fillers: tuple[Member, ...]) -> Plan:
    """Return the plan in which these members are fillers, who are in no ranking."""
    return replace(plan, fillers=(*plan.fillers, *fillers))


def with_phantom(plan: Plan, member: Member, *, after: int = 0) -> Plan:
    """Return the plan in which the member's seats are empty after position `after`. All others keep their seats."""
    plays = tuple(
        play if play.position <= after or member not in play.members else play.exchange({member: None})
        for play in plan.plays
    )
    mine = [span for span in plan.spans if (span.line, span.number) == member]
    first = mine[0].first if mine else 1
    spans = (*(span for span in plan.spans if span not in mine), Span(*member, first, after))
    return replace(plan, plays=plays, spans=spans)


def with_rovers(plan: Plan, lines: tuple[int, ...], *, after: int = 0, seed: int = 1) -> Plan | None:
    """Return the plan with one more player in each of these lines after position `after`.

    No meeting is repeated, the new players play no étui twice, and nobody rests twice. Return None if no such plan was
    found.
    """
    for attempt in range(_ATTEMPTS):
        roved: Plan | None = plan
        for line in lines:
            roved = roved and _with_rover(roved, line, after, seed + attempt)
        if roved is not None:
            return roved
    return None


def _seat(play: PlannedPlay, line: int, number: int) -> tuple[Seated, ...]:
    return (*play.players[:line], number, *play.players[line + 1 :])


def _with_rover(plan: Plan, line: int, after: int, seed: int) -> Plan | None:
    rested = {member for resting in plan.exempt() for member in resting} | set(plan.fillers)
    draw = numbers(seed, f"rover {line} {plan.tables} {plan.positions}")
    choices: list[list[PlannedPlay]] = []
    bits: dict[Member | int, int] = {}
    for position in range(after + 1, plan.positions + 1):
        free = [play for play in plan.at(position) if play.complete and play.members[line] not in rested]
        choices.append([free[i] for i in shuffle(draw, list(range(len(free))))])
    way = _find([[(_mask(play, bits), play) for play in plays] for plays in choices])
    if way is None:
        return None
    number = plan.lines[line] + 1
    stand_ins = {(play.position, play.table): _seat(play, line, number) for play in way}
    plays = tuple(
        play._replace(players=stand_ins.get((play.position, play.table), play.players)) for play in plan.plays
    )
    sizes = tuple(size + (place == line) for place, size in enumerate(plan.lines))
    spans = plan.spans if after == 0 else (*plan.spans, Span(line, number, after + 1, plan.positions))
    return replace(plan, plays=plays, lines=sizes, spans=spans)


def _mask(play: PlannedPlay, bits: dict[Member | int, int]) -> int:
    """Return a whole number that has one bit for each player and étui of the play.

    Two plays have different players and different étuis if their masks have no common bit.
    """
    found: tuple[Member | int, ...] = (*play.members, *play.etuis)
    return sum(bits.setdefault(it, 1 << len(bits)) for it in found)


_Choices = list[list[tuple[int, PlannedPlay]]]


def _find(choices: _Choices) -> list[PlannedPlay] | None:
    """Return a play for each position, or None. No two of these plays have a player or an étui in common.

    The new player sits in these plays. So nobody rests twice, and the new player meets nobody twice. The position with
    the fewest plays left is tried first.
    """
    nodes = 0

    def complete(left: _Choices, taken: list[PlannedPlay]) -> list[PlannedPlay] | None:
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
