"""A club's list of players: who is put on it, in which order it is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import ClassVar

from django.db import transaction

from clubs.answers import Taken
from clubs.matching import Known, name_key
from clubs.models import Club, Person, Player
from clubs.names import plain
from clubs.names_version import raise_names_version as raise_names_version  # asked for here by whoever adds players
from clubs.roster import RosterLine
from clubs.shown import YOUNG, lock_clubs, settle
from wording import Refusal, Texts
from wording import gettext_noop as _


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


@transaction.atomic
def take_list(*, club: Club, taken: Sequence[Taken]) -> list[Player]:
    """The players whom these lines mean, in their order; who is new is put on the list.

    Who is named gains what a line tells and the list had not (category, club of origin, a licence that nobody has),
    and is listed again where he was put away. Somebody new of the very name of a player without licence is that player:
    another director was faster. `PlayerGone` where somebody is no longer on the list.
    """
    if any(each.line.category in YOUNG for each in taken):  # it may change how a person is shown in other clubs too
        lock_clubs(*club.players.filter(pk__in=[each.player for each in taken if each.player]))
    Club.every.select_for_update().get(pk=club.pk)
    known = KnownPlayers(club)
    players = [known.take(each) for each in taken]
    known.save()
    return players


def known_of(club: Club) -> list[Known]:
    """The club's list as names are held against it, those put away too, and the former names of those merged under the
    number of whom they are now; nobody who was erased. One query."""
    rows = (
        club.players.filter(erased_at=None, merged_into__erased_at=None)
        .order_by("id")
        .values_list("merged_into", "pk", "last_name", "first_name", "licence")
    )
    return [Known(now or pk, last, first, licence, now is not None) for now, pk, last, first, licence in rows]


class PlayerGone(Refusal):
    """Somebody was chosen who has left the club's list meanwhile."""

    messages: ClassVar[Texts] = {
        "player_gone": _("%(name)s is no longer on the club’s list: look at the names again."),
    }


class KnownPlayers:
    """A club's list, read once; who is added or gains a licence is written by `save`."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.by_licence: dict[str, Player] = {}
        self.by_id: dict[int, Player] = {}
        self.by_name: dict[tuple[str, str], list[Player]] = {}
        self.new: list[Player] = []
        self.gained: list[Player] = []
        self.back: list[Player] = []
        for player in club.players.filter(erased_at=None).select_related("merged_into").order_by("id"):
            self.by_id[player.pk] = player
            self.keep(player)

    def keep(self, player: Player) -> None:
        """Under what he is looked up by; who has been merged leads to whom he is now."""
        if player.licence and (player.merged_into is None or player.licence not in self.by_licence):
            self.by_licence[player.licence] = player.is_now
        namesakes = self.by_name.setdefault(name_key(player), [])
        if player.is_now not in namesakes:
            namesakes.append(player.is_now)

    def find_or_add(self, line: RosterLine) -> Player:
        namesakes = self.by_name.get(name_key(line), [])
        if not line.licence:
            found = min(namesakes, key=lambda player: player.licence, default=None)
        elif (found := self.by_licence.get(line.licence)) is None:
            found = next((player for player in namesakes if not player.licence), None)
            if found is not None:
                self.give_licence(found, line.licence)
        return found or self.add(line)

    def take(self, taken: Taken) -> Player:
        line = taken.line
        if taken.player is None:
            found = self.by_licence.get(line.licence) or self.bare(line)
            return found or self.add(line)
        found = self.by_id.get(taken.player)
        if found is None or found.merged_into is not None:
            raise PlayerGone("player_gone", "text", name=f"{line.first_name} {line.last_name}".strip())
        if line.licence and not found.licence and line.licence not in self.by_licence:
            self.give_licence(found, line.licence)
        self.complete(found, line)
        if found.put_away_at is not None:
            found.put_away_at = None
            self.back.append(found)
        return found

    def bare(self, line: RosterLine) -> Player | None:
        """Who has the line's very name and no licence, as it has none; or had that name before he was merged."""
        key = name_key(line)
        namesakes = self.by_name.get(key, []) if not line.licence else []
        return next((player for player in namesakes if not player.licence or name_key(player) != key), None)

    def add(self, line: RosterLine) -> Player:
        player = Player(club=self.club, **asdict(line))
        self.keep(player)
        self.new.append(player)
        return player

    def give_licence(self, player: Player, licence: str) -> None:
        player.licence = licence
        self.by_licence[licence] = player
        self.gained.append(player)

    def complete(self, player: Player, line: RosterLine) -> None:
        """Give a player what a line tells of them and the list has not."""
        missing = [
            name for name in ("category", "origin", "series") if getattr(line, name) and not getattr(player, name)
        ]
        for name in missing:
            setattr(player, name, getattr(line, name))
        if missing:
            self.gained.append(player)

    def save(self) -> None:
        gained = {player.pk: player for player in self.gained if player.pk}
        Player.objects.bulk_update(gained.values(), ["licence", "category", "origin", "series"])
        Player.objects.bulk_update(self.back, ["put_away_at"])
        persons = Person.objects.bulk_create(Person() for _player in self.new)
        for player, person in zip(self.new, persons, strict=True):
            player.person = person
        Player.objects.bulk_create(self.new)
        young = [player.person_id for player in (*gained.values(), *self.new) if player.category in YOUNG]
        settle(*Person.objects.filter(pk__in=young)) if young else None


def sort_by_name(players: Iterable[Player]) -> list[Player]:
    """By family name, accents and capitals aside: databases differ about É and "de La"."""
    return sorted(players, key=lambda player: (plain(player.last_name), plain(player.first_name), player.pk))


def write_with_licence(player: Player) -> str:
    """A player as a list in the order of family names shows him."""
    return f"{player.listed} · {player.licence}" if player.licence else player.listed
