"""The people behind the player ids of publications, as ratings and leaderboards count them.

A person may be a player of several clubs, and a player may have been merged into another one. All their results count
for one person. An erased player still counts as an opponent, but has no figures.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from clubs.models import Player, Visibility

NOBODY = 0  # the person of a player who is erased


class PlayerRow(NamedTuple):
    """The columns of a player that decide for whom the player's results count, and who is listed."""

    pk: int
    person: int
    now: int | None
    club: int
    is_erased: bool
    is_named: bool
    is_unrated: bool


@dataclass(frozen=True, slots=True)
class People:
    """The persons of all players. `person_of` and `player_of` are by the player id in a publication.

    `player_of` has the player into whom the player was merged. `club_of` has the club of each player. `named` are the
    persons who are shown by name in public, and `unrated` those whose rating is switched off.
    """

    person_of: dict[int, int]
    player_of: dict[int, int]
    club_of: dict[int, int]
    named: frozenset[int]
    unrated: frozenset[int]

    def find_person(self, player: int) -> int:
        """Return the person of a player, or NOBODY. A player without a row is nobody, too."""
        return self.person_of.get(player, NOBODY)

    def find_opponent(self, player: int) -> int:
        """Return the number by which a rating knows a player: the person, or a number below 0 for an erased player."""
        return self.person_of.get(player) or -player


def read_rated_people() -> tuple[People, list[PlayerRow]]:
    """Return all people, and the rows from which they were read. One query."""
    columns = ("pk", "person_id", "merged_into_id", "club_id", "erased_at", "merged_into__erased_at", "person__shown")
    rows = Player.objects.order_by("pk").values_list(*columns, "unrated_by_self", "unrated_by_club")
    player_rows = [
        PlayerRow(pk, person, now, club, bool(erased or gone), shown == Visibility.NAME, own or others)
        for pk, person, now, club, erased, gone, shown, own, others in rows
    ]
    return gather_people(player_rows), player_rows


def gather_people(rows: Iterable[PlayerRow]) -> People:
    """Return who the players in these rows are as persons. Erased players are left out."""
    present = [row for row in rows if not row.is_erased]
    return People(
        person_of={row.pk: row.person for row in present},
        player_of={row.pk: row.now or row.pk for row in present},
        club_of={row.pk: row.club for row in present},
        named=frozenset(row.person for row in present if row.is_named),
        unrated=frozenset(row.person for row in present if row.is_unrated),
    )
