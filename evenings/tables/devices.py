"""The writes about the tables' own devices: codes that open their screens, and the code of the arbiter at a table.

The code (token) on a table's card opens the table's screen without an account. One device of a table *writes*, that is,
enters results. The other devices show the same screen (they *follow*), and any of them can take over.

The code of the arbiter is valid for one table and ten minutes. The device on which it is typed may then be used for
rulings for ten minutes more, or until the director leaves. `permissions.find_arbiter` checks this.
"""

import datetime as dt
import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils.crypto import constant_time_compare

from clubs.models import User
from evenings.glance import Glance
from tournaments.codes import draw_codes
from tournaments.errors import ActionRefused
from tournaments.locks import lock_session, lock_table
from tournaments.log import log_action
from tournaments.models import ArbiterCode, LogEntry, Session, Table, TableDevice, TableToken
from tournaments.models.hall import MOST_WRONG
from tournaments.permissions import digest_secret, find_codes_in_force
from tournaments.prepared import PreparedRows, PreparedValues

LIFETIME = dt.timedelta(days=30)  # the longest life of a code; `permissions.open_codes` says when it expires earlier
MOST_DEVICES = 100  # the four players of each position may each bring a phone
SEEN_EVERY = dt.timedelta(seconds=30)
DEVICES = PreparedRows(lambda table: TableDevice.objects.filter(table=table).order_by("id"))
CAME = ("device_writes", "device_follows")
LABELS = PreparedValues(
    lambda session, table: (
        LogEntry.objects.filter(session=session, action__in=CAME)
        .filter(device__startswith=Concat(Value("Table "), Cast(Value(table), CharField()), Value(" · ")))
        .order_by("id")
        .values_list("params__id", "device")
    )
)


@transaction.atomic
def open_tables(session: Session, *, now: dt.datetime) -> list[TableToken]:
    """Make a code for each table of the session that never had one, and return the new codes.

    A revoked code is not replaced. Return [] if only the desk enters results.
    """
    if session.devices != Session.Devices.TABLES:
        return []
    if not session.tables.filter(tokens=None).exists():
        return []
    lock_session(session.pk, no_key=True)  # only one request at a time makes codes
    return TableToken.objects.bulk_create(new_tokens(list(session.tables.filter(tokens=None)), now=now))


@transaction.atomic
def revoke_token(*, table: Table, by: User, now: dt.datetime) -> None:
    """Revoke the table's code: it no longer opens the table's screen. The call is idempotent."""
    lock_table(table)
    if TableToken.objects.filter(table=table, revoked_at=None).update(revoked_at=now):
        log_action(table.session_id, "token_revoked", now=now, by=by, words=str(table), table=table.number)


@transaction.atomic
def renew_token(*, table: Table, by: User, now: dt.datetime) -> TableToken:
    """Revoke the table's code, and return a new one. All devices of the table must scan the new code.

    This shuts out people who got the old code although they do not play at the table.
    """
    lock_table(table)
    TableToken.objects.filter(table=table, revoked_at=None).update(revoked_at=now)
    TableDevice.objects.filter(table=table).delete()
    (token,) = new_tokens([table], now=now)
    token.save()
    log_action(table.session_id, "token_renewed", now=now, by=by, words=str(table), table=table.number)
    return token


def new_tokens(tables: Sequence[Table], *, now: dt.datetime) -> list[TableToken]:
    """Return new codes for these tables, which are not saved yet."""
    numbers = new_numbers(len(tables))
    return [
        TableToken(
            table=table,
            token=secrets.token_urlsafe(32),
            number=number,
            created_at=now,
            expires_at=now + LIFETIME,
        )
        for table, number in zip(tables, numbers, strict=True)
    ]


def new_numbers(count: int) -> list[str]:
    """Return `count` new numbers to type, so long that nobody finds one by trying, even from many addresses."""
    return draw_codes(count, taken=numbers_among)


def numbers_among(numbers: set[str]) -> Iterable[str]:
    return TableToken.objects.filter(number__in=numbers).values_list("number", flat=True)


def devices_at(table: Table) -> dict[str, TableDevice]:
    """Return the table's devices by the ids that the devices chose for themselves."""
    found = DEVICES(table.pk)
    for known in found:
        known.table = table
    return {known.device: known for known in found}


def let_device_in(devices: dict[str, TableDevice], table: Table, device: str, name: str, *, now: dt.datetime) -> None:
    """Add the device to `devices`, which has all devices of the locked table. It writes if no other device does.

    If the device is already known, only its name may change. If the table has MOST_DEVICES devices, remove the one that
    was seen longest ago and does not write. So nobody can shut out a table by joining many devices.
    """
    if device not in devices:
        if len(devices) >= MOST_DEVICES:
            oldest = min((one for one in devices.values() if not one.writes), key=lambda one: (one.seen_at, one.pk))
            devices.pop(oldest.device).delete()
        devices[device] = TableDevice(table=table, device=device, joined_at=now, label=label_for(table, device, name))
    known = devices[device]
    fresh, began = known.pk is None, not any(one.writes for one in devices.values())
    known.writes = known.writes or began
    known.name, known.seen_at = name or known.name, now
    known.save()
    if fresh or began:
        log_device(known, "device_writes" if known.writes else "device_follows", now=now)


@transaction.atomic
def take_over(*, device: TableDevice, now: dt.datetime, key: str = "") -> None:
    """Make this device the one that writes.

    Entries that another device typed before that without a network are still accepted (`once_wrote`).
    """
    lock_table(device.table)
    device.refresh_from_db()
    if is_done(device.table, key):
        return
    TableDevice.objects.filter(table=device.table, writes=True).exclude(pk=device.pk).update(writes=False)
    device.writes = True
    device.save(update_fields=["writes"])
    log_device(device, "device_writes", now=now, key=key)


@transaction.atomic
def leave(*, device: TableDevice, now: dt.datetime, key: str = "") -> None:
    """Remove the device from its table. The log keeps that it was there.

    If it was the device that writes, another device can take over. Otherwise the next device that joins writes.
    """
    lock_table(device.table)
    if is_done(device.table, key):
        return
    deleted, _ = TableDevice.objects.filter(pk=device.pk).delete()
    if deleted:
        log_device(device, "device_left", now=now, key=key)


def note_seen(glance: Glance, *, now: dt.datetime) -> None:
    """Save that the device was seen now, unless the glance says that this was saved some seconds ago.

    Rare writes are better for the database of a laptop, which locks as a whole for each write.
    """
    if glance.device is not None and glance.unseen:
        TableDevice.objects.filter(pk=glance.device).update(seen_at=now)


def open_by_number(code: TableToken, *, now: dt.datetime, device: str, address: str) -> None:
    """Log that a device opened a table by its typed number, with the device's IP `address`.

    A number is easier to pass on than the code on the card, so directors should see who used it.
    """
    table = code.table.number
    told = {"table": table, "address": address}
    words = f"table {table} {address}"
    log_action(code.table.session_id, "opened_by_number", now=now, device=device, words=words, **told)  # type: ignore[arg-type]


def once_wrote(device: TableDevice) -> bool:
    """Return whether the device writes, or wrote earlier.

    Such a device may still send entries that were typed before another device took over.
    """
    return (
        device.writes
        or LogEntry.objects.filter(
            session_id=device.table.session_id, action="device_writes", device=device.label
        ).exists()
    )


def is_done(table: Table, key: str) -> bool:
    """Return whether a command with this key was carried out, by the log.

    It is for commands that store their key only in the log.
    """
    return bool(key) and LogEntry.objects.filter(session_id=table.session_id, params__key=key).exists()


def label_for(table: Table, device: str, name: str) -> str:
    """Return the label of a device, such as "Table 3 · iPhone 2". A device that was here before keeps its label."""
    labels: dict[str, str] = dict(LABELS(table.session_id, table.number))
    if device in labels:
        return labels[device]
    number = len(set(labels.values())) + 1
    return f"Table {table.number} · {name} {number}" if name else f"Table {table.number} · {number}"


def log_device(device: TableDevice, action: str, *, now: dt.datetime, key: str = "") -> None:
    table = device.table
    told = {"table": table.number, "id": device.device} | ({"key": key} if key else {})
    log_action(table.session_id, action, now=now, device=device.label, words=device.label.lower(), **told)  # type: ignore[arg-type]


ARBITER_LIFETIME = dt.timedelta(minutes=10)
DIGITS = 8


class CodeAnswer(NamedTuple):
    """The answer to a typed code.

    `grant` is the secret that the device must send from now on; "" if the code was wrong. `is_spent` is True if the
    arbiter's code has ended because too many wrong codes were typed.
    """

    grant: str = ""
    is_spent: bool = False


@transaction.atomic
def make_code(*, table: Table, by: User, now: dt.datetime) -> ArbiterCode:
    """Make and return a new code for the table. An older code ends, and the device on which it was typed loses access.

    Raise `ActionRefused` if the evening is closed.
    """
    lock_table(table)
    if Session.objects.filter(pk=table.session_id, closed_at__isnull=False).exists():
        raise ActionRefused("session_closed")
    open_codes(table).update(ended_at=now, code="", grant="")
    code = ArbiterCode.objects.create(
        table=table,
        author=by,
        code=f"{secrets.randbelow(10**DIGITS):0{DIGITS}}",
        tries_left=MOST_WRONG,
        made_at=now,
        expires_at=now + ARBITER_LIFETIME,
    )
    log_code_step(code, "arbiter_code_made", now=now)
    return code


@transaction.atomic
def let_in(*, table: Table, code: str, now: dt.datetime) -> CodeAnswer:
    """Give the device access if the typed code is the one that is valid at this table. Count wrong codes."""
    lock_table(table)
    waiting = waiting_codes(table, now).select_related("table", "author").first()
    if waiting is None:
        return CodeAnswer()
    if not constant_time_compare(waiting.code, code):
        waiting.tries_left -= 1
        if not waiting.tries_left:
            end(waiting, "arbiter_code_spent", now=now)
        waiting.save()
        return CodeAnswer(is_spent=waiting.ended_at is not None)
    grant = secrets.token_urlsafe(32)
    waiting.code, waiting.grant = "", digest_secret(grant)
    waiting.came_at, waiting.expires_at = now, now + ARBITER_LIFETIME
    waiting.save()
    log_code_step(waiting, "arbiter_came", now=now)
    return CodeAnswer(grant)


@transaction.atomic
def leave_table(*, table: Table, now: dt.datetime) -> None:
    """End the codes of the table and the access that they gave. The call is idempotent."""
    lock_table(table)
    for code in open_codes(table).select_related("table", "author"):
        end(code, "arbiter_left", now=now)
        code.save()


def open_codes(table: Table) -> QuerySet[ArbiterCode]:
    return ArbiterCode.objects.filter(table=table, ended_at=None)


def waiting_codes(table: Table, now: dt.datetime) -> QuerySet[ArbiterCode]:
    """Return a queryset with the table's valid code that was not typed yet, if there is one."""
    return open_codes(table).filter(find_codes_in_force(now), came_at=None)


def end(code: ArbiterCode, action: str, *, now: dt.datetime) -> None:
    """End a code and log it. The caller saves the code."""
    code.ended_at, code.code, code.grant = now, "", ""
    log_code_step(code, action, now=now)


def log_code_step(code: ArbiterCode, action: str, *, now: dt.datetime) -> None:
    number = code.table.number
    log_action(code.table.session_id, action, now=now, by=code.author, words=f"table {number}", table=number)
