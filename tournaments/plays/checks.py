"""What the other side's word, and entries that contradict each other, make of a play's result. Reads what it is given.

A result is entered, then confirmed by the other side or disputed; the arbiter's own entry or word settles it.
"""

from collections.abc import Iterable, Sequence

from tournaments.models import ResultEntry, Session
from tournaments.plays.entries import entry_of
from tournaments.plays.state import State


def other_side(entry: ResultEntry, seat: str) -> bool:
    """Whether `seat` sits against whoever entered: the taker against the three others. Unknown seats may be anybody's;
    where nobody took, everybody else is the other side."""
    if not seat or not entry.seat:
        return True
    if not entry.taker:
        return seat != entry.seat
    return (seat == entry.taker) != (entry.seat == entry.taker)


def confirms(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Whether the agreement of this seat on this device is the check that the entry came under."""
    same_device = device == entry.device
    if same_device and (entry.check_by == Session.Check.OTHER or seat == entry.seat):
        return False
    return other_side(entry, seat)


def agrees_unseen(entry: ResultEntry, *, seat: str, device: str) -> bool:
    """Whether the same result, typed on its own, is agreement: from another device whoever typed, since the first one
    may be lost; in a blind check from the other side alone."""
    elsewhere = device != entry.device and entry.check_by != Session.Check.BLIND
    return elsewhere or confirms(entry, seat=seat, device=device)


def state_of_result(rows: Sequence[ResultEntry]) -> State | None:
    """`rows` are all the entries of one play with their checks; None where none counts."""
    current = current_of(rows)
    if current is None:
        return None
    if open_contests(rows, current):
        return State.DISPUTED
    checks = list(current.checks.all())
    if checks:
        return State.CONFIRMED if checks[-1].agrees else State.DISPUTED
    return State.CONFIRMED if current.author_id is not None else State.ENTERED


def current_of(rows: Iterable[ResultEntry]) -> ResultEntry | None:
    return next((row for row in rows if row.current), None)


def open_contests(rows: Iterable[ResultEntry], current: ResultEntry) -> list[ResultEntry]:
    """Entries that say something else than the one that counts, and on which no director has had the last word: they
    contested a result that counted, and say nothing of one that was entered after that had been withdrawn."""
    rows = list(rows)
    said = [check.checked_at for check in current.checks.all() if check.author_id is not None]
    # A reason is a director's own, or that of the withdrawal after which the table entered anew.
    said += [row.entered_at for row in rows if not row.contested and (row.author_id is not None or row.reason)]
    settled = max(said, default=None)
    facts = entry_of(current)
    return [
        row
        for row in rows
        if row.contested and entry_of(row) != facts and (settled is None or row.entered_at > settled)
    ]
