"""The settings of a tournament: name, season, format, who is ranked, ties, counting of sessions, provisional time.

A change of settings changes no publication. To show new figures, the director publishes another version.
"""

import datetime as dt
from collections.abc import Collection
from typing import Any, NoReturn

from django.db import transaction
from django.db.models import Q

from clubs.house import find_season
from clubs.log import log_club_action as log_of_club
from clubs.models import User
from clubs.players import raise_names_version
from evenings.plans.choosing import lay_again
from evenings.plays.entering import raise_results_version
from evenings.sessions.setup import check_federation
from evenings.teams.common import MatchRefused
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session, lock_tournament, raise_told
from tournaments.log import log_action
from tournaments.models import Session, Tournament
from tournaments.queue import queue_tournament
from tournaments.rules.formats import FITTED, find_wrong_rule, fit_rules, fit_session, list_bounded

RANKS = frozenset({"least_share", "substitutes_ranked", "ties"})  # settings that change the ranks of a session
# Settings that change no stored ranking. The table of a league is computed when it is shown.
NO_RANKS = frozenset({"name", "season", "federation", "meeting", "win_points", "draw_points"})


@transaction.atomic
def change_rules(*, tournament_id: int, by: User, now: dt.datetime, **changes: Any) -> Tournament:
    """Change settings of the tournament, also while it is played, and return the tournament. The call is idempotent.

    The logs of its sessions and of the club record the change. Rankings that depend on the settings are computed again.
    The format cannot change once a session has started. The tournament's address never changes, even if its name does.
    """
    tournament = lock_tournament(tournament_id)
    before = {field: getattr(tournament, field) for field in changes}
    changed = {field: value for field, value in changes.items() if value != before[field]}
    if "format" in changed:
        # A rule that nobody has changed and that the new format cannot have follows the format.
        kept = {field: getattr(tournament, field) for field in FITTED if field not in changed}
        fitted = fit_rules(find_format(changed["format"]), kept)
        before |= kept
        changed |= {field: value for field, value in fitted.items() if value != kept[field]}
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
            log_action(session, "rules_changed", now=now, by=by, setting=field, **told)
        follow(session, changed)
    if "name" in changed:
        raise_told(now, tournament=tournament_id)
        raise_names_version(tournament.club_id)
    if not changed.keys() <= NO_RANKS:
        queue_tournament(tournament_id)
    write_in_club(tournament, before, changed, by=by, now=now)
    return tournament


def check_changes(tournament: Tournament, changed: dict[str, Any], sessions: Collection[Session]) -> None:
    """Raise `ActionRefused` or `SeasonRefused` if the tournament cannot have the changed settings."""
    if len(set(changed.get("ties", ()))) < len(changed.get("ties", ())):
        raise ActionRefused("ties_twice", "ties")
    if changed.get("season") is not None:
        changed["season"] = find_season(tournament.club, changed["season"].pk)
    format = find_format(changed.get("format", tournament.format))
    check_federation(format.name, federation=changed.get("federation", tournament.federation))
    if wrong := find_wrong_rule(format, {name: changed[name] for name in FITTED if name in changed}):
        refuse_rule(wrong)
    win, draw = (changed.get(name, getattr(tournament, name)) for name in ("win_points", "draw_points"))
    if draw > win:
        raise MatchRefused("draw_above_win", "draw_points")
    begun = [session.number for session in sessions if session.status != Session.Status.DRAFT]
    if "format" in changed and begun:
        raise ActionRefused("contract_is_played", "auction", number=begun[0])
    if "format" in changed and competes_otherwise(tournament, changed["format"]) and has_competitors(tournament):
        raise ActionRefused("format_has_players", "auction")
    showing = (
        each.number for each in sessions if not each.closed_at and each.shows_after != Session.ShownAfter.NOTHING
    )
    if changed.get("federation") and (number := next(showing, None)) is not None:
        raise ActionRefused("federation_session_shows", "federation", number=number)


def refuse_rule(name: str) -> NoReturn:
    """Raise `MatchRefused`: with match points, the tournament cannot have its rule with this name."""
    match name:
        case "ties":
            raise MatchRefused("ties_in_match_points", name)
        case "counting":
            raise MatchRefused("counting_in_match_points", name)
        case "best_of":
            raise MatchRefused("best_of_in_match_points", name)
        case _:
            raise MatchRefused("carry_over_in_match_points", name)


def competes_otherwise(tournament: Tournament, format: str) -> bool:
    """Return whether teams play in one of the two formats and single players in the other."""
    return find_format(tournament.format).share != find_format(format).share


def has_competitors(tournament: Tournament) -> bool:
    """Return whether the tournament has teams, or a session with players, a plan or people who signed up."""
    sessions = tournament.sessions.order_by()
    there = (
        Q(entrants__isnull=False) | Q(plans__isnull=False) | Q(applicants__withdrawn_at=None, applicants__isnull=False)
    )
    return tournament.teams.exists() or sessions.filter(there).exists()


def follow(session: Session, changed: Collection[str]) -> None:
    """Queue the standings of a locked session, or place its étuis again, if the changed settings require it."""
    if session.status == Session.Status.RUNNING and not RANKS.isdisjoint(changed):
        raise_results_version(session.pk, etuis=[])
    if "format" in changed:
        format = find_format(session.tournament.format)
        present = {name: getattr(session, name) for name in list_bounded(format)}
        for name, value in fit_session(format, present).items():
            setattr(session, name, value)
        session.save(update_fields=[*present])
        lay_again(session)


def write_in_club(
    tournament: Tournament, before: dict[str, Any], changed: dict[str, Any], *, by: User, now: dt.datetime
) -> None:
    """Log the changes in the club's log. A tournament has no log of its own, only its sessions have."""
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
    """Return the value of a setting as the log stores it."""
    return ",".join(value) if isinstance(value, list) else "" if value is None else str(value)
