"""The doubts about persons of a series: players who may be one person, and whom nobody has joined."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db.models import Q

from clubs.models import Club, Player, Visibility
from clubs.names import simplify_name


class TwinPlayers(NamedTuple):
    """A group of players of a series with the same licence or the same name who count as different persons."""

    players: list[Player]
    by_licence: bool


def find_twins(player_ids: Iterable[int], directed: Collection[Club]) -> list[TwinPlayers]:
    """Return the groups of players in a series who have the same licence or name. This takes one query.

    `directed` are the clubs of the director who reads it. Players of other clubs are among them only if they are shown
    by name. So no director learns who a hidden player of another club is.
    """
    may_be_told = Q(club__in=[club.pk for club in directed]) | Q(person__shown=Visibility.NAME)
    seen_players = Player.objects.real().filter(may_be_told, pk__in=set(player_ids))
    found = seen_players.select_related("club", "person").order_by("pk")
    groups: defaultdict[tuple[bool, str], list[Player]] = defaultdict(list)
    for player in found:
        if player.licence:
            groups[True, player.licence].append(player)
        groups[False, simplify_name(f"{player.last_name} {player.first_name}")].append(player)
    told: list[TwinPlayers] = []
    seen: set[frozenset[int]] = set()
    for (by_licence, _key), players in sorted(groups.items(), key=lambda each: not each[0][0]):
        persons = {player.person_id for player in players}
        numbers = frozenset(player.pk for player in players)
        if len(persons) > 1 and numbers not in seen:
            seen.add(numbers)
            told.append(TwinPlayers(players, by_licence))
    return told


def find_twins_of_members(player_ids: Iterable[int], directed: Collection[Club]) -> list[TwinPlayers]:
    """Return the groups of `find_twins` in which there is a player of these clubs."""
    own = {club.pk for club in directed}
    return [twin for twin in find_twins(player_ids, directed) if any(each.club_id in own for each in twin.players)]
