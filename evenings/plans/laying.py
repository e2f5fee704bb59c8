"""The plays of a plan as rows for the database, and the only function that writes such rows. It serves every format.

What differs from one seating to another is a function that fills the seats of a play.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from evenings.plans.layout import Row
from movements import Plan, PlanStop
from tournaments.models import Play, Session, Table

# Return the columns of a play that say who sits, rests or attacks there, from its table in the plan and its étui.
Fill = Callable[[PlanStop[Any], int], Row]


def etui_ids(session: Session) -> dict[int, int]:
    """Return the ids of the session's étuis by their numbers in the plan: the session's first étui is number 1."""
    assert session.deal_set is not None
    etuis = session.deal_set.etuis.filter(number__gte=session.first_etui)
    return {number - session.first_etui + 1: pk for number, pk in etuis.values_list("number", "pk")}


def list_planned(plan: Plan[Any], *, after: int = 0) -> Iterator[tuple[PlanStop[Any], int]]:
    """Yield each play of the plan after position `after`: a complete table, and the number of the étui or deal."""
    for stop in plan.stops:
        if stop.position > after and stop.complete:
            for etui in stop.etuis:
                yield stop, etui


def lay_plays(
    plan: Plan[Any], fill: Fill, *, tables: Mapping[int, int], etuis: Mapping[int, int], after: int = 0, stride: int = 0
) -> list[Row]:
    """Return the plays of the plan after position `after` as rows, in the order of the plan.

    - `tables`, `etuis`: ids by numbers in the plan. A table that is not there yet has its number below 0 as id.
    - `stride`: how many numbers each position has of its own, if the plan counts the deals of each one from 1.
    """
    return [
        {
            "position": stop.position,
            "table_id": tables[stop.table],
            "etui_id": etuis[(stop.position - 1) * stride + etui],
            **fill(stop, etui),
        }
        for stop, etui in list_planned(plan, after=after)
    ]


def write_new_rows(session: Session, rows: Iterable[Row]) -> None:
    """Add these plays to the session's plays."""
    write_rows(session, {}, {-place: row for place, row in enumerate(rows, start=1)})


def write_rows(session: Session, rows: Mapping[int, Row], wanted: Mapping[int, Row]) -> dict[int, int]:
    """Change the session's plays from `rows` to `wanted`, both by play id. New plays and tables have ids below 0.

    Return the saved ids of the new plays by their keys in `wanted`. Plays that are not wanted are deleted with their
    rulings, which the version of the plan keeps. Two changed plays may exchange their étuis, and the database checks
    unique keys after every statement. Changed plays therefore first get étui ids that do not exist; the database checks
    foreign keys only at the end of the transaction.
    """
    made = make_tables(session, {-row["table_id"] for row in wanted.values() if row["table_id"] < 0})
    wanted = {key: row | {"table_id": made.get(row["table_id"], row["table_id"])} for key, row in wanted.items()}
    gone = list(rows.keys() - wanted.keys())
    Play.objects.filter(pk__in=gone).delete()
    changing = {pk: row for pk, row in wanted.items() if pk in rows and rows[pk] != row}
    for pk in changing:
        Play.objects.filter(pk=pk).update(etui_id=-pk, is_replay=True)
    for pk, row in changing.items():
        Play.objects.filter(pk=pk).update(**row)
    new = {key: row for key, row in wanted.items() if key not in rows}
    plays = [Play(session=session, pk=key if key > 0 else None, **row) for key, row in new.items()]
    return {key: play.pk for key, play in zip(new, Play.objects.bulk_create(plays), strict=True)}


def make_tables(session: Session, numbers: Iterable[int]) -> dict[int, int]:
    """Make tables with these numbers. Return their ids by the negative numbers that stood for them in rows."""
    tables = [Table(session=session, number=number) for number in sorted(numbers)]
    return {-table.number: table.pk for table in Table.objects.bulk_create(tables)}
