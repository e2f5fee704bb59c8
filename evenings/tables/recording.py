"""The command by which a table's device records the cards of a play, and the data about records for its screen.

The answer never depends on the étui's cards, because other tables have still to play them.
"""

from collections.abc import Mapping
from typing import Any

from evenings.plays.entries import entry_of
from evenings.plays.table_plays import TablePlay
from evenings.records import find_head, find_stored_record, take_record
from evenings.tables.command import CONFLICT, RECEIVED, Command, Receipt, must_go_on, must_have_written
from scoring.contract import find_rules
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import PlayRecord, ResultEntry, Session
from tournaments.rules.recorded import is_only_lead, read_stored_record, record_of_table, score_of_record

MOST_VALUES = 120  # the longest list in a record, which has at most 18 tricks of 4 cards


def record_cards(command: Command) -> Receipt:
    """Store a record. The play must have a result, and the device must have been the one that enters results here."""
    at = command.here.lock(command.play)
    if row := find_stored_record(command.key, at.play):
        return answer_record(command, row)
    must_have_written(command)
    must_go_on(command)
    head = find_head(at.play, at.current)
    record = record_of_table(read_told(command.fields.get("record")), head)
    row = take_record(at.play, list(at.play.records.all()), record, sent=command.sent, now=command.now)
    command.here.forget("plays")
    return answer_record(command, row)


def read_told(told: object) -> Mapping[str, object]:
    """Return the record that the device sent.

    Raise `ActionRefused` if it is not an object, or longer than any record.
    """
    if not isinstance(told, Mapping):
        raise ActionRefused("command_malformed", "record")
    for value in told.values():
        if isinstance(value, list) and (
            len(value) > MOST_VALUES or any(isinstance(each, list) and len(each) > MOST_VALUES for each in value)
        ):
            raise ActionRefused("command_malformed", "record")
    return told


def answer_record(command: Command, row: PlayRecord) -> Receipt:
    return Receipt(
        key=str(command.key),
        status=CONFLICT if row.contested else RECEIVED,
        at=row.recorded_at,
        number=row.pk,
        version=row.version,
        error=Conflict("record_kept") if row.contested else None,
        stored=row.key == command.key,
    )


def list_keys(shown: TablePlay) -> list[str]:
    """Return the first eight letters of the keys of all entries, checks and records of a play."""
    keys = [key for row in shown.rows for key in (row.key, *(check.key for check in row.checks.all()))]
    return [str(key)[:8] for key in (*keys, *(row.key for row in shown.play.records.all())) if key]


def record_data(row: PlayRecord, visible: ResultEntry | None, session: Session, own: str) -> dict[str, Any]:
    """Return the data of a record, without a card: other tables have still to play the étui.

    `visible` is the result if the table may see it, else None. If there is a result, the data of a complete record also
    have the base score that its cards give.
    """
    record = read_stored_record(row.text)
    score = visible and score_of_record(record, entry_of(visible), find_rules(session.tournament.rules))
    return {
        "holds": "lead" if is_only_lead(record) else "whole" if record.is_complete else "part",
        "mine": row.author_id is None and row.device == own,
        "base_score": score,
    }
