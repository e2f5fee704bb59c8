"""The plans that a director can choose from for a number of players and positions, the best first.

Each proposal is a plan with its figures, and a code with params that names the kind of plan. The director decides.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from movements.plan.bounds import MAX_TABLES, PlanError, check_counts, etui_set
from movements.plan.figures import PlanFigures
from movements.plan.laws import find_faults
from movements.plan.measures import compute_figures
from movements.plan.plan import SEATS, LinePlan, Member, Plan, line_sizes, make_line_plan, resize_lines
from movements.search.anneal import anneal
from movements.search.counts import with_fillers, with_phantom, with_rovers
from movements.search.even import can_be_more_even, is_nearly_even, with_even_attacks
from movements.search.rove import SMALL_FIELD, small_field
from movements.search.rules import choose_positions, lay_out, most_perfect, rule_for, rules_for, widest_rule

_MOVES = 150_000
_MOVES_ON = 60_000  # the number of exchanges of a search if most positions already follow a rule
FEWEST_POSITIONS = 3  # evenings with fewer positions are never proposed
_OTHER_ROVERS = range(2, 17)  # the seeds for other ways of the rovers, which are tried if attacks are uneven
# at most one proposal each: one filler, positions by balance, rovers, a phantom, fewer tables, fewer positions
MOST_WAYS = 6


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan with its figures. `code` and `params` name the kind of plan.

    `fillers`: the number of people that the director has to find beside the players. `chosen`: the positions were
    chosen so that the balance is high. If `chosen` is True, no announcement describes the moves, and players need guide
    cards.
    """

    code: str
    params: dict[str, int]
    plan: Plan[Any]
    figures: PlanFigures
    fillers: int = 0
    chosen: bool = False


def plan_tables(
    tables: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, chosen: bool = False
) -> LinePlan:
    """Return the simplest plan for full tables and this number of positions.

    If the étui sets cannot move for this number of positions, the tables play the same étuis (barometer). `chosen`:
    take from a longer plan the positions that give the highest balance, if there is such a plan. Raise PlanError if a
    count is out of range.
    """
    check_counts(tables=tables, positions=positions, etuis_per_position=etuis_per_position)
    if chosen and not barometer and positions <= (widest := widest_rule(tables)).positions:
        return lay_out(choose_positions(widest, positions), etuis_per_position)
    plan = lay_out(rule_for(tables, positions, barometer=barometer), etuis_per_position)
    reach = most_perfect(tables, barometer=True)
    return plan if positions <= reach else _with_fewer_repeated(plan, reach)


def _with_fewer_repeated(plan: LinePlan, perfect: int) -> LinePlan:
    """Return the plan, or a plan with fewer repeated meetings if a search finds one.

    The search plans the positions after the first `perfect` ones anew.
    """
    found = compute_figures(plan)
    if found.repeated == found.bound:
        return plan
    sets = [etui_set(step, plan.etuis_per_position) for step in range(perfect, plan.positions)]
    searched = anneal(plan, perfect, [plan.tables] * len(sets), sets, moves=_MOVES_ON)
    return replace(searched, rule="searched") if _count_met(searched) < _count_met(plan) else plan


def _count_met(plan: LinePlan) -> tuple[int, int]:
    found = compute_figures(plan)
    return found.repeated, found.most_meetings


def propose_plans(
    players: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, imposed: bool = True
) -> tuple[Proposal, ...]:
    """Return the plans that can be played, the best first. Raise PlanError if a count is out of range.

    In the best plan nobody plays an étui twice, rests differ by at most one, and at most one filler is needed. The rule
    is as simple as possible. The same arguments give the same plans. `imposed`: the number of an étui names its taker,
    so the étuis are placed so that attacks are even.
    """
    ways = ways_to_play(players, positions, etuis_per_position, barometer=barometer, imposed=imposed)
    return sort_proposals(ways)


def ways_to_play(
    players: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, imposed: bool = True
) -> Iterator[Proposal]:
    """Yield the proposals one by one as they are found, at most MOST_WAYS. None of them has a fault.

    If a count is out of range, the call itself raises PlanError, before any proposal is asked for.
    """
    most = SEATS * MAX_TABLES
    if not SEATS <= players <= most:
        raise PlanError("players", found=players, least=SEATS, most=most)
    check_counts(tables=1, positions=positions, etuis_per_position=etuis_per_position)
    ways = _Wish(players, positions, etuis_per_position, barometer, imposed).all()
    return (proposal for proposal in ways if not find_faults(proposal.plan))


def sort_proposals(ways: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """Return the same proposals, the best first. Equally good ones keep their order."""
    return tuple(sorted(ways, key=_order))


def _order(proposal: Proposal) -> tuple[bool, int, int, bool]:
    """Return the sort key of a proposal. Lower is better; equal rests matter most.

    One filler is easy to find, several are not. A proposal with empty tables or fewer positions comes last.
    """
    last = proposal.code in ("resting", "fewer_positions")
    effort = 2 if last else int(proposal.fillers > 1)
    return proposal.figures.exemption_gap > 1, effort, proposal.figures.repeated, proposal.fillers != 1


@dataclass(frozen=True, slots=True)
class _Wish:
    players: int
    positions: int
    etuis: int
    barometer: bool
    imposed: bool

    def all(self) -> Iterator[Proposal]:
        ordinary = self.full() if self.players % SEATS == 0 else self.uneven()
        first = next(ordinary)
        yield first
        yield from ordinary
        if not first.figures.perfect or first.figures.exemption_gap > 1:
            yield from self.fewer_positions()

    def full(self) -> Iterator[Proposal]:
        tables = self.players // SEATS
        plan = self.plan(tables)
        plain = self.proposal("barometer" if plan.barometer else "tables", plan, tables)
        yield plain
        if not plan.barometer:
            chosen = self.proposal("tables", self.plan(tables, chosen=True), tables, chosen=True)
            if chosen.figures.balance > plain.figures.balance:
                yield chosen
            yield self.proposal("barometer", plan_tables(tables, self.positions, self.etuis, barometer=True), tables)

    def uneven(self) -> Iterator[Proposal]:
        tables, rovers = divmod(self.players, SEATS)
        fillers = SEATS - rovers
        small = self.players <= SMALL_FIELD
        roving = self.on_any_line(tables, rovers) if small else self.with_rovers_only(tables, rovers)
        if fillers == 1:
            yield from self.fill(tables + 1, fillers)
            yield roving
            absent = Member(SEATS - 1, tables + 1)
            phantom = resize_lines(with_phantom(self.plan(tables + 1), absent), line_sizes(self.players))
            phantom = replace(phantom, stays=())
            yield self.proposal("phantom", phantom, tables + 1)
        else:
            yield roving
            yield from self.fill(tables + 1, fillers)
        if roving.figures.exemption_gap > 1:
            yield from self.with_rests(tables)

    def fill(self, tables: int, fillers: int) -> Iterator[Proposal]:
        if tables > MAX_TABLES:
            return
        held = tuple(Member(line, tables) for line in range(SEATS - fillers, SEATS))
        plan = with_fillers(self.plan(tables), held)
        plain = self.proposal("filler", plan, tables, fillers=fillers)
        yield plain
        if not plan.barometer and fillers == 1:
            plan = with_fillers(self.plan(tables, chosen=True), held)
            chosen = self.proposal("filler", plan, tables, fillers=fillers, chosen=True)
            if chosen.figures.balance > plain.figures.balance:
                yield chosen

    def on_any_line(self, tables: int, rovers: int) -> Proposal:
        plan = small_field(self.players, self.positions, self.etuis)
        found = compute_figures(plan)
        least, most = found.least_exempt, found.most_exempt
        return self.proposal("any_line", plan, tables, rovers=rovers, least=least, most=most)

    def with_rovers_only(self, tables: int, rovers: int) -> Proposal:
        """Return a plan in which rovers take the seats of players who rest.

        The rovers follow transversals, in barometer if necessary: ways on which they meet nobody twice. If there are
        none, an annealing search makes the plan.
        """
        roving = next(self.transversals(tables, rovers), None)
        plan = roving or self.improve([tables] * self.positions)
        most = compute_figures(plan).most_exempt
        plain = self.proposal("rovers", plan, tables, rovers=rovers, most=most)
        return (roving and self.with_other_rovers(plain, rovers)) or plain

    def transversals(self, tables: int, rovers: int) -> Iterator[LinePlan]:
        lines = tuple(range(rovers))
        for together in (False, True)[self.barometer :]:
            for rule in rules_for(tables, self.positions, barometer=together):
                plan = with_rovers(lay_out(rule, self.etuis), lines)
                if plan is not None:
                    yield plan

    def with_other_rovers(self, plain: Proposal, rovers: int) -> Proposal | None:
        """Return a proposal with other ways for the rovers if that makes the attacks even, else None.

        The rule by which the other players move stays the same.
        """
        if not self.imposed or not can_be_more_even(plain.plan):
            return None
        rules = rules_for(plain.plan.tables, self.positions, barometer=plain.plan.barometer)
        rule = next(rule for rule in rules if rule.name == plain.plan.rule)
        for seed in _OTHER_ROVERS:
            plan = with_rovers(lay_out(rule, self.etuis), tuple(range(rovers)), seed=seed)
            if plan is not None and is_nearly_even(plan):
                found = replace(plain, plan=with_even_attacks(plan))
                if not can_be_more_even(found.plan):
                    return replace(found, figures=compute_figures(found.plan))
        return None

    def with_rests(self, tables: int) -> Iterator[Proposal]:
        """Yield a plan with as many tables as possible, in which the rests of players differ by at most one.

        Yield nothing if there is no such plan.
        """
        sizes = line_sizes(self.players)
        for total in range(tables * self.positions - 1, self.positions - 1, -1):
            most = max(-(-(size * self.positions - total) // size) for size in sizes)
            least = min((size * self.positions - total) // size for size in sizes)
            if most - least <= 1:
                low, more = divmod(total, self.positions)
                plan = self.improve([low + (step < more) for step in range(self.positions)])
                yield self.proposal("resting", plan, tables, least=least, most=most)
                return

    def fewer_positions(self) -> Iterator[Proposal]:
        """Yield a perfect plan with fewer positions, but as many as possible.

        The rests of players differ by at most one. Yield nothing if there is no such plan.
        """
        tables, rovers = divmod(self.players, SEATS)
        for positions in range(self.positions - 1, FEWEST_POSITIONS - 1, -1):
            shorter = replace(self, positions=positions)
            plan = next(shorter.transversals(tables, rovers), None)
            if plan is not None and compute_figures(plan).exemption_gap <= 1:
                yield shorter.proposal("fewer_positions", plan, tables)
                return

    def plan(self, tables: int, *, chosen: bool = False) -> LinePlan:
        return plan_tables(tables, self.positions, self.etuis, barometer=self.barometer, chosen=chosen)

    def improve(self, tables: list[int]) -> LinePlan:
        """Return a plan in barometer that an annealing search made.

        It is for few players or long evenings, in which the étui sets cannot move.
        """
        empty = make_line_plan(line_sizes(self.players), self.positions, self.etuis, (), "annealed")
        empty = replace(empty, barometer_after=0)
        sets = [etui_set(step, self.etuis) for step in range(self.positions)]
        return anneal(empty, 0, tables, sets, moves=_MOVES)

    def proposal(
        self, code: str, plan: LinePlan, tables: int, *, fillers: int = 0, chosen: bool = False, **params: int
    ) -> Proposal:
        said = {"players": self.players, "tables": tables, "positions": self.positions, "fillers": fillers, **params}
        if self.imposed:
            plan = with_even_attacks(plan)
        return Proposal(code, said, plan, compute_figures(plan), fillers, chosen)
