"""What has been ruled on whole étuis of a session. Reads only."""

from collections.abc import Collection

from tournaments.models import EtuiRuling
from tournaments.prepared import Prepared

RULINGS = Prepared(lambda session: EtuiRuling.objects.filter(session=session).order_by("pk"))


def newest_by_etui(session_id: int, etuis: Collection[int] | None = None) -> dict[int, EtuiRuling]:
    """The ruling in force of each étui that has any; of these étuis, or of all."""
    if etuis is None:
        rulings = RULINGS(session_id)
    else:
        rulings = list(EtuiRuling.objects.filter(session_id=session_id, etui__in=etuis).order_by("pk"))
    return {ruling.etui_id: ruling for ruling in rulings}
