"""What has been ruled on whole étuis of a session. Reads only."""

from collections.abc import Collection

from tournaments.models import EtuiRuling


def newest_by_etui(session_id: int, etuis: Collection[int] | None = None) -> dict[int, EtuiRuling]:
    """The ruling in force of each étui that has any; of these étuis, or of all."""
    rulings = EtuiRuling.objects.filter(session_id=session_id).order_by("pk")
    if etuis is not None:
        rulings = rulings.filter(etui__in=etuis)
    return {ruling.etui_id: ruling for ruling in rulings}
