"""The planner's proposals, remembered: an odd number of players takes a second or two to plan, and is asked again."""

from functools import lru_cache

from tournaments.domain.planning import Proposal, proposals


@lru_cache(maxsize=64)
def cached_proposals(players: int, positions: int, etuis: int, barometer: bool) -> tuple[Proposal, ...]:
    """As `proposals`; `PlanError` where a count is out of range."""
    return proposals(players, positions, etuis, barometer=barometer)
