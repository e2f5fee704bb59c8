"""The closing of a game of free deals: the deals that no table has begun are not played. It can be undone.

A deal whose result comes in afterwards, for example from a phone without network, still counts.
"""

import datetime as dt

from django.db import transaction

from clubs.models import User
from evenings.plans.free.laying import lock_games
from evenings.plans.free.refusals import GamesRefused
from evenings.plays.entering import raise_results_version
from evenings.plays.state import PlayState, with_states
from tournaments.log import log_action
from tournaments.models import Play, Ruling, Session

CLOSED, REOPENED = "game_closed", "game_reopened"
NOT_PLAYED = Ruling.RulingKind.NOT_PLAYED


def find_unbegun(session: Session, game: int) -> list[Play]:
    """Return the deals of a game that no table has begun, and that nobody has set aside."""
    plays = with_states(session.plays.filter(position=game)).filter(state=PlayState.TODO)
    return list(plays.order_by("table__number", "etui__number"))


def find_closed(session: Session, game: int) -> list[Play]:
    """Return the deals of a game that are not played because it was closed, and have no result."""
    calls = session.log.filter(action=CLOSED, params__position=game).order_by("-pk")
    aside = {pk for call in calls for pk in call.params.get("plays", ())}
    plays = with_states(session.plays.filter(position=game, pk__in=aside)).filter(state=PlayState.NOT_PLAYED)
    return [play for play in plays.order_by("pk") if play.ruling == NOT_PLAYED]


@transaction.atomic
def close_game(*, session_id: int, game: int, by: User, now: dt.datetime) -> list[int]:
    """Declare the deals of a game not played that no table has begun. Return their ids. The call is idempotent.

    Raise `ActionRefused` if the game is not seated.
    """
    session = lock_game(session_id, game)
    unbegun = find_unbegun(session, game)
    if unbegun:
        set_aside(session, unbegun, NOT_PLAYED, by=by, now=now)
        ids = [play.pk for play in unbegun]
        log_action(session, CLOSED, by=by, now=now, position=game, plays=ids)
    return [play.pk for play in unbegun]


@transaction.atomic
def reopen_game(*, session_id: int, game: int, by: User, now: dt.datetime) -> list[int]:
    """Expect the deals of a game again that went when it was closed. Return their ids. The call is idempotent."""
    session = lock_game(session_id, game)
    closed = find_closed(session, game)
    if closed:
        set_aside(session, closed, Ruling.RulingKind.RESTORED, by=by, now=now)
        log_action(session, REOPENED, by=by, now=now, position=game)
    return [play.pk for play in closed]


def lock_game(session_id: int, game: int) -> Session:
    """Lock a session under way in which this game is seated, and return it. Raise `ActionRefused` for another one."""
    session, games = lock_games(session_id, closed_too=True)
    if not 1 <= game <= games.seated:
        raise GamesRefused("game_not_seated", "game", game=game)
    return session


def set_aside(session: Session, plays: list[Play], kind: Ruling.RulingKind, *, by: User, now: dt.datetime) -> None:
    Ruling.objects.bulk_create(Ruling(play=play, kind=kind, author=by, ruled_at=now) for play in plays)
    raise_results_version(session.pk, etuis=sorted({play.etui_id for play in plays}))
