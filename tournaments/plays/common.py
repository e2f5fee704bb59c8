"""The data shared by all tables of a session, cached in the process by the session's revision.

Every write raises the revision. The module only reads. Code that holds the session's lock must not use it, because the
data would lack the writes that are not yet committed.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from tournaments.models import Entrant, Etui, EtuiRuling, Play, Session
from tournaments.models.evening import PUBLIC_PEOPLE
from tournaments.models.seats import read_with_seats
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.outcome import SessionOutcome, read_outcome


class Common(NamedTuple):
    """The data shared by the tables of a session, each by id.

    `people`: entrants with their players. `etuis`: étuis without their cards. `rulings`: the rulings in force on étuis.
    `seats`: the table number and the line, by position and entrant. `outcome` is None before a publication.
    """

    people: Mapping[int, Entrant]
    etuis: Mapping[int, Etui]
    rulings: Mapping[int, EtuiRuling]
    seats: Mapping[tuple[int, int], tuple[int, str]]
    outcome: SessionOutcome | None

    def knows(self, plays: Iterable[Play]) -> bool:
        """Return whether these plays were read with the same plan as this data."""
        return all(play.etui_id in self.etuis and self.people.keys() >= {*play.seat_ids.values()} for play in plays)


def common_of(session: Session) -> Common:
    with one_at_a_time:  # the other threads then find it in the cache
        return kept_common(session.pk, session.revision, session.tournament.club.names_version)


@lru_cache(maxsize=16)
def kept_common(session_id: int, _revision: int, _names: int) -> Common:
    return read_common(session_id)


def read_common(session_id: int) -> Common:
    plays = Play.objects.filter(session=session_id).order_by()
    return Common(
        people=Entrant.objects.filter(session=session_id).select_related(*PUBLIC_PEOPLE).in_bulk(),
        etuis=Etui.objects.filter(pk__in=plays.values("etui")).defer("cards").in_bulk(),
        rulings=newest_by_etui(session_id),
        seats={
            (position, entrant): (table, line)
            for (position, table), seats in read_with_seats(plays.distinct(), "position", "table__number")
            for line, entrant in seats.items()
        },
        outcome=read_outcome(session_id),
    )


one_at_a_time = Lock()
