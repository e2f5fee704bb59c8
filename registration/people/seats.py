"""The step from applicants or teams that are present to players and teams with seats in the session.

It finds the player of the club's list for each of them.

It uses the services that make and change teams (`evenings.teams`).
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from clubs.matching import Candidate, KnownNames, LineState, MatchedLine, judge
from clubs.models import Club, Player, User
from clubs.players import known_of, take_list
from clubs.roster import RosterLine
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.seating import seat_players, unseat_player
from evenings.teams.changing import add_member, require_stays
from evenings.teams.common import lock_teams, size_of_teams
from evenings.teams.making import WantedTeam, make_teams
from evenings.teams.substitutes import replace_member
from registration.errors import RegistrationRefused
from registration.people.applicants import ListedTeam, list_teams_down
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_members
from tournaments.log import log_action
from tournaments.models import Applicant, Entrant, Session, TeamMember, Tournament


class Who(NamedTuple):
    """The players of the club's list who may be an applicant, the most similar first.

    `player` is the id of the player that was found, or None for a new player. If `doubtful`, the director has to
    choose.
    """

    candidates: Sequence[Candidate]
    player: int | None
    doubtful: bool


def find_who(club: Club, applicants: Sequence[Applicant]) -> dict[int, Who]:
    """Return the matching players, by applicant id.

    If the applicant's account is tied to a player with a similar name, the applicant is that player.
    """
    names = KnownNames(known_of(club))
    players = {}
    accounts = [applicant.user_id for applicant in applicants if applicant.user_id]
    tied = club.players.real().filter(account__in=accounts) if accounts else club.players.none()
    own = dict(tied.values_list("account", "pk"))
    for applicant in applicants:
        candidates = names.find(line_of(applicant))
        himself = own.get(applicant.user_id or 0)
        if any(candidate.who.id == himself for candidate in candidates):
            players[applicant.pk] = Who(candidates, himself, doubtful=False)
            continue
        state, suggested = judge(line_of(applicant), candidates)
        players[applicant.pk] = Who(candidates, suggested, state == LineState.PROBABLE)
    return players


def line_of(applicant: Applicant) -> RosterLine:
    """Return the applicant as a line of a roster, the form in which the club's list is searched."""
    return RosterLine(applicant.last_name, applicant.first_name, applicant.licence)


@transaction.atomic
def seat_present(*, session_id: int, answers: Mapping[int, int | None], by: User, now: dt.datetime) -> list[Entrant]:
    """Put the applicants who are present on the first free seats, in the order of check-in. Return the entrants.

    An applicant who has a seat and is not present loses the seat. All others keep theirs. `answers` has, by the id of a
    doubtful applicant, the id of the chosen player, or None for a new player. Raise `ActionRefused` if nobody is
    present, or if a doubtful applicant has no answer.
    """
    session = lock_draft(session_id)
    applicants = list(Applicant.objects.filter(session=session).select_related("player").order_by("present_at", "id"))
    for applicant in applicants:
        if applicant.player and applicant.player.merged_into_id:  # the player was merged after the applicant was seated
            applicant.player_id = applicant.player.merged_into_id
    present = [each for each in applicants if each.present_at and not each.withdrawn_at]
    if not present:
        raise ActionRefused("nobody_present")
    settle_players(session, present, answers)
    coming = {each.player_id for each in present}
    seated = set(session.entrants.values_list("player_id", flat=True))
    for applicant in applicants:
        if applicant.player_id in seated - coming:
            unseat_player(session_id=session_id, player_id=applicant.player_id)
    log_action(session, "seated_from_list", now=now, by=by, count=len(present))
    return seat_players(session_id=session_id, player_ids=[each.player_id for each in present if each.player_id])


def settle_players(session: Session, applicants: Sequence[Applicant], answers: Mapping[int, int | None]) -> None:
    """Find or add the player of the club's list for each applicant who has none yet, and store it.

    Raise `ActionRefused` if a doubtful applicant has no answer.
    """
    unknown = [each for each in applicants if each.player_id is None]
    club = session.tournament.club
    players = find_who(club, unknown)
    taken = []
    for applicant in unknown:
        who = players[applicant.pk]
        answer = answers.get(applicant.pk, 0)
        if who.doubtful and answer not in {None, *(candidate.who.id for candidate in who.candidates)}:
            raise ActionRefused("applicant_doubtful", f"who-{applicant.pk}", name=applicant.name)
        taken.append(MatchedLine(line_of(applicant), answer if who.doubtful else who.player))
    for applicant, player in zip(unknown, take_list(club=club, taken=taken), strict=True):
        applicant.player = player
    Applicant.objects.bulk_update(unknown, ["player"])


@transaction.atomic
def seat_present_teams(
    *, session_id: int, answers: Mapping[int, int | None], by: User, now: dt.datetime
) -> list[Entrant]:
    """Let the complete teams whose players are all present play in the session. Return the entrants.

    Teams that played before keep their number in the tournament; others are made. A team that had signed up no longer
    plays in the session if one of its players is not present any more. Teams that never signed up stay. `answers` is as
    in `seat_present`. Raise `ActionRefused` if no team is there, or if two teams name one player. Raise it too if two
    teams have players of one team that played before: otherwise one of them would take the other's players without
    notice.
    """
    tournament_id = Session.objects.values_list("tournament_id", flat=True).get(pk=session_id)
    lock_members(tournament_id)
    tournament = lock_teams(tournament_id)
    session = lock_draft(session_id)
    size = size_of_teams(tournament).least
    teams = list_teams_down(session)
    ready = [team for team in teams if len(team.members) >= size and all(each.present_at for each in team.members)]
    if not ready:
        raise ActionRefused("no_team_present", needed=size)
    ready.sort(key=lambda team: (max(each.present_at for each in team.members if each.present_at), team.pk))
    present = [each for team in ready for each in team.members]
    follow_merges(present)
    settle_players(session, present, answers)
    require_apart(ready)
    claims = find_claims(tournament, ready)
    new = [team for team in ready if not claims[team.pk]]
    options: dict[str, Any] = {"tournament_id": tournament.pk, "by": by, "now": now}
    made = make_teams(wanted=[want_team(team) for team in new], **options)
    team_ids = {listed.pk: team.pk for listed, team in zip(new, made, strict=True)}
    team_ids |= {team.pk: take_team(team, claims[team.pk], **options) for team in ready if team.pk not in team_ids}
    wanted = [team_ids[team.pk] for team in ready]
    if find_format(tournament.format).partners:
        return seat_partners(session, present, by=by, now=now)
    before = list(session.entrants.order_by("number").values_list("team_id", flat=True))
    signed_up = find_teams_of(tournament, Applicant.objects.filter(session=session).exclude(player=None))
    kept = [pk for pk in before if pk in wanted or pk not in signed_up]
    log_action(session, "teams_seated_from_list", now=now, by=by, count=len(ready))
    return seat_teams(session_id=session_id, teams=[*kept, *(pk for pk in wanted if pk not in kept)], by=by, now=now)


def seat_partners(session: Session, present: Sequence[Applicant], *, by: User, now: dt.datetime) -> list[Entrant]:
    """Seat these applicants, each alone, and return the entrants. Their teams are made already.

    Other players who had signed up lose their seats.
    """
    coming = [each.player_id for each in present if each.player_id is not None]
    signed_up = Applicant.objects.filter(session=session).exclude(player=None).values("player")
    gone = session.entrants.filter(player__in=signed_up).exclude(player__in=coming)
    for player_id in list(gone.values_list("player_id", flat=True)):
        unseat_player(session_id=session.pk, player_id=player_id)
    log_action(session, "seated_from_list", now=now, by=by, count=len(coming))
    return seat_players(session_id=session.pk, player_ids=coming)


def follow_merges(applicants: Iterable[Applicant]) -> None:
    """Store the remaining player for applicants whose player was merged since the last check-in."""
    players = Player.objects.filter(pk__in=[each.player_id for each in applicants if each.player_id])
    merged = dict(players.exclude(merged_into=None).values_list("pk", "merged_into"))
    for each in applicants:
        if each.player_id in merged:
            each.player_id = merged[each.player_id]
            each.save(update_fields=["player"])


def require_apart(ready: Sequence[ListedTeam]) -> None:
    """Raise `ActionRefused` if a player is in two present teams, or twice in one of them."""
    first: dict[int | None, ListedTeam] = {}
    for listed in ready:
        for each in listed.members:
            other = first.setdefault(each.player_id, listed)
            if other is not listed:
                params = {"team": call_listed(other), "other": call_listed(listed)}
                raise RegistrationRefused("player_in_two_lists", name=each.name, **params)
        if len({each.player_id for each in listed.members}) < len(listed.members):
            raise ActionRefused("player_in_team_twice", name=listed.captain.name)


def find_claims(tournament: Tournament, ready: Sequence[ListedTeam]) -> dict[int, list[TeamMember]]:
    """Return the active members of the teams that have players of a present team, by the id of the present team.

    This takes two queries. Raise `RegistrationRefused` if two present teams have players of one team.
    """
    listed_of = {each.player_id: listed for listed in ready for each in listed.members}
    active = TeamMember.objects.filter(tournament=tournament, ended_at=None)
    touched = active.filter(player__in=listed_of).values("team")
    claims: dict[int, list[TeamMember]] = {listed.pk: [] for listed in ready}
    first: dict[int, ListedTeam] = {}
    members = list(active.filter(team__in=touched).select_related("team", "player").order_by("pk"))
    for member in members:
        listed = listed_of.get(member.player_id)
        other = first.setdefault(member.team_id, listed) if listed is not None else listed
        if other is not listed and other is not None and listed is not None:
            params = {"team": member.team.shown_name, "one": call_listed(other), "other": call_listed(listed)}
            raise RegistrationRefused("team_parted", **params)
    for member in members:
        claims[first[member.team_id].pk].append(member)
    return claims


def call_listed(listed: ListedTeam) -> str:
    """Return the name of a team that signed up, or that of its captain."""
    return listed.captain.team_name or listed.captain.name


def find_teams_of(tournament: Tournament, applicants: Iterable[Applicant]) -> set[int]:
    """Return the ids of the teams whose active members are among these applicants."""
    players = [each.player_id for each in applicants]
    active = TeamMember.objects.filter(tournament=tournament, ended_at=None, player__in=players)
    return set(active.values_list("team", flat=True))


def want_team(listed: ListedTeam) -> WantedTeam:
    """Return the team that is to be made of a present team, whose players are all known."""
    players = [each.player_id for each in listed.members if each.player_id is not None]
    return WantedTeam(players, listed.captain.team_name)


def take_team(listed: ListedTeam, members: Sequence[TeamMember], **asked: Any) -> int:
    """Return the id of the team of the tournament that has some of these players, and let the others come to it.

    `members` are the active members of the teams in which these players are. `asked` has the tournament's id, the user
    and the time. Raise `ActionRefused` if they are in several teams.
    """
    players = want_team(listed).players
    teams = {member.team_id: member.team for member in members}
    if len(teams) > 1:
        other = next(member for member in members if member.player_id in players)
        params = {"name": other.player.name, "team": other.team.shown_name}
        raise ActionRefused("player_in_a_team", "players", **params)
    team = next(iter(teams.values()))
    require_stays(team)
    missing = [pk for pk in players if pk not in {member.player_id for member in members}]
    gone = [member for member in members if member.player_id not in players]
    for member, player in zip(gone, missing, strict=False):
        replace_member(member_id=member.pk, player=player, **asked)
    for player in missing[len(gone) :]:
        add_member(team_id=team.pk, player=player, **asked)
    return team.pk
