"""The writes about the record of a play, from a table's device or by an account.

Every write locks the play, checks that the play has a result, and adds a row and a log entry. If another record then
counts, the write raises the session's version of records, because published pages show records.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import User
from deals.domain.cards import Seat
from evenings.plays.entering import SentEntry, log_play
from evenings.plays.entries import entry_of
from evenings.plays.table_plays import stop_of
from referee.records import notation
from referee.records.values import DealRecord
from scoring.formats import find_format
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play, raise_records
from tournaments.models import Play, PlayRecord, ResultEntry
from tournaments.rules.entry import PLAYERS, AllPassed
from tournaments.rules.recorded import RecordHead, continues, head_of, is_only_lead, read_stored_record

MOST_VERSIONS = 99
Compose = Callable[[RecordHead], DealRecord]


def current_record(rows: Sequence[PlayRecord]) -> PlayRecord | None:
    """Return the version that counts, or None."""
    return next((row for row in rows if row.current), None)


def find_head(play: Play, current: ResultEntry | None) -> RecordHead:
    """Return the dealer, taker and contract of the play's result. Raise `ActionRefused` if it has nothing to record."""
    if current is None:
        raise ActionRefused("record_before_result")
    entry = entry_of(current)
    if isinstance(entry, AllPassed):
        raise ActionRefused("record_passed")
    head = head_of(Seat(play.etui.dealer), entry, find_format(play.session.tournament.format).contract)
    if head is None:
        raise ActionRefused("record_contract")
    return head


def take_record(
    play: Play, rows: Sequence[PlayRecord], record: DealRecord, *, sent: SentEntry, now: dt.datetime
) -> PlayRecord:
    """Store a table's record of a locked play, and return the record or the equal current one.

    The first record counts. A later one counts instead if it says more, or if the same device corrects its own record
    before the position is over. Any other one is stored as contested.
    """
    if not play.session.whole_records and not is_only_lead(record):
        raise ActionRefused("record_lead_only")
    before = current_record(rows)
    if before is not None and before.text == notation.dumps(record):
        return before
    told = sent.columns
    if before is None or continues(record, read_stored_record(before.text)):
        return add_record(play, rows, record, now=now, **told)
    own = before.author_id is None and before.device == sent.device
    if own and not stop_of(play)[1]:
        return add_record(play, rows, record, now=now, **told)
    return add_record(play, rows, record, now=now, current=False, contested=True, **told)


@transaction.atomic
def store_record(
    *,
    play_id: int,
    compose: Compose,
    by: User,
    now: dt.datetime,
    seen_version: int | None = None,
    reason: str = "",
    device: str = "",
    key: UUID | None = None,
) -> PlayRecord:
    """Store and return an account's record of a play. `compose` makes the record.

    Its argument is the `RecordHead` of the play. `seen_version` is the current version that the author saw, None if
    there was none. If another version counts now, raise `Conflict`, except for an equal record. A correction needs a
    reason. Hands in the record are not stored.
    """
    play = lock_play(play_id)
    if key is not None and (stored := find_stored_record(key, play)):
        return stored
    head = find_head(play, play.entries.filter(current=True).first())
    record = replace(compose(head), deal=None)
    if record.players != PLAYERS:
        raise ActionRefused("record_players", found=record.players)
    if record.taker is None:
        raise ActionRefused("record_passed")
    if not record.cards:
        raise ActionRefused("record_empty")
    rows = list(play.records.order_by("version"))
    before = current_record(rows)
    if before is not None and before.text == notation.dumps(record):
        return before
    check_seen_record(before, seen_version)
    if rows and not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return add_record(play, rows, record, now=now, author=by, device=device, key=key, reason=reason.strip())


@transaction.atomic
def choose_record(
    *, play_id: int, version: int, seen_version: int | None, reason: str, by: User, now: dt.datetime
) -> PlayRecord:
    """Add a new current version with the content of an older version, and return it.

    If the older version already counts, return it, and add nothing.
    """
    play = lock_play(play_id)
    rows = list(play.records.order_by("version"))
    chosen = next((row for row in rows if row.version == version), None)
    if chosen is None:
        raise ActionRefused("record_unknown", version=version)
    before = current_record(rows)
    if before is not None and before.text == chosen.text:
        return before
    check_seen_record(before, seen_version)
    if not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    return add_record(play, rows, read_stored_record(chosen.text), now=now, author=by, reason=reason.strip())


@transaction.atomic
def withdraw_record(*, play_id: int, seen_version: int, by: User, now: dt.datetime) -> PlayRecord | None:
    """Withdraw the record of the play that counts, so that no record counts. Every version stays on record.

    Return the version that counted, or None if no version did.
    """
    play = lock_play(play_id)
    before = current_record(list(play.records.order_by("version")))
    if before is None:
        return None
    check_seen_record(before, seen_version)
    PlayRecord.objects.filter(play=play, current=True).update(current=False)
    log_play(play, "record_withdrawn", now=now, by=by, version=before.version)
    raise_records(play.session_id)
    return before


def check_seen_record(before: PlayRecord | None, seen: int | None) -> None:
    """Raise `Conflict` if the version that counts is not the one that the author saw."""
    if before is not None and before.version != seen:
        raise Conflict("recorded_meanwhile", version=before.version)


def find_stored_record(key: UUID, play: Play) -> PlayRecord | None:
    """Return the record that an earlier request with this key stored, or None.

    Raise `ActionRefused("key_used")` if it belongs to another play.
    """
    row = PlayRecord.objects.filter(key=key).first()
    if row is not None and row.play_id != play.pk:
        raise ActionRefused("key_used")
    return row


def add_record(
    play: Play, rows: Sequence[PlayRecord], record: DealRecord, *, now: dt.datetime, **columns: Any
) -> PlayRecord:
    """Store and return the next version of a play's record. It counts unless `columns` mark it as contested."""
    version = 1 + max((row.version for row in rows), default=0)
    if version > MOST_VERSIONS:
        raise ActionRefused("record_too_many", most=MOST_VERSIONS)
    counts = not columns.get("contested")
    if counts:
        PlayRecord.objects.filter(play=play, current=True).update(current=False)
    row = PlayRecord.objects.create(play=play, version=version, text=notation.dumps(record), recorded_at=now, **columns)
    action = "record_contested" if row.contested else "recorded" if version == 1 else "recorded_anew"
    log_play(play, action, now=now, by=row.author, device=row.device, version=version)
    if counts:
        raise_records(play.session_id)
    return row
