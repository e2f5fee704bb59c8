"""The computation of a session's plays after a change of the plan. This module only reads.

The director sees the result before choosing the change; then other modules write it.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from evenings.plans.current import SessionPlan
from evenings.plans.laying import etui_ids, lay_plays
from evenings.plans.layout import (
    Row,
    find_entered,
    find_laid_rows,
    find_met_before,
    find_skipped,
    fit_rows,
    mark_replays,
    swap_seats,
)
from movements import LinePlan
from tournaments.models import Entrant, Session
from tournaments.models.seats import list_seated, reseat
from tournaments.rules.operations import Operation, Substitute, Swap, WrongEtuis

# (table number, planned étui) → the étui that was played instead.
Exchanges = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class PlaysBefore:
    """The plays of a session before a change. They are read once for all outcomes that the director can choose from.

    `rows` has the plays by id. `entered` are the ids of plays with a result, `skipped` those of plays declared not
    played. `tables` and `etuis` have ids by their numbers in the plan.
    """

    session: Session
    rows: dict[int, Row]
    entered: set[int]
    skipped: set[int]
    tables: dict[int, int]
    etuis: dict[int, int]

    @cached_property
    def table_numbers(self) -> dict[int, int]:
        """The numbers of the tables by their ids."""
        return {pk: number for number, pk in self.tables.items()}

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The numbers that the étuis have in their set, by their ids."""
        return {pk: number + self.session.first_etui - 1 for number, pk in self.etuis.items()}


@dataclass(frozen=True, slots=True)
class PlaysAfter:
    """The plays after a change. `rows` has them by id; new plays have keys below 0.

    `met` has, for each replay, the ids of the entrants who have already played its étui. `moved` are the ids of plays
    that get other entrants or another étui. `later` are the keys of new plays for étuis that a table plays later.
    """

    rows: dict[int, Row]
    met: dict[int, list[int]]
    moved: frozenset[int]
    later: tuple[int, ...]


def read_before(session: Session) -> PlaysBefore:
    """Return the plays of a session as they are now."""
    entered = find_entered(session)
    tables = dict(session.tables.values_list("number", "pk"))
    return PlaysBefore(
        session, find_laid_rows(session), entered, find_skipped(session, entered), tables, etui_ids(session)
    )


def lay_plays_again(
    before: PlaysBefore,
    plan: LinePlan,
    *,
    after: int,
    operation: Operation | None = None,
    people: Sequence[Entrant],
    exchanges: Exchanges | None = None,
) -> PlaysAfter:
    """Return the plays as they will be with this plan, with `people` as the entrants.

    Positions up to `after` change only where `operation` corrects a mistake. New tables have ids below 0. Raise
    `KeyError` if the deal set has too few étuis for the plan.
    """
    evening = SessionPlan(before.session, plan)
    evening.entrants = list(people)
    rows = before.rows
    mended = mend_rows(before, operation, people, exchanges or {})
    tables = {number: -number for number in range(1, plan.tables + 1)} | before.tables
    planned = lay_plays(plan, lambda stop, _etui: evening.seats(stop), tables=tables, etuis=before.etuis, after=after)
    to_come = {pk: row for pk, row in rows.items() if row["position"] > after}
    kept, more = fit_rows(to_come, planned)
    owed = rows_made_up_for(before, operation, exchanges or {})
    new = {-place: row for place, row in enumerate([*owed, *more], start=1)}
    history = {pk: mended.get(pk, row) for pk, row in rows.items() if row["position"] <= after}
    found = {**history, **kept, **new}
    told = mended.keys() if isinstance(operation, WrongEtuis) else set()
    met = find_met_before(found, played=before.entered | told, skipped=before.skipped - told)
    later = tuple(-place for place, _ in enumerate(owed, start=1))
    return PlaysAfter(mark_replays(found, met), met, frozenset(pk for pk in mended if mended[pk] != rows[pk]), later)


def mend_rows(
    before: PlaysBefore, operation: Operation | None, people: Sequence[Entrant], exchanges: Exchanges
) -> dict[int, Row]:
    """Return the rows that the operation corrects, in their corrected form, by id."""
    rows = before.rows
    match operation:
        case Swap(position=position, one=one, other=other):
            return swap_seats(rows, position, (one, other))
        case Substitute(entrant=entrant, position=position, own=True):
            substitute = next(one.pk for one in people if one.player_id == operation.player)
            return {
                pk: reseat(row, {entrant: substitute})
                for pk, row in rows.items()
                if row["position"] >= position and pk not in before.entered and entrant in list_seated(row)
            }
        case WrongEtuis(position=position):
            first = before.session.first_etui - 1
            played = {
                (before.tables[table], before.etuis[planned - first]): before.etuis[number - first]
                for (table, planned), number in exchanges.items()
            }
            return {
                pk: row | {"etui_id": played[row["table_id"], row["etui_id"]]}
                for pk, row in rows.items()
                if row["position"] == position and (row["table_id"], row["etui_id"]) in played
            }
    return {}


def rows_made_up_for(before: PlaysBefore, operation: Operation | None, exchanges: Exchanges) -> list[Row]:
    """Return new rows for the étuis that a table will play later because it played other ones instead."""
    if not isinstance(operation, WrongEtuis) or not operation.later:
        return []
    first, table = before.session.first_etui - 1, before.tables[operation.table]
    where = (operation.position, table)
    there = [row for row in before.rows.values() if (row["position"], row["table_id"]) == where]
    etuis = [before.etuis[number - first] for number in find_unplayed(operation, exchanges)]
    return [there[0] | {"etui_id": etui} for etui in etuis] if there else []


def find_unplayed(operation: WrongEtuis, exchanges: Exchanges) -> list[int]:
    """Return the numbers of the étuis that were planned at the table, and that neither it nor another table played."""
    played = set(exchanges.values())
    return [planned for table, planned in exchanges if table == operation.table and planned not in played]


def people_after(
    evening: SessionPlan, newcomers: Sequence[Entrant], *, gone: Collection[int] = (), after: int = 0
) -> list[Entrant]:
    """Return the entrants of the plan, with `newcomers` added or put in place of entrants with the same id.

    The entrants in `gone` (ids) leave after position `after`. Newcomers who are not saved yet get ids below 0.
    """
    coming = [copy(entrant) for entrant in newcomers]
    coming += [copy(entrant) for entrant in evening.entrants if entrant.pk in gone]
    for entrant in coming:
        if entrant.pk in gone:
            entrant.last_position = after
    for place, entrant in enumerate(coming, start=1):
        entrant.pk = entrant.pk or -place
    known = {entrant.pk for entrant in coming}
    return [*(entrant for entrant in evening.entrants if entrant.pk not in known), *coming]
