"""What pages of several rooms show or send alike."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.utils.translation import gettext

from clubs.models import Player
from clubs.names import plain
from deals.models import DealSet

MAX_POSITIONS = 60


def download(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def origin_text(deal_set: DealSet, *, imported: bool) -> str:
    """Where the cards of a set come from, in a few words."""
    if deal_set.seed_imported:
        return gettext("dealt from an imported seed")
    if deal_set.commitment:
        return gettext("dealt by the site from a seed")
    return gettext("imported, without a seed") if imported else gettext("dealt at the tables, without a seed")


def alphabetical(players: Iterable[Player]) -> list[Player]:
    """By family name, accents and capitals aside: databases differ about É and "de La"."""
    return sorted(players, key=lambda player: (plain(player.last_name), plain(player.first_name), player.pk))


def list_name(player: Player) -> str:
    """A player as a list in the order of family names shows him."""
    return f"{player.listed} · {player.licence}" if player.licence else player.listed
