"""The check of a play's result: whether the other side has confirmed it, and whether entries contradict each other.

The taker is one side, the three defenders are the other. One side enters a result, and the other side confirms or
disputes it. An entry or a confirmation by a director ends the dispute. The functions read only their arguments.
"""

from collections.abc import Iterable, Sequence

from evenings.plays.entries import entry_of
from evenings.plays.state import PlayState
from tournaments.models import ResultEntry, Session


def other_side(entry: ResultEntry, seat: str) -> bool:
    """Return whether `seat` is on the other side than the seat that entered the result.

    If one of the two seats is unknown, return True. If everyone passed, every other seat counts as the other side.
    """
    if not seat or not entry.seat:
        return True
    if not entry.taker:
        return seat != entry.seat
    attack = (entry.taker, entry.partner)
    return (seat in attack) != (entry.seat in attack)


def confirms(entry: ResultEntry, *, seat: str, device: str, of_sheet: bool = False) -> bool:
    """Return whether it counts as the check of the entry if this seat agrees on this device.

    The entry's `check_by` says who has to agree. With `of_sheet`, a player agrees to a whole game, and no side counts.
    """
    same_device = device == entry.device
    if same_device and (entry.check_by == Session.Check.OTHER or seat == entry.seat):
        return False
    return of_sheet or other_side(entry, seat)


def agrees_unseen(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Return whether the same result, entered a second time without seeing the first entry, counts as a check.

    From another device it counts whoever typed it, because the first device may be lost. In a blind check it counts
    only from the other side.
    """
    elsewhere = device != entry.device and entry.check_by != Session.Check.BLIND
    return elsewhere or confirms(entry, seat=seat, device=device)


def state_of_result(rows: Sequence[ResultEntry]) -> PlayState | None:
    """Return the state of a play's result: entered, confirmed or disputed. Return None if no entry counts.

    `rows` are all entries of the play with their checks.
    """
    current = current_of(rows)
    if current is None:
        return None
    if open_contests(rows, current):
        return PlayState.DISPUTED
    checks = list(current.checks.all())
    if checks:
        return PlayState.CONFIRMED if checks[-1].agrees else PlayState.DISPUTED
    return PlayState.CONFIRMED if current.author_id is not None else PlayState.ENTERED


def current_of(rows: Iterable[ResultEntry]) -> ResultEntry | None:
    """Return the entry that counts, or None."""
    return next((row for row in rows if row.current), None)


def open_contests(rows: Iterable[ResultEntry], current: ResultEntry) -> list[ResultEntry]:
    """Return the contested entries that differ from the current entry, if no director has decided since they came.

    A contested entry is about the result that counted when it came. If that result was withdrawn, the contested entry
    says nothing about the result that was entered afterwards.
    """
    rows = list(rows)
    said = [check.checked_at for check in current.checks.all() if check.author_id is not None]
    # Only directors give reasons: for a correction, or for a withdrawal. After a withdrawal, the table's next entry
    # gets the same reason.
    said += [row.entered_at for row in rows if not row.contested and (row.author_id is not None or row.reason)]
    settled = max(said, default=None)
    facts = entry_of(current)
    return [
        row
        for row in rows
        if row.contested and entry_of(row) != facts and (settled is None or row.entered_at > settled)
    ]
