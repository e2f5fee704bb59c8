"""The plan of a session under way, for everybody: whole if the hall is small, in parts if it is large.

A part is one position (by default the one reached), or the ways through the evening of the players found by name. The
whole plan has an address of its own, for printing.
"""

from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from clubs.names import simplify_name
from evenings.plans.current import worth_of
from evenings.plans.places import PlanOfPlaces, PlayerWay, TablePlace, read_plan_of_places
from pages.doors import Phase, session_page
from tournaments.models import Entrant, Session
from tournaments.numbers import read_number
from tournaments.permissions import Can, power_of

MOST_PLACES = 240  # tables × positions that are shown at once
MOST_FOUND = 40
TABLES_APART = 25  # a long list has a link to every 25th table


@dataclass(frozen=True)
class PlanPage:
    """A plan and the part of it to show.

    `asked` is the position to show, or 0 for the one `reached`. `wanted` is a name, or part of it, to look for. `whole`
    is true if everything is shown. `by_name` is true for the club's staff, who see real names.
    """

    plan: PlanOfPlaces
    reached: int
    by_name: bool
    asked: int = 0
    wanted: str = ""
    whole: bool = False

    @cached_property
    def is_large(self) -> bool:
        return sum(map(len, self.plan.positions)) > MOST_PLACES

    @property
    def in_parts(self) -> bool:
        return self.is_large and not self.whole

    @property
    def positions(self) -> range:
        return range(1, len(self.plan.positions) + 1)

    @property
    def position(self) -> int:
        """The position whose tables are shown."""
        return next((one for one in (self.asked, self.reached) if one in self.positions), 1)

    @property
    def shown(self) -> list[int]:
        """The positions whose tables the page shows."""
        if not self.in_parts:
            return list(self.positions)
        return [] if self.wanted else [self.position]

    @property
    def places(self) -> list[tuple[int, list[TablePlace], list[Entrant]]]:
        """The positions shown, each with its number, its tables, and the entrants who rest."""
        return [(one, self.plan.positions[one - 1], self.plan.resting[one - 1]) for one in self.shown]

    @cached_property
    def landmarks(self) -> list[int]:
        """The numbers of the tables to which a long page has links at its top. A short page has none."""
        tables = [place.table for _one, places, _resting in self.places for place in places]
        return tables[::TABLES_APART] if self.in_parts and len(tables) > TABLES_APART else []

    @cached_property
    def found(self) -> list[PlayerWay]:
        words = simplify_name(self.wanted).split()
        return [
            way
            for way in self.plan.ways
            if words and all(word in simplify_name(self.call(way.entrant)) for word in words)
        ]

    def call(self, entrant: Entrant) -> str:
        return entrant.get_name(by_name=self.by_name)

    @property
    def ways(self) -> list[PlayerWay]:
        """The players whose ways through the evening the page shows."""
        return self.found[:MOST_FOUND] if self.in_parts else self.plan.ways

    @property
    def more_found(self) -> int:
        return max(0, len(self.found) - MOST_FOUND)


def plan_page(session: Session, asked: QueryDict, *, by_name: bool = False) -> PlanPage:
    return PlanPage(
        read_plan_of_places(session),
        session.position,
        by_name,
        read_number(asked, "position"),
        asked.get("q", "").strip()[:80],
        "all" in asked,
    )


@session_page(Can.READ, phase=Phase.BEGUN)
def session_plan(request: HttpRequest, session: Session) -> HttpResponse:
    page = plan_page(session, request.GET, by_name=power_of(request.user, session.tournament.club) >= Can.ENTER)
    context = {"session": session, "page": page, "worth": worth_of(session)}
    return render(request, "plan/plan.html", context)
