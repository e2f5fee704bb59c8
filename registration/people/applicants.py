"""The people who signed up for a session: who has a place, who waits, and how readers see them. This module only reads.

In a tournament of teams, a captain signs up a team and names its players. Only a complete team takes a place. It has as
many players as a team needs, and all of them have agreed. Complete teams come in the order in which they became
complete.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from clubs.models import Player, Visibility
from clubs.names import words_of
from clubs.shown import public_name
from clubs.teams import TEAM_SIZES
from evenings.teams.naming import contains_family_name
from scoring.formats import find_format
from tournaments.models import Applicant, Registration, Session

LATE = dt.datetime.max.replace(tzinfo=dt.UTC)  # the moment of a team that is not complete, or of a missing answer
MOST_KEY = 190  # the most letters of an applicant's key, without the number that may follow


class NewApplicant(NamedTuple):
    """The data that a person typed to sign up. Only directors see licence and contact."""

    last_name: str
    first_name: str = ""
    licence: str = ""
    contact: str = ""

    @property
    def words(self) -> str:
        return " ".join(sorted(words_of(f"{self.first_name} {self.last_name}")))

    @property
    def key(self) -> str:
        """The key that identifies the applicant: the words of the name, then the licence.

        It is cut after MOST_KEY letters, because one typed letter may become up to eighteen letters in `words`.
        """
        return f"{self.words} {self.licence}".strip()[:MOST_KEY]

    def is_same(self, other: "NewApplicant") -> bool:
        """Return whether both are probably one person: equal words of the name, and not two different licences."""
        return self.words == other.words and (self.licence == other.licence or "" in (self.licence, other.licence))


class ListedApplicant(NamedTuple):
    """An applicant with their number on the waiting list, or 0 for an applicant with a place.

    `twice` is True if the same name has signed up before and no director has accepted this applicant. `lacks` is True
    for a player of a team that is not complete, which has no place. `held` is True if a director must first accept the
    applicant, or the captain of the team: they have no place and no number.
    """

    applicant: Applicant
    waits: int
    twice: bool = False
    lacks: bool = False
    held: bool = False


class ListedTeam(NamedTuple):
    """A team that signed up: its captain first, then the players whom the captain named, in that order.

    `waits` is the team's number on the waiting list, or 0. `twice` has the ids of members whose name is in another
    team too. `complete_at` is None as long as the team lacks a player, an answer, or the director's acceptance.
    """

    members: Sequence[Applicant]
    waits: int
    twice: frozenset[int]
    complete_at: dt.datetime | None

    @property
    def captain(self) -> Applicant:
        return self.members[0]

    @property
    def pk(self) -> int:
        return self.captain.pk

    @property
    def held(self) -> bool:
        """The answer to whether a director must first accept the team."""
        return self.captain.waits_for_director


def said_by(applicant: Applicant) -> NewApplicant:
    """Return what the applicant typed, without the contact."""
    return NewApplicant(applicant.last_name, applicant.first_name, applicant.licence)


def signs_up_teams(session: Session) -> bool:
    """Return whether captains sign up teams for the session, and not each player alone."""
    format = find_format(session.tournament.format)
    return format.is_for_teams or format.partners > 0


def players_of_team(session: Session) -> int:
    """Return how many players a team of this session has."""
    return TEAM_SIZES[session.tournament.format].least


def read_down(session: Session) -> tuple[list[Applicant], int | None]:
    """Return the applicants who have not withdrawn, in the order in which they were admitted, and the number of places.

    Those who wait for a director come last, because nobody must lose a place to them.
    """
    places = Registration.objects.filter(session=session).values_list("places", flat=True).first()
    down = Applicant.objects.filter(session=session, withdrawn_at=None).order_by("id")
    return sorted(down, key=find_admission), places


def find_admission(applicant: Applicant) -> dt.datetime:
    """Return the moment from which an applicant counts for the places. It is LATE if a director must first accept."""
    return applicant.accepted_at or LATE if applicant.needs_acceptance else applicant.registered_at


def list_down(session: Session) -> Sequence[ListedApplicant]:
    """Return all applicants in the order in which they were admitted. This takes two queries.

    An applicant who signed up twice does not take a place from others. But waiting numbers count all applicants: if
    they did not, a stranger could see from the number whether a name is already signed up.
    """
    if signs_up_teams(session):
        return list_players_of(list_teams_down(session))
    down, places = read_down(session)
    twice = find_twice(down)
    first_once = sorted(down, key=lambda each: each.pk in twice)
    counted = [each for each in first_once if not each.waits_for_director]
    waiting = set() if places is None else {each.pk for each in counted[places:]}
    return [
        ListedApplicant(
            each,
            max(1, number - (places or 0)) if each.pk in waiting else 0,
            each.pk in twice,
            held=each.waits_for_director,
        )
        for number, each in enumerate(down, 1)
    ]


def list_players_of(teams: Sequence[ListedTeam]) -> list[ListedApplicant]:
    """Return the players of the teams, each with the number of the team on the waiting list."""
    return [
        ListedApplicant(each, team.waits, each.pk in team.twice, team.complete_at is None, team.held)
        for team in teams
        for each in team.members
    ]


def list_teams_down(session: Session) -> list[ListedTeam]:
    """Return the teams that signed up: complete ones in the order of becoming complete, then the others.

    This takes two queries. A team with a member who is in another team too does not take a place from others. But the
    waiting numbers count it, as they count single players who signed up twice.
    """
    down, places = read_down(session)
    size = players_of_team(session)
    named = defaultdict[int, list[Applicant]](list)
    for each in down:
        if each.captain_id is not None:
            named[each.captain_id].append(each)
    teams = [[each, *named[each.pk]] for each in down if each.captain_id is None]
    complete = {team[0].pk: moment for team in teams if (moment := find_completion(team, size)) is not None}
    twice = find_twice(down, complete)
    first_once = sorted(
        (team for team in teams if team[0].pk in complete),
        key=lambda team: (any(each.pk in twice for each in team), complete[team[0].pk], team[0].pk),
    )
    waiting = set() if places is None else {team[0].pk for team in first_once[places:]}
    order = sorted(teams, key=lambda team: (team[0].pk not in complete, complete.get(team[0].pk), team[0].pk))
    return [
        ListedTeam(
            team,
            max(1, number - (places or 0)) if team[0].pk in waiting else 0,
            frozenset(each.pk for each in team if each.pk in twice),
            complete.get(team[0].pk),
        )
        for number, team in enumerate(order, 1)
    ]


def find_completion(team: Sequence[Applicant], size: int) -> dt.datetime | None:
    """Return the moment when the last player of a complete team agreed, or a director accepted it, if that was later.

    Return None if the team is not complete, or if a director must first accept it. `team` has the captain first.
    """
    agreed = [each.agreed_at for each in team if each.agreed_at is not None]
    admitted = find_admission(team[0])
    return max(*agreed, admitted) if len(agreed) == len(team) >= size and admitted < LATE else None


def list_withdrawn(session: Session) -> list[Applicant]:
    """Return the applicants who withdrew or were removed and have not signed up again, the latest first.

    This takes two queries.
    """
    down = set(Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True))
    gone = Applicant.objects.filter(session=session).exclude(withdrawn_at=None).order_by("-withdrawn_at", "-id")
    return list({each.key: each for each in reversed(gone) if each.key not in down}.values())[::-1]


def find_next(down: Sequence[ListedApplicant]) -> Applicant | None:
    """Return the first applicant on the waiting list who can move up, or None."""
    return next((each.applicant for each in down if each.waits and not each.twice), None)


def find_twice(down: Sequence[Applicant], complete: Mapping[int, dt.datetime] | None = None) -> set[int]:
    """Return the ids of applicants whose name another applicant already has, unless a director has accepted both.

    `down` is in the order of signing up. `complete` has the complete teams by the ids of their captains, with the
    moment. Their players have the name first, in the order of these moments. Among the others, the player who agreed
    first has it. So a team that waits for answers never takes the place of a complete one.
    """
    whole = complete or {}
    named: dict[str, list[tuple[NewApplicant, bool]]] = {}
    twice = set()

    def order(each: Applicant) -> tuple[bool, bool, dt.datetime, dt.datetime]:
        team = each.captain_id or each.pk
        return team not in whole, each.accepted_at is None, whole.get(team, LATE), each.agreed_at or LATE

    for each in sorted(down, key=order):
        name, accepted = said_by(each), each.accepted_at is not None
        namesakes = named.setdefault(name.words, [])
        if any(name.is_same(other) and not (accepted and also) for other, also in namesakes):
            twice.add(each.pk)
        else:
            namesakes.append((name, accepted))
    return twice


def find_seated(session: Session) -> set[int]:
    """Return the ids of the applicants who have a place."""
    return {each.applicant.pk for each in list_down(session) if not (each.waits or each.lacks or each.held)}


def call_down(session: Session, applicants: Sequence[Applicant]) -> dict[int, str]:
    """Return the names of applicants as the public sees them, by id. This takes one query.

    An applicant may be a player who is not shown by name: the account, the licence or the words of the name are equal.
    Then the applicant is shown in the same way as that player.
    """
    mine = Q(club=session.tournament.club_id) | Q(account__in=[each.user_id for each in applicants])
    private = Player.objects.real().exclude(person__shown=Visibility.NAME).filter(mine).select_related("person")
    names = [(player, NewApplicant(player.last_name, player.first_name).words) for player in private]
    return {each.pk: call_as_listed(each, names) for each in applicants}


def call_as_listed(applicant: Applicant, private: Sequence[tuple[Player, str]]) -> str:
    """Return the name of an applicant as the public sees it.

    `private` has players who are not shown by name, with the words of their names.
    """
    name = NewApplicant(applicant.last_name, applicant.first_name)
    who, user = applicant.player_id, applicant.user_id
    may_be = [
        player
        for player, words in private
        if player.pk == who
        or (user and player.account_id == user)
        or (player.licence and player.licence == applicant.licence)
        or words == name.words
    ]
    most = max(may_be, key=lambda player: Visibility(player.person.shown).privacy, default=None)
    return public_name(most) if most else applicant.name


def call_team(team: ListedTeam, names: dict[int, str]) -> str:
    """Return the name of a team as the public sees it, or "" if it has none.

    `names` has the public names of the members whom everybody may see, by id. The name is "" until a director has
    accepted it, even if the captain's own name is shown at once. It is also "" if it contains the family name of a
    member who is not shown by name.
    """
    name, hidden = team.captain.team_name, [each for each in team.members if names.get(each.pk) != each.name]
    if team.captain.team_name_shown_at is None or any(contains_family_name(name, each.last_name) for each in hidden):
        return ""
    return name
