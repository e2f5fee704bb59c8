"""The newest publication of a session, for the screens in the hall. This module only reads.

The ranking that counts is the session's reference.
"""

from typing import NamedTuple

from evenings.reference import find_reference, is_beside
from scoring.formats import INDIVIDUAL, find_format
from tournaments.models import Publication
from tournaments.reports.session import RankedPlayer, decode_players


class SessionOutcome(NamedTuple):
    """The published results of a session: the version's number and status, and the players.

    `by_entrant` has all players by the entrant's id. `players` has those with a rank, from first to last. `reference`
    is the name of the rank that counts.
    """

    version: int
    status: str
    by_entrant: dict[int, RankedPlayer]
    reference: str

    @property
    def is_public(self) -> bool:
        """True if the publication has not been withdrawn."""
        return self.status != Publication.PublicationStatus.WITHDRAWN

    @property
    def players(self) -> list[RankedPlayer]:
        ranked = [player for player in self.by_entrant.values() if self.rank(player)]
        return sorted(ranked, key=lambda player: self.rank(player) or 0)

    def rank(self, player: RankedPlayer) -> int | None:
        rank: int | None = getattr(player, self.reference)
        return rank


def read_outcome(session_id: int) -> SessionOutcome | None:
    """Return the results in the newest publication of the session, or None before the first one."""
    newest = Publication.objects.filter(session=session_id).order_by("-version")
    counted = newest.annotate(beside=is_beside("session", "session__tournament"))
    row = counted.values_list("version", "status", "data__players", "beside", "data__form").first()
    if row is None:
        return None
    version, status, players, beside, form = row
    measure = find_format(form or INDIVIDUAL.name).measure
    by_entrant = {player.id: player for player in decode_players(players)}
    has_alterne = any(player.rank_alterne for player in by_entrant.values())
    reference = find_reference(alone=not beside, has_alterne=has_alterne).rank
    if form:
        by_entrant = {pk: player.change(overall=measure(player.overall)) for pk, player in by_entrant.items()}
    return SessionOutcome(version, status, by_entrant, reference)
