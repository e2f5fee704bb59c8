"""The plays of a session as lists show them, and how many of them are waited for. Whoever calls has asked `permissions`
first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from tournaments.models import EtuiRuling, Play, ResultEntry, Ruling, Session
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.people import seat_people
from tournaments.plays.state import VIEWS, WAITED_FOR, State, state_of, with_states

IN_ORDER = ("position", "table__number", "etui__number")


@dataclass(frozen=True, slots=True)
class ListedPlay:
    """A play with its current entry and the ruling in force. What was said of a result is not told of it: a list knows
    it as entered."""

    play: Play
    entry: ResultEntry | None
    ruling: str
    finest: State

    @property
    def state(self) -> str:
        """annulled, adjusted, entered, not_played, later or missing."""
        return VIEWS[self.finest].listed

    @property
    def annulled(self) -> bool:
        """By a ruling on the play, on its étui for everybody, or since somebody had had the étui."""
        return self.finest == State.ANNULLED

    @property
    def missing(self) -> bool:
        """Whether a result is waited for: a play for later is still owed, one not played is not."""
        return self.finest in WAITED_FOR


def find_plays(session: Session, listed: str | None = None, **where: Any) -> list[int]:
    """The ids of a session's plays by position, table and étui; of those whose state is `listed` so."""
    plays = session.plays.filter(**where)
    if listed is not None:
        states = [state for state, view in VIEWS.items() if view.listed == listed]
        plays = with_states(plays).filter(state__in=states)
    return list(plays.order_by(*IN_ORDER).values_list("pk", flat=True))


def plays_of(session: Session, **where: Any) -> list[ListedPlay]:
    """The plays of a session by position, table and étui, in a fixed number of queries."""
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
    """`play` comes with the entry that is `counting`, alone, and with the rulings by which it was `ruled`."""
    entry, rulings = next(iter(play.counting), None), play.ruled
    ruling = rulings[-1].kind if rulings else ""
    finest = state_of(
        ruling=ruling,
        etui_ruling=etui_ruling.kind if etui_ruling else "",
        is_replay=play.is_replay,
        result=State.ENTERED if entry else None,
        started=play.started_at is not None,
    )
    return ListedPlay(play, entry, ruling, finest)


def count_states(session: Session) -> Counter[State]:
    """How many plays of the session are in each state, all results being `entered`."""
    return Counter(map(State, with_states(session.plays.order_by()).values_list("state", flat=True)))


def find_sessions_waiting(sessions: Iterable[Session]) -> set[int]:
    """Return the ids of the sessions that wait for a result, by their rows as they are now. One query."""
    plays = with_states(Play.objects.filter(session__in=sessions)).filter(state__in=WAITED_FOR)
    return set(plays.order_by().values_list("session_id", flat=True).distinct())


def find_owing(session: Session, *, until: int) -> dict[int, dict[int, int]]:
    """By position up to `until` and by table: how many results are waited for, where there is one."""
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
