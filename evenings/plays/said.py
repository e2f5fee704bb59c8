"""The data that come with every ruling on a play or an étui: author, time, reason, and the newest ruling seen."""

import datetime as dt
from typing import NotRequired, TypedDict

from clubs.models import User
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import EtuiRuling, Ruling


class RulingWords(TypedDict):
    """The data that come with a ruling.

    `article` is the article of the regulation, if there is one. `seen_ruling` is the id of the newest ruling that the
    author saw, 0 for none. If there is a newer one now, the write raises `Conflict`.
    """

    reason: str
    by: User
    now: dt.datetime
    article: NotRequired[str]
    seen_ruling: NotRequired[int | None]


def require_reason(reason: str) -> str:
    """Return the reason without spaces around it. Raise `ActionRefused` if it is empty."""
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return reason.strip()


def require_seen(newest: Ruling | EtuiRuling | None, seen: int | None) -> None:
    """Raise `Conflict` if the newest ruling is not the one that the author saw. None as `seen` means no check."""
    if seen is not None and seen != (newest.pk if newest else 0):
        raise Conflict("ruled_meanwhile")
