"""The étuis of closed rooms for the bots that play by night: those that somebody has played, the newest first."""

from django.db.models import Exists, OuterRef

from evenings.spreads import SpreadCandidate, register_source
from rooms.models import Game
from tournaments.models import BotSpread


def find_etui_of_rooms() -> SpreadCandidate | None:
    """Return the first étui without a spread of the newest closed room, or None. In rooms there is an auction."""
    played = Game.objects.filter(table__is_filler=False, table__room__closed_at__isnull=False)
    new = played.filter(~Exists(BotSpread.objects.filter(etui=OuterRef("etui"), taker="")))
    first = new.select_related("table__room").order_by("-table__room__closed_at", "etui__number").first()
    if first is None or first.table.room.closed_at is None:
        return None
    return SpreadCandidate(first.table.room.closed_at, first.etui_id, "")


def register_etuis() -> None:
    """Let the bots of the night play étuis of rooms. The app calls it once when the site starts."""
    register_source(find_etui_of_rooms)
