"""Writes about the arbiter at a table: the code by which a director rules on its device without his password.

The code is for one table, its session and ten minutes; typed, it lets that one device in for ten minutes more, or until
he says that he is done. What may be done under it is asked by `permissions.find_arbiter`.
"""

import datetime as dt
import secrets
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from clubs.models import User
from tournaments.errors import Refused
from tournaments.locks import lock_table
from tournaments.log import log
from tournaments.models import ArbiterCode, Session, Table
from tournaments.models.room import MOST_WRONG
from tournaments.permissions import digest_of, in_force

LIFETIME = dt.timedelta(minutes=10)
DIGITS = 8


class Answer(NamedTuple):
    """What typing a code came to: the secret by which the device is known from now on, or whether the wrong code was
    the last that this one code lets anybody type."""

    grant: str = ""
    is_spent: bool = False


@transaction.atomic
def make_code(*, table: Table, by: User, now: dt.datetime) -> ArbiterCode:
    """A new code for the table; what another one let in is over. None once the evening is closed."""
    lock_table(table)
    if Session.objects.filter(pk=table.session_id, closed_at__isnull=False).exists():
        raise Refused("session_closed")
    open_codes(table).update(ended_at=now, code="", grant="")
    code = ArbiterCode.objects.create(
        table=table,
        author=by,
        code=f"{secrets.randbelow(10**DIGITS):0{DIGITS}}",
        tries_left=MOST_WRONG,
        made_at=now,
        expires_at=now + LIFETIME,
    )
    tell(code, "arbiter_code_made", now=now)
    return code


@transaction.atomic
def let_in(*, table: Table, code: str, now: dt.datetime) -> Answer:
    """Let the device in that has typed the code which waits at this table. Each wrong one counts."""
    lock_table(table)
    waiting = waiting_codes(table, now).select_related("table", "author").first()
    if waiting is None:
        return Answer()
    if not constant_time_compare(waiting.code, code):
        waiting.tries_left -= 1
        if not waiting.tries_left:
            end(waiting, "arbiter_code_spent", now=now)
        waiting.save()
        return Answer(is_spent=waiting.ended_at is not None)
    grant = secrets.token_urlsafe(32)
    waiting.code, waiting.grant = "", digest_of(grant)
    waiting.came_at, waiting.expires_at = now, now + LIFETIME
    waiting.save()
    tell(waiting, "arbiter_came", now=now)
    return Answer(grant)


@transaction.atomic
def leave_table(*, table: Table, now: dt.datetime) -> None:
    """What the table's code has let in, or would, is over. Said twice, it changes nothing the second time."""
    lock_table(table)
    for code in open_codes(table).select_related("table", "author"):
        end(code, "arbiter_left", now=now)
        code.save()


def open_codes(table: Table) -> QuerySet[ArbiterCode]:
    return ArbiterCode.objects.filter(table=table, ended_at=None)


def waiting_codes(table: Table, now: dt.datetime) -> QuerySet[ArbiterCode]:
    """Return the code of the table that waits to be typed: one, or none."""
    return open_codes(table).filter(in_force(now), came_at=None)


def end(code: ArbiterCode, action: str, *, now: dt.datetime) -> None:
    code.ended_at, code.code, code.grant = now, "", ""
    tell(code, action, now=now)


def tell(code: ArbiterCode, action: str, *, now: dt.datetime) -> None:
    number = code.table.number
    log(code.table.session_id, action, now=now, by=code.author, words=f"table {number}", table=number)
