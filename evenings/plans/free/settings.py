"""The settings that only a session of free deals has."""

import datetime as dt
from typing import Any

from django.db import transaction

from clubs.models import User
from clubs.session_settings import FREE_DEALS_SETTINGS
from evenings.plans.free.length import follow_end
from evenings.plans.free.refusals import GamesRefused
from tournaments.locks import lock_draft
from tournaments.log import log_action
from tournaments.models import Session
from tournaments.rules.formats import require_offered


@transaction.atomic
def edit_free_deals(*, session_id: int, by: User | None = None, now: dt.datetime, **changes: Any) -> Session:
    """Change settings of `FREE_DEALS_SETTINGS` of a session in preparation, and return it.

    Raise `ActionRefused` if the session has started, if its tables do not deal, or if a weight is out of range.
    """
    session = lock_draft(session_id)
    require_offered(session.tournament.format, GamesRefused("no_free_deals"))
    for name, value in changes.items():
        setting = FREE_DEALS_SETTINGS[name]
        if setting.least is not None and not setting.least <= value <= setting.most:
            raise GamesRefused("weight_out_of_range", name, least=str(setting.least), most=str(setting.most))
    changed = [name for name, value in changes.items() if value != getattr(session, name)]
    for name in changed:
        before = getattr(session, name)
        setattr(session, name, changes[name])
        log_action(session, "edited", now=now, by=by, setting=name, before=str(before), after=str(changes[name]))
    with follow_end(session, now):
        session.save(update_fields=changed)
    return session
