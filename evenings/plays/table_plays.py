"""The plays of one table for its screen and its commands, each with its state. This module only reads.

A *stop* is one position at one table. It is closed when none of its plays needs a result any more, and its players have
moved on or the session is published. Until then the table may correct its own results.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenings.plays.common import common_of, read_common
from evenings.plays.entries import current_of, state_of_result
from evenings.plays.state import AT_THE_TABLE, WAITED_FOR, PlayState, find_play_state
from tournaments.models import EntryCheck, EtuiRuling, Play, PlayRecord, ResultEntry, Ruling, Session, Table
from tournaments.models.seats import seat_entrants
from tournaments.prepared import PreparedRows, hang

PLAYS = PreparedRows(lambda table: Play.objects.filter(table=table).order_by("position", "etui__number"))
ENTRIES = PreparedRows(lambda table: ResultEntry.objects.filter(play__table=table).order_by("version"))
CHECKS = PreparedRows(lambda table: EntryCheck.objects.filter(entry__play__table=table).order_by("id"))
RECORDS = PreparedRows(lambda table: PlayRecord.objects.filter(play__table=table).order_by("version"))
RULINGS = PreparedRows(lambda table: Ruling.objects.filter(play__table=table).order_by("id"))


@dataclass(frozen=True, slots=True)
class TablePlay:
    """A play with all its entries and its state."""

    play: Play
    rows: Sequence[ResultEntry]
    state: PlayState

    @property
    def current(self) -> ResultEntry | None:
        return current_of(self.rows)

    @property
    def record(self) -> PlayRecord | None:
        """The record of the cards that counts, or None."""
        return next((row for row in self.play.records.all() if row.current), None)

    @property
    def withdrawn(self) -> bool:
        """True if the arbiter has withdrawn the result, and no new result was entered since."""
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
        """Return whether the table may now see the other tables' results of this étui.

        The other side must have agreed. If the session has no checks, the stop must be `complete`. Otherwise players
        could enter a false result, look at the other tables' results, and then enter what suits them.
        """
        if self.current is None or not self.current.shows:
            return False
        unchecked = self.current.check_by == Session.Check.NONE and self.state == PlayState.ENTERED
        return self.state == PlayState.CONFIRMED or (unchecked and complete)

    def was_shown(self, *, complete: bool) -> bool:
        """Return whether the table may see the other tables' results of this étui, or could at an earlier time."""
        return self.stands(complete=complete) or any(
            row.shows and (row.author_id is not None or any(check.agrees for check in row.checks.all()))
            for row in self.rows
        )

    def is_final(self, *, complete: bool) -> bool:
        """Return whether only a director may correct the result.

        This is so once the arbiter has adjusted it, or once the table could see the other tables' results.
        """
        decided = self.state == PlayState.ADJUSTED and self.current is not None
        return decided or self.was_shown(complete=complete)


def plays_at(table: Table) -> list[TablePlay]:
    """Return the plays of a table, sorted by position and étui, in a fixed number of queries."""
    plays, entries = PLAYS(table.pk), ENTRIES(table.pk)
    hang("checks", CHECKS(table.pk), entries, by="entry_id")
    hang("entries", entries, plays, by="play_id")
    hang("rulings", RULINGS(table.pk), plays, by="play_id")
    hang("records", RECORDS(table.pk), plays, by="play_id")
    common = common_of(table.session)
    if not common.knows(plays):
        common = read_common(table.session_id)
    seat_entrants(plays, common.people)
    for play in plays:
        play.table, play.session, play.etui = table, table.session, common.etuis[play.etui_id]
    return [table_play(play, common.rulings.get(play.etui_id)) for play in plays]


def table_play(play: Play, etui_ruling: EtuiRuling | None) -> TablePlay:
    """Return the play with its entries and state. `etui_ruling` is the newest ruling on its étui, or None."""
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
    """Return whether a stop is closed. `plays` are its plays; positions up to `over` are over at its table."""
    return position <= over and is_complete(plays)


def last_over(session: Session, here: int) -> int:
    """Return the last position that is over at a table whose players now play position `here`.

    That is the position before, or the last one of the session once the session is published.
    """
    return session.positions if common_of(session).outcome else here - 1


def is_complete(plays: Iterable[TablePlay]) -> bool:
    """Return whether none of these plays still needs a result."""
    return not any(play.state in WAITED_FOR for play in plays)


def may_correct(play: Play) -> bool:
    """Return whether the table, without a director, may still correct the result of this play."""
    stop, closed = stop_of(play)
    (this,) = [one for one in stop if one.play.pk == play.pk]
    return not closed and not this.is_final(complete=is_complete(stop))


def may_set_aside(play: Play) -> bool:
    """Return whether the table, without a director, may declare this play not played, or cancel that."""
    stop, closed = stop_of(play)
    complete = is_complete(stop)
    return not closed and not (complete and any(one.stands(complete=True) for one in stop))


def stop_of(play: Play) -> tuple[list[TablePlay], bool]:
    """Return all plays of the same table and position as this play, and whether that stop is closed."""
    play.table.session = play.session
    plays = plays_at(play.table)
    over = last_over(play.session, present_position(play.session, plays))
    stop = [one for one in plays if one.play.position == play.position]
    return stop, is_closed(over, play.position, stop)


def present_position(session: Session, plays: Sequence[TablePlay]) -> int:
    """Return the position that the table plays now.

    If the director calls positions, look only at positions up to the called one. Skip the positions before the last one
    in which an étui was begun. Among the others, return the first one with an étui to play, or else the called
    position. If positions are never called, return the last position in which an étui was begun, or 1.
    """
    called = session.position or session.positions
    begun = {play.play.position for play in plays if play.current or play.play.started_at}
    latest = max((position for position in begun if position <= called), default=1)
    if not session.position:
        return latest
    busy = {play.play.position for play in plays if play.state in AT_THE_TABLE}
    return min((position for position in busy if latest <= position <= called), default=called)
