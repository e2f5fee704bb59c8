"""Writes of an evening: entering and correcting results, annulling and restoring plays, saying that one is not played.

Every write locks its play, looks again, adds a row and logs it; where results change it raises the session's results
version and asks for new standings. What a table's device sends comes through `tables.commands`, with its `Sent`.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast
from uuid import UUID

from django.db import connection, transaction

from clubs.models import User
from scoring.contract import find_rules
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_play, lock_read_play
from tournaments.log import log
from tournaments.models import ChangedEtui, EntryCheck, Play, ResultEntry, Ruling, SectionGroup, Session
from tournaments.permissions import may_see_result, power_of
from tournaments.plays.checks import agrees_unseen, current_of
from tournaments.plays.entries import entry_of, taker_named, to_row
from tournaments.plays.said import Said, require_reason, require_seen
from tournaments.prepared import Prepared
from tournaments.queue import queue_standings
from tournaments.rules.entry import Auction, Entry, Facts, check

ENTRIES = Prepared(lambda play: ResultEntry.objects.filter(play=play).order_by("version"))
HELD = (Ruling.Kind.ANNULLED, Ruling.Kind.NOT_PLAYED, Ruling.Kind.LATER)
CHANGED = f"""INSERT INTO {ChangedEtui._meta.db_table} (session_id, etui_id)
    SELECT s.id, %s FROM {Session._meta.db_table} s
    WHERE s.id = %s OR s.group_id = (
        SELECT g.id FROM {Session._meta.db_table} own
        JOIN {SectionGroup._meta.db_table} g ON g.id = own.group_id AND g.one_topage WHERE own.id = %s
    )
    ORDER BY s.id RETURNING session_id"""
RAISE = f"UPDATE {Session._meta.db_table} SET results_version = results_version + 1 WHERE id = %s"
KEY = ResultEntry._meta.get_field("key")
USED = " UNION ALL ".join(
    f"SELECT id FROM {model._meta.db_table} WHERE key = %s" for model in (ResultEntry, EntryCheck)
)


@dataclass(frozen=True, slots=True)
class Sent:
    """How an entry came from a table: the device, its own number of the sending, who typed, and when by its clock."""

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
    sent: Sent | None = None,
) -> ResultEntry:
    """The first result of a play, by an account or, as `sent`, from a table. The same entry again changes nothing.

    Another one by an account is a `Conflict`; who may not see the result that is there gets it either way, so that
    nobody can guess it. Another one from a table is kept, contested: what was typed at a table is never lost.
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
    """`enter_result` by an account, of a play that has been read with its table, étui and session."""
    return settle(lock_read_play(play), entry, now=now, by=by, device=device)


def settle(play: Play, entry: Entry, *, now: dt.datetime, by: User, device: str) -> ResultEntry:
    """What an account's entry of a locked play comes to."""
    check_entry(play, entry)
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
    sent: Sent | None = None,
) -> ResultEntry:
    """A new version of a play's result; the old one stays. An account says why, a table need not.

    `seen_version` is the version that its author had before his eyes: where another one counts by now, a `Conflict`
    for an account, and for a table an entry that is kept, contested.
    """
    play = lock_play(play_id)
    if sent is not None and (stored := find_stored(sent.key, play)):
        return stored
    check_entry(play, entry)
    entries = ENTRIES(play_id)
    current = current_of(entries)
    if current is None:
        raise Refused("nothing_to_correct")
    if says_the_same(entry, entry_of(current)):
        return current
    if current.version != seen_version:
        if sent is not None:
            return take_entry(play, entries, entry, sent=sent, now=now)
        raise Conflict("corrected_meanwhile", version=current.version)
    if sent is None and not reason.strip():
        raise Refused("reason_missing", "reason")
    play.entries.filter(current=True).update(current=False)
    origin = sent.columns if sent else {"author": by, "device": device}
    return add_entry(play, entries, entry, now=now, reason=reason.strip(), **origin)


def take_entry(
    play: Play, entries: Sequence[ResultEntry], entry: Entry, *, sent: Sent, now: dt.datetime
) -> ResultEntry:
    """What a table sends of a locked play that has these entries: the first one counts, another is a second word."""
    check_entry(play, entry)
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


def says_the_same(entry: Entry, stored: Entry) -> bool:
    """Whether the entry tells nothing new: bouts that it only counts may have been named before."""
    if isinstance(entry, Facts) and entry.attack_bouts is None:
        return entry == stored
    return to_row(entry) == to_row(stored)


def find_stored(key: UUID, play: Play) -> ResultEntry | None:
    """What this sending has led to already."""
    row = ResultEntry.objects.filter(key=key).first()
    if row is None:
        row = ResultEntry.objects.filter(checks__key=key).first()
    if row is not None and row.play_id != play.pk:
        raise Refused("key_used")
    return row


def is_used(key: UUID) -> bool:
    """Whether an entry or a check of any play is stored under this number."""
    told = KEY.get_db_prep_value(key, connection)
    with connection.cursor() as cursor:
        cursor.execute(USED, [told, told])
        return bool(cursor.fetchall())


@transaction.atomic
def annul_play(*, play_id: int, **said: Unpack[Said]) -> Ruling:
    """The play leaves the topage and the means; its result stays on record. Annulling it again changes nothing."""
    return rule(lock_play(play_id), Ruling.Kind.ANNULLED, **said)


@transaction.atomic
def restore_play(*, play_id: int, **said: Unpack[Said]) -> Ruling | None:
    """Takes an annulment back by a ruling of its own, or an adjustment: then what had been ruled before it holds again.
    A play that counts already is left alone."""
    play = lock_play(play_id)
    newest = ruling_in_force(play)
    if not newest:
        return None
    kind = Ruling.Kind.RESTORED
    if newest == Ruling.Kind.ADJUSTED:
        before = play.rulings.exclude(kind=Ruling.Kind.ADJUSTED).order_by("-id").first()
        kind = Ruling.Kind(before.kind) if before and before.kind in HELD else kind
    return rule(play, kind, **said)


@transaction.atomic
def not_played(
    *, play_id: int, now: dt.datetime, by: User | None = None, device: str = "", later: bool = False
) -> Ruling:
    """Nobody waits for this play any more, or only beyond its position. A later entry of it counts all the same."""
    play = lock_play(play_id)
    if play.entries.filter(current=True).exists():
        raise Refused("play_has_result")
    refuse_ruled(ruling_in_force(play))
    kind = Ruling.Kind.LATER if later else Ruling.Kind.NOT_PLAYED
    return rule(play, kind, by=by, now=now, device=device)


@transaction.atomic
def to_be_played(*, play_id: int, now: dt.datetime, by: User | None = None, device: str = "") -> Ruling | None:
    """Takes `not_played` back. An annulment stays, and a play that is waited for is left alone."""
    play = lock_play(play_id)
    if play.is_replay:
        raise Refused("etui_met", number=play.etui.number)
    if ruling_in_force(play) not in (Ruling.Kind.NOT_PLAYED, Ruling.Kind.LATER):
        return None
    return rule(play, Ruling.Kind.RESTORED, by=by, now=now, device=device)


@transaction.atomic
def withdraw_result(*, play_id: int, seen_version: int, **said: Unpack[Said]) -> Ruling:
    """The result was not this play's, as when it was typed on a wrong row: the play is without result again.

    Every version stays on record; it is undone by entering anew. Withdrawn already, nothing changes.
    """
    play = lock_play(play_id)
    newest = play.rulings.order_by("-id").first()
    current = play.entries.filter(current=True).first()
    if current is None:
        if newest is not None and newest.kind == Ruling.Kind.WITHDRAWN:
            return newest
        raise Refused("nothing_to_withdraw")
    refuse_ruled(newest.kind if newest else "")
    if current.version != seen_version:
        raise Conflict("corrected_meanwhile", version=current.version)
    require_seen(newest, said.get("seen_ruling"))
    reason, article = require_reason(said["reason"]), said.get("article", "")
    play.entries.filter(current=True).update(current=False)
    ruling = Ruling.objects.create(
        play=play,
        kind=Ruling.Kind.WITHDRAWN,
        reason=reason,
        article=article,
        author=said["by"],
        ruled_at=said["now"],
    )
    raise_results_version(play.session_id, etuis=[play.etui_id])
    log_play(play, "withdrawn", now=said["now"], by=said["by"], version=current.version)
    return ruling


def refuse_ruled(ruling: str) -> None:
    """Where the play is annulled, or adjusted, that is taken back first."""
    if ruling == Ruling.Kind.ANNULLED:
        raise Refused("play_annulled")
    if ruling == Ruling.Kind.ADJUSTED:
        raise Refused("play_adjusted")


def ruling_in_force(play: Play) -> str:
    newest = play.rulings.order_by("-id").first()
    return newest.kind if newest else ""


def rule(
    play: Play,
    kind: Ruling.Kind,
    *,
    by: User | None,
    now: dt.datetime,
    reason: str = "",
    article: str = "",
    seen_ruling: int | None = None,
    device: str = "",
) -> Ruling:
    """A ruling of its own, unless it is in force already. What the arbiter decides, and what takes it back, needs a
    reason."""
    newest = play.rulings.order_by("-id").first()
    if newest is not None and newest.kind == kind:
        return newest
    decided = {kind, newest.kind if newest else ""} & {Ruling.Kind.ANNULLED, Ruling.Kind.ADJUSTED}
    require_seen(newest, seen_ruling)
    if decided:
        require_reason(reason)
    told = {"reason": reason.strip(), "article": article}
    ruling = Ruling.objects.create(play=play, kind=kind, author=by, device=device, ruled_at=now, **told)
    raise_results_version(play.session_id, etuis=[play.etui_id])
    if not device:  # what a device asks for is logged with its key
        log_play(play, kind.value, now=now, by=by)
    return ruling


def check_entry(play: Play, entry: Entry) -> None:
    tournament = play.session.tournament
    check(
        entry,
        auction=cast(Auction, tournament.auction),
        etui_taker=taker_named(play.etui),
        rules=find_rules(tournament.rules),
    )


def add_first(
    play: Play, entries: Sequence[ResultEntry], entry: Entry, *, now: dt.datetime, **columns: Any
) -> ResultEntry:
    """The first result of a play, or the first since one was withdrawn, whose reason is then the new version's."""
    if play.is_replay:
        raise Refused("etui_met", number=play.etui.number)
    if entries:
        columns["reason"] = Ruling.objects.filter(play=play, kind=Ruling.Kind.WITHDRAWN).latest("id").reason
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
    """The next version of a play that has these entries; unless the `columns` make it a contested one, it counts."""
    session = play.session
    row = ResultEntry.objects.create(
        play=play,
        version=1 + max((row.version for row in entries), default=0),
        entered_at=now,
        check_by=session.check_by,
        shows=session.shows_after != Session.Shown.NOTHING and not session.tournament.federation,
        **columns,
        **to_row(entry),
    )
    action = "contested" if row.contested else action
    log_play(play, action, now=now, by=row.author, device=row.device, version=row.version)
    if row.current:
        raise_results_version(play.session_id, etuis=[play.etui_id])
    return row


def log_play(
    play: Play, action: str, *, now: dt.datetime, by: User | None = None, device: str = "", **params: object
) -> None:
    """A line about a play in the session's log; never with its figures, for a director may have still to play it."""
    about = {"etui": play.etui.number, "table": play.table.number, "position": play.position}
    words = " ".join(f"{name} {number}" for name, number in about.items())
    log(play.session_id, action, now=now, by=by, device=device, words=words, **about, **params)


def raise_results_version(session_id: int, *, etuis: Collection[int] | None = None) -> None:
    """New standings are asked for, and these étuis computed for them: none where only penalties have changed, all of
    the session where nobody says which; of sections compared with it too. Last of a transaction, if it can be: all
    tables wait for the session's row."""
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
