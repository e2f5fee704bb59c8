"""The two views of a table's screen: one reads the table's state, the other receives commands of its device.

They need the token of the table and no account.
"""

import datetime as dt
import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from django.core.cache import caches
from django.db import OperationalError
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from api.base import View
from evenings.glance import Glance, get_table_at
from evenings.tables.command import Receipt
from evenings.tables.commands import receive
from evenings.tables.devices import note_seen
from evenings.tables.here import Here
from evenings.tables.state import SERVER, build_table_state, glance_of, stamp_of
from tournaments.words.messages import say, say_question

logger = logging.getLogger(__name__)

MOST_COMMANDS = 50
MOST_BYTES = 256 * 1024


class TableThrottle(SimpleRateThrottle):
    """A limit of requests for each table. Client addresses are not counted, because all devices of a hall share one.

    Each process counts in its own memory. The limit protects the threads of that process, and frequent requests for
    news must not wait for a shared cache.
    """

    rate = "300/min"
    cache = caches["process"]
    timer = monotonic  # if the computer's clock were set back, the throttle would refuse the table until then

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"throttle-table-{hashlib.sha256(view.kwargs['token'].encode()).hexdigest()}"


class TokenUnknown(exceptions.NotFound):
    """An error for a token that is unknown, expired, revoked or not for devices. The client is not told which."""

    def __init__(self) -> None:
        super().__init__(
            _("This code does not open a table, or no longer does: scan the table card again."), "token_unknown"
        )


class Door(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (TableThrottle,)

    def glance(self, device: str) -> Glance:
        with known_token():
            return glance_of(self.kwargs["token"], device, now=timezone.now())

    def here(self, glance: Glance) -> Here:
        with known_token():
            return Here(get_table_at(glance))


@contextmanager
def known_token() -> Iterator[None]:
    """Turn a `Http404` inside the block into `TokenUnknown`."""
    try:
        yield
    except Http404:
        raise TokenUnknown from None


@extend_schema(exclude=True)
class StateView(Door):
    def get(self, request: Request, token: str) -> Response:
        device_id, now = request.query_params.get("device", ""), timezone.now()
        device = device_id if device_id.isprintable() else ""
        glance = self.glance(device)
        note_seen(glance, now=now)
        stamp = stamp_of(glance, device)
        if request.query_params.get("seen") == stamp:
            return Response(status=204)
        return Response(build_table_state(self.here(glance), device, stamp=stamp, now=now))


@extend_schema(exclude=True)
class SendView(Door):
    def post(self, request: Request, token: str) -> Response:
        place, now = self.here(self.glance("")), timezone.now()
        device, commands = self.read(request)
        receipts = [receipt for command in commands if (receipt := self.receipt(place, device, command, now))]
        glance = self.glance(device)
        note_seen(glance, now=now)
        place = place if place.is_still(glance) else self.here(glance)
        state = build_table_state(place, device, stamp=stamp_of(glance, device), now=now)
        return Response({"server": SERVER, "receipts": receipts, "state": state})

    def receipt(self, here: Here, device: str, command: object, now: dt.datetime) -> dict[str, Any] | None:
        """Return the receipt of a command, or None if the site itself fails.

        Without a receipt, the device keeps the command and sends it again. The site still receives the commands after
        it.
        """
        try:
            return receipt_data(receive(here, device, command, now))
        except OperationalError:  # the database does not answer, so the next command would fail too
            raise
        except Exception:
            logger.exception("a command of table %s failed", here.table.pk)
            return None

    def read(self, request: Request) -> tuple[str, list[Any]]:
        """Return the device and the commands in the request. Raise `ParseError` if they are malformed or too many."""
        if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
            raise exceptions.ParseError(
                _("The request is larger than %(most)s bytes: send less at a time.") % {"most": MOST_BYTES}
            )
        body = request.data
        device = body.get("device") if isinstance(body, dict) else None
        commands = body.get("commands") if isinstance(body, dict) else None
        if not isinstance(device, str) or not device.isprintable() or not isinstance(commands, list):
            raise exceptions.ParseError(_("Send the device and a list of commands."))
        if not 1 <= len(commands) <= MOST_COMMANDS:
            raise exceptions.ParseError(_("Send 1 to %(most)s commands at a time.") % {"most": MOST_COMMANDS})
        return device, commands


def receipt_data(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as data."""
    error = receipt.error
    return {
        "key": receipt.key,
        "status": receipt.status,
        "number": receipt.number,
        "version": receipt.version,
        "at": receipt.at.isoformat(),
        "stored": receipt.stored,
        "code": error.code if error else "",
        "text": say(error) if error else "",
        "questions": [{"code": question.code, "text": say_question(question)} for question in receipt.questions],
    }
