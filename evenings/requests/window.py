"""The time in which players may request corrections: from the publication until the ranking is official.

In a simultaneous the players see their results only from the public hour on. So the time lasts for the tournament's
window after that hour, also if the ranking is official by then.
"""

import datetime as dt
from typing import Any, NamedTuple

from django.db.models import F

from tournaments.models import Publication, Session

PUBLIC_AT = "session__simultaneous_club__simultaneous__public_at"


class Window(NamedTuple):
    """The time in which players may request corrections of a session.

    `publication` is the newest one, or None before the first. `closes_at` is None if no correction can be requested.
    `is_of_simultaneous` is True if the session plays the étuis of a simultaneous.
    """

    publication: Publication | None = None
    closes_at: dt.datetime | None = None
    is_of_simultaneous: bool = False

    @property
    def is_withdrawn(self) -> bool:
        return self.publication is not None and self.publication.status == Publication.PublicationStatus.WITHDRAWN

    @property
    def is_official(self) -> bool:
        return self.publication is not None and self.publication.status == Publication.PublicationStatus.OFFICIAL

    def is_open(self, now: dt.datetime) -> bool:
        return self.closes_at is not None and now < self.closes_at


def window_of(session: Session) -> Window:
    """Return the window of a session, with one query. The publication's figures are not loaded."""
    told = {"public_at": F(PUBLIC_AT), "hours": F("session__tournament__window_hours")}
    newest: Any = session.publications.defer("data", "frozen", "changes").annotate(**told).order_by("-version").first()
    if newest is None or newest.status == Publication.PublicationStatus.WITHDRAWN:
        return Window(newest)
    ends = [newest.official_from] if newest.status == Publication.PublicationStatus.PROVISIONAL else []
    if newest.public_at is not None:
        ends.append(newest.public_at + dt.timedelta(hours=newest.hours))
    closes_at = max((end for end in ends if end is not None), default=None)
    return Window(newest, closes_at, newest.public_at is not None)
