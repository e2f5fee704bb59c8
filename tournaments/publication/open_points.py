"""What a director looks at before he publishes: what is open still, and what was decided and is in the ranking.

Reads only, in a fixed number of queries. A director who plays is told nothing of the results that are hidden from him.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.models import CorrectionRequest, EtuiRuling, Penalty, Session
from tournaments.plays.desk_state import CHECK_ETUI, DISPUTED, ODD, DeskPlay
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.state import State


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """`is_open`: something is to be settled; else it is settled, and the ranking follows from it."""

    code: str
    count: int
    is_open: bool


class Ruled(NamedTuple):
    """What stands beside the plays: étuis annulled as a whole, penalties and bonuses, the étuis of open requests."""

    annulled: Collection[int]
    penalties: int
    requested: Collection[int]


def read_ruled(session: Session) -> Ruled:
    rulings = newest_by_etui(session.pk).items()
    penalties = Penalty.objects.filter(session=session, reverses=None, reversal=None)
    penalties = penalties.exclude(kind=Penalty.Kind.WARNING)  # which weighs nothing
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None)
    return Ruled(
        {etui for etui, ruling in rulings if ruling.kind == EtuiRuling.Kind.ANNULLED},
        penalties.count(),
        list(waiting.values_list("play__etui", flat=True)),
    )


def open_points(plays: Iterable[DeskPlay], ruled: Ruled) -> list[OpenPoint]:
    """Those that there are, in the order in which they are looked at. `plays`: as the desk has them for its reader."""
    plays = list(plays)
    seen = [each for each in plays if not each.closed]
    hidden = {each.play.etui_id for each in plays if each.closed}
    states = [each.state for each in seen]
    annulled = [each for each in seen if each.annulled and each.play.etui_id not in ruled.annulled]
    found = (
        OpenPoint("missing", sum(each.missing for each in plays), is_open=True),
        OpenPoint("disputed", states.count(DISPUTED), is_open=True),
        OpenPoint("check_etui", states.count(CHECK_ETUI), is_open=True),
        OpenPoint("odd", states.count(ODD), is_open=True),
        OpenPoint("requests", sum(etui not in hidden for etui in ruled.requested), is_open=True),
        OpenPoint("annulled", len(annulled), is_open=False),
        OpenPoint("etuis_annulled", len(set(ruled.annulled) - hidden), is_open=False),
        OpenPoint("adjusted", sum(each.finest == State.ADJUSTED for each in seen), is_open=False),
        OpenPoint("penalties", ruled.penalties, is_open=False),
    )
    return [point for point in found if point.count]
