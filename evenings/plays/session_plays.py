"""The plays of a session for lists, and the number of plays that still need a result.

This module checks no permissions: the caller has done so.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import FilteredRelation, Prefetch, Q

from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.state import VIEWS, WAITED_FOR, PlayState, find_play_state, with_states
from tournaments.models import EntryCheck, EtuiRuling, Play, PlayRecord, ResultEntry, Ruling, Session
from tournaments.models.plays import seat_people
from tournaments.prepared import JoinedRelation, PreparedJoined, among

IN_ORDER = ("position", "table__number", "etui__number")


@dataclass(frozen=True, slots=True)
class ListedPlay:
    """A play with its current entry and the kind of the newest ruling on it ("" for none).

    Whether a result was checked or disputed is not known here: in lists such a play is "entered".
    """

    play: Play
    entry: ResultEntry | None
    ruling: str
    finest: PlayState

    @property
    def state(self) -> str:
        """The state in lists: annulled, adjusted, entered, not_played, later or missing."""
        return VIEWS[self.finest].listed

    @property
    def annulled(self) -> bool:
        """True if the play does not count: by a ruling on it or on its étui, or because it was played as a replay."""
        return self.finest == PlayState.ANNULLED

    @property
    def missing(self) -> bool:
        """True if the play still needs a result, now or later. A play declared not played needs none."""
        return self.finest in WAITED_FOR


def find_plays(session: Session, listed: str | None = None, **where: Any) -> list[int]:
    """Return the ids of a session's plays, sorted by position, table and étui.

    `listed` may restrict them to one state of `ListedPlay.state`, and `where` by other columns.
    """
    plays = session.plays.filter(**where)
    if listed is not None:
        states = [state for state, view in VIEWS.items() if view.listed == listed]
        plays = with_states(plays).filter(state__in=states)
    return list(plays.order_by(*IN_ORDER).values_list("pk", flat=True))


def plays_of(session: Session, **where: Any) -> list[ListedPlay]:
    """Return the plays of a session, sorted by position, table and étui, in a fixed number of queries."""
    counting = ResultEntry.objects.filter(current=True).select_related("author")
    plays = (
        session.plays.filter(**where)
        .select_related("table", "etui")
        .prefetch_related(
            Prefetch("entries", queryset=counting, to_attr="counting"),
            Prefetch("rulings", queryset=Ruling.objects.order_by("id"), to_attr="ruled"),
        )
        .order_by(*IN_ORDER)
    )
    etui_rulings = newest_by_etui(session.pk)
    return [list_play(play, etui_rulings.get(play.etui_id)) for play in seat_people(plays)]


def list_play(play: Any, etui_ruling: EtuiRuling | None) -> ListedPlay:
    """Return a play for lists. `play.counting` has its current entry, if any, and `play.ruled` has its rulings."""
    entry, rulings = next(iter(play.counting), None), play.ruled
    ruling = rulings[-1].kind if rulings else ""
    finest = find_play_state(
        ruling=ruling,
        etui_ruling=etui_ruling.kind if etui_ruling else "",
        is_replay=play.is_replay,
        result=PlayState.ENTERED if entry else None,
        started=play.started_at is not None,
    )
    return ListedPlay(play, entry, ruling, finest)


def count_session_states(session: Session) -> Counter[PlayState]:
    """Return the number of the session's plays by state. Every play with a result counts as ENTERED."""
    return Counter(map(PlayState, with_states(session.plays.order_by()).values_list("state", flat=True)))


def find_sessions_waiting(sessions: Iterable[Session]) -> set[int]:
    """Return the ids of those of the sessions in which a play still needs a result. This takes one query."""
    plays = with_states(Play.objects.filter(session__in=sessions)).filter(state__in=WAITED_FOR)
    return set(plays.order_by().values_list("session_id", flat=True).distinct())


def find_owing(session: Session, *, until: int) -> dict[int, dict[int, int]]:
    """Return the number of plays that still need a result, by position and then by table number.

    Positions after `until`, and tables that need no more results, are left out.
    """
    rows = with_states(session.plays.all()).filter(state__in=WAITED_FOR, position__lte=until)
    found: dict[int, dict[int, int]] = {}
    for position, table in rows.order_by("position", "table__number").values_list("position", "table__number"):
        tables = found.setdefault(position, {})
        tables[table] = tables.get(table, 0) + 1
    return found


def history_of(play: Play) -> Iterable[ResultEntry]:
    return play.entries.select_related("author").order_by("-version")


def rulings_of(play: Play) -> Iterable[Ruling]:
    return play.rulings.select_related("author").order_by("-id")


def join_record() -> FilteredRelation:
    """Return the relation to the record of a play that counts: at most one row. A query changes its own instance."""
    return FilteredRelation("records", condition=Q(records__current=True))


def rows_of(session: Session, *, people: bool, **where: Any) -> list[Play]:
    """Return the plays of a session with their current record, rulings, entries and checks, in two queries.

    With `people`, the players and the authors of entries and checks are read too, in one more query.
    """
    plays = session.plays.filter(**where).annotate(ruling=FilteredRelation("rulings"), counting_record=join_record())
    plays = plays.select_related("table", "etui", "ruling", "counting_record")  # type: ignore[misc]
    ordered = plays.order_by("position", "table__number", "etui__number", "ruling__pk")
    entries = ResultEntry.objects.filter(play__session=session, **{f"play__{name}": it for name, it in where.items()})
    entries = entries.annotate(word=FilteredRelation("checks")).select_related("word")  # type: ignore[misc]
    if people:
        entries = entries.select_related("author", "word__author")  # type: ignore[misc]
    found = with_entries(
        # Django does not set the attribute if no row was joined.
        ((play, getattr(play, "ruling", None), getattr(play, "counting_record", None)) for play in ordered),
        ((entry, getattr(entry, "word", None)) for entry in entries.order_by("version", "pk", "word__pk")),
    )
    return seat_people(found) if people else found


PLAYS_AT = PreparedJoined(
    lambda tables: (
        Play.objects.filter(among("table_id", tables))
        .annotate(ruling=FilteredRelation("rulings"), counting_record=join_record())
        .order_by("pk", "ruling__pk")
    ),
    JoinedRelation("ruling", Ruling),
    JoinedRelation("counting_record", PlayRecord),
)
ENTRIES_AT = PreparedJoined(
    lambda tables: (
        ResultEntry.objects.filter(among("play__table_id", tables))
        .annotate(word=FilteredRelation("checks"))
        .order_by("version", "pk", "word__pk")
    ),
    JoinedRelation("word", EntryCheck),
)


def plays_at_tables(tables: Sequence[int]) -> list[Play]:
    """Return the plays of these tables (ids) as `rows_of` does, but unsorted, without session, table and étui."""
    return with_entries(PLAYS_AT(tables), ENTRIES_AT(tables))


def with_entries(
    plays: Iterable[tuple[Play, Ruling | None, PlayRecord | None]],
    entries: Iterable[tuple[ResultEntry, EntryCheck | None]],
) -> list[Play]:
    """Return each play once, with its rulings, its entries and its current record set, and entries with their checks.

    `plays` has a row for each ruling on a play, with the record that counts. `entries` has a pair for each check.
    """
    rows = list(plays)
    records = {play.pk: record for play, _ruling, record in rows}
    found = gather(((play, ruling) for play, ruling, _record in rows), "rulings")
    for play in found:
        record = records[play.pk]
        bring_related(play, "records", [] if record is None else [record])
    of_play: dict[int, list[ResultEntry]] = {play.pk: [] for play in found}
    for entry in gather(entries, "checks"):
        of_play.get(entry.play_id, []).append(entry)
    return [bring_related(play, "entries", of_play[play.pk]) for play in found]


Row = TypeVar("Row", Play, ResultEntry)


def gather(pairs: Iterable[tuple[Row, Any]], name: str) -> list[Row]:
    """Return each row once, with its joined rows set as the related manager `name`.

    `pairs` has a pair (row, joined row) for each joined row, or (row, None) if there is none.
    """
    found: dict[int, tuple[Row, list[Any]]] = {}
    for row, one in pairs:
        _first, many = found.setdefault(row.pk, (row, []))
        if one is not None:
            many.append(one)
    return [bring_related(row, name, many) for row, many in found.values()]


def bring_related(row: Row, name: str, many: list[Any]) -> Row:
    """Set `many` as the cached rows of the related manager `name`, and return the row.

    `prefetch_related` would do the same with one more query.
    """
    cache = row.__dict__.setdefault("_prefetched_objects_cache", {})
    cache[name] = many
    return row


COLUMNS = {
    model: attrgetter(*(field.attname for field in model._meta.concrete_fields))
    for model in (Play, PlayRecord, Ruling, ResultEntry, EntryCheck)
}


def columns_with_rows(play: Play) -> list[tuple[Any, ...]]:
    """Return the values of all columns of a play and of its record, rulings, entries and checks, a tuple for each."""
    rows: list[Play | PlayRecord | Ruling | ResultEntry | EntryCheck] = [play, *play.records.all(), *play.rulings.all()]
    for entry in play.entries.all():
        rows += entry, *entry.checks.all()
    return [COLUMNS[type(row)](row) for row in rows]
