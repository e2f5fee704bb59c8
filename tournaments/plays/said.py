"""What stands with every word of a director on a play, an étui or a player: who, when, why, and what he had seen."""

import datetime as dt
from typing import NotRequired, TypedDict

from clubs.models import User
from tournaments.errors import Conflict, Refused
from tournaments.models import EtuiRuling, Ruling


class Said(TypedDict):
    """`article` of the regulation, where it has one. `seen_ruling`: the id of the newest ruling that he knew, 0 for
    none; where there is another by now it is a `Conflict`."""

    reason: str
    by: User
    now: dt.datetime
    article: NotRequired[str]
    seen_ruling: NotRequired[int | None]


def require_reason(reason: str) -> str:
    if not reason.strip():
        raise Refused("reason_missing", "reason")
    return reason.strip()


def require_seen(newest: Ruling | EtuiRuling | None, seen: int | None) -> None:
    if seen is not None and seen != (newest.pk if newest else 0):
        raise Conflict("ruled_meanwhile")
