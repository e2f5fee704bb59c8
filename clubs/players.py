"""The list of a club's players: adding players, and sorting them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import ClassVar, NamedTuple

from django.db import transaction

from clubs.matching import KnownPlayer, MatchedLine, name_key, say_name, words_in
from clubs.models import Club, Person, Player
from clubs.names import licence_key, simplify_name
from clubs.roster import FACTS, RosterError, RosterLine
from clubs.shown import YOUNG, lock_clubs, update_visibility
from clubs.shown import raise_names_version as raise_names_version  # callers import it from this module
from wording import Refusal, Texts
from wording import gettext_noop as _


@transaction.atomic
def add_players(*, club: Club, lines: Sequence[RosterLine]) -> list[Player]:
    """Return the club's players for these lines, in the same order. Players not yet on the list are added.

    A player is found by licence or, without one, by family and first name. If a player without licence is found, the
    player gets the line's licence. Raise RosterError if two lines have one licence and different names.
    """
    require_own_licences(lines)
    Club.every.select_for_update().get(pk=club.pk)
    known_players = KnownPlayers(club)
    players = [known_players.find_or_add(line) for line in lines]
    known_players.save()
    return players


def require_own_licences(lines: Iterable[RosterLine]) -> None:
    """Raise RosterError if two lines have one licence and different names."""
    first: dict[str, RosterLine] = {}
    for number, line in enumerate(lines, start=1):
        other = first.setdefault(licence_key(line.licence), line)
        if line.licence and words_in(line) != words_in(other):
            params = {"line": number, "name": say_name(line), "other": say_name(other), "licence": line.licence}
            raise RosterError("roster_licence_twice", **params)


class ListCounts(NamedTuple):
    """The numbers that the page of a list tells, and that are written.

    `rows`: the rows that are saved, for example seats or teams. `new`: the players who are added to the club's list.
    `completed`: the players on that list who get data that they lacked, or are offered again.
    """

    rows: int = 0
    new: int = 0
    completed: int = 0


def require_told(told: ListCounts | None, now: ListCounts) -> None:
    """Raise `ListChanged` if a page has told other numbers. None tells nothing."""
    if told is not None and told != now:
        raise ListChanged("list_changed", "text")


def take_list(*, club: Club, taken: Sequence[MatchedLine]) -> list[Player]:
    """Return the players that these lines mean, as `take_counted` does."""
    return take_counted(club=club, taken=taken)[0]


@transaction.atomic
def take_counted(
    *, club: Club, taken: Sequence[MatchedLine], told: ListCounts | None = None
) -> tuple[list[Player], ListCounts]:
    """Return the players that these lines mean, in the same order, and the numbers that are written.

    `told` has the numbers that a page has told. Raise `ListChanged`, and write nothing, if they would be others.

    A player gets the data of the line that the list lacks: category, club of origin, or a licence that nobody has. If
    the player was put away, the list offers the player again. A new player with the name of a player without licence is
    that player: another director has added the player in the meantime. So is one with the licence and the words of the
    name of a player. If the name of this licence is another one, the new player gets no licence. Raise PlayerGone if a
    player is no longer on the list.
    """
    # the way in which young players are shown may change, in other clubs too
    if any(each.line.category in YOUNG for each in taken):
        lock_clubs(*club.players.filter(pk__in=[each.player for each in taken if each.player]))
    Club.every.select_for_update().get(pk=club.pk)
    known_players = KnownPlayers(club)
    players = [known_players.take(each) for each in taken]
    counts = known_players.count(len(taken))
    require_told(told, counts)
    known_players.save()
    return players, counts


class ListOutlook(NamedTuple):
    """The forecast of `take_counted`: the players of the lines, unsaved, the numbers, and the data that players get.

    `gains` has the fields that a player gets, by the player's id; `put_away_at` for one who is offered again.
    """

    players: list[Player]
    counts: ListCounts
    gains: dict[int, list[str]]


def foresee_list(club: Club, taken: Sequence[MatchedLine]) -> ListOutlook:
    """Return what `take_counted` would write for these lines at this moment. This takes one query."""
    known_players = KnownPlayers(club)
    before = {player.pk: values_of(player) for player in known_players.by_id.values()}
    players = [known_players.take(each) for each in taken]
    changed = {player.pk: values_of(player) for player in (*known_players.gained, *known_players.back) if player.pk}
    gains = {pk: [name for name in now if now[name] != before.get(pk, now)[name]] for pk, now in changed.items()}
    return ListOutlook(players, known_players.count(len(taken)), gains)


def values_of(player: Player) -> dict[str, object]:
    return {name: getattr(player, name) for name in ("licence", *FACTS, "put_away_at")}


def known_of(club: Club) -> list[KnownPlayer]:
    """Return the club's players as the matching of names needs them, with one query.

    Players put away are included. So are former names of merged players, with the number of the player into whom they
    were merged. Erased players are left out.
    """
    rows = (
        club.players.filter(erased_at=None, merged_into__erased_at=None)
        .order_by("id")
        .values_list("merged_into", "pk", "last_name", "first_name", "licence")
    )
    return [KnownPlayer(now or pk, last, first, licence, now is not None) for now, pk, last, first, licence in rows]


class PlayerGone(Refusal):
    """A refused choice: the chosen player is no longer on the club's list."""

    messages: ClassVar[Texts] = {
        "player_gone": _("%(name)s is no longer on the club’s list: look at the names again."),
    }


class ListChanged(Refusal):
    """A refused list: somebody has changed something since the page showed the numbers that would be written."""

    messages: ClassVar[Texts] = {
        "list_changed": _(
            "Somebody has changed the players meanwhile, so other numbers would be saved. Nothing is saved: look again."
        ),
    }


class KnownPlayers:
    """The list of a club, read once. `save` writes the players who were added or changed."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.by_licence: dict[str, Player] = {}
        self.by_exact: dict[str, Player] = {}  # as they are written, with all zeros
        self.by_id: dict[int, Player] = {}
        self.by_name: dict[tuple[str, str], list[Player]] = {}
        self.new: list[Player] = []
        self.gained: list[Player] = []
        self.back: list[Player] = []
        for player in club.players.filter(erased_at=None).select_related("merged_into").order_by("id"):
            self.by_id[player.pk] = player
            self.keep(player)

    def keep(self, player: Player) -> None:
        """Make the player findable by licence and name. A merged player is found as the player it was merged into."""
        self.by_exact.setdefault(player.licence, player.is_now)
        if player.licence and (player.merged_into is None or licence_key(player.licence) not in self.by_licence):
            self.by_licence[licence_key(player.licence)] = player.is_now
        namesakes = self.by_name.setdefault(name_key(player), [])
        if player.is_now not in namesakes:
            namesakes.append(player.is_now)

    def find_or_add(self, line: RosterLine) -> Player:
        namesakes = self.by_name.get(name_key(line), [])
        if not line.licence:
            namesake = min(namesakes, key=lambda player: player.licence, default=None)
        elif (namesake := self.find_holder(line)) is None:
            namesake = next((player for player in namesakes if not player.licence), None)
            if namesake is not None:
                self.give_licence(namesake, line.licence)
        return namesake or self.add(line)

    def find_holder(self, line: RosterLine) -> Player | None:
        """Return the player with the line's licence. If its zeros differ, the player has the words of the name too."""
        near = self.by_licence.get(licence_key(line.licence))
        return self.by_exact.get(line.licence) or (near if near and words_in(near) == words_in(line) else None)

    def take(self, taken: MatchedLine) -> Player:
        line = taken.line
        if taken.player is None:
            player = self.by_licence.get(licence_key(line.licence))
            if player is not None and words_in(player) != words_in(line):
                line, player = replace(line, licence=""), None  # the licence is somebody else's
            if player is not None:
                self.complete_licence(player, line.licence)
            return player or self.bare(line) or self.add(line)
        player = self.by_id.get(taken.player)
        if player is None or player.merged_into is not None:
            raise PlayerGone("player_gone", "text", name=say_name(line))
        self.complete_licence(player, line.licence)
        self.complete(player, line)
        if player.put_away_at is not None:
            player.put_away_at = None
            self.back.append(player)
        return player

    def bare(self, line: RosterLine) -> Player | None:
        """Return the player for a line without licence: one with exactly this name and no licence, or None.

        A player who had this name before a merge is found too.
        """
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
        self.by_exact[licence] = player
        self.by_licence[licence_key(licence)] = player
        self.gained.append(player)

    def complete_licence(self, player: Player, licence: str) -> None:
        """Give a licence that nobody has to a player without one, or the zeros that the player's licence lacks."""
        key = licence_key(licence)
        if player.licence:
            is_better = licence_key(player.licence) == key and len(licence) > len(player.licence)
        else:
            is_better = bool(licence) and key not in self.by_licence
        if is_better and licence not in self.by_exact:
            self.give_licence(player, licence)

    def complete(self, player: Player, line: RosterLine) -> None:
        """Fill the empty fields of a player with the data of a line."""
        missing = [name for name in FACTS if getattr(line, name) and not getattr(player, name)]
        for name in missing:
            setattr(player, name, getattr(line, name))
        if missing:
            self.gained.append(player)

    def count(self, rows: int) -> ListCounts:
        """Return the numbers that `save` writes for a list with so many rows."""
        completed = {player.pk for player in (*self.gained, *self.back) if player.pk}
        return ListCounts(rows, len(self.new), len(completed))

    def save(self) -> None:
        gained = {player.pk: player for player in self.gained if player.pk}
        Player.objects.bulk_update(gained.values(), ["licence", *FACTS])
        Player.objects.bulk_update(self.back, ["put_away_at"])
        persons = Person.objects.bulk_create(Person() for _player in self.new)
        for player, person in zip(self.new, persons, strict=True):
            player.person = person
        Player.objects.bulk_create(self.new)
        young = [player.person_id for player in (*gained.values(), *self.new) if player.category in YOUNG]
        update_visibility(*Person.objects.filter(pk__in=young)) if young else None


def sort_by_name(players: Iterable[Player]) -> list[Player]:
    """Return the players sorted by family name, ignoring accents and capitals.

    The order of a database would depend on the database.
    """
    return sorted(
        players, key=lambda player: (simplify_name(player.last_name), simplify_name(player.first_name), player.pk)
    )


def write_with_licence(player: Player) -> str:
    """Return the name of a player, family name first, followed by the licence if there is one."""
    return f"{player.listed} · {player.licence}" if player.licence else player.listed
