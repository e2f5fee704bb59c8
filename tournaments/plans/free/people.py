"""The players who leave or come late between two games of an evening of free deals. The last change can be undone.

The games that are seated stay as they are. The next game is proposed for the people who are there then.
"""

import datetime as dt

from django.db import transaction

from clubs.models import Player, User
from deals.domain.cards import LINES
from movements import PlanError
from movements.games import Games, add_person, remove_person
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan
from tournaments.log import log_action
from tournaments.models import Entrant, Session
from tournaments.plans.current import current_version
from tournaments.plans.free.laying import find_games, store_games
from tournaments.plans.free.refusals import GamesRefused


def lock_games(session_id: int) -> tuple[Session, Games]:
    """Lock a session of free deals under way, and return it with its games.

    Raise `ActionRefused` if it has not started, is closed, or has no game left to seat.
    """
    session = lock_plan(session_id)
    games = find_games(session)
    if session.status != Session.Status.RUNNING or games is None:
        raise ActionRefused("session_not_started")
    if session.closed_at is not None:
        raise ActionRefused("session_closed")
    if games.seated >= games.games:
        raise GamesRefused("all_games_seated")
    return session, games


@transaction.atomic
def leave_after_game(*, session_id: int, number: int, by: User | None, now: dt.datetime) -> Games:
    """Let the player with this starting number leave after the last seated game. The call is idempotent."""
    session, games = lock_games(session_id)
    if any(stay.number == number and stay.last <= games.seated for stay in games.stays):
        return games
    try:
        changed = remove_person(games, number, games.seated + 1)
    except PlanError as error:
        raise GamesRefused("games_impossible", "number", problem=error) from error
    entrant = session.entrants.select_related("player").get(number=number)
    entrant.last_position = games.seated
    entrant.save(update_fields=["last_position"])
    store_games(session, changed, kind="left", game=number, by=by, now=now)
    return changed


@transaction.atomic
def come_to_next_game(*, session_id: int, player_id: int, by: User | None, now: dt.datetime) -> Games:
    """Let a player of the club's list join from the next game on, with the next starting number. It is idempotent."""
    session, games = lock_games(session_id)
    if session.entrants.filter(player=player_id).exists():
        return games
    if not Player.objects.filter(pk=player_id, club=session.tournament.club_id).exists():
        raise ActionRefused("player_unknown", "player", player=player_id)
    game = games.seated + 1
    changed = add_person(games, game)
    Entrant.objects.create(
        session=session, player_id=player_id, line=LINES[0], number=changed.people, first_position=game
    )
    store_games(session, changed, kind="came", game=changed.people, by=by, now=now)
    return changed


@transaction.atomic
def undo_people(*, session_id: int, by: User | None, now: dt.datetime) -> Games:
    """Undo the last leaving or coming, and return the games. Raise `ActionRefused` if something else came last."""
    session, games = lock_games(session_id)
    version = current_version(session)
    if version is None or version.operation.get("kind") not in ("left", "came"):
        raise GamesRefused("no_people_to_undo")
    entrant = session.entrants.get(number=version.operation["game"])
    version.undone_at, version.undone_by = now, by
    version.save(update_fields=["undone_at", "undone_by"])
    if version.operation["kind"] == "came":
        entrant.delete()
    else:
        entrant.last_position = None
        entrant.save(update_fields=["last_position"])
    log_action(session, "people_undone", by=by, now=now)
    return find_games(session) or games
