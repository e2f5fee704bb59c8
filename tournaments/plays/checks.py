"""The check of a play's result, by the other side's answer and by entries that contradict each other.

It only reads its arguments.

A result is entered, then confirmed or disputed by the other side. The arbiter's own entry or confirmation settles it.
"""

from collections.abc import Iterable, Sequence

from tournaments.models import ResultEntry, Session
from tournaments.plays.entries import entry_of
from tournaments.plays.state import PlayState


def other_side(entry: ResultEntry, seat: str) -> bool:
    """Return whether `seat` is on the other side than the seat that entered: the taker is against the three others.

    If a seat is unknown, the answer is True. If nobody took, every other seat is the other side.
    """
    if not seat or not entry.seat:
        return True
    if not entry.taker:
        return seat != entry.seat
    return (seat == entry.taker) != (entry.seat == entry.taker)


def confirms(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Return whether the agreement of this seat on this device is the kind of check that the entry requires."""
    same_device = device == entry.device
    if same_device and (entry.check_by == Session.Check.OTHER or seat == entry.seat):
        return False
    return other_side(entry, seat)


def agrees_unseen(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Return whether the same result, typed a second time from scratch, counts as agreement.

    It counts from another device whoever typed it, since the first device may be lost. In a blind check it counts from
    the other side only.
    """
    elsewhere = device != entry.device and entry.check_by != Session.Check.BLIND
    return elsewhere or confirms(entry, seat=seat, device=device)


def state_of_result(rows: Sequence[ResultEntry]) -> PlayState | None:
    """Return the state of a play's result, or None if no entry counts. `rows` are all its entries with their checks."""
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
    return next((row for row in rows if row.current), None)


def open_contests(rows: Iterable[ResultEntry], current: ResultEntry) -> list[ResultEntry]:
    """Return the contested entries that differ from the current one, and that no director has settled yet.

    Such an entry contested a result that counted then. If that result was withdrawn, the contested entry does not
    concern the result that was entered afterwards.
    """
    rows = list(rows)
    said = [check.checked_at for check in current.checks.all() if check.author_id is not None]
    # A reason was given by a director: for a correction, or for the withdrawal after which the table entered again.
    said += [row.entered_at for row in rows if not row.contested and (row.author_id is not None or row.reason)]
    settled = max(said, default=None)
    facts = entry_of(current)
    return [
        row
        for row in rows
        if row.contested and entry_of(row) != facts and (settled is None or row.entered_at > settled)
    ]
