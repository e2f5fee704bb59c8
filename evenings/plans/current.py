"""The present plan of a session, and the entrants who have its starting numbers. This module only reads."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from evenings.plans.by_format import wants_even_attacks
from movements import (
    Fault,
    Member,
    Plan,
    PlanFigures,
    PlannedPlay,
    Takers,
    attack_range,
    compute_figures,
    find_false_claims,
    find_faults,
    read_plan_data,
)
from scoring.formats import find_format
from tournaments.models import Entrant, Etui, PlanVersion, Session
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.models.seats import make_seat_columns, read_with_seats
from tournaments.words.messages import say_worth


def current_version(session: Session) -> PlanVersion | None:
    """Return the newest version of the plan that was not undone, or None."""
    return session.plans.filter(undone_at=None).order_by("-number").first()


def etuis_of(plan: Plan) -> int:
    """Return the number of étuis that the plan needs."""
    return max(etui for play in plan.plays for etui in play.etuis)


def figures_of(plan: Plan, *, takers: Takers | None = None) -> PlanFigures:
    """Return the figures of the plan of a session under way, with 0 replays, because nobody plays an étui twice.

    `takers` are the takers that the étuis name, from `takers_of`.
    """
    return replace(compute_figures(plan, takers=takers), replays=0)


def takers_of(session: Session) -> Takers | None:
    """Return the taker that each étui of the session names, as an index of LINES by the étui's number in the plan.

    Return None if they are the usual takers, which follow from the étuis' numbers, or if the session has no deal set.
    """
    if session.deal_set_id is None:
        return None
    first = session.first_etui
    etuis = Etui.objects.filter(deal_set_id=session.deal_set_id, number__gte=first).exclude(taker="")
    takers = {number - first + 1: LINES.index(taker) for number, taker in etuis.values_list("number", "taker")}
    plain = all(line == LINES.index(taker_and_dealer(etui)[0]) for etui, line in takers.items())
    return None if plain else takers


def faults_of(plan: Plan, *, fixed: int = 0) -> tuple[list[Fault], PlanFigures | None]:
    """Return a list of the plan's faults, and its figures. With a fault in the plan itself, the figures are None.

    Faults in positions up to `fixed` are left out: see `faults_in`.
    """
    faults = faults_in(plan, fixed=fixed)
    if faults:
        return faults, None
    claimed = compute_figures(plan)
    return list(find_false_claims(plan, claimed)), claimed


def faults_in(plan: Plan, *, fixed: int = 0) -> list[Fault]:
    """Return the faults of the plan, without those that come from positions up to `fixed`, which were already played.

    A player may meet an étui again that they played in one of these positions. Then the table leaves the étui out, so
    this is not a fault of the plan either.
    """
    return [fault for fault in find_faults(plan) if not has_happened(fault, fixed)]


def has_happened(fault: Fault, fixed: int) -> bool:
    """Return whether the fault comes from a position up to `fixed`."""
    position = fault.params.get("first" if fault.code == "replayed" else "position")
    return isinstance(position, int) and position <= fixed


@dataclass
class SessionPlan:
    """A session with its plan, which names starting numbers, and the entrants who have these numbers."""

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
        """The entrants who have each starting number, one after the other, as pairs (first position, entrant).

        Entrants who are not saved yet have an id below 0. They come after saved ones with the same first position. An
        entrant who left before the first position of a stay comes before all of these.
        """
        stays = [
            (first, last is None or first <= last, one.pk < 0, one.pk, Member(LINES.index(one.line), number), one)
            for one in self.entrants
            for number, first, last in one.stays
        ]
        found: dict[Member, list[tuple[int, Entrant]]] = {}
        for first, _stayed, _new, _pk, member, one in sorted(stays, key=lambda stay: stay[:5]):
            found.setdefault(member, []).append((first, one))
        return found

    def holder(self, member: Member, position: int) -> Entrant:
        """Return the entrant who has this starting number in a position. Raise `KeyError` if nobody ever has it.

        Before the first one comes, return the first one.
        """
        there = [one for first, one in self.holders[member] if first <= position]
        return there[-1] if there else self.holders[member][0][1]

    def find_resting(self, position: int) -> list[Entrant]:
        """Return the entrants who rest in that position."""
        return [self.holder(member, position) for member in self.plan.exempt()[position - 1]]

    def seats(self, play: PlannedPlay) -> dict[str, int]:
        """Return the ids of the four entrants of a complete table by column, as in a row of `Play`."""
        return make_seat_columns(self.holder(member, play.position).pk for member in play.members)


def member_of(entrant: Entrant) -> Member:
    """Return the line and starting number of an entrant."""
    return Member(LINES.index(entrant.line), entrant.number)


def member_at(entrant: Entrant, position: int) -> Member:
    """Return the line and starting number of an entrant in a position."""
    return Member(LINES.index(entrant.line), entrant.number_at(position))


def evening_of(session: Session) -> SessionPlan | None:
    """Return the session with its present plan, or None if no plan was chosen yet.

    For a session that started before the site stored plans, the plan is derived from its plays. Return None for a
    session that teams play, whose plan `plans.teams.current.team_evening_of` has. Return None also for one that is
    seated game by game: see `plans.free.laying.find_games`.
    """
    return _evening_with(session, current_version(session))


def _evening_with(session: Session, version: PlanVersion | None) -> SessionPlan | None:
    format = find_format(session.tournament.format)
    if format.is_for_teams or format.has_games:
        return None
    if version is not None:
        return SessionPlan(session, read_plan_data(version.data))
    if session.status == Session.Status.RUNNING:
        return SessionPlan(session, plan_of_plays(session))
    return None


def worth_of(session: Session) -> list[str]:
    """Return short texts that say what the present plan needs and how good it is. Return [] if there is no plan."""
    version = current_version(session)
    evening = _evening_with(session, version)
    if evening is None:
        return []
    found = read_figures(version) or compute_figures(evening.plan)
    if evening.takers:
        least, most = attack_range(evening.plan, takers=evening.takers)
        found = replace(found, least_attacks=least, most_attacks=most)
    imposed = wants_even_attacks(find_format(session.tournament.format))
    return say_worth(evening.plan, found, imposed=imposed)


def read_figures(version: PlanVersion | None) -> PlanFigures | None:
    """Return the figures stored with a version of the plan. They assume the usual takers (see `takers_of`).

    Return None if there is no version, or if an earlier release of the site stored other figures.
    """
    if version is None or version.figures.keys() != {field.name for field in fields(PlanFigures)}:
        return None
    return PlanFigures(**{**version.figures, "exempt": tuple(version.figures["exempt"])})


def plan_of_plays(session: Session) -> Plan:
    """Return the plan that is derived from the session's plays."""
    tables: dict[tuple[int, int], dict[str, object]] = {}
    numbers = {entrant.pk: entrant.number for entrant in session.entrants.all()}
    rows = session.plays.order_by("position", "table__number", "etui__number")
    for (position, table, etui), seats in read_with_seats(rows, "position", "table__number", "etui__number"):
        if (position, table) not in tables:
            seated = {line: numbers[pk] for line, pk in seats.items()}
            tables[position, table] = {"position": position, "table": table, "etuis": [], **seated}
        etuis = tables[position, table]["etuis"]
        assert isinstance(etuis, list)
        etuis.append(etui - session.first_etui + 1)
    return read_plan_data({"plays": list(tables.values())})
