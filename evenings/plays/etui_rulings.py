"""The reading of the rulings on whole étuis of a session."""

from collections.abc import Collection

from tournaments.models import EtuiRuling, Play
from tournaments.prepared import PreparedRows
from tournaments.rules.split import BEFORE, find_etui_part

RULINGS = PreparedRows(lambda session: EtuiRuling.objects.filter(session=session).order_by("pk"))


def newest_by_etui(session_id: int, etuis: Collection[int] | None = None) -> dict[int, EtuiRuling]:
    """Return the newest ruling on each étui that has one, by the étui's id. `etuis` may restrict them, by id."""
    if etuis is None:
        rulings = RULINGS(session_id)
    else:
        rulings = list(EtuiRuling.objects.filter(session_id=session_id, etui__in=etuis).order_by("pk"))
    return {ruling.etui_id: ruling for ruling in rulings}


def is_altered_before(play: Play) -> bool:
    """Return whether the étui's cards were altered before this play, so that the cards that it had are not known."""
    ruling = newest_by_etui(play.session_id).get(play.etui_id)
    return find_etui_part(ruling.split if ruling else None, play.position, play.table.number) != BEFORE
