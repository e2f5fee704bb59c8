"""The writes about one play: entering and correcting its result, annulling or restoring it, declaring it not played.

Every write locks the play, checks that the write is still possible, adds a row and a log entry. If results change, it
raises the results version and queues standings. A table's commands come through `tables.commands`, as a `SentEntry`.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Unpack
from uuid import UUID

from django.db import connection, transaction

from clubs.models import User
from evenings.plays import free
from evenings.plays.attackers import settle_attacker
from evenings.plays.entries import (
    agrees_unseen,
    current_of,
    entry_of,
    name_attacker,
    says_the_same,
    taker_named,
    to_row,
)
from evenings.plays.rulings_given import RulingWords, require_reason, require_seen
from scoring.contract import find_rules
from scoring.formats import find_format
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play, lock_read_play
from tournaments.log import log_action
from tournaments.models import ChangedEtui, EntryCheck, Play, ResultEntry, Ruling, SectionGroup, Session
from tournaments.permissions import may_see_result, power_of
from tournaments.prepared import PreparedRows
from tournaments.queue import queue_standings
from tournaments.rules.entry import Entry, attacker_of, check_entry_rules

ENTRIES = PreparedRows(lambda play: ResultEntry.objects.filter(play=play).order_by("version"))
HELD = (Ruling.RulingKind.ANNULLED, Ruling.RulingKind.NOT_PLAYED, Ruling.RulingKind.LATER)
CHANGED = f"""INSERT INTO {ChangedEtui._meta.db_table} (session_id, etui_id)
    SELECT s.id, %s FROM {Session._meta.db_table} s
    WHERE s.id = %s OR s.group_id = (
        SELECT g.id FROM {Session._meta.db_table} own
        JOIN {SectionGroup._meta.db_table} g ON g.id = own.group_id AND g.one_topage WHERE own.id = %s
    )
    ORDER BY s.id RETURNING session_id"""
RAISE = f"UPDATE {Session._meta.db_table} SET results_version = results_version + 1 WHERE id = %s"


@dataclass(frozen=True, slots=True)
class SentEntry:
    """The origin of an entry from a table's device.

    `device` is the device's label. `key` is a unique id that the device gave the request. `seat` is the line of the
    player who typed, or "". `typed_at` is the time on the device's clock.
    """

    device: str
    key: UUID
    seat: str = ""
    typed_at: dt.datetime | None = None

    @property
    def columns(self) -> dict[str, Any]:
        return {"device": self.device, "key": self.key, "seat": self.seat, "typed_at": self.typed_at}


@transaction.atomic
def enter_result(
    *,
    play_id: int,
    entry: Entry,
    now: dt.datetime,
    by: User | None = None,
    device: str = "",
    sent: SentEntry | None = None,
) -> ResultEntry:
    """Store and return the first result of a play, entered by the account `by` or, with `sent`, at a table.

    If the play already has a result, an account gets `Conflict`. If the account may see that result and entered an
    equal one, the stored result is returned instead. An account that may not see the result cannot find it by trying.
    From a table, an equal entry counts as a check. A different one is stored as contested, so nothing typed at a table
    is lost.
    """
    play = lock_play(play_id)
    if sent is not None and (stored := find_stored(sent.key, play)):
        return stored
    if sent is not None:
        return take_entry(play, ENTRIES(play_id), entry, sent=sent, now=now)
    assert by is not None
    return settle(play, entry, now=now, by=by, device=device)


@transaction.atomic
def enter_into(play: Play, entry: Entry, *, now: dt.datetime, by: User, device: str = "") -> ResultEntry:
    """Store and return an account's result as `enter_result` does. `play` was read with its table, étui and session."""
    return settle(lock_read_play(play), entry, now=now, by=by, device=device)


def settle(play: Play, entry: Entry, *, now: dt.datetime, by: User, device: str) -> ResultEntry:
    """Store and return an account's entry of a locked play. Return an equal result; raise `Conflict` for another."""
    entry = check_entry(play, entry)
    entries = ENTRIES(play.pk)
    current = current_of(entries)
    if current is None:
        return add_first(play, entries, entry, now=now, author=by, device=device)
    power = power_of(by, play.session.tournament.club)
    if entry_of(current) == entry and may_see_result(by, power, current.author_id):
        return current
    raise Conflict("result_already_entered")


@transaction.atomic
def correct_result(
    *,
    play_id: int,
    entry: Entry,
    seen_version: int,
    now: dt.datetime,
    reason: str = "",
    by: User | None = None,
    device: str = "",
    sent: SentEntry | None = None,
) -> ResultEntry:
    """Add and return a new version of a play's result. Older versions stay on record. An account must give a reason.

    `seen_version` is the version that the author saw. If another version counts now, an account gets `Conflict`, and a
    table's entry is stored as contested.
    """
    play = lock_play(play_id)
    if sent is not None and (stored := find_stored(sent.key, play)):
        return stored
    entry = check_entry(play, entry)
    entries = ENTRIES(play_id)
    current = current_of(entries)
    if current is None:
        raise ActionRefused("nothing_to_correct")
    if says_the_same(entry, entry_of(current)):
        return current
    if current.version != seen_version:
        if sent is not None:
            return take_entry(play, entries, entry, sent=sent, now=now)
        raise Conflict("corrected_meanwhile", version=current.version)
    if sent is None and not reason.strip():
        raise ActionRefused("reason_missing", "reason")
    free.refuse_other_kind(entry, current)
    play.entries.filter(current=True).update(current=False)
    origin = sent.columns if sent else {"author": by, "device": device}
    return add_entry(play, entries, entry, now=now, reason=reason.strip(), **origin)


def take_entry(
    play: Play, entries: Sequence[ResultEntry], entry: Entry, *, sent: SentEntry, now: dt.datetime
) -> ResultEntry:
    """Store a table's entry of a locked play, and return the entry or the equal current one.

    The first entry counts. A later entry is a check if it is equal, and is stored as contested if it differs.
    """
    entry = check_entry(play, entry)
    current = current_of(entries)
    if current is None:
        return add_first(play, entries, entry, now=now, **sent.columns)
    if entry_of(current) != entry:
        return add_entry(play, entries, entry, now=now, current=False, contested=True, **sent.columns)
    if agrees_unseen(current, seat=sent.seat, device=sent.device):
        EntryCheck.objects.create(
            entry=current, agrees=True, seat=sent.seat, device=sent.device, key=sent.key, checked_at=now
        )
    return current


def has_result(play_id: int) -> bool:
    return current_of(ENTRIES(play_id)) is not None


def find_stored(key: UUID, play: Play) -> ResultEntry | None:
    """Return the entry that an earlier request with this key stored or checked, or None.

    Raise `ActionRefused("key_used")` if it belongs to another play.
    """
    row = ResultEntry.objects.filter(key=key).first()
    if row is None:
        row = ResultEntry.objects.filter(checks__key=key).first()
    if row is not None and row.play_id != play.pk:
        raise ActionRefused("key_used")
    return row


def is_used(key: UUID) -> bool:
    """Return whether an entry or a check of any play is stored under this key."""
    entries, checks = (model.objects.filter(key=key).order_by().values("pk") for model in (ResultEntry, EntryCheck))
    return bool(entries.union(checks, all=True))


@transaction.atomic
def annul_play(*, play_id: int, **said: Unpack[RulingWords]) -> Ruling:
    """Annul a play, which then no longer counts. Its result stays on record. The call is idempotent."""
    return rule(lock_play(play_id), Ruling.RulingKind.ANNULLED, **said)


@transaction.atomic
def restore_play(*, play_id: int, **said: Unpack[RulingWords]) -> Ruling | None:
    """Cancel the ruling in force by adding a new one. Return None if the play never had a ruling.

    If an adjustment is cancelled, the annulment or "not played" that was in force before it is in force again.
    """
    play = lock_play(play_id)
    newest = ruling_in_force(play)
    if not newest:
        return None
    kind = Ruling.RulingKind.RESTORED
    if newest == Ruling.RulingKind.ADJUSTED:
        before = play.rulings.exclude(kind=Ruling.RulingKind.ADJUSTED).order_by("-id").first()
        kind = Ruling.RulingKind(before.kind) if before and before.kind in HELD else kind
    return rule(play, kind, **said)


@transaction.atomic
def not_played(
    *, play_id: int, now: dt.datetime, by: User | None = None, device: str = "", later: bool = False
) -> Ruling:
    """Declare a play not played or, with `later`, to be played later. The position can then end without its result.

    A result that is entered afterwards still counts.
    """
    play = lock_play(play_id)
    if play.entries.filter(current=True).exists():
        raise ActionRefused("play_has_result")
    refuse_ruled(ruling_in_force(play))
    kind = Ruling.RulingKind.LATER if later else Ruling.RulingKind.NOT_PLAYED
    return rule(play, kind, by=by, now=now, device=device)


@transaction.atomic
def to_be_played(*, play_id: int, now: dt.datetime, by: User | None = None, device: str = "") -> Ruling | None:
    """Cancel the ruling that a play is not played or played later. Return None if there is no such ruling in force."""
    play = lock_play(play_id)
    if play.is_replay:
        raise ActionRefused("etui_met", number=play.etui.number)
    if ruling_in_force(play) not in (Ruling.RulingKind.NOT_PLAYED, Ruling.RulingKind.LATER):
        return None
    return rule(play, Ruling.RulingKind.RESTORED, by=by, now=now, device=device)


@transaction.atomic
def withdraw_result(*, play_id: int, seen_version: int, **said: Unpack[RulingWords]) -> Ruling:
    """Withdraw a result that belongs to another play, for example one typed on a wrong row.

    The play then has no result until a new one is entered. Every version stays on record. The call is idempotent.
    """
    play = lock_play(play_id)
    newest = play.rulings.order_by("-id").first()
    current = play.entries.filter(current=True).first()
    if current is None:
        if newest is not None and newest.kind == Ruling.RulingKind.WITHDRAWN:
            return newest
        raise ActionRefused("nothing_to_withdraw")
    refuse_ruled(newest.kind if newest else "")
    if current.version != seen_version:
        raise Conflict("corrected_meanwhile", version=current.version)
    require_seen(newest, said.get("seen_ruling"))
    reason, article = require_reason(said["reason"]), said.get("article", "")
    play.entries.filter(current=True).update(current=False)
    ruling = Ruling.objects.create(
        play=play,
        kind=Ruling.RulingKind.WITHDRAWN,
        reason=reason,
        article=article,
        author=said["by"],
        ruled_at=said["now"],
    )
    back = free.uncover_game(current, play, now=said["now"], by=said["by"])
    raise_results_version(play.session_id, etuis=[play.etui_id, *back])
    log_play(play, "withdrawn", now=said["now"], by=said["by"], version=current.version)
    return ruling


def refuse_ruled(ruling: str) -> None:
    """Raise `ActionRefused` if the play is annulled or adjusted: that ruling must be cancelled first."""
    if ruling == Ruling.RulingKind.ANNULLED:
        raise ActionRefused("play_annulled")
    if ruling == Ruling.RulingKind.ADJUSTED:
        raise ActionRefused("play_adjusted")


def ruling_in_force(play: Play) -> str:
    """Return the kind of the newest ruling on a play, or ""."""
    return next((newest.kind for newest in play.rulings.order_by("-id")[:1]), "")


def rule(
    play: Play,
    kind: Ruling.RulingKind,
    *,
    by: User | None,
    now: dt.datetime,
    reason: str = "",
    article: str = "",
    seen_ruling: int | None = None,
    device: str = "",
) -> Ruling:
    """Add and return a ruling of this kind, or return the newest ruling if it is of this kind.

    An annulment or an adjustment needs a reason, and so does cancelling one.
    """
    newest = play.rulings.order_by("-id").first()
    if newest is not None and newest.kind == kind:
        return newest
    free.refuse_on_sheet(play)
    decided = {kind, newest.kind if newest else ""} & {Ruling.RulingKind.ANNULLED, Ruling.RulingKind.ADJUSTED}
    require_seen(newest, seen_ruling)
    if decided:
        require_reason(reason)
    told = {"reason": reason.strip(), "article": article}
    ruling = Ruling.objects.create(play=play, kind=kind, author=by, device=device, ruled_at=now, **told)
    raise_results_version(play.session_id, etuis=[play.etui_id])
    if not device:  # `tables.commands` logs a device's command itself, with its key
        log_play(play, kind.value, now=now, by=by)
    return ruling


def check_entry(play: Play, entry: Entry) -> Entry:
    """Return the entry to store. Raise an error if the play cannot have this entry.

    The stored entry names an attacker only if it was not that member's turn to attack.
    """
    tournament = play.session.tournament
    entry = free.fit_entry(play, entry)
    check_entry_rules(
        entry,
        format=find_format(tournament.format),
        etui_taker=taker_named(play.etui),
        rules=find_rules(tournament.rules),
    )
    return name_attacker(entry, settle_attacker(play, attacker_of(entry)))


def add_first(
    play: Play, entries: Sequence[ResultEntry], entry: Entry, *, now: dt.datetime, **columns: Any
) -> ResultEntry:
    """Store and return the first result of a play, or the first one since a withdrawal.

    After a withdrawal, the new version gets the reason of the withdrawal.
    """
    if play.is_replay:
        raise ActionRefused("etui_met", number=play.etui.number)
    free.refuse_on_sheet(play)
    free.refuse_decided(play, entry)
    if entries:
        columns["reason"] = Ruling.objects.filter(play=play, kind=Ruling.RulingKind.WITHDRAWN).latest("id").reason
    return add_entry(play, entries, entry, now=now, action="entered", **columns)


def add_entry(
    play: Play,
    entries: Sequence[ResultEntry],
    entry: Entry,
    *,
    now: dt.datetime,
    action: str = "corrected",
    **columns: Any,
) -> ResultEntry:
    """Store and return the next version of a play's result. It counts unless `columns` mark it as contested."""
    session = play.session
    covered = free.cover_game(play, entry, columns, now=now)
    row = ResultEntry.objects.create(
        play=play,
        version=1 + max((row.version for row in entries), default=0),
        entered_at=now,
        check_by=session.check_by,
        shows=session.shows_after != Session.ShownAfter.NOTHING and not session.tournament.federation,
        **(to_row(entry) | columns | {"players": len(play.playing_seats), "covers": 1 + len(covered)}),
    )
    action = "contested" if row.contested else action
    log_play(play, action, now=now, by=row.author, device=row.device, version=row.version)
    if row.current:
        raise_results_version(play.session_id, etuis=[play.etui_id, *covered])
    return row


def log_play(
    play: Play, action: str, *, now: dt.datetime, by: User | None = None, device: str = "", **params: object
) -> None:
    """Log an action on a play. The log entry has no scores, because its reader may still have to play the étui."""
    about = {"etui": play.etui.number, "table": play.table.number, "position": play.position}
    words = " ".join(f"{name} {number}" for name, number in about.items())
    log_action(play.session_id, action, now=now, by=by, device=device, words=words, **about, **params)


def raise_results_version(session_id: int, *, etuis: Collection[int] | None = None) -> None:
    """Raise the session's results version, and queue the computation of these étuis (ids) and of the ranking.

    `etuis` is empty if only penalties have changed, and None for all étuis. The same is done for the sections that are
    compared with the session. Call this last in a transaction if possible: all tables wait for the session's row.
    """
    changed = [None] if etuis is None else sorted(etuis)
    sessions = [session_id]
    with connection.cursor() as cursor:
        for etui in changed:
            cursor.execute(CHANGED, [etui, session_id, session_id])
            sessions = sorted(pk for (pk,) in cursor.fetchall())
        for pk in sessions:
            cursor.execute(RAISE, [pk])
    for pk in sessions:
        queue_standings(pk)
