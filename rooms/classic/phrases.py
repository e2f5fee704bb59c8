"""The set phrases that players of a table say to each other. There is no free chat, so nobody can be insulted here."""

import datetime as dt
from typing import Any

from django.db import transaction

from rooms.classic.sitting import lock_table_for_four, require_seat
from rooms.classic.watching import note_change
from rooms.errors import RoomRefused
from rooms.models import ClassicTable, Visitor
from rooms.record.fours import PHRASES, PHRASES_KEPT, may_say

PAUSE = 3.0  # seconds between two phrases of one seat
SHOWN_FOR = dt.timedelta(seconds=30)


def list_fresh_phrases(classic: ClassicTable, now: dt.datetime) -> list[dict[str, Any]]:
    """Return the phrases of the last moments, each with its seat and code, the oldest first."""
    after = (now - SHOWN_FOR).timestamp()
    return [each for each in classic.phrases if each["at"] >= after and each["code"] in PHRASES]


@transaction.atomic
def say_phrase(*, table_id: int, visitor: Visitor, code: str, now: dt.datetime) -> None:
    """Say a set phrase at a table. Only the last few are kept. Raise RoomRefused for an unknown one, or too soon."""
    if code not in PHRASES:
        raise RoomRefused("phrase_unknown")
    held = lock_table_for_four(table_id, now)
    letter = require_seat(held, visitor).letter
    if not may_say(held.classic.phrases, letter, now.timestamp(), pause=PAUSE):
        raise RoomRefused("phrase_soon")
    said = {"seat": letter, "code": code, "at": now.timestamp()}
    phrases = [*held.classic.phrases, said][-PHRASES_KEPT:]
    ClassicTable.objects.filter(pk=held.classic.pk).update(phrases=phrases)
    note_change(table_id)
