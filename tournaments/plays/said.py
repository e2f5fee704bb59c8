"""The data of every ruling on a play, an étui or a player: author, time, reason, and the newest ruling seen."""

import datetime as dt
from typing import NotRequired, TypedDict

from clubs.models import User
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import EtuiRuling, Ruling


class RulingWords(TypedDict):
    """The data that come with a ruling.

    `article` is the article of the regulation, if there is one. `seen_ruling` is the id of the newest ruling that the
    author knew, 0 for none. If there is another one by now, `Conflict` is raised.
    """

    reason: str
    by: User
    now: dt.datetime
    article: NotRequired[str]
    seen_ruling: NotRequired[int | None]


def require_reason(reason: str) -> str:
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return reason.strip()


def require_seen(newest: Ruling | EtuiRuling | None, seen: int | None) -> None:
    if seen is not None and seen != (newest.pk if newest else 0):
        raise Conflict("ruled_meanwhile")
