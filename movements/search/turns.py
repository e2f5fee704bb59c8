"""The order of the positions in a plan that a search made, so that players rest in turn.

At the end of such a plan everybody has rested about equally often. The rests should be about equal before the end too,
because somebody may come or leave then.
"""

from dataclasses import replace

from movements.plans.plan import Plan


def with_rests_in_turn(plan: Plan, after: int) -> Plan:
    """Return the plan with its positions after `after` in another order, in which players rest in turn.

    The next position is always the one whose resting players have rested least so far. Positions change places only if
    the same players are there. In barometer the étuis stay in their positions. Seats and meetings stay the same.
    """
    exempt, present = plan.exempt(), [frozenset(there) for there in plan.present()]
    rested = dict.fromkeys(plan.members(), 0)
    order = list(range(plan.positions))
    for place in order[:]:
        if place >= after:
            alike = [other for other in range(place, plan.positions) if present[order[other]] == present[order[place]]]
            chosen = min(alike, key=lambda other: sum(rested[member] for member in exempt[order[other]]))
            order[place], order[chosen] = order[chosen], order[place]
        for member in exempt[order[place]]:
            rested[member] += 1
    if order == sorted(order):
        return plan
    laid = {play.position: play.etuis for play in plan.plays if plan.in_barometer(play.position)}
    new = {old + 1: position for position, old in enumerate(order, start=1)}
    moved = (play._replace(position=new[play.position]) for play in plan.plays)
    plays = sorted(play._replace(etuis=laid.get(play.position, play.etuis)) for play in moved)
    return replace(plan, plays=tuple(plays))
