"""The present plan of a session, and the entrants who have its starting numbers. This module only reads."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from evenings.plans.by_format import list_seatings, wants_even_attacks
from evenings.plans.data import ShownPlan
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
from tournaments.words.messages import say_proposal
from tournaments.words.plan_sentences import PROPOSALS


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
    """A session of any format with its plan, which names starting numbers, and the entrants who have these numbers.

    `version` is the stored plan, None for a plan that is not stored.
    """

    session: Session
    plan: Plan[Any]
    version: PlanVersion | None = None

    @cached_property
    def entrants(self) -> list[Entrant]:
        return list(self.session.entrants.select_related(*PUBLIC_PEOPLE))

    @cached_property
    def takers(self) -> Takers | None:
        """The takers that the étuis of four lines name, from `takers_of`. None for other plans."""
        return takers_of(self.session) if self.plan.seating is Seating.LINES else None

    @cached_property
    def figures(self) -> PlanFigures:
        """The figures of the plan, with 0 replays, because nobody plays an étui twice."""
        stored = self.version and read_figures(self.plan.seating, self.version.figures)
        found = replace(stored or compute_figures(self.plan), replays=0)
        if not self.takers:
            return found
        least, most = attack_range(self.plan, takers=self.takers)
        return replace(found, least_attacks=least, most_attacks=most)

    @property
    def code(self) -> str:
        """The code of the kind of plan, "" if it is not stored."""
        return self.version.code if self.version else ""

    def show(self) -> ShownPlan:
        """Return the plan as it is shown, with the words of its version, if it was stored with a code that has some."""
        text = say_proposal(self.version) if self.version and self.version.code in PROPOSALS else ""
        imposed = wants_even_attacks(find_format(self.session.tournament.format))
        return ShownPlan(self.plan, self.figures, self.code, text, imposed)

    def competitor(self, entrant: Entrant, number: int) -> Member | int:
        """Return how the plan names an entrant with this starting number."""
        return Member(LINES.index(entrant.line), number) if self.plan.seating is Seating.LINES else number

    @cached_property
    def holders(self) -> dict[Member | int, list[tuple[int, Entrant]]]:
        """The entrants who have each starting number, one after the other, as pairs (first position, entrant).

        Entrants who are not saved yet have an id below 0. They come after saved ones with the same first position. An
        entrant who left before the first position of a stay comes before all of these.
        """
        stays = [
            (first, last is None or first <= last, one.pk < 0, one.pk, self.competitor(one, number), one)
            for one in self.entrants
            for number, first, last in one.stays
        ]
        found: dict[Member | int, list[tuple[int, Entrant]]] = {}
        for first, _stayed, _new, _pk, competitor, one in sorted(stays, key=lambda stay: stay[:4]):
            found.setdefault(competitor, []).append((first, one))
        return found

    def holder(self, competitor: Member | int, position: int) -> Entrant:
        """Return the entrant who has this starting number in a position. Raise `KeyError` if nobody ever has it.

        Before the first one comes, return the first one.
        """
        there = [one for first, one in self.holders[competitor] if first <= position]
        return there[-1] if there else self.holders[competitor][0][1]

    def find_resting(self, position: int) -> list[Entrant]:
        """Return the entrants who rest in that position, and have not left before it."""
        resting = [self.holder(each, position) for each in self.plan.list_resting()[position - 1]]
        return [entrant for entrant in resting if entrant.is_there(position)]

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

    For a session of four lines that started before the site stored plans, the plan is derived from its plays.
    """
    version = current_version(session)
    if version is not None:
        return SessionPlan(session, read_plan(version.data), version)
    has_lines = Seating.LINES in list_seatings(session.tournament.format)
    if session.status == Session.Status.RUNNING and has_lines:
        return SessionPlan(session, plan_of_plays(session))
    return None


def worth_of(session: Session) -> list[str]:
    """Return short texts that say what the plan of four lines needs and how good it is. Return [] if there is none."""
    evening = evening_of(session)
    return evening.show().worth if evening is not None and evening.plan.seating is Seating.LINES else []


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
