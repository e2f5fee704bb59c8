"""The plays of a session as lists show them, and the number of plays that still need a result.

The caller has checked `permissions` first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import FilteredRelation, Prefetch

from tournaments.models import EntryCheck, EtuiRuling, Play, ResultEntry, Ruling, Session
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.people import seat_people
from tournaments.plays.state import VIEWS, WAITED_FOR, PlayState, find_play_state, with_states
from tournaments.prepared import JoinedRelation, PreparedJoined, among

IN_ORDER = ("position", "table__number", "etui__number")


@dataclass(frozen=True, slots=True)
class ListedPlay:
    """A play with its current entry and the ruling in force.

    Checks and disputes of a result are left out: in a list such a play is entered.
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
        """True if the play is annulled.

        It is annulled by a ruling on it or on its étui, or because a player had already played the étui.
        """
        return self.finest == PlayState.ANNULLED

    @property
    def missing(self) -> bool:
        """True if a result is waited for.

        A play for later still needs a result, a play declared not played does not.
        """
        return self.finest in WAITED_FOR


def find_plays(session: Session, listed: str | None = None, **where: Any) -> list[int]:
    """Return the ids of a session's plays by position, table and étui.

    If `listed` is given, only the plays whose state in lists is `listed`.
    """
    plays = session.plays.filter(**where)
    if listed is not None:
        states = [state for state, view in VIEWS.items() if view.listed == listed]
        plays = with_states(plays).filter(state__in=states)
    return list(plays.order_by(*IN_ORDER).values_list("pk", flat=True))


def plays_of(session: Session, **where: Any) -> list[ListedPlay]:
    """Return the plays of a session by position, table and étui, in a fixed number of queries."""
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
    """Return the listed play. `play` comes with `counting`, its current entry alone, and with `ruled`, its rulings."""
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
    """Return the number of plays of the session in each state. All results count as `entered`."""
    return Counter(map(PlayState, with_states(session.plays.order_by()).values_list("state", flat=True)))


def find_sessions_waiting(sessions: Iterable[Session]) -> set[int]:
    """Return the ids of the sessions that wait for a result, from their current rows. It takes one query."""
    plays = with_states(Play.objects.filter(session__in=sessions)).filter(state__in=WAITED_FOR)
    return set(plays.order_by().values_list("session_id", flat=True).distinct())


def find_owing(session: Session, *, until: int) -> dict[int, dict[int, int]]:
    """Return how many results are waited for, by position up to `until` and by table.

    Tables that wait for none are left out.
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


def rows_of(session: Session, *, people: bool, **where: Any) -> list[Play]:
    """Return the plays with their rulings, and with their entries and their checks, in two queries."""
    plays = session.plays.filter(**where).annotate(ruling=FilteredRelation("rulings"))
    plays = plays.select_related("table", "etui", "ruling")  # type: ignore[misc]
    ordered = plays.order_by("position", "table__number", "etui__number", "ruling__pk")
    entries = ResultEntry.objects.filter(play__session=session, **{f"play__{name}": it for name, it in where.items()})
    entries = entries.annotate(word=FilteredRelation("checks")).select_related("word")  # type: ignore[misc]
    if people:
        entries = entries.select_related("author", "word__author")  # type: ignore[misc]
    found = with_entries(
        # Django sets no attribute if there is no joined row.
        ((play, getattr(play, "ruling", None)) for play in ordered),
        ((entry, getattr(entry, "word", None)) for entry in entries.order_by("version", "pk", "word__pk")),
    )
    for play in found:
        play.session = session
    return seat_people(found) if people else found


PLAYS_AT = PreparedJoined(
    lambda tables: (
        Play.objects.filter(among("table_id", tables))
        .annotate(ruling=FilteredRelation("rulings"))
        .order_by("pk", "ruling__pk")
    ),
    JoinedRelation("ruling", Ruling),
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
    """Return the plays of these tables as `rows_of` does, in no order, and without session, table and étui."""
    return with_entries(PLAYS_AT(tables), ENTRIES_AT(tables))


def with_entries(
    plays: Iterable[tuple[Play, Ruling | None]], entries: Iterable[tuple[ResultEntry, EntryCheck | None]]
) -> list[Play]:
    """Return each play once, with its rulings and its entries; each entry has its checks."""
    found = gather(plays, "rulings")
    of_play: dict[int, list[ResultEntry]] = {play.pk: [] for play in found}
    for entry in gather(entries, "checks"):
        of_play.get(entry.play_id, []).append(entry)
    return [bring_related(play, "entries", of_play[play.pk]) for play in found]


Row = TypeVar("Row", Play, ResultEntry)


def gather(pairs: Iterable[tuple[Row, Any]], name: str) -> list[Row]:
    """Return each row once, with the list of its joined rows as the related manager `name`.

    In `pairs` a row occurs once for each of its joined rows.
    """
    found: dict[int, tuple[Row, list[Any]]] = {}
    for row, one in pairs:
        _first, many = found.setdefault(row.pk, (row, []))
        if one is not None:
            many.append(one)
    return [bring_related(row, name, many) for row, many in found.values()]


def bring_related(row: Row, name: str, many: list[Any]) -> Row:
    """Cache `many` as the related manager `name` of the row.

    The result is that of `prefetch_related`, which needs one query for each name.
    """
    cache = row.__dict__.setdefault("_prefetched_objects_cache", {})
    cache[name] = many
    return row


COLUMNS = {
    model: attrgetter(*(field.attname for field in model._meta.concrete_fields))
    for model in (Play, Ruling, ResultEntry, EntryCheck)
}


def columns_with_rows(play: Play) -> list[tuple[Any, ...]]:
    """Return every column of a play, of its rulings, of its entries and of their checks."""
    rows: list[Play | Ruling | ResultEntry | EntryCheck] = [play, *play.rulings.all()]
    for entry in play.entries.all():
        rows += entry, *entry.checks.all()
    return [COLUMNS[type(row)](row) for row in rows]
