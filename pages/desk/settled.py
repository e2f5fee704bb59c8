"""The parts of the desk and the hall that change only with a session's revision or the names of its club.

Each part is read when it is first needed, and cached in the process under the session's revision. The revision is read
before the part, so the cache never holds a part that is older than its revision.
"""

from collections import OrderedDict
from typing import Any

from django.utils.functional import cached_property

from clubs.models import User
from evenings.plans.places import PlanOfPlaces, read_plan_of_places
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Entrant, PlayingDirector, Publication, Session
from tournaments.reports.codec import read_exact

MOST_KEPT = 20  # sessions that one process caches
MOST_LEADERS = 5  # players whom the desk lists; the page of the standings has all of them


class SettledPart:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.ranked: tuple[object, list[dict[str, Any]]] = (None, [])

    @cached_property
    def plan(self) -> PlanOfPlaces:
        return read_plan_of_places(self.session)

    @cached_property
    def publications(self) -> list[Publication]:
        """The publications, newest first, without their figures."""
        return list(self.session.publications.defer("data", "frozen").select_related("published_by"))

    @cached_property
    def playing(self) -> dict[int, PlayingDirector]:
        """The directors who play in this session and may not see all results yet, by the id of their account."""
        declared = PlayingDirector.objects.filter(session=self.session, lifted_at=None)
        return {each.user_id: each for each in declared.select_related("entrant__player", "entrant__stand_in")}

    def playing_as(self, user: User) -> PlayingDirector | None:
        return self.playing.get(user.pk)

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        return self.session.entrants.select_related("player", "stand_in", "team").in_bulk()

    def leaders(self, session: Session) -> list[dict[str, Any]]:
        """Return the first players by the last computed standings."""
        computed = session.standings.results_version, session.standings.computed_at
        if self.ranked[0] != computed:
            self.ranked = computed, self.rank(session.standings.data)
        return self.ranked[1]

    def rank(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the first players of stored standings, with their ranks in the classement général."""
        measure = find_format(data.get("ranking", INDIVIDUAL.name)).measure
        return [
            {
                "entrant": self.entrants[player["id"]],
                "rank": player["rank_general"],
                "overall": measure(read_exact(player["overall"]).value),
            }
            for player in (data["players"][:MOST_LEADERS] if data else ())
            if player["id"] in self.entrants  # stored standings can have a player whose arrival was undone since
        ]


kept: OrderedDict[tuple[int, int, int], SettledPart] = OrderedDict()


def settled_of(session: Session, names: int) -> SettledPart:
    """Return the cached part for the session. `names` is the version number of the names in its club."""
    key = session.pk, session.revision, names
    settled = kept[key] = kept.get(key) or SettledPart(session)
    kept.move_to_end(key)
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return settled
