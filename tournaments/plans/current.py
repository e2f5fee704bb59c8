"""The plan of a session as it holds now, and who its starting numbers are. Reads only."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

from deals.domain.board import taker_and_dealer
from deals.domain.cards import LINES
from movements import (
    Fault,
    Figures,
    Member,
    Plan,
    PlannedPlay,
    Takers,
    attack_range,
    false_claims,
    figures,
    from_data,
    verify,
)
from scoring.ranking import Line
from tournaments.models import Entrant, Etui, PlanVersion, Session, Tournament
from tournaments.models.evening import PUBLIC_PEOPLE, SEAT_COLUMNS
from tournaments.words.messages import say_worth


def current_version(session: Session) -> PlanVersion | None:
    """The newest plan that is not undone: chosen before the start, or holding since."""
    return session.plans.filter(undone_at=None).order_by("-number").first()


def etuis_of(plan: Plan) -> int:
    """How many étuis the plan takes."""
    return max(etui for play in plan.plays for etui in play.etuis)


def figures_of(plan: Plan, *, takers: Takers | None = None) -> Figures:
    """What the plan of a session under way achieves: what would be a replay in it is not played."""
    return replace(figures(plan, takers=takers), replays=0)


def takers_of(session: Session) -> Takers | None:
    """Who takes the plan's étuis, as the session's set has them; None where that is what numbers from 1 on say."""
    if session.deal_set_id is None:
        return None
    first = session.first_etui
    etuis = Etui.objects.filter(deal_set_id=session.deal_set_id, number__gte=first).exclude(taker="")
    takers = {number - first + 1: LINES.index(taker) for number, taker in etuis.values_list("number", "taker")}
    plain = all(line == LINES.index(taker_and_dealer(etui)[0]) for etui, line in takers.items())
    return None if plain else takers


def faults_of(plan: Plan, *, fixed: int = 0) -> tuple[list[Fault], Figures | None]:
    """What the verifier finds against the plan and its figures, and these, None where they cannot be counted; `fixed`
    as for `faults_in`."""
    faults = faults_in(plan, fixed=fixed)
    if faults:
        return faults, None
    claimed = figures(plan)
    return list(false_claims(plan, claimed)), claimed


def faults_in(plan: Plan, *, fixed: int = 0) -> list[Fault]:
    """What went wrong in the positions up to `fixed` has happened, and what it would have anybody play again is left
    out: neither is a fault of the plan."""
    return [fault for fault in verify(plan) if not has_happened(fault, fixed)]


def has_happened(fault: Fault, fixed: int) -> bool:
    position = fault.params.get("first" if fault.code == "replayed" else "position")
    return isinstance(position, int) and position <= fixed


@dataclass
class SessionPlan:
    """A session with its plan in starting numbers and the entrants who hold them."""

    session: Session
    plan: Plan

    @cached_property
    def entrants(self) -> list[Entrant]:
        return list(self.session.entrants.select_related(*PUBLIC_PEOPLE))

    @cached_property
    def takers(self) -> Takers | None:
        return takers_of(self.session)

    @cached_property
    def holders(self) -> dict[Member, list[tuple[int, Entrant]]]:
        """Those who hold a starting number one after the other, from which position on: the last is there still. Who is
        not written yet, with an id below 0, comes last."""
        stays = [
            (first, one.pk < 0, one.pk, Member(LINES.index(one.line), number), one)
            for one in self.entrants
            for number, first, _last in one.stays
        ]
        found: dict[Member, list[tuple[int, Entrant]]] = {}
        for first, _new, _pk, member, one in sorted(stays, key=lambda stay: stay[:4]):
            found.setdefault(member, []).append((first, one))
        return found

    def holder(self, member: Member, position: int) -> Entrant:
        """Who sits there in a position. `KeyError` where nobody ever does."""
        there = [one for first, one in self.holders[member] if first <= position]
        return there[-1] if there else self.holders[member][0][1]

    def resting(self, position: int) -> list[Entrant]:
        """Who is there and does not play in that position."""
        return [self.holder(member, position) for member in self.plan.exempt()[position - 1]]

    def seats(self, play: PlannedPlay) -> dict[str, int]:
        """The columns of the four entrants of a complete table."""
        members = play.members
        return {
            column: self.holder(member, play.position).pk for column, member in zip(SEAT_COLUMNS, members, strict=True)
        }


def member_of(entrant: Entrant) -> Member:
    return Member(LINES.index(entrant.line), entrant.number)


def member_at(entrant: Entrant, position: int) -> Member:
    """His starting number in a position."""
    return Member(LINES.index(entrant.line), entrant.number_at(position))


def evening_of(session: Session) -> SessionPlan | None:
    """None before a plan is chosen. A session started before plans were kept has the plan that its plays make."""
    version = current_version(session)
    if version is not None:
        return SessionPlan(session, from_data(version.data))
    if session.status == Session.Status.RUNNING:
        return SessionPlan(session, plan_of_plays(session))
    return None


def worth_of(session: Session) -> list[str]:
    """What the plan that holds takes and what it is worth, in words; nothing before there is one."""
    version = current_version(session)
    evening = evening_of(session) if version is None else SessionPlan(session, from_data(version.data))
    if evening is None:
        return []
    found = read_figures(version) or figures(evening.plan)
    if evening.takers:
        least, most = attack_range(evening.plan, takers=evening.takers)
        found = replace(found, least_attacks=least, most_attacks=most)
    imposed = session.tournament.auction == Tournament.Auction.IMPOSED
    return say_worth(evening.plan, found, imposed=imposed)


def read_figures(version: PlanVersion | None) -> Figures | None:
    """What was counted when the plan was stored, its étui 1 being number 1; None where not every figure was, yet."""
    if version is None or version.figures.keys() != {field.name for field in fields(Figures)}:
        return None
    return Figures(**{**version.figures, "exempt": tuple(version.figures["exempt"])})


def plan_of_plays(session: Session) -> Plan:
    """What was laid out, as a plan."""
    tables: dict[tuple[int, int], dict[str, object]] = {}
    numbers = {entrant.pk: entrant.number for entrant in session.entrants.all()}
    rows = session.plays.order_by("position", "table__number", "etui__number")
    for position, table, etui, *seats in rows.values_list("position", "table__number", "etui__number", *SEAT_COLUMNS):
        if (position, table) not in tables:
            seated = dict(zip(map(str, Line), (numbers[pk] for pk in seats), strict=True))
            tables[position, table] = {"position": position, "table": table, "etuis": [], **seated}
        etuis = tables[position, table]["etuis"]
        assert isinstance(etuis, list)
        etuis.append(etui - session.first_etui + 1)
    return from_data({"plays": list(tables.values())})
