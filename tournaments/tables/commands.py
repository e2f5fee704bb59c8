"""What a table's device asks for: each command is one transaction and ends in a receipt, never in an exception.

A command may come twice, late, or out of order: the key that its sender gave it is kept with what it led to, and the
same key again changes nothing. Knows devices and plays; words and JSON are the edge's.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import cast

from django.db import transaction

from scoring.errors import ScoringError
from scoring.plausibility import Question
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_play, lock_table
from tournaments.log import log
from tournaments.models import ArbiterCall, EntryCheck, Play, ResultEntry, Session
from tournaments.plays import entering
from tournaments.plays.checks import confirms, other_side
from tournaments.plays.table_plays import may_correct, may_set_aside
from tournaments.requests.asking import answer_at_table
from tournaments.rules.entry import Auction, EntryError, questions
from tournaments.tables import devices
from tournaments.tables.command import (
    CONFLICT,
    MOST_ID,
    QUESTION,
    REFUSED,
    Command,
    Receipt,
    read_command,
    read_number,
)
from tournaments.tables.here import Here
from tournaments.tables.reading import read_seat, read_table_entry


class Asked(Exception):
    """Nothing is stored until these questions are answered."""

    def __init__(self, open_questions: tuple[Question, ...]) -> None:
        super().__init__()
        self.questions = open_questions


def receive(here: Here, device: str, command: object, now: dt.datetime) -> Receipt:
    """Carries a command out and says what became of it. A device that has not joined joins by it."""
    key = str(command.get("key", ""))[:40] if isinstance(command, Mapping) else ""
    try:
        if not isinstance(command, Mapping) or str(command.get("kind")) not in HANDLERS:
            raise Refused("command_unknown")
        read, handle = read_command(here, device, command, now), HANDLERS[str(command["kind"])]
        if handle is join:
            return join(read)
        with transaction.atomic():
            return handle(read)
    except Asked as asked:
        return Receipt(key, QUESTION, now, questions=asked.questions)
    except Conflict as conflict:
        return Receipt(key, CONFLICT, now, error=conflict)
    except (Refused, EntryError, ScoringError) as refusal:
        return Receipt(key, REFUSED, now, error=refusal)


# Devices


def join(command: Command) -> Receipt:
    """Whoever sends has joined by sending."""
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
    """The first one to say so counts. After the last call no étui is begun any more."""
    play = command.play
    must_have_written(command)
    must_go_on(command)
    if play.started_at is None and play.table.last_call == play.position:
        raise Refused("last_call")
    began = command.began_at
    if play.started_at is None and Play.objects.filter(pk=play.pk, started_at=None).update(started_at=began):
        command.here.raise_revision()
        command.here.begin(play, began)
    return command.receipt()


def enter(command: Command) -> Receipt:
    """What was typed by a device that has lost the writing meanwhile is taken too: contested, or as the first."""
    play = command.play
    if row := command.stored(play):
        return command.receipt(row)
    must_have_written(command)
    return command.receipt(store_entry(command, play))


def check_blind(command: Command) -> Receipt:
    """The second entry of a blind check, by the other side, on any device: the same is the check, another contests."""
    play = command.play
    current = command.here.plays[play.pk].current
    if (current or play.session).check_by != Session.Check.BLIND:
        return enter(command)
    if row := command.stored(play):
        return command.receipt(row)
    if current is not None and not other_side(current, command.seat):
        raise Refused("check_other_side")
    return command.receipt(store_entry(command, play))


def store_entry(command: Command, play: Play) -> ResultEntry:
    must_go_on(command)
    entry = read_table_entry(command.fields.get("entry"))
    entering.check_entry(play, entry)
    ask_rest(command, questions(entry, auction=cast(Auction, play.session.tournament.auction)))
    at = command.here.lock(play)
    if row := command.stored(at.play):
        return row
    must_go_on(command)
    if entering.is_used(command.key):
        raise Refused("key_used")
    row = entering.take_entry(at.play, at.rows, entry, sent=command.sent, now=command.now)
    if row in at.rows:  # which this has checked
        command.here.forget("plays")
    else:
        command.here.add(at.play, row)
    return row


def correct(command: Command) -> Receipt:
    """The table takes back what it said, until the position closes or it has seen what the others did; what comes
    later is kept for the director."""
    play = command.play
    if row := command.stored(play):
        return command.receipt(row)
    must_have_written(command)
    must_go_on(command)
    lost = command.again and command.here.plays[play.pk].current is None
    if lost or not (command.device.writes or command.again) or not may_correct(play):
        return command.receipt(store_entry(command, play))
    entry = read_table_entry(command.fields.get("entry"))
    entering.check_entry(play, entry)
    ask_rest(command, questions(entry, auction=cast(Auction, play.session.tournament.auction)))
    row = entering.correct_result(
        play_id=play.pk, entry=entry, seen_version=command.version, sent=command.sent, now=command.now
    )
    return command.receipt(row)


def ask_rest(command: Command, asked: tuple[Question, ...]) -> None:
    sure = command.fields.get("sure") or []
    left = tuple(question for question in asked if not isinstance(sure, list) or question.code not in sure)
    if left:
        raise Asked(left)


def check(command: Command) -> Receipt:
    """The other side's word on the version that it saw. Anybody at the table may dispute it."""
    at = command.here.lock(command.play)
    known = [check for row in at.rows for check in row.checks.all() if check.key == command.key]
    if known:
        return command.receipt(check=known[0])
    must_go_on(command)
    if entering.is_used(command.key):
        raise Refused("key_used")
    agrees, seat = command.fields.get("agrees"), command.seat
    if not isinstance(agrees, bool):
        raise Refused("command_malformed", "agrees")
    entry = at.current
    if entry is None:
        raise Refused("nothing_to_check")
    if entry.version != command.version:
        raise Conflict("corrected_meanwhile", version=entry.version)
    if agrees:
        must_confirm(entry, seat=seat, device=command.label)
    check = EntryCheck.objects.create(
        entry=entry, agrees=agrees, seat=seat, device=command.label, key=command.key, checked_at=command.now
    )
    entering.log_play(at.play, "confirmed" if agrees else "disputed", now=command.now, device=command.label)
    command.here.add(at.play, check)
    return command.receipt(check=check)


def must_confirm(entry: ResultEntry, *, seat: str, device: str) -> None:
    if entry.check_by == Session.Check.BLIND:
        raise Refused("check_blind")
    if not seat:
        raise Refused("command_malformed", "seat")
    if not other_side(entry, seat):
        raise Refused("check_other_side")
    if not confirms(entry, seat=seat, device=device):
        raise Refused("check_other_device")


def not_played(command: Command) -> Receipt:
    return rule_by_table(command, entering.not_played, "not_played")


def undo_not_played(command: Command) -> Receipt:
    return rule_by_table(command, entering.to_be_played, "restored")


def rule_by_table(command: Command, service: Callable[..., object], action: str) -> Receipt:
    play = lock_play(command.play.pk)
    if devices.is_done(command.table, str(command.key)):
        return command.receipt()
    must_go_on(command)
    must_write(command)
    must_be_open(play)
    service(play_id=play.pk, now=command.now, device=command.label)
    entering.log_play(play, action, now=command.now, device=command.label, key=str(command.key))
    return command.receipt()


def must_be_open(play: Play) -> None:
    if not may_set_aside(play):
        raise Refused("position_closed")


def must_go_on(command: Command) -> None:
    """That the evening is not closed, as far as is known: under the table's lock as it is."""
    if command.table.session.closed_at is not None:
        raise Refused("session_closed")


def must_write(command: Command) -> None:
    if not command.device.writes:
        raise Refused("not_writing")


def must_have_written(command: Command) -> None:
    """What the site had taken once comes again from whoever has the receipt."""
    if not command.again and not devices.once_wrote(command.device):
        raise Refused("not_writing")


# The arbiter


def call(command: Command) -> Receipt:
    """One call a table at a time; the desk rings until it is answered or taken back."""
    play = lock_play(command.play.pk) if command.fields.get("play") is not None else None
    lock_table(command.table)
    calls = ArbiterCall.objects.filter(table=command.table)
    if ArbiterCall.objects.filter(key=command.key).exclude(table=command.table).exists():
        raise Refused("key_used")
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
    """What the table's open call is about; nothing once it is answered or taken back. The word said last counts."""
    reason = read_reason(command)
    lock_table(command.table)
    opened = ArbiterCall.objects.filter(table=command.table, answered_at=None).exclude(reason=reason)
    if not devices.is_done(command.table, str(command.key)) and opened.update(reason=reason):
        log_call(command, "arbiter_called_about", key=str(command.key), about=reason)
    return command.receipt()


def read_reason(command: Command) -> str:
    reason = command.fields.get("reason")
    if reason not in ArbiterCall.Reason.values:
        raise Refused("command_malformed", "reason")
    return str(reason)


def uncall(command: Command) -> Receipt:
    lock_table(command.table)
    if not devices.is_done(command.table, str(command.key)):
        ArbiterCall.objects.filter(table=command.table, answered_at=None).update(answered_at=command.now)
        log_call(command, "arbiter_not_needed", key=str(command.key))
    return command.receipt()


def log_call(command: Command, action: str, **params: str) -> None:
    table = command.table
    words = f"table {table.number}"
    log(table.session_id, action, now=command.now, device=command.label, words=words, table=table.number, **params)  # type: ignore[arg-type]


# Corrections that players ask for


def agree(command: Command) -> Receipt:
    """What one of the three others says, here where it was played; closed or not, the evening is over by then."""
    agrees, request = command.fields.get("agrees"), command.fields.get("request")
    if not isinstance(agrees, bool):
        raise Refused("command_malformed", "agrees")
    answer_at_table(
        request_id=read_number(request, "request", MOST_ID),
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
}
