"""What the newest publication of a session says of its players, for those who are still in the hall. Reads only.

The ranking that counts is the alterné in an event of one session, the général where there are several.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Subquery

from tournaments.models import Publication, Session


class Outcome(NamedTuple):
    """`players`: as a report has them, from the first to the last, those without a rank left out; by entrant in
    `by_entrant`, where they are not."""

    version: int
    status: str
    by_entrant: dict[int, dict[str, Any]]
    reference: str

    @property
    def is_public(self) -> bool:
        """Whether it stands: not taken back."""
        return self.status != Publication.Status.WITHDRAWN

    @property
    def players(self) -> list[dict[str, Any]]:
        ranked = [player for player in self.by_entrant.values() if self.rank(player)]
        return sorted(ranked, key=lambda player: self.rank(player) or 0)

    def rank(self, player: Mapping[str, Any]) -> int | None:
        rank: int | None = player[self.reference]
        return rank


def read_outcome(session_id: int) -> Outcome | None:
    """None before the first publication. Of its figures only those of the players are read."""
    beside = Session.objects.filter(tournament=OuterRef("session__tournament")).order_by().values("tournament")
    newest = Publication.objects.filter(session=session_id).order_by("-version")
    counted = newest.annotate(sessions=Subquery(beside.annotate(count=Count("pk")).values("count")))
    row = counted.values_list("version", "status", "data__players", "sessions").first()
    if row is None:
        return None
    version, status, players, sessions = row
    reference = "rank_alterne" if sessions == 1 else "rank_general"
    return Outcome(version, status, {player["id"]: player for player in players}, reference)
