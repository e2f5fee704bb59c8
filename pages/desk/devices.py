"""The director's page of the tables' devices: which code opens which table, and when each device was last seen.

Codes are revoked and renewed here.
"""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from evenings.tables.devices import leave_table, make_code, renew_token, revoke_token
from pages.acting import done, signed
from pages.doors import ACTION, Phase, author, session_page, session_url
from tournaments.addresses import link_to
from tournaments.log import list_doings
from tournaments.models import ArbiterCode, LogEntry, Session, Table, TableDevice, TableToken
from tournaments.numbers import read_number
from tournaments.permissions import AFTER_PUBLICATION, Can, find_codes_in_force, open_codes, require_found


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table with its newest code (`token`), which may be revoked or expired, and the devices that have joined.

    `open` is true if the code still opens the table's screen; `ends_at` is the time until which it does, or None.
    `arbiter` is the arbiter's code in force, or None. `is_spent` is true if that code was typed wrongly too often.
    `by_number` holds the log entries of devices that opened the screen by the typed number.
    """

    table: Table
    token: TableToken | None
    devices: list[TableDevice]
    ends_at: dt.datetime | None
    open: bool
    arbiter: ArbiterCode | None
    is_spent: bool
    by_number: list[LogEntry]


def rows_of(session: Session, now: dt.datetime) -> list[TableRow]:
    tokens = Prefetch("tokens", queryset=TableToken.objects.order_by("-id"))
    devices = Prefetch("devices", queryset=TableDevice.objects.order_by("-writes", "-seen_at"))
    codes = ArbiterCode.objects.filter(find_codes_in_force(now), Q(ended_at=None) | Q(tries_left=0)).select_related(
        "author"
    )
    arbiters = Prefetch("arbiter_codes", queryset=codes.order_by("-id"))
    tables = session.tables.prefetch_related(tokens, devices, arbiters).order_by("number")
    opened = set(open_codes(now).filter(table__session=session).values_list("pk", flat=True))
    by_number: dict[int, list[LogEntry]] = {}
    for line in list_doings(session, "opened_by_number"):
        by_number.setdefault(line.params["table"], []).append(line)
    published_at = session.publications.exclude(status="official").values_list("published_at", flat=True).first()
    over_at = published_at and published_at + AFTER_PUBLICATION
    return [row_of(table, opened, over_at, by_number.get(table.number, [])) for table in tables]


def row_of(table: Table, opened: set[int], over_at: dt.datetime | None, by_number: list[LogEntry]) -> TableRow:
    token = next(iter(table.tokens.all()), None)
    ends_at = min((moment for moment in (token and token.expires_at, over_at) if moment), default=None)
    is_open = token is not None and token.pk in opened
    newest = next(iter(table.arbiter_codes.all()), None) if is_open else None
    is_spent = newest is not None and newest.ended_at is not None
    arbiter = None if is_spent else newest
    return TableRow(table, token, list(table.devices.all()), ends_at, is_open, arbiter, is_spent, by_number)


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def tables(request: HttpRequest, session: Session) -> HttpResponse:
    by_devices = session.devices == Session.Devices.TABLES
    rows = rows_of(session, timezone.now()) if by_devices else []
    shown = read_number(request.GET, "qr")
    link = next((link_of(request, row) for row in rows if row.open and row.table.number == shown), "")
    context = {"session": session, "by_devices": by_devices, "rows": rows, "shown": shown, "link": link}
    return render(request, "desk/tables.html", context)


def link_of(request: HttpRequest, row: TableRow) -> str:
    """Return the address of a table's screen, as in the QR code on its card. Return "" if the table has no code."""
    return link_to(request, reverse("table_screen", args=[row.token.token])) if row.token else ""


@session_page(Can.DIRECT, ACTION)
def revoke(request: HttpRequest, session: Session, table: int) -> HttpResponse:
    revoke_token(table=table_of(session, table), **signed(request))
    text = _("Table %(table)s: its code no longer works.") % {"table": table}
    return done(request, text, session_url("tables", session))


@session_page(Can.DIRECT, ACTION)
def renew(request: HttpRequest, session: Session, table: int) -> HttpResponse:
    renew_token(table=table_of(session, table), **signed(request))
    text = _("Table %(table)s has a new code: print its card again.") % {"table": table}
    return done(request, text, session_url("tables", session))


@session_page(Can.DIRECT, ACTION)
def arbiter_code(request: HttpRequest, session: Session, table: int) -> HttpResponse:
    """Make a code with which this director rules on the table's device.

    With `end`, end the access that such a code gave.
    """
    place, now = table_of(session, table), timezone.now()
    if "end" in request.POST:
        leave_table(table=place, now=now)
    else:
        make_code(table=place, by=author(request), now=now)
    return redirect(f"{session_url('tables', session)}#table-{table}")


def table_of(session: Session, number: int) -> Table:
    """Return the table with that number.

    Raise Http404 if there is none, or if the tables of this session do not enter results on devices.
    """
    return require_found(session.tables.filter(number=number, session__devices=Session.Devices.TABLES).first())
