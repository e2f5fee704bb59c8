"""How people stand in what is public: by name, by initials, or hidden. `public_name` is the only way by which a name
gets onto anything that a stranger may see: pages, answers, files, feeds, pictures.

What is said of a person is kept (`ShownWord`), the newest word counts, and `Person.shown` holds what follows from it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.models import Player, Shown
from clubs.names import initials_of

# What a query of players joins so that they can be shown.
PUBLIC = ("person", "merged_into__person")


class Called(NamedTuple):
    """What stands for a player, and whether it is his name."""

    name: str
    named: bool


def public_name(player: Player) -> str:
    """What stands for a player in public. Asks nothing where `person` and `merged_into__person` are loaded (PUBLIC)."""
    who = player.is_now
    if who.erased_at or who.person.shown == Shown.NAME:
        return who.name
    if who.person.shown == Shown.INITIALS and (letters := initials_of(who.first_name, who.last_name)):
        return letters
    return _("Hidden player")


def is_named(player: Player) -> bool:
    """Whether he stands by his name, so that a page of his own may be led to."""
    who = player.is_now
    return who.erased_at is None and who.person.shown == Shown.NAME


def call_in_public(ids: Iterable[int]) -> dict[int, Called]:
    """By one query, for whoever may read."""
    players = Player.objects.select_related(*PUBLIC).in_bulk(ids)
    return {pk: Called(public_name(player), is_named(player)) for pk, player in players.items()}


def call_for_directors(ids: Iterable[int]) -> dict[int, Called]:
    """By one query, for those who run the evening: everybody by his name."""
    players = Player.objects.select_related(*PUBLIC).in_bulk(ids)
    return {pk: Called(player.is_now.name, is_named(player)) for pk, player in players.items()}
