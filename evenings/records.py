"""The records of plays: storing them, by the same rules as results, and finding those that readers may see.

Every write locks the play, checks that the play has a result, and adds a row and a log entry. If another record then
counts, the write raises the session's version of records, because published pages show records.

Frozen versions contain no records. So a page reads the records each time it is built, and `Session.records_version` is
part of the stamp of its cached copy. This module checks no permission: the caller must make sure that readers may see
the cards.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import User
from deals.domain.cards import Seat
from deals.domain.deal import loads
from evenings.plays.entering import SentEntry, log_play
from evenings.plays.entries import entry_of
from evenings.plays.table_plays import stop_of
from referee.errors import PlayRefused
from referee.records import notation
from referee.records.judging import JudgedRecord, judge_record
from referee.records.values import DealRecord, RecordError
from referee.rules import PlayRules
from scoring.contract import find_rules
from scoring.formats import find_format
from scoring.notation import result_from_data
from scoring.ranking import Line
from scoring.values import ScoringRules
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play, raise_records
from tournaments.models import Play, PlayRecord, ResultEntry, Tournament
from tournaments.reports.session import ReportedEtui, ReportedPlay
from tournaments.rules.entry import PLAYERS, AllPassed, Entry, Facts, Fiche
from tournaments.rules.etuis import BEFORE
from tournaments.rules.recorded import (
    DealtCards,
    RecordHead,
    clashes_of_stored,
    continues,
    head_of,
    is_only_lead,
    read_stored_record,
)

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


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """The record of a play with the étui's cards. `record` has the hands, `judged` the findings of the referee.

    `play` is the id of the play, as in the report.
    """

    play: int
    version: int
    record: DealRecord
    judged: JudgedRecord


def find_shown_records(etui: ReportedEtui, tournament: Tournament) -> dict[int, ShownRecord]:
    """Return the records that may be shown beside one étui of a report, by the play's id. It takes one query."""
    return find_shown_records_of([etui], tournament)[etui.number]


def find_shown_records_of(etuis: Iterable[ReportedEtui], tournament: Tournament) -> dict[int, dict[int, ShownRecord]]:
    """Return the records that may be shown beside étuis of a report, by number and then by the play's id.

    An étui without cards has none. A record is shown only if its taker and contract are those of the published result.
    A complete record must also give the published score. This takes one query.
    """
    etuis = list(etuis)
    plays = {play.id: (etui, play) for etui in etuis if etui.cards for play in etui.plays}
    found: dict[int, dict[int, ShownRecord]] = {etui.number: {} for etui in etuis}
    rows = PlayRecord.objects.filter(play__in=plays, current=True) if plays else ()
    for row in rows:
        etui, play = plays[row.play_id]
        if shown := show_record(row, etui, play, tournament):
            found[etui.number][row.play_id] = shown
    return found


def show_record(row: PlayRecord, etui: ReportedEtui, play: ReportedPlay, tournament: Tournament) -> ShownRecord | None:
    """Return the record with the cards of the published étui, or None if it does not agree with the published play."""
    rules, contract = find_rules(tournament.rules), find_format(tournament.format).contract
    published = read_published_entry(play)
    if published is None or play.part != BEFORE:  # the cards of an altered étui are not known
        return None
    deal = loads(etui.cards)
    if clashes_of_stored(row.text, DealtCards(Seat(etui.dealer), deal), published, contract, rules):
        return None
    record = replace(read_stored_record(row.text), deal=deal)
    judged = judge_published(record, rules)
    return None if judged is None else ShownRecord(row.play_id, row.version, record, judged)


def read_published_entry(play: ReportedPlay) -> Entry | None:
    """Return the published result of a play. Return None if it has no score or nobody took."""
    score, taker = play.base_score, play.taker
    if play.state != "scored" or score is None or not taker:
        return None
    if play.facts:
        told = {name: value for name, value in play.facts.items() if name != "made"}
        return Facts(Line(taker), result_from_data(told))
    return Fiche(Line(taker), score)


def judge_published(record: DealRecord, rules: ScoringRules) -> JudgedRecord | None:
    try:
        return judge_record(record, PlayRules(scoring=rules))
    except (PlayRefused, RecordError):
        return None
