"""The names of teams that readers may see. Publications do not store them: they are read when a page is shown."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q
from django.db.models.functions import Coalesce

from clubs.models import Player, Visibility
from clubs.names import words_of
from tournaments.models import Entrant, Team, TeamMember

SHORT = 2  # a family name with at most this number of letters hides a team's name only if it is a separate word in it


def read_public_names(teams: Iterable[Team]) -> dict[int, str]:
    """Return the public names of teams by their ids. At most two queries, for any number of teams.

    A team without a name of its own is shown by its number: "Team 7". The number is also shown for two other kinds of
    teams. In the first, a present or former member was erased. In the second, the name contains the family name of a
    hidden member.
    """
    teams = list(teams)
    hidden = read_hidden_names([team.pk for team in teams if team.name])
    return {
        team.pk: team.numbered
        if not team.name or any(contains_family_name(team.name, last) for last in hidden.get(team.pk, ()))
        else team.name
        for team in teams
    }


def join_public_names(entrants: Iterable[Entrant]) -> None:
    """Join to the teams of these entrants the names that readers may see.

    This takes no query if single players play.
    """
    teams = [entrant.team for entrant in entrants if entrant.team is not None]
    names = read_public_names(teams) if teams else {}
    for team in teams:
        team.name_for_readers = names[team.pk]


def read_hidden_names(team_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the family names of members and former members who are not shown by name, by team.

    The name of an erased member is "".

    The names that a player had before a merge are among them.
    """
    ids = list(team_ids)
    if not ids:
        return {}
    members = defaultdict[int, set[int]](set)
    rows = TeamMember.objects.filter(team__in=ids).annotate(now=Coalesce("player__merged_into", "player"))
    for team, own, now in rows.order_by().values_list("team", "player", "now"):
        members[own].add(team)
        members[now].add(team)
    hidden = Q(erased_at__isnull=False) | ~Q(person__shown=Visibility.NAME)
    merged = Q(merged_into__erased_at__isnull=False) | Q(merged_into__isnull=False) & ~Q(
        merged_into__person__shown=Visibility.NAME
    )
    players = Player.objects.filter(Q(pk__in=members) | Q(merged_into__in=members)).filter(hidden | merged)
    found = defaultdict[int, list[str]](list)
    columns = "pk", "merged_into", "last_name", "erased_at", "merged_into__erased_at"
    for pk, now, last, erased, also in players.order_by().values_list(*columns):
        for team in members.get(pk, set()) | members.get(now or 0, set()):
            found[team].append("" if erased or also else last)
    return dict(found)


def contains_family_name(name: str, last: str) -> bool:
    """Return whether a team's name contains a family name, ignoring accents, capitals, hyphens and spaces.

    An empty family name is contained in every name, because nobody knows it any more.
    """
    wanted, words = "".join(words_of(last)), words_of(name)
    if len(wanted) > SHORT or not wanted:
        return wanted in "".join(words)
    return wanted in words
