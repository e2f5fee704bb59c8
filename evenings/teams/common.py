"""The parts that every change of teams needs: refusals, locks, sizes, the order of badges, lines of the log."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from django.db.models import F, Q, QuerySet

from clubs.matching import MatchedLine
from clubs.models import Player, User
from clubs.names import simplify_name
from clubs.players import ListCounts, add_players, sort_by_name, take_counted
from clubs.roster import RosterLine
from clubs.teams import TEAM_SIZES, TeamSize, key_of_name
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session, lock_tournament
from tournaments.log import log_action
from tournaments.models import Entrant, Session, Team, TeamMember, Tournament
from tournaments.queue import queue_tournament
from wording import Texts
from wording import gettext_noop as _


class MatchRefused(ActionRefused):
    """An error: a write about matches was refused and wrote nothing. `field` is as in `ActionRefused`."""

    messages: ClassVar[Texts] = {
        "no_decision": _("In this tournament each match stands alone: there is nothing to decide between two teams."),
        "decision_of_two": _("A match has two teams: choose one that goes on and another one that does not."),
        "draw_above_win": _("A draw is worth no more than a win: lower the one, or raise the other."),
        "ties_in_match_points": _("With match points, only lots separate equal teams: take out the other tie-breaks."),
        "counting_in_match_points": _("Match points are added up: choose the sum."),
        "best_of_in_match_points": _("Every match counts: leave the number of best sessions empty."),
        "carry_over_in_match_points": _("Every match counts: leave the share that is carried into the final empty."),
        "match_positions": _("A match has %(least)s quarters, so the session has %(least)s positions."),
        "match_etuis_per_position": _("A quarter of a match has %(least)s to %(most)s étuis: choose one of these."),
        "match_weight": _("Each match counts alike: leave the coefficient at 1 and the stage empty."),
        "half_missing": _(
            "Étui %(etui)s has a result in one room of a match alone: wait for the other, or say that it is not played."
        ),
        "quarters_not_played": _("In this format there are no matches of four quarters."),
        "quarter_unknown": _("A match has the quarters 1 to %(most)s: choose one of them."),
        "quarter_begun": _("Quarter %(quarter)s has begun at this match: the line-up stays."),
        "quarter_left": _("This team plays until quarter %(last)s: it has no line-up after it."),
        "line_up_open": _("The other team may know this line-up: ask a director to change it."),
        "line_up_seen": _("The other team may know this line-up: say why it changes."),
        "line_up_attacks_again": _("This player attacks in quarter %(quarter)s: in each quarter another one attacks."),
    }


# A player of the club's list by id, a line with a name, or a line that says whom it means.
SomePlayer = int | RosterLine | MatchedLine
MOST_NUMBER = 999
APART = 1000  # added to the places for a moment, so that two members never have the same place


def lock_teams(tournament_id: int) -> Tournament:
    """Lock a tournament and its sessions, so that nobody else changes its teams. Return the tournament.

    Raise `ActionRefused` if it can have no teams.
    """
    tournament = lock_tournament(tournament_id, no_key=True)
    if not can_have_teams(tournament):
        raise ActionRefused("teams_not_played")
    for pk in tournament.sessions.order_by("pk").values_list("pk", flat=True):
        lock_session(pk, no_key=True)
    return tournament


def can_have_teams(tournament: Tournament) -> bool:
    """Return whether teams play, or players play alone and teams add up their marks."""
    return tournament.format in TEAM_SIZES


def size_of_teams(tournament: Tournament) -> TeamSize:
    return TEAM_SIZES[tournament.format]


def find_team(tournament: Tournament, team_id: int) -> Team:
    """Return the tournament's team with this id, or raise `ActionRefused`."""
    team = tournament.teams.filter(pk=team_id).first()
    if team is None:
        raise ActionRefused("team_unknown", "team", team=team_id)
    return team


def has_played(team: Team) -> bool:
    """Return whether the team takes part in a session that has started. Its badges are then fixed."""
    return list_entries(team).exclude(session__status=Session.Status.DRAFT).exists()


def list_entries(team: Team) -> QuerySet[Entrant]:
    """Return the entrants that are the team or, where players play alone, its active members."""
    members = team.members.filter(ended_at=None).values("player")
    return Entrant.objects.filter(Q(team=team) | Q(session__tournament=team.tournament_id, player__in=members))


def list_members(team: Team) -> list[TeamMember]:
    """Return the active members in the order of their places."""
    return list(team.members.filter(ended_at=None).select_related("player").order_by("place"))


def active_members() -> QuerySet[TeamMember]:
    """Return the active members of all teams, with their players, by place. For a prefetch."""
    return TeamMember.objects.filter(ended_at=None).select_related("player").order_by("place")


def free_players(tournament: Tournament) -> list[Player]:
    """Return the club's players who are in no team of the tournament, by family name."""
    taken = tournament.team_members.filter(ended_at=None).values("player")
    return sort_by_name(tournament.club.players.real().filter(erased_at=None, put_away_at=None).exclude(pk__in=taken))


def order_members(team: Team) -> None:
    """Give the active members of a team that has not played the places 1, 2, 3 … by their family names."""
    if not has_played(team):
        place_members([list_members(team)])


def order_teams_of(session: Session) -> None:
    """Order the members of the session's teams, because their names may have changed since. Call it before the start.

    The places of a team that has played already stay. This takes four queries at most, for any number of teams.
    """
    played = Entrant.objects.filter(team__isnull=False).exclude(session__status=Session.Status.DRAFT).values("team")
    members = TeamMember.objects.filter(team__entries__session=session, ended_at=None).exclude(team__in=played)
    teams = defaultdict[int, list[TeamMember]](list)
    for member in members.select_related("player").order_by("team", "place"):
        teams[member.team_id].append(member)
    place_members(teams.values())


def place_members(teams: Iterable[Sequence[TeamMember]]) -> None:
    """Give the members of each team the places 1, 2, 3 … by their family names, and save the changed ones.

    Players of equal names keep their order.
    """
    changed: list[tuple[int, TeamMember]] = []
    for members in teams:
        by_name = sorted(members, key=lambda member: name_parts(member.player))
        changed += [(place, each) for place, each in enumerate(by_name, start=1) if each.place != place]
    for shift in (APART, 0) if changed else ():
        for place, member in changed:
            member.place = place + shift
        TeamMember.objects.bulk_update([member for _place, member in changed], ["place"])


def name_parts(player: Player) -> tuple[str, str]:
    """Return the key by which badges are ordered: family name, then first name, without accents and capitals."""
    return simplify_name(player.last_name), simplify_name(player.first_name)


def check_name(tournament: Tournament, name: str, *, but: int) -> str:
    """Return a team's name with single spaces. Raise `ActionRefused` if another team than `but` has this name.

    Accents and capitals make no difference.
    """
    name = " ".join(name.split())
    for other in tournament.teams.exclude(name="") if name else ():
        if other.pk != but and key_of_name(other.name) == key_of_name(name):
            raise ActionRefused("team_name_taken", "name", name=other.name, number=other.number)
    return name


def check_free(tournament: Tournament, players: Iterable[Player]) -> None:
    """Raise `ActionRefused` if one of the players is in a team of the tournament."""
    there = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=list(players))
    taken = there.select_related("player", "team").order_by("team__number", "place").first()
    if taken is not None:
        raise ActionRefused("player_in_a_team", "players", name=taken.player.name, team=taken.team.shown_name)


def find_club_players(tournament: Tournament, ids: Sequence[int]) -> list[Player]:
    """Return the club's players with these ids, in this order. Raise `ActionRefused` for an unknown or repeated one."""
    known = {player.pk: player for player in tournament.club.players.real().filter(pk__in=ids, erased_at=None)}
    for place, pk in enumerate(ids):
        if pk not in known:
            raise ActionRefused("player_unknown", "players", player=pk)
        if pk in ids[:place]:
            raise ActionRefused("player_in_team_twice", "players", name=known[pk].name)
    return [known[pk] for pk in ids]


def find_or_add_player(tournament: Tournament, player: SomePlayer) -> Player:
    """Return the club's player with this id, or the player of this line, who is added if the club's list lacks it.

    A `MatchedLine` says which player the line means, or that it is somebody new. Raise `ListChanged` if somebody new is
    on the list by now.
    """
    if isinstance(player, MatchedLine):
        told = ListCounts(rows=1, new=1) if player.player is None else None
        return take_counted(club=tournament.club, taken=[player], told=told)[0][0]
    if isinstance(player, RosterLine):
        return add_players(club=tournament.club, lines=[player])[0]
    return find_club_players(tournament, [player])[0]


def is_new(player: SomePlayer) -> bool:
    """Return whether a line may add somebody to the club's list."""
    return isinstance(player, RosterLine) or (isinstance(player, MatchedLine) and player.player is None)


def log_teams(
    tournament: Tournament, action: str, *, now: dt.datetime, by: User | None, words: str = "", **params: Any
) -> None:
    """Log a change of teams in each session of the tournament that is not closed. A tournament has no log of its own.

    The params have the numbers of teams, never their names, because a name may hold the name of a player. Where teams
    add up the results of their players, the tournament's ranking is queued.
    """
    if find_format(tournament.format).sums_teams:
        Tournament.objects.filter(pk=tournament.pk).update(revision=F("revision") + 1)
        queue_tournament(tournament.pk)
    for session in tournament.sessions.filter(closed_at=None).order_by("pk"):
        log_action(session, action, now=now, by=by, words=words, **params)
