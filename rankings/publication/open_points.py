"""The checklist before a publication: how much is still open, and which decisions are part of the ranking.

This module only reads, in a fixed number of queries. Directors who play in the session do not learn about étuis that
they have still to play.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from evenings.plays.desk_state import CHECK_ETUI, DISPUTED, ODD, DeskPlay
from evenings.plays.free.unseated import count_unseated
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.state import PlayState
from tournaments.models import CorrectionRequest, EtuiRuling, Penalty, Session


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A point of the checklist, with a count.

    `is_open` is True if somebody still has to settle it. A point that is settled is already part of the ranking.
    """

    code: str
    count: int
    is_open: bool


class OpenRulings(NamedTuple):
    """The rulings that concern more than one play, and open requests for a correction.

    `annulled` has the ids of étuis that are annulled for all tables. `penalties` is the number of penalties and
    bonuses. `requested` has the id of an étui for each open request. `unseated` is the number of results of games that
    are not seated yet.
    """

    annulled: Collection[int]
    penalties: int
    requested: Collection[int]
    unseated: int = 0


def read_ruled(session: Session) -> OpenRulings:
    """Return the rulings and the open requests of the session.

    A warning is not counted, because it changes no percentage.
    """
    rulings = newest_by_etui(session.pk).items()
    penalties = Penalty.objects.filter(session=session, reverses=None, reversal=None)
    penalties = penalties.exclude(kind=Penalty.PenaltyKind.WARNING)  # a warning changes no percentage
    waiting = CorrectionRequest.objects.filter(play__session=session, decided_at=None, withdrawn_at=None)
    return OpenRulings(
        {etui for etui, ruling in rulings if ruling.kind == EtuiRuling.EtuiRulingKind.ANNULLED},
        penalties.count(),
        list(waiting.values_list("play__etui", flat=True)),
        count_unseated(session),
    )


def open_points(plays: Iterable[DeskPlay], ruled: OpenRulings) -> list[OpenPoint]:
    """Return the points of the checklist whose count is not 0.

    `plays` are the session's plays as the desk shows them to the reader.
    """
    plays = list(plays)
    seen = [each for each in plays if not each.closed]
    hidden = {each.play.etui_id for each in plays if each.closed}
    states = [each.state for each in seen]
    annulled = [each for each in seen if each.annulled and each.play.etui_id not in ruled.annulled]
    found = (
        OpenPoint("missing", sum(each.missing for each in plays), is_open=True),
        OpenPoint("unseated", ruled.unseated, is_open=True),
        OpenPoint("disputed", states.count(DISPUTED), is_open=True),
        OpenPoint("check_etui", states.count(CHECK_ETUI), is_open=True),
        OpenPoint("odd", states.count(ODD), is_open=True),
        OpenPoint("requests", sum(etui not in hidden for etui in ruled.requested), is_open=True),
        OpenPoint("annulled", len(annulled), is_open=False),
        OpenPoint("etuis_annulled", len(set(ruled.annulled) - hidden), is_open=False),
        OpenPoint("adjusted", sum(each.finest == PlayState.ADJUSTED for each in seen), is_open=False),
        OpenPoint("penalties", ruled.penalties, is_open=False),
    )
    return [point for point in found if point.count]
