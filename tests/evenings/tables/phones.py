"""A table's device for tests: it sends commands as the screen does, and reads the answers.

It compares each answer with the schema of the screen.
"""

import uuid

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.tables.commands import receive
from evenings.tables.devices import open_tables
from evenings.tables.here import Here
from evenings.tables.state import build_table_state
from tests.evenings.tables.screen_schema import fitting
from tournaments.models import Table, TableToken
from tournaments.rules.entry import entry_to_data


def tokens_of(session):
    """Return the codes of a session's tables by their numbers; make those that do not exist."""
    open_tables(session, now=timezone.now())
    tokens = TableToken.objects.filter(table__session=session, revoked_at=None).select_related("table")
    return {token.table.number: token.token for token in tokens}


def command(kind, *, key=None, **fields):
    """Return a command as it is sent. An entry is written as data, and a play by its id."""
    if "play" in fields:
        fields["play"] = getattr(fields["play"], "pk", fields["play"])
    if "entry" in fields:
        fields["entry"] = entry_to_data(fields["entry"])
    return {"key": str(key or uuid.uuid4()), "kind": kind, "at": timezone.now().isoformat()} | fields


class Device:
    """A device of a table that calls `tables.commands` directly."""

    def __init__(self, table, name="phone-one"):
        self.table, self.name = table, name

    def here(self):
        """Return the table as each request reads it."""
        return Here(Table.objects.select_related("session__tournament__club").get(pk=self.table.pk))

    def send(self, kind, **fields):
        return self.send_again(command(kind, **fields))

    def send_again(self, command):
        return receive(self.here(), self.name, command, timezone.now())

    def state(self):
        return fitting("State", build_table_state(self.here(), self.name, stamp="of a test", now=timezone.now()))

    def play(self, number):
        """Return the state of one play by its id."""
        (play,) = [play for stop in self.state()["stops"] for play in stop["plays"] if play["id"] == number]
        return play


class Phone:
    """A device of a table that sends HTTP requests."""

    def __init__(self, token, name="phone-one", language="en", client=None):
        self.token, self.name = token, name
        self.client = client or Client(headers={"accept-language": language}, enforce_csrf_checks=True)

    def post(self, *commands):
        body = {"device": self.name, "commands": list(commands)}
        answer = self.client.post(reverse("table_send", args=[self.token]), body, content_type="application/json")
        if answer.status_code == 200:
            fitting("Answer", answer.json())
        return answer

    def send(self, kind, **fields):
        (receipt,) = self.post(command(kind, **fields)).json()["receipts"]
        return receipt

    def get(self, **query):
        address = reverse("table_state", args=[self.token])
        answer = self.client.get(address, {"device": self.name} | query)
        if answer.status_code == 200:
            fitting("State", answer.json())
        return answer
