"""The plays of one table for its screen and its commands, each with the state of its result. It only reads.

A stop is one position at one table. It is closed once all its results are there and its players have moved on, or the
session is published. Until then the table may correct itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.models import EntryCheck, EtuiRuling, Play, ResultEntry, Ruling, Session, Table
from tournaments.plays.checks import current_of, state_of_result
from tournaments.plays.common import common_of, read_common
from tournaments.plays.people import seat
from tournaments.plays.state import AT_THE_TABLE, WAITED_FOR, PlayState, find_play_state
from tournaments.prepared import PreparedRows, hang

PLAYS = PreparedRows(lambda table: Play.objects.filter(table=table).order_by("position", "etui__number"))
ENTRIES = PreparedRows(lambda table: ResultEntry.objects.filter(play__table=table).order_by("version"))
CHECKS = PreparedRows(lambda table: EntryCheck.objects.filter(entry__play__table=table).order_by("id"))
RULINGS = PreparedRows(lambda table: Ruling.objects.filter(play__table=table).order_by("id"))


@dataclass(frozen=True, slots=True)
class TablePlay:
    """A play with all its entries."""

    play: Play
    rows: Sequence[ResultEntry]
    state: PlayState

    @property
    def current(self) -> ResultEntry | None:
        return current_of(self.rows)

    @property
    def withdrawn(self) -> bool:
        """True if the arbiter has withdrawn the result, and no other one has come since."""
        rulings = list(self.play.rulings.all())
        return self.current is None and bool(rulings) and rulings[-1].kind == Ruling.RulingKind.WITHDRAWN

    @property
    def arbiter(self) -> str:
        """The arbiter's part in the current result: "corrected", "entered", "confirmed", or "" if there is none."""
        if self.current is None:
            return ""
        if self.current.author_id is not None:
            return "corrected" if self.current.version > 1 else "entered"
        checks = list(self.current.checks.all())
        return "confirmed" if checks and checks[-1].author_id is not None and checks[-1].agrees else ""

    def stands(self, *, complete: bool) -> bool:
        """Return whether the results of the other tables may be shown for this play.

        The other side must have agreed or, if nobody checks, the position must be complete at this table. Before that,
        a false entry would reveal them for use in the true one.
        """
        if self.current is None or not self.current.shows:
            return False
        unchecked = self.current.check_by == Session.Check.NONE and self.state == PlayState.ENTERED
        return self.state == PlayState.CONFIRMED or (unchecked and complete)

    def was_shown(self, *, complete: bool) -> bool:
        """Return whether the result stands, or any version ever did. From then on only the director may correct it."""
        return self.stands(complete=complete) or any(
            row.shows and (row.author_id is not None or any(check.agrees for check in row.checks.all()))
            for row in self.rows
        )

    def is_final(self, *, complete: bool) -> bool:
        """Return whether only the director may correct the result.

        That is so once the arbiter has decided, or once the other tables' results were shown.
        """
        decided = self.state == PlayState.ADJUSTED and self.current is not None
        return decided or self.was_shown(complete=complete)


def plays_at(table: Table) -> list[TablePlay]:
    """Return the plays of a table by position and étui, with the table's session, in a fixed number of queries."""
    plays, entries = PLAYS(table.pk), ENTRIES(table.pk)
    hang("checks", CHECKS(table.pk), entries, by="entry_id")
    hang("entries", entries, plays, by="play_id")
    hang("rulings", RULINGS(table.pk), plays, by="play_id")
    common = common_of(table.session)
    if not common.knows(plays):
        common = read_common(table.session_id)
    for play in seat(plays, common.people):
        play.table, play.session, play.etui = table, table.session, common.etuis[play.etui_id]
    return [table_play(play, common.rulings.get(play.etui_id)) for play in plays]


def table_play(play: Play, etui_ruling: EtuiRuling | None) -> TablePlay:
    """Return the play with its entries and state. `etui_ruling` is the one in force on its étui."""
    rows, rulings = list(play.entries.all()), list(play.rulings.all())
    state = find_play_state(
        ruling=rulings[-1].kind if rulings else "",
        etui_ruling=etui_ruling.kind if etui_ruling else "",
        is_replay=play.is_replay,
        result=state_of_result(rows),
        started=play.started_at is not None,
    )
    return TablePlay(play, rows, state)


def is_closed(over: int, position: int, plays: Iterable[TablePlay]) -> bool:
    """Return whether the stop of these plays is closed at a table where the positions up to `over` are over."""
    return position <= over and is_complete(plays)


def last_over(session: Session, here: int) -> int:
    """Return the last position that is over at a table whose players sit there for position `here`."""
    return session.positions if common_of(session).outcome else here - 1


def is_complete(plays: Iterable[TablePlay]) -> bool:
    """Return whether no result of these plays of a stop is waited for."""
    return not any(play.state in WAITED_FOR for play in plays)


def may_correct(play: Play) -> bool:
    """Return whether the table itself may still correct the result of this play."""
    stop, closed = stop_of(play)
    (this,) = [one for one in stop if one.play.pk == play.pk]
    return not closed and not this.is_final(complete=is_complete(stop))


def may_set_aside(play: Play) -> bool:
    """Return whether the table may declare this play not played, or cancel that."""
    stop, closed = stop_of(play)
    complete = is_complete(stop)
    return not closed and not (complete and any(one.stands(complete=True) for one in stop))


def stop_of(play: Play) -> tuple[list[TablePlay], bool]:
    """Return all plays of this play's stop, and whether the stop is closed."""
    play.table.session = play.session
    plays = plays_at(play.table)
    over = last_over(play.session, present_position(play.session, plays))
    stop = [one for one in plays if one.play.position == play.position]
    return stop, is_closed(over, play.position, stop)


def present_position(session: Session, plays: Sequence[TablePlay]) -> int:
    """Return the position whose players sit at the table: the first one with something to do, at most the one called.

    Players who have begun an étui sit there: an earlier position that still lacks a result does not change this, nor
    does a ruling on an étui of a later position. If positions are never called, it is the last position that was begun.
    """
    called = session.position or session.positions
    begun = {play.play.position for play in plays if play.current or play.play.started_at}
    latest = max((position for position in begun if position <= called), default=1)
    if not session.position:
        return latest
    busy = {play.play.position for play in plays if play.state in AT_THE_TABLE}
    return min((position for position in busy if latest <= position <= called), default=called)
