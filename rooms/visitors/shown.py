"""The names of visitors as others see them: players as `clubs.shown` says, guests by their own name and a mark.

Somebody without a name, because it was hidden, forgotten or erased, is shown by a number.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.shown import PUBLIC, how_shown, name_columns_of, public_name
from rooms.models import Visitor


class ShownName(NamedTuple):
    """The text to show for a visitor. `is_named`: whether it is a name, and not initials or a number.

    `is_unchecked`: it is the name that an account without a club has chosen. It may be the name of a club's player.
    """

    name: str
    is_named: bool
    is_guest: bool
    is_program: bool
    country: str = ""
    is_unchecked: bool = False


def write_visitor_number(pk: int) -> str:
    return _("Player no. %(number)s") % {"number": pk}


def show_visitor_names(visitors: Iterable[Visitor]) -> dict[int, ShownName]:
    """Return how these visitors are shown, by their ids. One query, whatever their number."""
    by_id = {visitor.pk: visitor for visitor in visitors}
    accounts = {visitor.account_id for visitor in by_id.values() if visitor.account_id is not None}
    players: dict[int | None, Player] = {}
    if accounts:
        rows = Player.objects.real().filter(account__in=accounts).select_related(*PUBLIC)
        players = {player.account_id: player for player in rows.order_by("-pk")}
    return {pk: show_visitor(visitor, players.get(visitor.account_id)) for pk, visitor in by_id.items()}


def show_visitor(visitor: Visitor, player: Player | None) -> ShownName:
    """Return how a visitor is shown. `player` is the player of a club that the visitor's account is, or None."""
    is_guest = visitor.account_id is None and visitor.forgotten_at is None
    if player is not None and visitor.account_id is not None:
        shown = how_shown(name_columns_of(player))
        country = "" if shown == "hidden" else player.country
        return ShownName(public_name(player), shown == "name", False, visitor.is_program, country)
    if visitor.hidden_at is not None or not visitor.name:
        return ShownName(write_visitor_number(visitor.pk), False, is_guest, visitor.is_program)
    is_unchecked = visitor.account_id is not None
    country = visitor.country if is_unchecked else ""
    return ShownName(visitor.name, True, is_guest, visitor.is_program, country, is_unchecked)
