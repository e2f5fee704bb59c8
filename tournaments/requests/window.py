"""The time in which players may request corrections: from the publication until the ranking is official."""

import datetime as dt
from typing import NamedTuple

from tournaments.models import Publication, Session


class Window(NamedTuple):
    """The time in which players may request corrections of a session.

    `publication` is the newest one, or None before the first. `closes_at` is None if no correction can be requested.
    """

    publication: Publication | None = None
    closes_at: dt.datetime | None = None

    @property
    def is_withdrawn(self) -> bool:
        return self.publication is not None and self.publication.status == Publication.PublicationStatus.WITHDRAWN

    def is_open(self, now: dt.datetime) -> bool:
        return self.closes_at is not None and now < self.closes_at


def window_of(session: Session) -> Window:
    """Return the window of a session, with one query. The publication's figures are not loaded."""
    newest = session.publications.defer("data", "frozen", "changes").order_by("-version").first()
    if newest is None or newest.status != Publication.PublicationStatus.PROVISIONAL:
        return Window(newest)
    return Window(newest, newest.official_from)
