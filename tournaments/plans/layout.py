"""The plays of a plan as rows, including plays that are left out because somebody at the table has had the étui.

This module only reads.

A row has a play's columns by name. Plays in which somebody would meet an étui again are laid out all the same, and
marked: they are not played or, if they were, their results do not count. So after a mistake nobody has to move.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.db.models import OuterRef, Subquery

from tournaments.models import ResultEntry, Ruling, Session
from tournaments.models.seats import SEAT_COLUMNS, list_seated, reseat
from tournaments.plans.current import SessionPlan

Row = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)
COLUMNS = ("position", "table_id", "etui_id", *SEAT_COLUMNS)


def find_laid_rows(session: Session) -> dict[int, Row]:
    """Return the rows of the session's plays by their ids."""
    return {row.pop("pk"): row for row in session.plays.order_by("pk").values("pk", *COLUMNS, "is_replay")}


def plan_rows(evening: SessionPlan, *, after: int, tables: Mapping[int, int], etuis: Mapping[int, int]) -> list[Row]:
    """Return the plan's plays after position `after`. `tables` and `etuis` are ids by the numbers in the plan."""
    return [
        {"position": play.position, "table_id": tables[play.table], "etui_id": etuis[etui], **evening.seats(play)}
        for play in evening.plan.plays
        if play.complete and play.position > after
        for etui in play.etuis
    ]


def etui_ids(session: Session) -> dict[int, int]:
    """Return the ids of the étuis by their numbers in the plan."""
    assert session.deal_set is not None
    etuis = session.deal_set.etuis.filter(number__gte=session.first_etui)
    return {number - session.first_etui + 1: pk for number, pk in etuis.values_list("number", "pk")}


def identity(row: Row) -> tuple[Any, ...]:
    """Return the values that make two rows the same play."""
    return tuple(row[column] for column in COLUMNS)


def fit_rows(rows: Mapping[int, Row], planned: Iterable[Row]) -> tuple[dict[int, Row], list[Row]]:
    """Return the rows that are planned, by their ids, and the plan's other plays, in its order."""
    wanted = {identity(row): row for row in planned}
    kept = {pk: row for pk, row in rows.items() if identity(row) in wanted}
    there = {identity(row) for row in kept.values()}
    return kept, [row for key, row in wanted.items() if key not in there]


def find_met_before(
    rows: Mapping[Key, Row], *, played: Collection[Key] = (), skipped: Collection[Key] = ()
) -> dict[Key, list[int]]:
    """Return the ids of the people who have had the étui before, for each row that has any.

    Plays in `played` certainly happened and come first. Those in `skipped` did not happen, so they come last.
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
    return {key: row | {"is_replay": key in met} for key, row in rows.items()}


def find_entered(session: Session) -> set[int]:
    """Return the plays that have a result."""
    entries = ResultEntry.objects.filter(play__session=session, current=True)
    return set(entries.values_list("play_id", flat=True))


def newest_rulings(session: Session) -> Any:
    """Return the plays that were ever ruled on, each with its ruling in `force`."""
    newest = Ruling.objects.filter(play=OuterRef("pk")).order_by("-id").values("kind")[:1]
    return session.plays.annotate(force=Subquery(newest)).exclude(force=None)


def find_skipped(session: Session, entered: Collection[int]) -> set[int]:
    """Return the plays that are ruled not played and have no result."""
    skipped = newest_rulings(session).filter(force=Ruling.RulingKind.NOT_PLAYED).values_list("pk", flat=True)
    return set(skipped) - set(entered)


def swap_seats(rows: Mapping[int, Row], position: int, pair: Sequence[int]) -> dict[int, Row]:
    """Return the rows of a position in which either of the two sits, with each on the other's seat."""
    exchanged = {pair[0]: pair[1], pair[1]: pair[0]}
    return {
        pk: reseat(row, exchanged)
        for pk, row in rows.items()
        if row["position"] == position and not exchanged.keys().isdisjoint(list_seated(row))
    }
