"""The link of an evening with which the page of the hall shows full names: its key, its end, and its renewal.

The key is a signature of the session and of how often its link was renewed. So nothing is stored for it: the log of the
session has the renewals. Whoever has the key is, or was, in the hall.
"""

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import User
from evenings.glance import SessionGlance
from tournaments.locks import lock_open
from tournaments.log import list_doings, log_action
from tournaments.models import ResultEntry, Session

SALT, RENEWED = "tournaments.hall", "hall_link_renewed"
LENGTH = 32  # the hexadecimal digits of a key: 128 bits
AFTER_THE_LAST = dt.timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class HallLink:
    """The link of a session. `day_ends` is the end of the day on which the session is played."""

    key: str
    is_closed: bool
    day_ends: dt.datetime
    renewed_at: dt.datetime | None

    def is_open(self, last_result: dt.datetime | None, now: dt.datetime) -> bool:
        """Return whether the link works. `last_result` is when the last result came, or None if none came.

        A result later than `now` does not count: the clock has been set back since.
        """
        if self.is_closed:
            return False
        came = last_result is not None and last_result <= now
        ends = last_result + AFTER_THE_LAST if came and last_result else self.day_ends
        if self.renewed_at is not None:
            ends = max(ends, self.renewed_at + AFTER_THE_LAST)
        return now < ends


def shows_names(glance: SessionGlance, key: str, now: dt.datetime) -> bool:
    """Return whether a reader with this key sees full names in the hall of the session under way."""
    if not key:
        return False
    right = find_open_key(glance.session_id, glance.shared, glance.results, now)
    return bool(right) and constant_time_compare(key, right)


def find_key(session: Session, now: dt.datetime) -> str:
    """Return the key of the link of a session under way, or "" once the link has ended."""
    return find_open_key(session.pk, session.revision, session.results_version, now)


def find_open_key(session_id: int, revision: int, results: int, now: dt.datetime) -> str:
    """Return the key as `find_key` does. `revision` and `results` are the versions of the session and its results."""
    link = find_link(session_id, revision)
    return link.key if link.is_open(find_last_result(session_id, results), now) else ""


@lru_cache(maxsize=64)
def find_link(session_id: int, _revision: int) -> HallLink:
    """Return the link of a session under way, from a cache in this process. Each change of it raises the revision."""
    session = Session.objects.select_related("tournament__club").get(pk=session_id)
    renewals = list(list_doings(session, RENEWED).values_list("at", flat=True))
    zone = session.tournament.club.zone or timezone.get_default_timezone()
    day = max(session.date, timezone.localdate(session.started_at, zone) if session.started_at else session.date)
    midnight = dt.datetime.combine(day + dt.timedelta(days=1), dt.time.min, zone)
    key = salted_hmac(SALT, f"{session_id}:{len(renewals)}", algorithm="sha256").hexdigest()[:LENGTH]
    return HallLink(key, session.closed_at is not None, midnight, renewals[-1] if renewals else None)


@lru_cache(maxsize=64)
def find_last_result(session_id: int, results: int) -> dt.datetime | None:
    """Return when the last result of a session came, or None. `results` is the version of its results."""
    if not results:
        return None
    found = ResultEntry.objects.filter(play__session=session_id).aggregate(last=Max("entered_at"))["last"]
    return found if isinstance(found, dt.datetime) else None


@transaction.atomic
def renew_hall_link(*, session_id: int, by: User, now: dt.datetime) -> None:
    """Give the session a new link for its hall, which works for twelve hours at least. The old one ends at once."""
    session = lock_open(session_id)
    log_action(session, RENEWED, now=now, by=by)
