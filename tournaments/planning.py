"""The planner's proposals, remembered: some take the better part of a second to plan, and are asked for again."""

from functools import lru_cache

from tournaments.domain.planning import PlanError, Proposal, proposals

MOST_UNEVEN_POSITIONS = 20  # beyond them the search for rovers takes minutes


@lru_cache(maxsize=64)
def cached_proposals(
    players: int, positions: int, etuis: int, barometer: bool, imposed: bool = True
) -> tuple[Proposal, ...]:
    """As `proposals`; `PlanError` where a count is out of range."""
    if players % 4 and positions > MOST_UNEVEN_POSITIONS:
        raise PlanError("positions", found=positions, most=MOST_UNEVEN_POSITIONS)
    return proposals(players, positions, etuis, barometer=barometer, imposed=imposed)
