"""The arbiter's codes: with such a code a director can rule on a table's own device without a password.

The code is valid for one table and ten minutes. The device on which it is typed may then be used for rulings for ten
minutes more, or until the director leaves. `permissions.find_arbiter` checks this.
"""

import datetime as dt
import secrets
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare

from clubs.models import User
from tournaments.errors import ActionRefused
from tournaments.locks import lock_table
from tournaments.log import log_action
from tournaments.models import ArbiterCode, Session, Table
from tournaments.models.hall import MOST_WRONG
from tournaments.permissions import digest_secret, find_codes_in_force

LIFETIME = dt.timedelta(minutes=10)
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
        expires_at=now + LIFETIME,
    )
    tell(code, "arbiter_code_made", now=now)
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
    waiting.came_at, waiting.expires_at = now, now + LIFETIME
    waiting.save()
    tell(waiting, "arbiter_came", now=now)
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
    tell(code, action, now=now)


def tell(code: ArbiterCode, action: str, *, now: dt.datetime) -> None:
    number = code.table.number
    log_action(code.table.session_id, action, now=now, by=code.author, words=f"table {number}", table=number)
