"""What has been ruled on whole étuis of a session. Reads only."""

from tournaments.models import EtuiRuling


def newest_by_etui(session_id: int) -> dict[int, EtuiRuling]:
    """The ruling in force of each étui that has any."""
    return {ruling.etui_id: ruling for ruling in EtuiRuling.objects.filter(session_id=session_id).order_by("pk")}


def find_annulled(session_id: int) -> set[int]:
    """Ids of the étuis that the arbiter has taken out of the whole session."""
    newest = newest_by_etui(session_id)
    return {etui for etui, ruling in newest.items() if ruling.kind == EtuiRuling.Kind.ANNULLED}
