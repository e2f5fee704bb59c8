"""The evenings with random latecomers and leavers, from a fixed seed, and whether their rests could be more even."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from movements import LinePlan, PlanError, Proposal, propose_changes, propose_plans
from tests.movements.judge import everybody


class Replan(NamedTuple):
    """The change after `after` positions, from the plan `before` to the first of the plans `offered`."""

    before: LinePlan
    after: int
    offered: tuple[Proposal, ...]

    @property
    def gap(self) -> int:
        """The largest difference between the rests of two players, counted while they are present."""
        plan = self.offered[0].plan
        counts = Counter(f"{'NESW'[line]}{number}" for resting in plan.list_resting() for line, number in resting)
        fillers = {f"{'NESW'[line]}{number}" for line, number in plan.fillers}
        told = [counts[who] for who in everybody(plan) if who not in fillers]
        return max(told) - min(told)

    @property
    def could_be_even(self) -> bool:
        """True if some plan with as many tables as people can fill has rests that differ by one at most."""
        plan, there = self.offered[0].plan, self.offered[0].plan.list_present()
        rested = Counter(member for resting in plan.list_resting()[: self.after] for member in resting)
        ranked = [member for member in plan.everybody() if member not in plan.fillers]
        to_come = {member for present in there[self.after :] for member in present}
        to_rest = sum(len(present) % 4 for present in there[self.after :])
        for least in range(max(rested.values(), default=0) + 2):
            if all(least <= rested[member] <= least + 1 for member in ranked if member not in to_come) and all(
                rested[member] <= least + 1 for member in ranked
            ):
                needed = sum(max(0, least - rested[member]) for member in to_come if member in ranked)
                room = sum(least + 1 - rested[member] for member in to_come if member in ranked)
                if needed <= to_rest <= room:
                    return True
        return False


def random_replans(evenings: int, *, seed: int, most_players: int = 60) -> Iterator[Replan]:
    """Yield every change of the evenings: up to three players leave and two come, once or twice an evening."""
    chance = Random(seed)
    for _ in range(evenings):
        players, positions = chance.randint(9, most_players), chance.randint(4, 8)
        plan = propose_plans(players, positions, chance.choice((2, 3, 4, 4, 4)))[0].plan
        after = chance.randint(1, positions - 2)
        for _ in range(chance.choice((1, 1, 1, 2))):
            there = plan.list_present()[min(after, plan.positions - 1)]
            leaving = chance.sample(there, chance.randint(0, 3))
            arriving = [chance.randint(0, 3) for _ in range(chance.randint(0 if leaving else 1, 2))]
            try:
                offered = propose_changes(plan, after, leaving=leaving, arriving=arriving)
            except PlanError:  # too few players are left
                break
            yield Replan(plan, after, offered)
            plan, after = offered[0].plan, min(after + 1, positions - 1)
