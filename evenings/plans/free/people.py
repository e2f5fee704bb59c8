"""The players who leave, come late or are replaced in an evening of free deals. The last change can be undone.

Between two games, the games that are seated stay as they are, and the next one is proposed for those who stay. From
a deal of a seated game on, a table of four becomes one of three or of five. The others keep their order of turn.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from clubs.models import Player, User
from deals.domain.cards import LINES
from evenings.plans.current import current_version
from evenings.plans.free.laying import find_games, lock_games, store_games
from evenings.plans.free.laying_again import lay_games_again
from evenings.plans.free.refusals import GamesRefused
from evenings.plans.storing import require_right_plan
from evenings.plays.entering import raise_results_version
from movements import ALIKE, Plan, PlanError, PlanStop
from movements.games import add_person, remove_person
from tournaments.errors import ActionRefused
from tournaments.log import log_action
from tournaments.models import Entrant, Session, TeamMember

LEFT, CAME, REPLACED = CHANGES = ("left", "came", "replaced")


@dataclass(frozen=True, slots=True)
class FromDeal:
    """The moment of a change: from this deal of a game on. A game that is not seated yet begins with deal 1.

    `table`: the number of the table that somebody joins in this game, None if the site chooses it.
    """

    game: int
    deal: int = 1
    table: int | None = None


def refuse_odd_tables(games: Plan[int]) -> None:
    """Raise `ActionRefused` if étuis are played: then no table may have fewer or more players than the others."""
    if games.odd in ALIKE:
        raise GamesRefused("tables_alike", "number", size=games.usual)


def plan_leaving(games: Plan[int], number: int, moment: FromDeal) -> Plan[int]:
    """Return the games without this player from the moment on. Raise `ActionRefused` if that is impossible."""
    refuse_odd_tables(games)
    check_moment(games, moment)
    try:
        changed = remove_person(games, number, moment.game, moment.deal)
    except PlanError as error:
        raise GamesRefused("games_impossible", "number", problem=error) from error
    require_right_plan(changed)
    return changed


def plan_coming(games: Plan[int], moment: FromDeal, mates: Collection[int] = ()) -> Plan[int]:
    """Return the games with one more player from the moment on, at its table or where the site proposes.

    `mates`: the starting numbers of the others of the player's team, whom the player never meets. Raise `ActionRefused`
    if no table has a place, or if a deal is named without a table.
    """
    refuse_odd_tables(games)
    check_moment(games, moment)
    try:
        changed = add_person(games, moment.game, moment.deal, table=moment.table, mates=mates)
    except PlanError as error:
        raise GamesRefused("games_impossible", "table", problem=error) from error
    require_right_plan(changed)
    return changed


def find_mates(session: Session, player_id: int) -> list[int]:
    """Return the starting numbers of the others of the player's team who are in the session, or were."""
    teams = TeamMember.objects.filter(tournament=session.tournament_id, ended_at=None)
    others = teams.filter(team__in=teams.filter(player=player_id).values("team")).exclude(player=player_id)
    return list(session.entrants.filter(player__in=others.values("player")).values_list("number", flat=True))


def check_moment(games: Plan[int], moment: FromDeal) -> None:
    """Raise `ActionRefused` if the moment is after the next game, or if all games are over by then."""
    last = min(games.seated + 1, games.positions)
    if games.seated >= games.positions and moment.game > last:
        raise GamesRefused("all_games_seated", "game")
    if not 1 <= moment.game <= last:
        raise GamesRefused("moment_unknown", "game", last=last)


def find_changed_tables(before: Plan[int], after: Plan[int]) -> list[tuple[PlanStop[int], ...]]:
    """Return the tables of seated games that a change alters, as they are afterwards, by game and table.

    A table that somebody joins or leaves within a game has two parts. A table that is no more there has none.
    """
    changed = []
    for game in range(1, before.seated + 1):
        numbers = sorted({part.table for part in (*before.at(game), *after.at(game))})
        for number in numbers:
            old, new = (tuple(part for part in games.at(game) if part.table == number) for games in (before, after))
            if old != new:
                changed.append(new)
    return [parts for parts in changed if parts]


@transaction.atomic
def leave_games(*, session_id: int, number: int, moment: FromDeal, by: User | None, now: dt.datetime) -> Plan[int]:
    """Let the player with this starting number leave from a deal of a game on. The call is idempotent.

    Raise `ActionRefused` if a deal that would change has begun.
    """
    session, games = lock_games(session_id)
    last = moment.game if moment.deal > 1 else moment.game - 1
    if any(stay.competitor == number and stay.last <= last for stay in games.stays):
        return games
    changed = plan_leaving(games, number, moment)
    entrant = session.entrants.get(number=number)
    entrant.last_position = last
    entrant.save(update_fields=["last_position"])
    store_games(session, changed, kind=LEFT, game=number, by=by, now=now)
    if moment.game <= games.seated:
        lay_games_again(session, changed, now=now)
    return changed


@transaction.atomic
def join_games(
    *,
    session_id: int,
    player_id: int,
    moment: FromDeal | None = None,
    by: User | None,
    now: dt.datetime,
) -> Plan[int]:
    """Let a player of the club's list join from a moment on, with the next starting number. It is idempotent.

    Without a moment, they join the game after the last seated one. Raise `ActionRefused` if a deal that would change
    has begun.
    """
    session, games = lock_games(session_id)
    if session.entrants.filter(player=player_id).exists():
        return games
    require_free_player(session, player_id)
    moment = moment or FromDeal(games.seated + 1)
    changed = plan_coming(games, moment, find_mates(session, player_id))
    Entrant.objects.create(
        session=session, player_id=player_id, line=LINES[0], number=changed.competitors, first_position=moment.game
    )
    store_games(session, changed, kind=CAME, game=changed.competitors, by=by, now=now)
    if moment.game <= games.seated:
        lay_games_again(session, changed, now=now)
    return changed


def require_free_player(session: Session, player_id: int) -> None:
    """Raise `ActionRefused` unless the player is on the club's list and plays for nobody in this session yet."""
    if not Player.objects.keep_listed().filter(pk=player_id, club=session.tournament.club_id).exists():
        raise ActionRefused("player_unknown", "player", player=player_id)
    if session.entrants.filter(Q(player=player_id) | Q(stand_in=player_id)).exists():
        raise GamesRefused("plays_already", "player")


@transaction.atomic
def replace_in_games(
    *, session_id: int, number: int, player_id: int, game: int, by: User | None, now: dt.datetime
) -> Entrant:
    """Let a player of the club's list play for an entrant from a game on. The marks stay the entrant's. Idempotent.

    Raise `ActionRefused` if the player is in the session already, or if somebody replaces the entrant already.
    """
    session, games = lock_games(session_id)
    entrant = find_replaced(session, games, number=number, player_id=player_id, game=game)
    if entrant.stand_in_id == player_id:
        return entrant
    require_free_player(session, player_id)
    entrant.stand_in_id, entrant.stand_in_from = player_id, game
    entrant.save(update_fields=["stand_in", "stand_in_from"])
    store_games(session, games, kind=REPLACED, game=number, by=by, now=now)
    raise_results_version(session.pk, etuis=[])
    return entrant


def find_replaced(session: Session, games: Plan[int], *, number: int, player_id: int, game: int) -> Entrant:
    """Return the entrant whom a player can replace from a game on.

    Raise `ActionRefused` if the entrant is not there then, or if somebody else is the replacement already. Raise it too
    if the player is in another team than the entrant: at these tables the player would meet team mates.
    """
    check_moment(games, FromDeal(game))
    entrant = session.entrants.filter(number=number).first()
    if entrant is None or number not in games.present(game):
        raise GamesRefused("number_not_there", "number", number=number)
    if entrant.stand_in_id not in (None, player_id):
        raise GamesRefused("replaced_already", "number", number=number)
    team = next((team for team in games.mates if number in team), (number,))
    if not {*team}.issuperset(find_mates(session, player_id)):
        raise GamesRefused("plays_for_other_team", "player", number=number)
    return entrant


@transaction.atomic
def undo_people(*, session_id: int, by: User | None, now: dt.datetime) -> Plan[int]:
    """Undo the last leaving, coming or replacement, and return the games.

    Raise `ActionRefused` if something else came last, or if a deal that would change has begun.
    """
    session, games = lock_games(session_id)
    version = current_version(session)
    if version is None or version.operation.get("kind") not in CHANGES:
        raise GamesRefused("no_people_to_undo")
    entrant = session.entrants.get(number=version.operation["game"])
    version.undone_at, version.undone_by = now, by
    version.save(update_fields=["undone_at", "undone_by"])
    before = find_games(session)
    assert before is not None
    if before.stops != games.stops:
        lay_games_again(session, before, now=now)
    if version.operation["kind"] == CAME:
        entrant.delete()
    elif version.operation["kind"] == LEFT:
        entrant.last_position = None
        entrant.save(update_fields=["last_position"])
    else:
        entrant.stand_in, entrant.stand_in_from = None, None
        entrant.save(update_fields=["stand_in", "stand_in_from"])
        raise_results_version(session.pk, etuis=[])
    log_action(session, "people_undone", by=by, now=now)
    return before
