"""The present plan of a session, and the entrants who have its starting numbers. This module only reads."""

from dataclasses import dataclass, replace
from functools import cached_property

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from evenings.plans.by_format import wants_even_attacks
from movements import (
    LinePlan,
    Member,
    Plan,
    PlanFault,
    PlanFigures,
    PlanStop,
    Seating,
    Takers,
    attack_range,
    compute_figures,
    find_faults,
    read_figures,
    read_plan,
)
from movements.plan.notation import derive_plan
from scoring.formats import find_format
from tournaments.models import Entrant, Etui, PlanVersion, Session
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.models.seats import make_seat_columns, read_with_seats
from tournaments.words.messages import say_worth


def current_version(session: Session) -> PlanVersion | None:
    """Return the newest version of the plan that was not undone, or None."""
    return session.plans.filter(undone_at=None).order_by("-number").first()


def figures_of(plan: LinePlan, *, takers: Takers | None = None) -> PlanFigures:
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


def faults_in(plan: LinePlan | Plan[int], *, fixed: int = 0) -> list[PlanFault]:
    """Return the faults of the plan, without those that come from positions up to `fixed`, which were already played.

    A player may meet an étui again that they played in one of these positions. Then the table leaves the étui out, so
    this is not a fault of the plan either.
    """
    return [fault for fault in find_faults(plan) if not has_happened(fault, fixed)]


def has_happened(fault: PlanFault, fixed: int) -> bool:
    """Return whether the fault comes from a position up to `fixed`."""
    position = fault.params.get("first" if fault.code == "replayed" else "position")
    return isinstance(position, int) and position <= fixed


@dataclass
class SessionPlan:
    """A session with its plan, which names starting numbers, and the entrants who have these numbers."""

    session: Session
    plan: LinePlan

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
        return [self.holder(member, position) for member in self.plan.list_resting()[position - 1]]

    def seats(self, play: PlanStop[Member]) -> dict[str, int]:
        """Return the ids of the four entrants of a complete table by column, as in a row of `Play`."""
        return make_seat_columns(self.holder(member, play.position).pk for member in play.people)


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
    if find_format(session.tournament.format).lines != LINES:
        return None
    if version is not None:
        return SessionPlan(session, read_plan(version.data))
    if session.status == Session.Status.RUNNING:
        return SessionPlan(session, plan_of_plays(session))
    return None


def worth_of(session: Session) -> list[str]:
    """Return short texts that say what the present plan needs and how good it is. Return [] if there is no plan."""
    version = current_version(session)
    evening = _evening_with(session, version)
    if evening is None:
        return []
    found = (version and read_figures(Seating.LINES, version.figures)) or compute_figures(evening.plan)
    if evening.takers:
        least, most = attack_range(evening.plan, takers=evening.takers)
        found = replace(found, least_attacks=least, most_attacks=most)
    imposed = wants_even_attacks(find_format(session.tournament.format))
    return say_worth(evening.plan, found, imposed=imposed)


def plan_of_plays(session: Session) -> LinePlan:
    """Return the plan that is derived from the session's plays."""
    tables: dict[tuple[int, int], PlanStop[Member]] = {}
    members = {entrant.pk: member_of(entrant) for entrant in session.entrants.all()}
    rows = session.plays.order_by("position", "table__number", "etui__number")
    for (position, table, etui), seats in read_with_seats(rows, "position", "table__number", "etui__number"):
        seated = tuple(members[seats[line]] for line in LINES)
        stop = tables.get((position, table), PlanStop(position, table, (), seated))
        tables[position, table] = stop._replace(etuis=(*stop.etuis, etui - session.first_etui + 1))
    return derive_plan(tuple(tables.values()))
