"""A club's list of players: who is put on it, in which order it is shown; the version of the names that pages show."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import F

from clubs.models import Club, Player
from clubs.names import plain
from clubs.roster import RosterLine


@transaction.atomic
def add_players(*, club: Club, lines: Sequence[RosterLine]) -> list[Player]:
    """The club's players of these lines, in their order; those already on the list are found, not doubled.

    A licence number decides; without one, family and first name do. A known name gains the licence it had not.
    """
    Club.every.select_for_update().get(pk=club.pk)
    known = KnownPlayers(club)
    players = [known.find_or_add(line) for line in lines]
    known.save()
    return players


def raise_names_version(*club_ids: int) -> None:
    """Asked within the transaction of whatever changes a name that is shown: a player's, the club's own.

    Pages are kept by this version, and read it before they read any name: what is kept by it can only be newer.
    """
    Club.every.filter(pk__in=club_ids).update(names_version=F("names_version") + 1)


class KnownPlayers:
    """A club's list, read once; who is added or gains a licence is written by `save`."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.by_licence: dict[str, Player] = {}
        self.by_name: dict[tuple[str, str], list[Player]] = {}
        self.new: list[Player] = []
        self.licensed: list[Player] = []
        for player in club.players.order_by("id"):
            self.keep(player)

    def keep(self, player: Player) -> None:
        if player.licence:
            self.by_licence[player.licence] = player
        self.by_name.setdefault(name_key(player), []).append(player)

    def find_or_add(self, line: RosterLine) -> Player:
        namesakes = self.by_name.get(name_key(line), [])
        if not line.licence:
            found = min(namesakes, key=lambda player: player.licence, default=None)
        elif (found := self.by_licence.get(line.licence)) is None:
            found = next((player for player in namesakes if not player.licence), None)
            if found is not None:
                found.licence = line.licence
                self.by_licence[line.licence] = found
                self.licensed.append(found)
        if found is None:
            found = Player(club=self.club, last_name=line.last_name, first_name=line.first_name, licence=line.licence)
            self.keep(found)
            self.new.append(found)
        return found

    def save(self) -> None:
        Player.objects.bulk_update([player for player in self.licensed if player.pk], ["licence"])
        Player.objects.bulk_create(self.new)


def name_key(named: Player | RosterLine) -> tuple[str, str]:
    return named.last_name.casefold(), named.first_name.casefold()


def sort_by_name(players: Iterable[Player]) -> list[Player]:
    """By family name, accents and capitals aside: databases differ about É and "de La"."""
    return sorted(players, key=lambda player: (plain(player.last_name), plain(player.first_name), player.pk))


def write_with_licence(player: Player) -> str:
    """A player as a list in the order of family names shows him."""
    return f"{player.listed} · {player.licence}" if player.licence else player.listed
