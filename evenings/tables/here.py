"""The rows of one table that a request has read. They are read again if another request has changed them.

Every write of data that the table shows raises the revision of the table or of its session. If both revisions are still
those of `table`, the rows are up to date.
"""

import datetime as dt
from functools import cached_property

from django.db import transaction

from evenings.glance import Glance
from evenings.plays.common import common_of
from evenings.plays.table_plays import TablePlay, plays_at, table_play
from evenings.tables.devices import devices_at, let_device_in
from tournaments.errors import ActionRefused
from tournaments.locks import lock_play_at, raise_table
from tournaments.models import EntryCheck, Play, ResultEntry, Table, TableDevice
from tournaments.prepared import hang


class Here:
    """The rows of one table that one request has read. No other request uses the same `table` instance."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def devices(self) -> dict[str, TableDevice]:
        """The table's devices by the ids that the devices chose for themselves."""
        return devices_at(self.table)

    @cached_property
    def plays(self) -> dict[int, TablePlay]:
        """The table's plays by their ids, in order of position and étui."""
        return {each.play.pk: each for each in plays_at(self.table)}

    def is_still(self, glance: Glance) -> bool:
        """Return whether the rows are up to date, by comparing their revisions with those of a new glance."""
        session = self.table.session
        known = self.table.revision, session.revision, session.tournament.club.names_version
        return known == (glance.own, glance.shared, glance.names)

    def lock(self, play: Play) -> TablePlay:
        """Lock a play of the table, and return it as it is now. Raise `ActionRefused` if it no longer exists."""
        lock_play_at(play.pk)
        self.raise_revision()
        if play.pk not in self.plays:
            raise ActionRefused("play_gone")
        return self.plays[play.pk]

    def lock_for_call(self, play: Play | None = None) -> None:
        """Lock the table for a write about a call for the arbiter. If the call is about a play, lock the play first."""
        if play is None:
            self.raise_revision()
        else:
            self.lock(play)

    def raise_revision(self) -> None:
        """Raise the table's revision, which locks the table. Forget all rows if another request has changed them.

        The rows are also forgotten if an earlier raise was rolled back, because `table` then has a wrong revision.
        """
        if not raise_table(self.table):
            table = Table.objects.select_related("session__tournament__club").get(pk=self.table.pk)
            self.forget("devices", "plays")
            self.table = table

    @transaction.atomic
    def join(self, device: str, name: str, *, now: dt.datetime) -> TableDevice:
        """Let a device join the table, and return the device."""
        self.raise_revision()
        let_device_in(self.devices, self.table, device, name, now=now)
        return self.devices[device]

    def forget(self, *known: str) -> None:
        """Forget the rows of these properties ("devices", "plays"), so that they are read again when needed."""
        for name in known:
            vars(self).pop(name, None)

    def begin(self, play: Play, now: dt.datetime) -> None:
        """Set the start of a play in the rows read before, after it was stored."""
        if at := self.plays.get(play.pk):
            at.play.started_at = at.play.started_at or now
            self.know(at.play)

    def add(self, play: Play, new: ResultEntry | EntryCheck) -> None:
        """Add an entry or a check to the rows read before, after it was stored."""
        if isinstance(new, ResultEntry):
            hang("checks", (), [new], by="entry_id")
            hang("entries", [*play.entries.all(), new], [play], by="play_id")
        else:
            entry = next(row for row in play.entries.all() if row.pk == new.entry_id)
            hang("checks", [*entry.checks.all(), new], [entry], by="entry_id")
        self.know(play)

    def know(self, play: Play) -> None:
        """Work out the state of a play again, after something was stored for it."""
        self.plays[play.pk] = table_play(play, common_of(self.table.session).rulings.get(play.etui_id))
