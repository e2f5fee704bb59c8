"""What has been ruled on whole étuis of a session. Reads only."""

from tournaments.models import EtuiRuling


def newest_by_etui(session_id: int) -> dict[int, EtuiRuling]:
    """The ruling in force of each étui that has any."""
    return {ruling.etui_id: ruling for ruling in EtuiRuling.objects.filter(session_id=session_id).order_by("pk")}
