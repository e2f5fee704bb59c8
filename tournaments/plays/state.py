"""The state of a play, decided here alone: once in Python, once in SQL, and a table of what its readers call it."""

from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from tournaments.models import EtuiRuling, Play, ResultEntry, Ruling


class State(StrEnum):
    """As finely as anybody tells them apart: what is waited for, what is set aside, what a result comes to."""

    TODO = "todo"
    STARTED = "started"
    LATER = "later"
    NOT_PLAYED = "not_played"
    ENTERED = "entered"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    ADJUSTED = "adjusted"
    ANNULLED = "annulled"


class CoarseState(NamedTuple):
    """What a state is called in lists and by programs, in standings, and on the desk before anything speaks against
    the result."""

    listed: str
    counted: str
    desk: str


VIEWS = {
    State.TODO: CoarseState("missing", "missing", "missing"),
    State.STARTED: CoarseState("missing", "missing", "started"),
    State.LATER: CoarseState("later", "missing", "later"),
    State.NOT_PLAYED: CoarseState("not_played", "not_played", "not_played"),
    State.ENTERED: CoarseState("entered", "scored", "unconfirmed"),
    State.CONFIRMED: CoarseState("entered", "scored", "done"),
    State.DISPUTED: CoarseState("entered", "scored", "disputed"),
    State.ADJUSTED: CoarseState("adjusted", "scored", "done"),
    State.ANNULLED: CoarseState("annulled", "annulled", "annulled"),
}
WAITED_FOR = frozenset(state for state, view in VIEWS.items() if view.counted == "missing")
AT_THE_TABLE = frozenset({State.TODO, State.STARTED})
SET_ASIDE = (Ruling.Kind.NOT_PLAYED, Ruling.Kind.LATER)


def state_of(*, ruling: str, etui_ruling: str, is_replay: bool, result: State | None, started: bool) -> State:
    """`ruling` and `etui_ruling` are the kinds in force, "" where there is none; `result` is what the entries come to.

    An annulment wins, then what the arbiter has adjusted, with a result or without; then a result, whatever was set
    aside before it came. Nobody plays a replay, nor counts it.
    """
    if ruling == Ruling.Kind.ANNULLED or etui_ruling == EtuiRuling.Kind.ANNULLED:
        return State.ANNULLED
    if ruling == Ruling.Kind.ADJUSTED:
        return State.ADJUSTED
    if is_replay:
        return State.ANNULLED if result else State.NOT_PLAYED
    if result:
        return result
    if ruling in SET_ASIDE:
        return State(ruling)
    return State.STARTED if started else State.TODO


def with_states(plays: QuerySet[Play]) -> QuerySet[Any]:
    """`state_of` in SQL, as `state`. A result is `entered` here, whatever was said of it since."""
    entered = ResultEntry.objects.filter(play=OuterRef("pk"), current=True)
    newest = Ruling.objects.filter(play=OuterRef("pk")).order_by("-id").values("kind")[:1]
    of_etui = EtuiRuling.objects.filter(session=OuterRef("session"), etui=OuterRef("etui")).order_by("-id")
    annulled = Q(ruling=Ruling.Kind.ANNULLED) | Q(etui_ruling=EtuiRuling.Kind.ANNULLED)
    return plays.annotate(
        entered=Exists(entered),
        ruling=Coalesce(Subquery(newest), Value("")),
        etui_ruling=Coalesce(Subquery(of_etui.values("kind")[:1]), Value("")),
        state=Case(
            When(annulled, then=Value(State.ANNULLED)),
            When(ruling=Ruling.Kind.ADJUSTED, then=Value(State.ADJUSTED)),
            When(is_replay=True, entered=True, then=Value(State.ANNULLED)),
            When(is_replay=True, then=Value(State.NOT_PLAYED)),
            When(entered=True, then=Value(State.ENTERED)),
            When(ruling__in=SET_ASIDE, then=F("ruling")),
            When(started_at__isnull=False, then=Value(State.STARTED)),
            default=Value(State.TODO),
        ),
    )
