"""What the desk and the hall show that changes with a session's revision, or the names of its club, alone.

Each part is read once, when it is wanted, and kept in the process: the session's revision was read before it, so that
it can only be newer than that says, never older.
"""

from collections import OrderedDict
from typing import Any

from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from clubs.models import User
from clubs.names import plain
from tournaments.models import Entrant, PlayingDirector, Publication, Session
from tournaments.plans.places import PlanOfPlaces, plan_of
from tournaments.publication.report import fraction

MOST_KEPT = 20  # sessions of the process


class Settled:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.ranked: tuple[object, list[dict[str, Any]]] = (None, [])

    @cached_property
    def plan(self) -> PlanOfPlaces:
        return plan_of(self.session)

    @cached_property
    def publications(self) -> list[Publication]:
        """Newest first, without their figures."""
        return list(self.session.publications.defer("data").select_related("published_by"))

    @cached_property
    def playing(self) -> dict[int, PlayingDirector]:
        """By their accounts: the directors who play, and from whom results are hidden."""
        declared = PlayingDirector.objects.filter(session=self.session, lifted_at=None)
        return {each.user_id: each for each in declared.select_related("entrant__player", "entrant__stand_in")}

    def playing_as(self, user: User) -> PlayingDirector | None:
        return self.playing.get(user.pk)

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        return self.session.entrants.select_related("player", "stand_in").in_bulk()

    @cached_property
    def choices(self) -> SafeString:
        """The players as a list to choose from: of a large hall too many to be rendered each time."""
        names = sorted(
            self.entrants.values(), key=lambda each: (plain(each.player.last_name), plain(each.player.first_name))
        )
        return format_html_join("", '<option value="{}">{}</option>', ((each.pk, each.listed) for each in names))

    def leaders(self, session: Session, most: int | None) -> list[dict[str, Any]]:
        """The first of the players in the order of the last standings computed, or all of them."""
        computed = (session.standings.results_version, session.standings.computed_at, most)
        if self.ranked[0] != computed:
            self.ranked = computed, self.rank(session.standings.data, most)
        return self.ranked[1]

    def rank(self, data: dict[str, Any], most: int | None) -> list[dict[str, Any]]:
        return [
            {
                "entrant": self.entrants[player["id"]],
                "rank": player["rank_general"],
                "overall": fraction(player["overall"]),
            }
            for player in (data["players"][:most] if data else ())
            if player["id"]
            in self.entrants  # who came with a change that is undone is gone before the next computation
        ]


kept: OrderedDict[tuple[int, int, int], Settled] = OrderedDict()


def settled_of(session: Session, names: int) -> Settled:
    """`names`: the version of the names in its club."""
    key = session.pk, session.revision, names
    settled = kept[key] = kept.get(key) or Settled(session)
    kept.move_to_end(key)
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return settled
