"""How far a session under way is, in figures: its plays by their state, its clock, the age of its standings."""

from typing import Any

from tournaments.models import Session
from tournaments.plays.session_plays import count_states
from tournaments.plays.state import WAITED_FOR, State
from tournaments.standings.computing import is_fresh


def progress_of(session: Session) -> dict[str, Any] | None:
    """None before the start. `missing` holds the plays for later."""
    if session.status != Session.Status.RUNNING:
        return None
    counts = count_states(session)
    computed = session.standings
    return {
        "position": session.position,
        "clock": {"ends_at": session.clock_ends_at, "left": session.clock_left},
        "plays": counts.total(),
        "annulled": counts[State.ANNULLED],
        "adjusted": counts[State.ADJUSTED],
        "not_played": counts[State.NOT_PLAYED],
        "later": counts[State.LATER],
        "missing": sum(counts[state] for state in WAITED_FOR),
        "results_version": session.results_version,
        "computed_at": computed.computed_at,
        "fresh": is_fresh(session),
    }
