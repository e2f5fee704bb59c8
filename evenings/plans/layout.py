"""The stored plays of a session as rows, compared with those of a plan. This module only reads.

A row is a dict with the columns of a play by name. A play in which a player would get an étui again is a row too. It is
marked as a replay: it is not played or, if it was, its result does not count. So after a mistake in play, nobody has to
move to another table.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import OuterRef, Subquery

from tournaments.models import ResultEntry, Ruling, Session
from tournaments.models.seats import SEAT_COLUMNS, list_seated, reseat

Row = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)
COLUMNS = ("position", "table_id", "etui_id", *SEAT_COLUMNS)


def find_laid_rows(session: Session) -> dict[int, Row]:
    """Return the stored plays of the session as rows, by the play's id. Only rows of teams have a badge."""
    rows = {}
    for row in session.plays.order_by("pk").values("pk", *COLUMNS, "is_replay", "badge"):
        if not row["badge"]:
            del row["badge"]
        rows[row.pop("pk")] = row
    return rows


def identity(row: Row) -> tuple[Any, ...]:
    """Return the values of a row that identify the play: position, table, étui and the four entrants."""
    return tuple(row[column] for column in COLUMNS)


def fit_rows(rows: Mapping[int, Row], planned: Iterable[Row]) -> tuple[dict[int, Row], list[Row]]:
    """Return the stored rows that are also `planned`, by id, and the list of planned rows that are not stored yet."""
    wanted = {identity(row): row for row in planned}
    kept = {pk: row for pk, row in rows.items() if identity(row) in wanted}
    there = {identity(row) for row in kept.values()}
    return kept, [row for key, row in wanted.items() if key not in there]


def find_met_before(
    rows: Mapping[Key, Row], *, played: Collection[Key] = (), skipped: Collection[Key] = ()
) -> dict[Key, list[int]]:
    """Return the ids of the entrants who get an étui again, by the key of the row in which they get it.

    Rows are looked at in the order of play. Rows in `played` certainly happened, so they come first. Rows in `skipped`
    did not happen, so they come last.
    """
    had: set[tuple[int, int]] = set()
    found: dict[Key, list[int]] = {}

    def place(key: Key) -> tuple[Any, ...]:
        return key in skipped, key not in played, *identity(rows[key])

    for key in sorted(rows, key=place):
        row = rows[key]
        people = list_seated(row)
        again = [pk for pk in people if (row["etui_id"], pk) in had]
        if again:
            found[key] = again
        if not again or key in played:
            had |= {(row["etui_id"], pk) for pk in people}
    return found


def mark_replays(rows: Mapping[Key, Row], met: Collection[Key]) -> dict[Key, Row]:
    """Return the rows with `is_replay` set: True for the keys in `met`."""
    return {key: row | {"is_replay": key in met} for key, row in rows.items()}


def find_entered(session: Session) -> set[int]:
    """Return the ids of the session's plays that have a result."""
    entries = ResultEntry.objects.filter(play__session=session, current=True)
    return set(entries.values_list("play_id", flat=True))


def newest_rulings(session: Session) -> Any:
    """Return the queryset of the session's plays with a ruling. Its column `force` has the kind of the newest one."""
    newest = Ruling.objects.filter(play=OuterRef("pk")).order_by("-id").values("kind")[:1]
    return session.plays.annotate(force=Subquery(newest)).exclude(force=None)


def find_skipped(session: Session, entered: Collection[int]) -> set[int]:
    """Return the ids of the session's plays that a ruling declares not played and that have no result."""
    skipped = newest_rulings(session).filter(force=Ruling.RulingKind.NOT_PLAYED).values_list("pk", flat=True)
    return set(skipped) - set(entered)


def swap_seats(rows: Mapping[int, Row], position: int, pair: Sequence[int]) -> dict[int, Row]:
    """Return the rows of a position in which one of the two entrants `pair` sits, with their seats exchanged, by id."""
    exchanged = {pair[0]: pair[1], pair[1]: pair[0]}
    return {
        pk: reseat(row, exchanged)
        for pk, row in rows.items()
        if row["position"] == position and not exchanged.keys().isdisjoint(list_seated(row))
    }
