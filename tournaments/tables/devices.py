"""Writes about the tables' own devices: the codes that open their screens, and which device of a table writes.

A table is opened by its token alone, without an account. One device writes; the others follow, or take over.
"""

import datetime as dt
import secrets
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from clubs.models import User
from tournaments.codes import draw_codes
from tournaments.locks import lock_session, lock_table
from tournaments.log import log
from tournaments.models import LogEntry, Session, Table, TableDevice, TableToken
from tournaments.permissions import Glance
from tournaments.prepared import Prepared, PreparedValues

LIFETIME = dt.timedelta(days=30)  # at most: `permissions.open_codes` has when a code is over
MOST_DEVICES = 100  # four players of each position may each come with a phone of their own
SEEN_EVERY = dt.timedelta(seconds=30)
DEVICES = Prepared(lambda table: TableDevice.objects.filter(table=table).order_by("id"))
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
    """One token for each table that never had one, for what is revoked stays so; none where only the desk enters."""
    if session.devices != Session.Devices.TABLES:
        return []
    if not session.tables.filter(tokens=None).exists():
        return []
    lock_session(session.pk, no_key=True)  # one maker of codes at a time
    return TableToken.objects.bulk_create(new_tokens(list(session.tables.filter(tokens=None)), now=now))


@transaction.atomic
def revoke_token(*, table: Table, by: User, now: dt.datetime) -> None:
    """The table's code opens nothing any more. Revoking again changes nothing."""
    lock_table(table)
    if TableToken.objects.filter(table=table, revoked_at=None).update(revoked_at=now):
        log(table.session_id, "token_revoked", now=now, by=by, words=str(table), table=table.number)


@transaction.atomic
def renew_token(*, table: Table, by: User, now: dt.datetime) -> TableToken:
    """A new code; the old one opens nothing any more. The devices that were there come back by the new one.

    Whoever had got hold of the old code is no longer among them.
    """
    lock_table(table)
    TableToken.objects.filter(table=table, revoked_at=None).update(revoked_at=now)
    TableDevice.objects.filter(table=table).delete()
    (token,) = new_tokens([table], now=now)
    token.save()
    log(table.session_id, "token_renewed", now=now, by=by, words=str(table), table=table.number)
    return token


def new_tokens(tables: Sequence[Table], *, now: dt.datetime) -> list[TableToken]:
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
    """So long that who tries one after the other, from many addresses, finds none."""
    return draw_codes(count, taken=numbers_among)


def numbers_among(numbers: set[str]) -> Iterable[str]:
    return TableToken.objects.filter(number__in=numbers).values_list("number", flat=True)


def devices_at(table: Table) -> dict[str, TableDevice]:
    """The table's devices by what they call themselves."""
    found = DEVICES(table.pk)
    for known in found:
        known.table = table
    return {known.device: known for known in found}


def let_in(devices: dict[str, TableDevice], table: Table, device: str, name: str, *, now: dt.datetime) -> None:
    """The device as one of the locked table's, and so of `devices`, which are all of them; it writes if no other one
    does. Joining again changes its name at most.

    Where the table is full the device that follows and was seen longest ago makes room: nobody can shut others out.
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
    """This device writes from now on. What another one typed offline before is still taken: see `once_wrote`."""
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
    """The device is the table's no longer; the log keeps that it was. Who stays takes over, or who comes writes."""
    lock_table(device.table)
    if is_done(device.table, key):
        return
    deleted, _ = TableDevice.objects.filter(pk=device.pk).delete()
    if deleted:
        log_device(device, "device_left", now=now, key=key)


def note_seen(glance: Glance, *, now: dt.datetime) -> None:
    """Notes that a device is there; a few seconds old is as good as new, and takes no lock on a laptop's database."""
    if glance.device is not None and glance.unseen:
        TableDevice.objects.filter(pk=glance.device).update(seen_at=now)


def open_by_number(code: TableToken, *, now: dt.datetime, device: str, address: str) -> None:
    """The log keeps who came by a table's number, which is easier told on than its code. What a device says of itself
    it may leave out; this it cannot."""
    table = code.table.number
    told = {"table": table, "address": address}
    log(code.table.session_id, "opened_by_number", now=now, device=device, words=f"table {table} {address}", **told)  # type: ignore[arg-type]


def once_wrote(device: TableDevice) -> bool:
    """Whether it writes or has written: then it may hold what was typed before another one took over."""
    return (
        device.writes
        or LogEntry.objects.filter(
            session_id=device.table.session_id, action="device_writes", device=device.label
        ).exists()
    )


def is_done(table: Table, key: str) -> bool:
    """Whether a command that leaves no row of its own has been carried out: the log has its key."""
    return bool(key) and LogEntry.objects.filter(session_id=table.session_id, params__key=key).exists()


def label_for(table: Table, device: str, name: str) -> str:
    """What people call a device that comes: the label that the log knows it by, or a new one: "Table 3 · iPhone 2"."""
    labels: dict[str, str] = dict(LABELS(table.session_id, table.number))
    if device in labels:
        return labels[device]
    number = len(set(labels.values())) + 1
    return f"Table {table.number} · {name} {number}" if name else f"Table {table.number} · {number}"


def log_device(device: TableDevice, action: str, *, now: dt.datetime, key: str = "") -> None:
    table = device.table
    told = {"table": table.number, "id": device.device} | ({"key": key} if key else {})
    log(table.session_id, action, now=now, device=device.label, words=device.label.lower(), **told)  # type: ignore[arg-type]
