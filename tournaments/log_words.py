"""Says in words what a line of a session's log holds. `KeyError` on an action that nobody has a sentence for."""

from tournaments.messages import sentence
from tournaments.models import LogEntry, Session
from tournaments.sentences import LOG

SETTINGS = {field.name: field.verbose_name for field in Session._meta.fields}


def say_log(entry: LogEntry) -> str:
    """What was done, in the active language; who, when and on which device stand beside it in the row."""
    told = dict(entry.params)
    if "setting" in told:
        told["setting"] = SETTINGS[told["setting"]]
    return sentence(LOG, entry.action, told)
