"""Says in words what a line of a session's log holds. `KeyError` on an action that nobody has a sentence for."""

from tournaments.messages import sentence
from tournaments.models import LogEntry
from tournaments.sentences import LOG


def say_log(entry: LogEntry) -> str:
    """What was done, in the active language; who, when and on which device stand beside it in the row."""
    return sentence(LOG, entry.action, entry.params)
