"""Writes of an evening: entering and correcting results, annulling and restoring plays, saying that one is not played.

Every write locks its play, looks again, adds a row and logs it; where results change it raises the session's results
version and asks for new standings. What a table's device sends comes through `tables.commands`, with its `Sent`.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max

from clubs.models import User
from scoring.contract import find_rules
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_play
from tournaments.log import log
from tournaments.models import ChangedEtui, EntryCheck, Play, ResultEntry, Ruling, Session
from tournaments.permissions import may_see_result, power_of
from tournaments.plays.checks import agrees_unseen
from tournaments.plays.entries import entry_of, taker_named, to_row
from tournaments.queue import queue_standings
from tournaments.rules.entry import Auction, Entry, Facts, check


@dataclass(frozen=True, slots=True)
class Sent:
    """How an entry came from a table: the device, its own number of the sending, who typed, and when by its clock."""

    device: str
    key: UUID
    seat: str = ""
    typed_at: dt.datetime | None = None

    @property
    def columns(self) -> dict[str, Any]:
        return {"key": self.key, "seat": self.seat, "typed_at": self.typed_at}


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
    check_entry(play, entry)
    current = play.entries.filter(current=True).first()
    if current is None and play.is_replay:
        raise Refused("etui_met", number=play.etui.number)
    if current is None:
        return add_entry(play, entry, by=by, now=now, device=device, sent=sent)
    if sent is not None:
        return second_word(play, current, entry, sent=sent, now=now)
    assert by is not None
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
    current = play.entries.filter(current=True).first()
    if current is None:
        raise Refused("nothing_to_correct")
    if says_the_same(entry, entry_of(current)):
        return current
    if current.version != seen_version:
        if sent is not None:
            return second_word(play, current, entry, sent=sent, now=now)
        raise Conflict("corrected_meanwhile", version=current.version)
    if sent is None and not reason.strip():
        raise Refused("reason_missing", "reason")
    play.entries.filter(current=True).update(current=False)
    return add_entry(play, entry, by=by, now=now, device=device, sent=sent, reason=reason.strip())


def says_the_same(entry: Entry, stored: Entry) -> bool:
    """Whether the entry tells nothing new: bouts that it only counts may have been named before."""
    if isinstance(entry, Facts) and entry.attack_bouts is None:
        return entry == stored
    return to_row(entry) == to_row(stored)


def second_word(play: Play, current: ResultEntry, entry: Entry, *, sent: Sent, now: dt.datetime) -> ResultEntry:
    """A table's entry of a play that has a result: the same is a check of it, another one is kept as contested."""
    if entry_of(current) != entry:
        return add_entry(play, entry, by=None, now=now, device=sent.device, sent=sent, current=False, contested=True)
    if agrees_unseen(current, seat=sent.seat, device=sent.device):
        EntryCheck.objects.create(
            entry=current, agrees=True, seat=sent.seat, device=sent.device, key=sent.key, checked_at=now
        )
    return current


def find_stored(key: UUID, play: Play) -> ResultEntry | None:
    """What this sending has led to already."""
    row = ResultEntry.objects.filter(key=key).first()
    if row is None:
        row = ResultEntry.objects.filter(checks__key=key).first()
    if row is not None and row.play_id != play.pk:
        raise Refused("key_used")
    return row


@transaction.atomic
def annul_play(*, play_id: int, reason: str, by: User, now: dt.datetime) -> Ruling:
    """The play leaves the topage and the means; its result stays on record. Annulling it again changes nothing."""
    return rule(lock_play(play_id), Ruling.Kind.ANNULLED, reason=reason, by=by, now=now)


@transaction.atomic
def restore_play(*, play_id: int, reason: str, by: User, now: dt.datetime) -> Ruling | None:
    """Takes an annulment back by a ruling of its own. A play that counts already is left alone."""
    play = lock_play(play_id)
    if not play.rulings.exists():
        return None
    return rule(play, Ruling.Kind.RESTORED, reason=reason, by=by, now=now)


@transaction.atomic
def not_played(
    *, play_id: int, now: dt.datetime, by: User | None = None, device: str = "", later: bool = False
) -> Ruling:
    """Nobody waits for this play any more, or only beyond its position. A later entry of it counts all the same."""
    play = lock_play(play_id)
    if play.entries.filter(current=True).exists():
        raise Refused("play_has_result")
    if ruling_in_force(play) == Ruling.Kind.ANNULLED:
        raise Refused("play_annulled")
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
def withdraw_result(*, play_id: int, seen_version: int, reason: str, by: User, now: dt.datetime) -> Ruling:
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
    if newest is not None and newest.kind == Ruling.Kind.ANNULLED:
        raise Refused("play_annulled")
    if current.version != seen_version:
        raise Conflict("corrected_meanwhile", version=current.version)
    if not reason.strip():
        raise Refused("reason_missing", "reason")
    play.entries.filter(current=True).update(current=False)
    ruling = Ruling.objects.create(
        play=play, kind=Ruling.Kind.WITHDRAWN, reason=reason.strip(), author=by, ruled_at=now
    )
    raise_results_version(play.session_id, etuis=[play.etui_id])
    log_play(play, "withdrawn", now=now, by=by, version=current.version)
    return ruling


def ruling_in_force(play: Play) -> str:
    newest = play.rulings.order_by("-id").first()
    return newest.kind if newest else ""


def rule(
    play: Play, kind: Ruling.Kind, *, by: User | None, now: dt.datetime, reason: str = "", device: str = ""
) -> Ruling:
    """A ruling of its own, unless it is in force already. Annulling and what takes it back need a reason."""
    newest = play.rulings.order_by("-id").first()
    if newest is not None and newest.kind == kind:
        return newest
    annuls = kind == Ruling.Kind.ANNULLED or (newest is not None and newest.kind == Ruling.Kind.ANNULLED)
    if annuls and not reason.strip():
        raise Refused("reason_missing", "reason")
    ruling = Ruling.objects.create(play=play, kind=kind, reason=reason.strip(), author=by, device=device, ruled_at=now)
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


def add_entry(
    play: Play,
    entry: Entry,
    *,
    by: User | None,
    now: dt.datetime,
    device: str = "",
    sent: Sent | None = None,
    **columns: Any,
) -> ResultEntry:
    """The next version of a play's result; unless the `columns` make it a contested one, it is the one that counts."""
    version = 1 + (play.entries.aggregate(last=Max("version"))["last"] or 0)
    anew = version > 1 and not columns.get("contested") and "reason" not in columns
    if anew:  # after a withdrawal, whose reason is the new version's
        columns["reason"] = play.rulings.filter(kind=Ruling.Kind.WITHDRAWN).latest("id").reason
    session = play.session
    row = ResultEntry.objects.create(
        play=play,
        version=version,
        author=by,
        device=sent.device if sent else device,
        entered_at=now,
        check_by=session.check_by,
        shows=session.shows_after != Session.Shown.NOTHING and not session.tournament.federation,
        **(sent.columns if sent else {}),
        **columns,
        **to_row(entry),
    )
    if row.current:
        raise_results_version(play.session_id, etuis=[play.etui_id])
    action = "contested" if row.contested else "entered" if version == 1 or anew else "corrected"
    log_play(play, action, now=now, by=by, device=row.device, version=version)
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
    the session where nobody says which."""
    Session.objects.filter(pk=session_id).update(results_version=F("results_version") + 1)
    changed = [None] if etuis is None else sorted(etuis)
    ChangedEtui.objects.bulk_create(ChangedEtui(session_id=session_id, etui_id=etui) for etui in changed)
    queue_standings(session_id)
