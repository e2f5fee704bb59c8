"""The progress of a session under way: its plays by state, its clock, the age of its standings."""

from typing import Any

from evenings.plays.free.unseated import count_unseated
from evenings.plays.session_plays import count_session_states
from evenings.plays.state import WAITED_FOR, PlayState
from evenings.standings.computing import is_session_fresh
from tournaments.models import Session


def progress_of(session: Session) -> dict[str, Any] | None:
    """Return the progress of a session as data for JSON, or None before its start.

    `missing` is the number of plays that still need a result, also later, and in games that are not seated yet. `fresh`
    is True if the standings contain the newest results.
    """
    if session.status != Session.Status.RUNNING:
        return None
    counts = count_session_states(session)
    computed = session.standings
    return {
        "position": session.position,
        "clock": {"ends_at": session.clock_ends_at, "left": session.clock_left},
        "plays": counts.total(),
        "annulled": counts[PlayState.ANNULLED],
        "adjusted": counts[PlayState.ADJUSTED],
        "not_played": counts[PlayState.NOT_PLAYED],
        "later": counts[PlayState.LATER],
        "missing": sum(counts[state] for state in WAITED_FOR) + count_unseated(session),
        "results_version": session.results_version,
        "computed_at": computed.computed_at,
        "fresh": is_session_fresh(session),
    }
