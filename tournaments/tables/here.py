"""What a request knows of its table: read once, and again where somebody else has written meanwhile. Writes nothing.

The table's revision tells, and its session's: whoever writes what a table shows raises one of them under its lock. What
is known is as of the two that `table` has.
"""

import datetime as dt
from functools import cached_property

from django.db import transaction

from tournaments.errors import Refused
from tournaments.locks import lock_play_at, raise_table
from tournaments.models import EntryCheck, Play, ResultEntry, Table, TableDevice
from tournaments.permissions import Glance
from tournaments.plays.common import common_of
from tournaments.plays.table_plays import TablePlay, plays_at, table_play
from tournaments.prepared import hang
from tournaments.tables.devices import devices_at, let_in


class Here:
    """For one request, whose own `table` is."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def devices(self) -> dict[str, TableDevice]:
        """By what they call themselves."""
        return devices_at(self.table)

    @cached_property
    def plays(self) -> dict[int, TablePlay]:
        """By their ids, in order of position and étui."""
        return {each.play.pk: each for each in plays_at(self.table)}

    def is_still(self, glance: Glance) -> bool:
        """Whether nobody else has written since."""
        session = self.table.session
        known = self.table.revision, session.revision, session.tournament.club.names_version
        return known == (glance.own, glance.shared, glance.names)

    def lock(self, play: Play) -> TablePlay:
        """A play of the table as it is now, until the transaction ends; `Refused` where it is gone."""
        lock_play_at(play.pk)
        self.raise_revision()
        if play.pk not in self.plays:
            raise Refused("play_gone")
        return self.plays[play.pk]

    def raise_revision(self) -> None:
        """Locks the table. Where the raising is rolled back all is read again: the table never had that revision."""
        if not raise_table(self.table):
            table = Table.objects.select_related("session__tournament__club").get(pk=self.table.pk)
            self.forget("devices", "plays")
            self.table = table

    @transaction.atomic
    def join(self, device: str, name: str, *, now: dt.datetime) -> TableDevice:
        self.raise_revision()
        let_in(self.devices, self.table, device, name, now=now)
        return self.devices[device]

    def forget(self, *known: str) -> None:
        """It is read again where it is asked for."""
        for name in known:
            vars(self).pop(name, None)

    def begin(self, play: Play, now: dt.datetime) -> None:
        """That a play of a locked table has been begun."""
        if at := self.plays.get(play.pk):
            at.play.started_at = at.play.started_at or now
            self.know(at.play)

    def add(self, play: Play, new: ResultEntry | EntryCheck) -> None:
        """What has been stored of a play that is locked."""
        if isinstance(new, ResultEntry):
            hang("checks", (), [new], by="entry_id")
            hang("entries", [*play.entries.all(), new], [play], by="play_id")
        else:
            entry = next(row for row in play.entries.all() if row.pk == new.entry_id)
            hang("checks", [*entry.checks.all(), new], [entry], by="entry_id")
        self.know(play)

    def know(self, play: Play) -> None:
        self.plays[play.pk] = table_play(play, common_of(self.table.session).rulings.get(play.etui_id))
