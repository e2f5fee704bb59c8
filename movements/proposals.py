"""What a director can choose from for so many players and positions, the best first.

Pure. Each proposal is a plan, its figures, and a code with params that says what it is; nothing here decides for him.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from movements.plans.figures import Figures, figures
from movements.plans.plan import MAX_TABLES, SEATS, Member, Plan, PlanError, check_counts, etui_set, line_sizes
from movements.search.anneal import anneal
from movements.search.choose import choose_positions
from movements.search.counts import with_fillers, with_phantom, with_rovers
from movements.search.even import with_even_attacks
from movements.search.rove import SMALL_FIELD, small_field
from movements.search.rules import lay_out, most_perfect, rule_for, rules_for, widest_rule

_MOVES = 150_000
_MOVES_ON = 60_000  # where most of the positions are known already
FEWEST_POSITIONS = 3  # shorter evenings are not proposed instead
MOST_WAYS = 6  # one filler, positions by balance, rovers, a phantom, fewer tables, fewer positions


@dataclass(frozen=True, slots=True)
class Proposal:
    """A plan with its `figures`; `code` and `params` say what it is.

    `fillers` people have to be found beyond the players. `chosen` positions, for the sake of the balance, are not
    announced: players need guide cards.
    """

    code: str
    params: dict[str, int]
    plan: Plan
    figures: Figures
    fillers: int = 0
    chosen: bool = False


def plan_tables(
    tables: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, chosen: bool = False
) -> Plan:
    """The simplest plan for full tables that reaches the positions; `PlanError` where a count is out of range.

    In barometer also where sets cannot move so long. `chosen`: positions for balance, where there is a choice.
    """
    check_counts(tables=tables, positions=positions, etuis_per_position=etuis_per_position)
    if chosen and not barometer and positions <= (widest := widest_rule(tables)).positions:
        return lay_out(choose_positions(widest, positions), etuis_per_position)
    plan = lay_out(rule_for(tables, positions, barometer=barometer), etuis_per_position)
    reach = most_perfect(tables, barometer=True)
    return plan if positions <= reach else _with_fewer_repeated(plan, reach)


def _with_fewer_repeated(plan: Plan, perfect: int) -> Plan:
    """The plan, or the one that a search finds for the positions after the perfect ones, if it repeats less."""
    found = figures(plan)
    if found.repeated == found.bound:
        return plan
    sets = [etui_set(step, plan.etuis_per_position) for step in range(perfect, plan.positions)]
    searched = anneal(plan, perfect, [plan.tables] * len(sets), sets, moves=_MOVES_ON)
    return replace(searched, rule="searched") if _count_met(searched) < _count_met(plan) else plan


def _count_met(plan: Plan) -> tuple[int, int]:
    found = figures(plan)
    return found.repeated, found.most_meetings


def proposals(
    players: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, imposed: bool = True
) -> tuple[Proposal, ...]:
    """What can be played, the best first: no étui twice, rests equal to one, nobody to be found but one filler, then
    as simple as can be. The same arguments give the same plans; `PlanError` where a count is out of range.

    Where the étui's number names its taker (`imposed`), its place is chosen so that attacks are even.
    """
    ways = ways_to_play(players, positions, etuis_per_position, barometer=barometer, imposed=imposed)
    return the_best_first(ways)


def ways_to_play(
    players: int, positions: int, etuis_per_position: int = 4, *, barometer: bool = False, imposed: bool = True
) -> Iterator[Proposal]:
    """The proposals one by one as they are found, at most `MOST_WAYS`; `PlanError` at once."""
    most = SEATS * MAX_TABLES
    if not SEATS <= players <= most:
        raise PlanError("players", found=players, least=SEATS, most=most)
    check_counts(tables=1, positions=positions, etuis_per_position=etuis_per_position)
    return _Wish(players, positions, etuis_per_position, barometer, imposed).all()


def the_best_first(ways: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """The same proposals, the one to be played first; those alike keep their order."""
    return tuple(sorted(ways, key=_order))


def _order(proposal: Proposal) -> tuple[bool, int, int, bool]:
    """Equal rests first; one filler is easily found, several are not, tables that stand empty are the last resort."""
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
            phantom = replace(with_phantom(self.plan(tables + 1), absent), lines=line_sizes(self.players), spans=())
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
        found = figures(plan)
        least, most = found.least_exempt, found.most_exempt
        return self.proposal("any_line", plan, tables, rovers=rovers, least=least, most=most)

    def with_rovers_only(self, tables: int, rovers: int) -> Proposal:
        """Along transversals where there are some, in barometer if need be; else by annealing."""
        plan = next(self.transversals(tables, rovers), None) or self.improve([tables] * self.positions)
        most = figures(plan).most_exempt
        return self.proposal("rovers", plan, tables, rovers=rovers, most=most)

    def transversals(self, tables: int, rovers: int) -> Iterator[Plan]:
        lines = tuple(range(rovers))
        for together in (False, True)[self.barometer :]:
            for rule in rules_for(tables, self.positions, barometer=together):
                plan = with_rovers(lay_out(rule, self.etuis), lines)
                if plan is not None:
                    yield plan

    def with_rests(self, tables: int) -> Iterator[Proposal]:
        """With as many tables in all as leave nobody to rest twice more than another."""
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
        """As many as are perfect, and equal in rests."""
        tables, rovers = divmod(self.players, SEATS)
        for positions in range(self.positions - 1, FEWEST_POSITIONS - 1, -1):
            shorter = replace(self, positions=positions)
            plan = next(shorter.transversals(tables, rovers), None)
            if plan is not None and figures(plan).exemption_gap <= 1:
                yield shorter.proposal("fewer_positions", plan, tables)
                return

    def plan(self, tables: int, *, chosen: bool = False) -> Plan:
        return plan_tables(tables, self.positions, self.etuis, barometer=self.barometer, chosen=chosen)

    def improve(self, tables: list[int]) -> Plan:
        """In barometer: such fields are too small, or such evenings too long, for sets to move."""
        empty = Plan(max(tables), self.positions, self.etuis, line_sizes(self.players), (), "annealed", 0)
        sets = [etui_set(step, self.etuis) for step in range(self.positions)]
        return anneal(empty, 0, tables, sets, moves=_MOVES)

    def proposal(
        self, code: str, plan: Plan, tables: int, *, fillers: int = 0, chosen: bool = False, **params: int
    ) -> Proposal:
        said = {"players": self.players, "tables": tables, "positions": self.positions, "fillers": fillers, **params}
        if self.imposed:
            plan = with_even_attacks(plan)
        return Proposal(code, said, plan, figures(plan), fillers, chosen)
