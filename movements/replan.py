"""The ways to go on with a plan when players come late or leave, or when the evening gets longer or shorter.

Positions that were played never change. This module only proposes. The way that keeps all other seats comes first if it
is as fair as a new plan.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from deals.domain.cards import LINES
from movements.plan.bounds import PlanError, check_counts, etui_set
from movements.plan.measures import compute_figures
from movements.plan.plan import SEATS, LinePlan, Member, Stay, resize_lines
from movements.proposals import Proposal
from movements.search.anneal import anneal
from movements.search.counts import join_line, with_phantom, with_rovers
from movements.search.rove import rove


def arrival_lines(plan: LinePlan, after: int, count: int) -> list[int]:
    """Return the lines that `count` players who come after position `after` should join, as indices in LINES.

    Each one joins the line with the fewest players, the earlier ones included; of equal lines, the last.
    """
    check_counts(tables=1, positions=after + 1, etuis_per_position=1)
    there = plan.list_present()[min(after, plan.positions - 1)]
    sizes, lines = [sum(member.line == line for member in there) for line in range(SEATS)], list[int]()
    for _ in range(count):
        lines.append(min(range(SEATS), key=lambda line: (sizes[line], -line)))
        sizes[lines[-1]] += 1
    return lines


def propose_changes(
    plan: LinePlan,
    after: int,
    *,
    leaving: Sequence[Member] = (),
    arriving: Sequence[int] = (),
    positions: int | None = None,
    again: bool = False,
    seed: int = 1,
) -> tuple[Proposal, ...]:
    """Return the ways to go on after position `after`, the best first.

    - `leaving`: the members who leave.
    - `arriving`: the line of each newcomer. Newcomers get the numbers after the last one of their line.
    - `positions`: the new number of positions, if it changes.
    - `again`: the evening was not played as planned, so a new plan is wanted even if nobody comes or goes.

    Nobody plays an étui twice. Equal rests matter most, then few rests, few repeated meetings, and few changed seats.
    Raise PlanError if the plan has no such position or player, or if a line would have nobody left.
    """
    if not 0 <= after <= plan.positions:
        raise PlanError("history", found=after, most=plan.positions)
    length = plan.positions if positions is None else positions
    check_counts(tables=1, positions=max(1, length), etuis_per_position=1)
    if length < after:
        raise PlanError("history", found=after, most=length)
    _check_leaving(plan, after, leaving)
    way = _Way(plan, after, tuple(leaving), tuple(arriving), length, again, seed)
    found = sorted((_proposal(code, made) for code, made in way.all()), key=_badness)
    if (leaving or arriving) and (not found or found[0].figures.exemption_gap > 1):
        found = sorted([*found, *(_proposal(code, made) for code, made in way.rove())], key=_badness)
    # The étuis that somebody has already played twice.
    fewest = min((proposal.figures.replays for proposal in found), default=0)
    # The present plan itself may have an étui twice for a player. A way is not refused because of it: the director
    # skips that étui.
    most = max(fewest, compute_figures(plan).replays)
    return tuple(proposal for proposal in found if proposal.code == "kept" or proposal.figures.replays <= most)


def _check_leaving(plan: LinePlan, after: int, leaving: Sequence[Member]) -> None:
    there = {member for present in plan.list_present()[after:] for member in present}
    for member in leaving:
        if member not in there:
            raise PlanError("leaving", line=LINES[member.line], number=member.number, after=after)


def _proposal(code: str, plan: LinePlan) -> Proposal:
    return Proposal(code, {}, plan, compute_figures(plan))


def _badness(proposal: Proposal) -> tuple[int, int, int, int]:
    found = proposal.figures
    uneven = max(0, found.exemption_gap - 1)
    return uneven, sum(found.exempt), found.most_meetings, found.repeated


@dataclass(frozen=True, slots=True)
class _Way:
    plan: LinePlan
    after: int
    leaving: tuple[Member, ...]
    arriving: tuple[int, ...]
    positions: int
    again: bool
    seed: int

    def all(self) -> Iterator[tuple[str, LinePlan]]:
        """Yield the ways to go on, each as a code and a plan.

        They are: keep the seats, plan anew with the étui sets on the tables, plan anew with étuis not yet used. A plan
        with rovers on any line is planned anew in one way only.
        """
        kept = self.keep() if self.positions <= self.plan.positions else None
        if kept is not None:
            yield "kept", kept
        # If the evening only gets longer, the positions that are already planned stay.
        anew = self.again or self.leaving or self.arriving
        start = self.after if anew else min(self.plan.positions, self.positions)
        if start == self.positions:
            return
        people = self.people()
        if people.rovers:
            in_barometer = start if people.barometer_after is None else min(start, people.barometer_after)
            people = replace(people, barometer_after=in_barometer)
            yield "replanned", rove(people, start, self.one_set_each(start), seed=self.seed)
            return
        tables = self.tables(people, start)
        barometer = people.barometer_after
        if barometer is None or barometer > start:
            sets = self.sets_at_hand(start, max(tables))
            yield "replanned", anneal(replace(people, barometer_after=None), start, tables, sets, seed=self.seed)
            barometer, code = start, "fresh"
        else:
            code = "replanned"
        together = replace(people, barometer_after=barometer)
        yield code, anneal(together, start, tables, self.one_set_each(start), seed=self.seed)

    def rove(self) -> Iterator[tuple[str, LinePlan]]:
        """Yield plans with rovers who may sit on any line: more tables can play, and rests are alike in all lines."""
        people, start = self.people(), self.after
        if people.rovers or start >= self.positions:
            return
        barometer = people.barometer_after
        if barometer is None or barometer > start:
            sets = self.sets_at_hand(start, max(len(there) // SEATS for there in people.list_present()[start:]))
            yield "roving", rove(replace(people, barometer_after=None), start, sets, seed=self.seed)
            barometer = start
        people = replace(people, barometer_after=barometer)
        yield "fresh_roving", rove(people, start, self.one_set_each(start), seed=self.seed)

    def keep(self) -> LinePlan | None:
        """Return the plan with all other seats kept, or None if that is not possible.

        The seats of players who leave stay empty. A newcomer takes an empty seat or becomes a rover.
        """
        plan: LinePlan | None = _keep_positions(self.plan, self.positions)
        for member in self.leaving:
            plan = plan and with_phantom(plan, member, after=self.after)
        for line in self.arriving:
            plan = plan and (
                _in_empty_seats(plan, line, self.after)
                or (None if plan.rovers else with_rovers(plan, (line,), after=self.after, seed=self.seed))
            )
        return plan

    def people(self) -> LinePlan:
        """Return the plan with its new length and its new members, but with the old plays."""
        first, last = self.after + 1, self.positions
        begun = {stay.competitor: stay for stay in self.plan.stays}
        stays = []
        for member, stay in begun.items():
            if member not in self.leaving:
                to_the_end = stay.last == self.plan.positions
                stays.append(stay._replace(last=last if to_the_end else min(stay.last, last)))
        for member in self.leaving:
            stays.append(Stay(member, begun[member].first if member in begun else 1, self.after))
        lines = list(self.plan.lines)
        for line in self.arriving:
            lines[line] += 1
            if self.after:
                stays.append(Stay(Member(line, lines[line]), first, last))
        cut = _keep_positions(self.plan, self.positions)
        return replace(resize_lines(cut, lines), positions=self.positions, stays=tuple(stays))

    def tables(self, people: LinePlan, start: int) -> list[int]:
        """Return the number of tables in each position to come: as many as the shortest line can fill."""
        counts = []
        for there in people.list_present()[start:]:
            sizes = [sum(member.line == line for member in there) for line in range(SEATS)]
            shortest = min(range(SEATS), key=sizes.__getitem__)
            if not sizes[shortest]:
                raise PlanError("too_few", found=0, line=LINES[shortest])
            counts.append(sizes[shortest])
        return counts

    def sets_at_hand(self, start: int, tables: int) -> list[tuple[int, ...]]:
        """Return the étui sets planned for the positions to come, and new sets for additional tables.

        Étuis that came together on a table only by mistake are not a set.
        """
        first = min(start + 1, self.plan.positions)
        sets = sorted({play.etuis for play in self.plan.stops if play.position >= first})
        return sets + self.fresh_sets(tables - len(sets))

    def fresh_sets(self, count: int) -> list[tuple[int, ...]]:
        """Return `count` new sets of étuis that are not in the plan."""
        used = self.used_sets()
        return [etui_set(used + step, self.plan.etuis_per_position) for step in range(count)]

    def used_sets(self) -> int:
        return -(-self.plan.count_etuis() // self.plan.etuis_per_position)

    def one_set_each(self, start: int) -> list[tuple[int, ...]]:
        """Return the étui set of each position to come, if all tables play the same étuis.

        The first sets are those of the plan. If the plan has too few, new sets follow.
        """
        k = self.plan.etuis_per_position
        planned = {play.position: play.etuis for play in self.plan.stops if self.plan.in_barometer(play.position)}
        used = self.used_sets()
        sets = []
        for position in range(start + 1, self.positions + 1):
            if position not in planned:
                planned[position] = etui_set(used, k)
                used += 1
            sets.append(planned[position])
        return sets


def _keep_positions(plan: LinePlan, positions: int) -> LinePlan:
    if positions >= plan.positions:
        return plan
    stays = tuple(stay._replace(last=min(stay.last, positions)) for stay in plan.stays)
    stops = tuple(stop for stop in plan.stops if stop.position <= positions)
    return replace(plan, positions=positions, stops=stops, stays=stays)


def _in_empty_seats(plan: LinePlan, line: int, after: int) -> LinePlan | None:
    """Return the plan with a newcomer in empty seats of the line.

    Return None if a position to come has no empty seat on that line.
    """
    newcomer = Member(line, plan.lines[line] + 1)
    vacant = {
        position: [stop.table for stop in plan.at(position) if stop.seats[line] is None]
        for position in range(after + 1, plan.positions + 1)
    }
    if not all(vacant.values()):
        return None
    stops = [
        stop.take_seat(line, newcomer) if stop.position > after and stop.table == vacant[stop.position][0] else stop
        for stop in plan.stops
    ]
    return join_line(plan, newcomer, stops, after)
