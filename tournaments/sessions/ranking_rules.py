"""A tournament's settings: who is ranked, how equals are told apart, how sessions become one ranking, and how long a
ranking is provisional."""

import datetime as dt
from typing import Any

from django.db import transaction

from clubs.models import User
from tournaments.errors import Refused
from tournaments.locks import lock_session, lock_tournament
from tournaments.log import log
from tournaments.models import Session, Tournament
from tournaments.plays.entering import raise_results_version
from tournaments.queue import queue_tournament

RANKS = frozenset({"least_share", "substitutes_ranked", "ties"})  # what moves the ranks of a session


@transaction.atomic
def change_rules(*, tournament_id: int, by: User, now: dt.datetime, **changes: Any) -> Tournament:
    """Changes settings of the tournament, also while it is played: each of its sessions logs it, and what is ranked by
    them is ranked anew. Nothing is written where nothing differs."""
    tournament = lock_tournament(tournament_id)
    before = {field: getattr(tournament, field) for field in changes}
    changed = {field: value for field, value in changes.items() if value != before[field]}
    if not changed:
        return tournament
    if len(set(changed.get("ties", ()))) < len(changed.get("ties", ())):
        raise Refused("ties_twice", "ties")
    for field, value in changed.items():
        setattr(tournament, field, value)
    tournament.revision += 1
    tournament.save(update_fields=[*changed, "revision"])
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        session = lock_session(pk)
        for field, value in changed.items():
            told = {"before": as_text(before[field]), "after": as_text(value)}
            log(session, "rules_changed", now=now, by=by, setting=field, **told)
        if session.status == Session.Status.RUNNING and changed.keys() & RANKS:
            raise_results_version(pk, etuis=[])
    queue_tournament(tournament_id)
    return tournament


def as_text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else "" if value is None else str(value)
