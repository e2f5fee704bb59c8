"""A tournament's settings: its name, season and contract, who is ranked, how equals are told apart, how sessions become
one ranking, and how long a ranking is provisional.

What is published stays as it is: figures that follow from these settings are published anew, as another version.
"""

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction

from clubs.accounts.log import log as log_of_club
from clubs.models import User
from clubs.players import raise_names_version
from clubs.seasons import find_season
from tournaments.errors import Refused
from tournaments.locks import lock_session, lock_tournament, raise_told
from tournaments.log import log
from tournaments.models import Session, Tournament
from tournaments.plans.choosing import lay_again
from tournaments.plans.current import current_version
from tournaments.plays.entering import raise_results_version
from tournaments.queue import queue_tournament

RANKS = frozenset({"least_share", "substitutes_ranked", "ties"})  # what moves the ranks of a session
NO_RANKS = frozenset({"name", "season", "federation"})  # what no ranking follows from


@transaction.atomic
def change_rules(*, tournament_id: int, by: User, now: dt.datetime, **changes: Any) -> Tournament:
    """Change settings of the tournament, also while it is played: each of its sessions logs it, and so does the club.
    What is ranked by them is ranked anew. Nothing is written where nothing differs.

    The contract stays once a session has begun. Its address stays too, whatever its name is.
    """
    tournament = lock_tournament(tournament_id)
    before = {field: getattr(tournament, field) for field in changes}
    changed = {field: value for field, value in changes.items() if value != before[field]}
    if not changed:
        return tournament
    sessions = [lock_session(pk) for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True)]
    check_changes(tournament, changed, sessions)
    for field, value in changed.items():
        setattr(tournament, field, value)
    tournament.revision += not changed.keys() <= NO_RANKS
    tournament.save(update_fields=[*changed, "revision"])
    for session in sessions:
        session.tournament = tournament
        for field, value in changed.items():
            told = {"before": as_text(before[field]), "after": as_text(value)}
            log(session, "rules_changed", now=now, by=by, setting=field, **told)
        follow(session, changed)
    if "name" in changed:
        raise_told(now, tournament=tournament_id)
        raise_names_version(tournament.club_id)
    if not changed.keys() <= NO_RANKS:
        queue_tournament(tournament_id)
    write_in_club(tournament, before, changed, by=by, now=now)
    return tournament


def check_changes(tournament: Tournament, changed: dict[str, Any], sessions: Collection[Session]) -> None:
    """Raise `Refused`, or `SeasonRefused`, for what the tournament cannot become."""
    if len(set(changed.get("ties", ()))) < len(changed.get("ties", ())):
        raise Refused("ties_twice", "ties")
    if changed.get("season") is not None:
        changed["season"] = find_season(tournament.club, changed["season"].pk)
    begun = [session.number for session in sessions if session.status != Session.Status.DRAFT]
    if "auction" in changed and begun:
        raise Refused("contract_is_played", "auction", number=begun[0])
    showing = (each.number for each in sessions if not each.closed_at and each.shows_after != Session.Shown.NOTHING)
    if changed.get("federation") and (number := next(showing, None)) is not None:
        raise Refused("federation_session_shows", "federation", number=number)


def follow(session: Session, changed: Collection[str]) -> None:
    """Let a session that is locked follow what has changed."""
    if session.status == Session.Status.RUNNING and not RANKS.isdisjoint(changed):
        raise_results_version(session.pk, etuis=[])
    if "auction" in changed and (version := current_version(session)) is not None:
        lay_again(session, version)


def write_in_club(
    tournament: Tournament, before: dict[str, Any], changed: dict[str, Any], *, by: User, now: dt.datetime
) -> None:
    """Write into the club's log what it is that changed: a tournament without sessions has no log of its own."""
    club, others = tournament.club, changed.keys() - {"name", "season"}
    if "name" in changed:
        log_of_club(club, "tournament_renamed", now=now, by=by, before=before["name"], after=tournament.name)
    if "season" in changed:
        season = tournament.season
        told = {"tournament": tournament.name} | ({"season": season.name} if season else {})
        log_of_club(club, "tournament_in_season" if season else "tournament_in_none", now=now, by=by, **told)
    if others:
        log_of_club(club, "tournament_changed", now=now, by=by, tournament=tournament.name)


def as_text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else "" if value is None else str(value)
