"""The present plan of a session that teams play, and the entrants who have its numbers. This module only reads."""

from dataclasses import dataclass
from functools import cached_property

from evenings.plans.current import current_version
from movements import Plan, read_plan
from tournaments.models import Entrant, Session


@dataclass
class TeamEvening:
    """A session of teams with its plan, which names starting numbers, and the entrants who have these numbers."""

    session: Session
    plan: Plan[int]

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        """The entrants by starting number."""
        return {entrant.number: entrant for entrant in self.session.entrants.select_related("team")}

    @cached_property
    def resting(self) -> tuple[tuple[int, ...], ...]:
        """The starting numbers that rest, as one tuple for each position."""
        return self.plan.list_resting()

    def find_resting(self, position: int) -> list[Entrant]:
        """Return the teams that rest in that position, and have not left before it."""
        found = [self.entrants[number] for number in self.resting[position - 1] if number in self.entrants]
        return [entrant for entrant in found if entrant.is_there(position)]


def team_evening_of(session: Session) -> TeamEvening | None:
    """Return the session with its present plan, or None if no plan was chosen yet."""
    version = current_version(session)
    return None if version is None else TeamEvening(session, read_plan(version.data))
