"""The data that come with every ruling, and the rulings on whole étuis of a session."""

import datetime as dt
from collections.abc import Collection
from typing import NotRequired, TypedDict

from clubs.models import User
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import EtuiRuling, Play, Ruling
from tournaments.prepared import PreparedRows
from tournaments.rules.etuis import BEFORE, find_etui_part


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


RULINGS = PreparedRows(lambda session: EtuiRuling.objects.filter(session=session).order_by("pk"))


def newest_by_etui(session_id: int, etuis: Collection[int] | None = None) -> dict[int, EtuiRuling]:
    """Return the newest ruling on each étui that has one, by the étui's id. `etuis` may restrict them, by id."""
    if etuis is None:
        rulings = RULINGS(session_id)
    else:
        rulings = list(EtuiRuling.objects.filter(session_id=session_id, etui__in=etuis).order_by("pk"))
    return {ruling.etui_id: ruling for ruling in rulings}


def is_altered_before(play: Play) -> bool:
    """Return whether the étui's cards were altered before this play, so that the cards that it had are not known."""
    ruling = newest_by_etui(play.session_id).get(play.etui_id)
    return find_etui_part(ruling.split if ruling else None, play.position, play.table.number) != BEFORE
