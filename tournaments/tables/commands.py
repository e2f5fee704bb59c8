"""What a table's device asks for: each command is one transaction and ends in a receipt, never in an exception.

A command may come twice, late, or out of order: the key that its sender gave it is kept with what it led to, and the
same key again changes nothing. Knows devices and plays; words and JSON are the edge's.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.utils.dateparse import parse_datetime

from clubs.models import hidden_in
from scoring.errors import ScoringError
from scoring.plausibility import Question
from tournaments.errors import Conflict, Refused
from tournaments.locks import lock_play, lock_table, raise_tables
from tournaments.log import log
from tournaments.models import ArbiterCall, EntryCheck, Play, ResultEntry, Session, Table, TableDevice
from tournaments.plays import entering
from tournaments.plays.checks import confirms, other_side
from tournaments.plays.table_plays import may_correct, may_set_aside
from tournaments.rules.entry import Auction, EntryError, questions
from tournaments.tables import devices
from tournaments.tables.reading import read_seat, read_table_entry

RECEIVED, REFUSED, CONFLICT, QUESTION = "received", "refused", "conflict", "question"
DEVICE = re.compile(r"[A-Za-z0-9_-]{8,32}")
NAME = 24
MOST_ID = 2**63 - 1
MOST_SMALL = 32_767
CLOCKS_APART = dt.timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a command. `number` and `version` are of the entry it led to, `at` is when that was stored.

    `stored` says that an entry or a check is kept under its key, which a restored backup may be found to lack.
    """

    key: str
    status: str
    at: dt.datetime
    number: int | None = None
    version: int | None = None
    error: Refused | EntryError | ScoringError | None = None
    questions: tuple[Question, ...] = ()
    stored: bool = False


class Asked(Exception):
    """Nothing is stored until these questions are answered."""

    def __init__(self, open_questions: tuple[Question, ...]) -> None:
        super().__init__()
        self.questions = open_questions


@dataclass
class Command:
    """A command as it came, read field by field; `Refused` where a field has another shape."""

    table: Table
    device: TableDevice
    fields: Mapping[str, Any]
    key: UUID
    now: dt.datetime

    @property
    def label(self) -> str:
        return self.device.label

    @cached_property
    def play(self) -> Play:
        """The play that it is about; another table's is as unknown as one that is not.

        Position and étui find it first, where they are said: since the plan was laid out anew or a backup restored,
        its id may be another one, and that of another play.
        """
        number = read_number(self.fields.get("play"), "play", MOST_ID)
        plays = Play.objects.select_related("session__tournament", "table", "etui").filter(table=self.table)
        play, of_id = None, plays.filter(pk=number)
        if "etui" in self.fields:
            position, etui = (read_number(self.fields.get(name), name, MOST_SMALL) for name in ("position", "etui"))
            play = plays.filter(position=position, etui__number=etui).first()
            of_id = of_id.none() if self.again else of_id.filter(position=position)
        play = play or of_id.first()
        if play is None:
            raise Refused("play_unknown")
        return play

    @property
    def again(self) -> bool:
        """Whether its sender has a receipt for it, and the site, with an older backup, has lost it."""
        return self.fields.get("again") is True

    @property
    def version(self) -> int:
        name = "seen_version" if "seen_version" in self.fields else "version"
        return read_number(self.fields.get(name), name, MOST_SMALL)

    @property
    def seat(self) -> str:
        """Who typed; an entry may leave it open."""
        return read_seat(self.fields["seat"]) if self.fields.get("seat") else ""

    @property
    def sent(self) -> entering.Sent:
        return entering.Sent(self.label, self.key, self.seat, self.typed_at)

    @property
    def typed_at(self) -> dt.datetime | None:
        """When its sender says that it was typed; None where that cannot be."""
        given = self.fields.get("at")
        try:
            moment = parse_datetime(given) if isinstance(given, str) else None
            return moment if moment and moment.tzinfo and abs(moment - self.now) < CLOCKS_APART else None
        except (ValueError, OverflowError):
            return None

    def receipt(self, row: ResultEntry | None = None, *, check: EntryCheck | None = None) -> Receipt:
        contested = row is not None and row.contested
        return Receipt(
            key=str(self.key),
            status=CONFLICT if contested else RECEIVED,
            at=row.entered_at if row else check.checked_at if check else self.now,
            number=row.pk if row else None,
            version=row.version if row else None,
            error=Conflict("kept_contested") if contested else None,
            stored=check is not None or (row is not None and self.is_of(row)),
        )

    def is_of(self, row: ResultEntry) -> bool:
        """Whether the entry, or a check of it, came by this command."""
        return row.key == self.key or row.checks.filter(key=self.key).exists()


def receive(table: Table, device: str, command: object, now: dt.datetime) -> Receipt:
    """Carries a command out and says what became of it. A device that has not joined joins by it."""
    key = str(command.get("key", ""))[:40] if isinstance(command, Mapping) else ""
    try:
        if not isinstance(command, Mapping) or str(command.get("kind")) not in HANDLERS:
            raise Refused("command_unknown")
        read = read_command(table, device, command, now)
        with transaction.atomic():
            return HANDLERS[str(command["kind"])](read)
    except Asked as asked:
        return Receipt(key, QUESTION, now, questions=asked.questions)
    except Conflict as conflict:
        return Receipt(key, CONFLICT, now, error=conflict)
    except (Refused, EntryError, ScoringError) as refusal:
        return Receipt(key, REFUSED, now, error=refusal)


def read_command(table: Table, device: str, fields: Mapping[str, Any], now: dt.datetime) -> Command:
    try:
        key = UUID(fields["key"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("command_malformed", "key") from None
    if not DEVICE.fullmatch(device):
        raise Refused("command_malformed", "device")
    known = TableDevice.objects.filter(table=table, device=device).first()
    name = read_name(fields)
    return Command(table, known or devices.join(table=table, device=device, now=now, name=name), fields, key, now)


def read_name(fields: Mapping[str, Any]) -> str:
    """What kind of device its sender says that it is."""
    name = fields.get("name") or ""
    if not isinstance(name, str) or hidden_in(name):
        raise Refused("command_malformed", "name")
    return name.strip()[:NAME]


def read_number(value: object, field: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise Refused("command_malformed", field)
    return value


# Devices


def join(command: Command) -> Receipt:
    name = read_name(command.fields)
    devices.join(table=command.table, device=command.device.device, name=name, now=command.now)
    return command.receipt()


def take_over(command: Command) -> Receipt:
    devices.take_over(device=command.device, now=command.now, key=str(command.key))
    return command.receipt()


def leave(command: Command) -> Receipt:
    devices.leave(device=command.device, now=command.now, key=str(command.key))
    return command.receipt()


# Results


def start(command: Command) -> Receipt:
    """The first one to say so counts. After the last call no étui is begun any more."""
    play = command.play
    must_have_written(command)
    if play.started_at is None and play.table.last_call == play.position:
        raise Refused("last_call")
    first = Play.objects.filter(pk=play.pk, started_at=None, session__status=Session.Status.RUNNING)
    if play.started_at is None and first.update(started_at=command.now):
        raise_tables(pk=play.table_id)
    return command.receipt()


def enter(command: Command) -> Receipt:
    """What was typed by a device that has lost the writing meanwhile is taken too: contested, or as the first."""
    play = command.play
    if row := entering.find_stored(command.key, play):
        return command.receipt(row)
    must_have_written(command)
    return command.receipt(store_entry(command, play))


def check_blind(command: Command) -> Receipt:
    """The second entry of a blind check, by the other side, on any device: the same is the check, another contests."""
    play = command.play
    current = play.entries.filter(current=True).first()
    if (current or play.session).check_by != Session.Check.BLIND:
        return enter(command)
    if row := entering.find_stored(command.key, play):
        return command.receipt(row)
    if current is not None and not other_side(current, command.seat):
        raise Refused("check_other_side")
    return command.receipt(store_entry(command, play))


def store_entry(command: Command, play: Play) -> ResultEntry:
    entry = read_table_entry(command.fields.get("entry"))
    entering.check_entry(play, entry)
    ask_rest(command, questions(entry, auction=cast(Auction, play.session.tournament.auction)))
    return entering.enter_result(play_id=play.pk, entry=entry, sent=command.sent, now=command.now)


def correct(command: Command) -> Receipt:
    """The table takes back what it said, until the position closes or it has seen what the others did; what comes
    later is kept for the director."""
    play = command.play
    if row := entering.find_stored(command.key, play):
        return command.receipt(row)
    must_have_written(command)
    lost = command.again and not play.entries.filter(current=True).exists()
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
    play = lock_play(command.play.pk)
    stored = EntryCheck.objects.filter(key=command.key).select_related("entry").first()
    if stored is not None:
        if stored.entry.play_id != play.pk:
            raise Refused("key_used")
        return command.receipt(check=stored)
    agrees, seat = command.fields.get("agrees"), command.seat
    if not isinstance(agrees, bool):
        raise Refused("command_malformed", "agrees")
    entry = play.entries.filter(current=True).first()
    if entry is None:
        raise Refused("nothing_to_check")
    if entry.version != command.version:
        raise Conflict("corrected_meanwhile", version=entry.version)
    if agrees:
        must_confirm(entry, seat=seat, device=command.label)
    stored = EntryCheck.objects.create(
        entry=entry, agrees=agrees, seat=seat, device=command.label, key=command.key, checked_at=command.now
    )
    entering.log_play(play, "confirmed" if agrees else "disputed", now=command.now, device=command.label)
    return command.receipt(check=stored)


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
    must_write(command)
    must_be_open(play)
    service(play_id=play.pk, now=command.now, device=command.label)
    entering.log_play(play, action, now=command.now, device=command.label, key=str(command.key))
    return command.receipt()


def must_be_open(play: Play) -> None:
    if not may_set_aside(play):
        raise Refused("position_closed")


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
        ArbiterCall.objects.create(
            session_id=command.table.session_id,
            table=command.table,
            play=play,
            key=command.key,
            called_at=command.now,
        )
        log_call(command, "arbiter_called")
    return command.receipt()


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
    "uncall": uncall,
}
