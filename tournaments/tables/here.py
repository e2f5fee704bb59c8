"""The rows of one table that a request has read. They are read again if somebody else has written.

This module writes nothing.

Every write to something that the table shows raises the revision of the table or of its session, under its lock. So the
revisions tell whether the rows are still current. The rows are those of the two revisions that `table` has.
"""

import datetime as dt
from functools import cached_property

from django.db import transaction

from tournaments.errors import ActionRefused
from tournaments.glance import Glance
from tournaments.locks import lock_play_at, raise_table
from tournaments.models import EntryCheck, Play, ResultEntry, Table, TableDevice
from tournaments.plays.common import common_of
from tournaments.plays.table_plays import TablePlay, plays_at, table_play
from tournaments.prepared import hang
from tournaments.tables.devices import devices_at, let_device_in


class Here:
    """The rows of one table for one request. No other request uses this `table` instance."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def devices(self) -> dict[str, TableDevice]:
        """The table's devices, by the ids that they give themselves."""
        return devices_at(self.table)

    @cached_property
    def plays(self) -> dict[int, TablePlay]:
        """The table's plays by their ids, in order of position and étui."""
        return {each.play.pk: each for each in plays_at(self.table)}

    def is_still(self, glance: Glance) -> bool:
        """Return whether nobody else has written since the rows were read."""
        session = self.table.session
        known = self.table.revision, session.revision, session.tournament.club.names_version
        return known == (glance.own, glance.shared, glance.names)

    def lock(self, play: Play) -> TablePlay:
        """Lock and return a play of the table as it is now. Raise `ActionRefused` if it is gone."""
        lock_play_at(play.pk)
        self.raise_revision()
        if play.pk not in self.plays:
            raise ActionRefused("play_gone")
        return self.plays[play.pk]

    def lock_for_call(self, play: Play | None = None) -> None:
        """Lock the table, and before it the play that a call for the arbiter is about, if it is about one."""
        if play is None:
            self.raise_revision()
        else:
            self.lock(play)

    def raise_revision(self) -> None:
        """Raise the table's revision, which locks it.

        If somebody else has written since, everything is read again. It is also read again after a raise that was
        rolled back, because the table never had that revision.
        """
        if not raise_table(self.table):
            table = Table.objects.select_related("session__tournament__club").get(pk=self.table.pk)
            self.forget("devices", "plays")
            self.table = table

    @transaction.atomic
    def join(self, device: str, name: str, *, now: dt.datetime) -> TableDevice:
        self.raise_revision()
        let_device_in(self.devices, self.table, device, name, now=now)
        return self.devices[device]

    def forget(self, *known: str) -> None:
        """Forget these rows, so that they are read again at the next use."""
        for name in known:
            vars(self).pop(name, None)

    def begin(self, play: Play, now: dt.datetime) -> None:
        """Note that a play of a locked table has been begun."""
        if at := self.plays.get(play.pk):
            at.play.started_at = at.play.started_at or now
            self.know(at.play)

    def add(self, play: Play, new: ResultEntry | EntryCheck) -> None:
        """Note what has been stored for a locked play."""
        if isinstance(new, ResultEntry):
            hang("checks", (), [new], by="entry_id")
            hang("entries", [*play.entries.all(), new], [play], by="play_id")
        else:
            entry = next(row for row in play.entries.all() if row.pk == new.entry_id)
            hang("checks", [*entry.checks.all(), new], [entry], by="entry_id")
        self.know(play)

    def know(self, play: Play) -> None:
        self.plays[play.pk] = table_play(play, common_of(self.table.session).rulings.get(play.etui_id))
