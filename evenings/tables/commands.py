"""The commands of a table's device: each is carried out in one transaction and answered by a receipt.

A command may come twice, late, or out of order. The device gives each command a unique key, which is stored with what
the command writes: a second command with the same key changes nothing. Refusals are receipts too, not exceptions. The
views turn receipts into JSON and sentences.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import wraps

from django.db import transaction

from evenings.plays import entering
from evenings.plays.entries import confirms, entry_of, name_attacker, other_side, says_the_same
from evenings.plays.table_plays import TablePlay, may_correct, may_set_aside
from evenings.requests.asking import answer_at_table
from evenings.tables import devices
from evenings.tables.attacks import read_attacker
from evenings.tables.command import (
    CONFLICT,
    MOST_ID,
    QUESTION,
    REFUSED,
    Command,
    Receipt,
    must_go_on,
    must_have_written,
    must_write,
    read_command,
    read_seat,
    read_table_entry,
    read_whole_number,
)
from evenings.tables.here import Here
from evenings.tables.recording import record_cards
from evenings.tables.state import is_dealt_here
from referee.records.values import RecordError
from scoring.errors import ScoringError
from scoring.formats import find_format
from scoring.plausibility import Question
from tournaments.errors import ActionRefused, Conflict
from tournaments.log import log_action
from tournaments.models import ArbiterCall, EntryCheck, Play, ResultEntry, Session
from tournaments.rules.entry import Entry, EntryError, ask_about_entry


class QuestionsAsked(Exception):
    """An error: the entry is unlikely, so nothing is stored before the player has answered these questions."""

    def __init__(self, open_questions: tuple[Question, ...]) -> None:
        self.questions = open_questions


def receive(here: Here, device: str, command: object, now: dt.datetime) -> Receipt:
    """Carry out a command and return its receipt. If the device is not known at the table yet, it joins."""
    key = str(command.get("key", ""))[:40] if isinstance(command, Mapping) else ""
    try:
        if not isinstance(command, Mapping) or str(command.get("kind")) not in HANDLERS:
            raise ActionRefused("command_unknown")
        read, handle = read_command(here, device, command, now), HANDLERS[str(command["kind"])]
        if handle is join:
            return join(read)
        with transaction.atomic():
            return handle(read)
    except QuestionsAsked as asked:
        return Receipt(key, QUESTION, now, questions=asked.questions)
    except Conflict as conflict:
        return Receipt(key, CONFLICT, now, error=conflict)
    except (ActionRefused, EntryError, ScoringError, RecordError) as refusal:
        return Receipt(key, REFUSED, now, error=refusal)


# Devices


def join(command: Command) -> Receipt:
    """Return a receipt. The device has already joined when its command was read."""
    return command.receipt()


def take_over(command: Command) -> Receipt:
    devices.take_over(device=command.device, now=command.now, key=str(command.key))
    command.here.forget("devices")
    return command.receipt()


def leave(command: Command) -> Receipt:
    devices.leave(device=command.device, now=command.now, key=str(command.key))
    command.here.forget("devices")
    return command.receipt()


# Results


def start(command: Command) -> Receipt:
    """Note that a play has begun. Only the first such command counts. After the last call no étui may begin."""
    at = command.here.lock(command.play)
    must_have_written(command)
    must_go_on(command)
    if at.play.started_at is None:
        if at.play.table.last_call == at.play.position:
            raise ActionRefused("last_call")
        began = command.began_at
        Play.objects.filter(pk=at.play.pk).update(started_at=began)
        command.here.begin(at.play, began)
    return command.receipt()


def store_once(handle: Callable[[Command, TablePlay], Receipt]) -> Callable[[Command], Receipt]:
    """Decorate a command that stores an entry: lock the play first, and store nothing twice.

    If the same command has already stored an entry or a check, its receipt is returned again. That is looked up before
    the lock, to spare it, and once more under the lock.
    """

    @wraps(handle)
    def lock_and_handle(command: Command) -> Receipt:
        if row := command.find_stored_entry(command.play):
            return command.receipt(row)
        at = command.here.lock(command.play)
        if row := command.find_stored_entry(at.play):
            return command.receipt(row)
        return handle(command, at)

    return lock_and_handle


@store_once
def enter(command: Command, at: TablePlay) -> Receipt:
    """Store an entry. The device must be the one that enters results at this table, or must have been it earlier.

    The first entry of a play counts. A later one is a check if it is equal, and is stored as contested if it differs.
    """
    must_have_written(command)
    return command.receipt(store_entry(command, at))


@store_once
def check_blind(command: Command, at: TablePlay) -> Receipt:
    """Store the second entry of a blind check, made by the other side without seeing the first entry, on any device.

    An equal result counts as the check. A different one is stored as contested.
    """
    if (at.current or at.play.session).check_by != Session.Check.BLIND:
        must_have_written(command)
    elif at.current is not None and not other_side(at.current, command.seat):
        raise ActionRefused("check_other_side")
    return command.receipt(store_entry(command, at))


def store_entry(command: Command, at: TablePlay) -> ResultEntry:
    """Store and return the command's entry. The play is locked, and has no entry of this command yet."""
    must_go_on(command)
    entry = read_sure_entry(command, at.play)
    if entering.is_used(command.key):
        raise ActionRefused("key_used")
    row = entering.take_entry(at.play, at.rows, entry, sent=command.sent, now=command.now)
    if row in at.rows:  # the new entry is equal, so it was stored as a check of this row
        command.here.forget("plays")
    else:
        command.here.add(at.play, row)
    return row


def read_sure_entry(command: Command, play: Play, current: ResultEntry | None = None) -> Entry:
    """Return the command's entry, read as `read_sent_entry` does.

    Raise `QuestionsAsked` if a question about it is not answered.
    """
    entry = read_sent_entry(command, play, current)
    format, players = find_format(play.session.tournament.format), len(play.playing_seats)
    ask_rest(command, ask_about_entry(entry, format=format, players=players))
    return entry


def read_sent_entry(command: Command, play: Play, current: ResultEntry | None = None) -> Entry:
    """Return the command's entry. Raise an error if the play cannot have this entry.

    A correction or a check that names no attacker keeps the attacker of the result `current`.
    """
    told = command.fields.get("entry")
    entry = read_attacker(read_table_entry(told), told or {}, play)
    if current is not None and current.attacker_id is not None and (told or {}).get("attacker") is None:
        entry = name_attacker(entry, current.attacker_id)
    return entering.check_entry(play, entry)


@store_once
def correct(command: Command, at: TablePlay) -> Receipt:
    """Correct the table's own result. The table may do so until the position is over or it sees other tables' results.

    A correction that comes later is stored as contested, for the director.
    """
    must_have_written(command)
    must_go_on(command)
    lost = command.again and at.current is None
    if lost or not (command.device.writes or command.again) or not may_correct(at.play):
        return command.receipt(store_entry(command, at))
    row = entering.correct_result(
        play_id=at.play.pk,
        entry=read_sure_entry(command, at.play, at.current),
        seen_version=command.version,
        sent=command.sent,
        now=command.now,
    )
    command.here.forget("plays")
    return command.receipt(row)


def ask_rest(command: Command, asked: tuple[Question, ...]) -> None:
    """Raise `QuestionsAsked` for the questions that the command does not list as answered (in `sure`)."""
    sure = command.fields.get("sure") or []
    left = tuple(question for question in asked if not isinstance(sure, list) or question.code not in sure)
    if left:
        raise QuestionsAsked(left)


def check(command: Command) -> Receipt:
    """Store that a player agrees or disagrees with the result that the player saw.

    Only the other side may agree. Every player of the table may disagree.
    """
    at = command.here.lock(command.play)
    known = [check for row in at.rows for check in row.checks.all() if check.key == command.key]
    if known:
        return command.receipt(check=known[0])
    must_go_on(command)
    if entering.is_used(command.key):
        raise ActionRefused("key_used")
    agrees, seat = command.fields.get("agrees"), command.seat
    if not isinstance(agrees, bool):
        raise ActionRefused("command_malformed", "agrees")
    entry = at.current
    if entry is None:
        raise ActionRefused("nothing_to_check")
    if entry.version != command.version or not was_seen(command, at.play, entry):
        raise Conflict("corrected_meanwhile", version=entry.version)
    if agrees:
        must_confirm(entry, seat=seat, device=command.label, of_sheet=is_dealt_here(at.play))
    check = EntryCheck.objects.create(
        entry=entry, agrees=agrees, seat=seat, device=command.label, key=command.key, checked_at=command.now
    )
    entering.log_play(at.play, "confirmed" if agrees else "disputed", now=command.now, device=command.label)
    command.here.add(at.play, check)
    return command.receipt(check=check)


def was_seen(command: Command, play: Play, current: ResultEntry) -> bool:
    """Return whether the result `current` is the one that a player saw and checked.

    After an older copy of the data was put back, another result may have the same version. A check without the entry
    names only the version.
    """
    if command.fields.get("entry") is None:
        return True
    return says_the_same(read_sent_entry(command, play, current), entry_of(current))


def must_confirm(entry: ResultEntry, *, seat: str, device: str, of_sheet: bool) -> None:
    """Raise `ActionRefused` if this seat cannot confirm the entry on this device.

    `of_sheet`: the table deals. Then one player agrees to a whole game, in which the taker changes, and every player
    but the writer may do so.
    """
    if entry.check_by == Session.Check.BLIND:
        raise ActionRefused("check_blind")
    if not seat:
        raise ActionRefused("command_malformed", "seat")
    if not (seat != entry.seat if of_sheet else other_side(entry, seat)):
        raise ActionRefused("check_other_side")
    if not confirms(entry, seat=seat, device=device, of_sheet=of_sheet):
        raise ActionRefused("check_other_device")


def not_played(command: Command) -> Receipt:
    return rule_by_table(command, entering.not_played, "not_played")


def undo_not_played(command: Command) -> Receipt:
    return rule_by_table(command, entering.to_be_played, "restored")


def rule_by_table(command: Command, service: Callable[..., object], action: str) -> Receipt:
    """Declare a play not played, or cancel that, by calling `service`, and log it as `action`."""
    play = command.here.lock(command.play).play
    if devices.is_done(command.table, str(command.key)):
        return command.receipt()
    must_go_on(command)
    must_write(command)
    must_be_open(play)
    service(play_id=play.pk, now=command.now, device=command.label)
    entering.log_play(play, action, now=command.now, device=command.label, key=str(command.key))
    command.here.forget("plays")
    return command.receipt()


def must_be_open(play: Play) -> None:
    if not may_set_aside(play):
        raise ActionRefused("position_closed")


# The arbiter


def call(command: Command) -> Receipt:
    """Call the arbiter, unless the table has an open call. The desk rings until the call is answered or taken back."""
    play = command.play if command.fields.get("play") is not None else None
    command.here.lock_for_call(play)
    calls = ArbiterCall.objects.filter(table=command.table)
    if ArbiterCall.objects.filter(key=command.key).exclude(table=command.table).exists():
        raise ActionRefused("key_used")
    if not calls.filter(key=command.key).exists() and not calls.filter(answered_at=None).exists():
        must_go_on(command)
        ArbiterCall.objects.create(
            session_id=command.table.session_id,
            table=command.table,
            play=play,
            key=command.key,
            called_at=command.now,
            reason=read_reason(command) if "reason" in command.fields else "",
        )
        log_call(command, "arbiter_called")
    return command.receipt()


def call_about(command: Command) -> Receipt:
    """Save the reason of the table's open call. The newest reason counts.

    A call that was answered or taken back does not change.
    """
    reason = read_reason(command)
    command.here.lock_for_call()
    opened = ArbiterCall.objects.filter(table=command.table, answered_at=None).exclude(reason=reason)
    if not devices.is_done(command.table, str(command.key)) and opened.update(reason=reason):
        log_call(command, "arbiter_called_about", key=str(command.key), about=reason)
    return command.receipt()


def read_reason(command: Command) -> str:
    reason = command.fields.get("reason")
    if reason not in ArbiterCall.CallReason.values:
        raise ActionRefused("command_malformed", "reason")
    return str(reason)


def uncall(command: Command) -> Receipt:
    """Take back the table's open call for the arbiter."""
    command.here.lock_for_call()
    if not devices.is_done(command.table, str(command.key)):
        ArbiterCall.objects.filter(table=command.table, answered_at=None).update(answered_at=command.now)
        log_call(command, "arbiter_not_needed", key=str(command.key))
    return command.receipt()


def log_call(command: Command, action: str, **params: str) -> None:
    table = command.table
    words = f"table {table.number}"
    told = {"table": table.number, **params}
    log_action(table.session_id, action, now=command.now, device=command.label, words=words, **told)  # type: ignore[arg-type]


# Corrections that players ask for


def agree(command: Command) -> Receipt:
    """Save whether one of the three other players agrees with a request for a correction of a play of this table.

    This is possible after the evening is closed too.
    """
    agrees, request = command.fields.get("agrees"), command.fields.get("request")
    if not isinstance(agrees, bool):
        raise ActionRefused("command_malformed", "agrees")
    answer_at_table(
        request_id=read_whole_number(request, "request", MOST_ID),
        table_id=command.table.pk,
        seat=read_seat(command.fields.get("seat")),
        agrees=agrees,
        device=command.label,
        now=command.now,
    )
    return command.receipt()


HANDLERS: Mapping[str, Callable[[Command], Receipt]] = {
    "join": join,
    "take_over": take_over,
    "leave": leave,
    "start": start,
    "enter": enter,
    "blind": check_blind,
    "correct": correct,
    "check": check,
    "not_played": not_played,
    "undo_not_played": undo_not_played,
    "call": call,
    "call_about": call_about,
    "uncall": uncall,
    "agree": agree,
    "record": record_cards,
}
