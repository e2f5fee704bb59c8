"""A command of a table's device as it came, read field by field, and what is answered to it. Writes nothing but that a
device joins by sending."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime

from clubs.models import hidden_in
from scoring.errors import ScoringError
from scoring.plausibility import Question
from tournaments.errors import Conflict, Refused
from tournaments.models import EntryCheck, Play, ResultEntry, Table, TableDevice
from tournaments.plays.entering import Sent
from tournaments.rules.entry import EntryError
from tournaments.tables.here import Here
from tournaments.tables.reading import read_seat

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


@dataclass
class Command:
    """A command as it came, read field by field; `Refused` where a field has another shape."""

    here: Here
    device: TableDevice
    fields: Mapping[str, Any]
    key: UUID
    now: dt.datetime

    @property
    def table(self) -> Table:
        return self.here.table

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
        plays = [each.play for each in self.here.plays.values()]
        found = [play for play in plays if play.pk == number]
        if "etui" in self.fields:
            place = [read_number(self.fields.get(name), name, MOST_SMALL) for name in ("position", "etui")]
            of_id = [] if self.again else [play for play in found if play.position == place[0]]
            found = [play for play in plays if [play.position, play.etui.number] == place] or of_id
        if not found:
            raise Refused("play_unknown")
        return found[0]

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
    def sent(self) -> Sent:
        return Sent(self.label, self.key, self.seat, self.typed_at)

    @property
    def typed_at(self) -> dt.datetime | None:
        """When its sender says that it was typed; None where that cannot be."""
        given = self.fields.get("at")
        try:
            moment = parse_datetime(given) if isinstance(given, str) else None
            return moment if moment and moment.tzinfo and abs(moment - self.now) < CLOCKS_APART else None
        except (ValueError, OverflowError):
            return None

    @property
    def began_at(self) -> dt.datetime:
        """When an étui was begun: now, or when the site had said so in a receipt that its older backup has lost."""
        return min(self.typed_at or self.now, self.now) if self.again else self.now

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
        return row.key == self.key or any(check.key == self.key for check in row.checks.all())

    def stored(self, play: Play) -> ResultEntry | None:
        """The entry of the play that it has led to already, as far as the play is known."""
        return next((row for row in self.here.plays[play.pk].rows if self.is_of(row)), None)


def read_command(here: Here, device: str, fields: Mapping[str, Any], now: dt.datetime) -> Command:
    try:
        key = UUID(fields["key"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused("command_malformed", "key") from None
    if not DEVICE.fullmatch(device):
        raise Refused("command_malformed", "device")
    name, known = read_name(fields), here.devices.get(device)
    if known is None or fields["kind"] == "join":
        known = here.join(device, name, now=now)
    return Command(here, known, fields, key, now)


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
