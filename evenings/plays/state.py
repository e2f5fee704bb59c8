"""The state of a play. Only this module decides it.

One function computes it in Python, and another one builds the same in SQL. Other parts of the site have fewer states
than this one: the table VIEWS has the names that they use.
"""

from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from tournaments.models import EtuiRuling, Play, ResultEntry, Ruling


class PlayState(StrEnum):
    """The states of a play: waiting for a result, set aside (played later or not at all), or with a result."""

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
    """The names of a state in other parts of the site.

    `listed` is its name in lists and in the API, and `counted` its name in standings. `desk` is its name on the desk,
    if there is no warning about the result.
    """

    listed: str
    counted: str
    desk: str


VIEWS = {
    PlayState.TODO: CoarseState("missing", "missing", "missing"),
    PlayState.STARTED: CoarseState("missing", "missing", "started"),
    PlayState.LATER: CoarseState("later", "missing", "later"),
    PlayState.NOT_PLAYED: CoarseState("not_played", "not_played", "not_played"),
    PlayState.ENTERED: CoarseState("entered", "scored", "unconfirmed"),
    PlayState.CONFIRMED: CoarseState("entered", "scored", "done"),
    PlayState.DISPUTED: CoarseState("entered", "scored", "disputed"),
    PlayState.ADJUSTED: CoarseState("adjusted", "scored", "done"),
    PlayState.ANNULLED: CoarseState("annulled", "annulled", "annulled"),
}
WAITED_FOR = frozenset(state for state, view in VIEWS.items() if view.counted == "missing")
AT_THE_TABLE = frozenset({PlayState.TODO, PlayState.STARTED})
SET_ASIDE = (Ruling.RulingKind.NOT_PLAYED, Ruling.RulingKind.LATER)
# A deal on the sheet of its game has no result of its own, and none is expected.
BY_RULING = {str(kind): PlayState(kind) for kind in SET_ASIDE} | {"on_sheet": PlayState.NOT_PLAYED}


def find_play_state(
    *, ruling: str, etui_ruling: str, is_replay: bool, result: PlayState | None, started: bool
) -> PlayState:
    """Return the state of a play. `ruling` and `etui_ruling` are the kinds of the newest rulings, "" for none.

    `result` is the state of the play's entries, or None without a result. The first of these that exists decides: an
    annulment, an adjustment by the arbiter, a replay (which never counts), a result. Then come a ruling that the play
    is played later or not at all, and the start of the play.
    """
    if ruling == Ruling.RulingKind.ANNULLED or etui_ruling == EtuiRuling.EtuiRulingKind.ANNULLED:
        return PlayState.ANNULLED
    if ruling == Ruling.RulingKind.ADJUSTED:
        return PlayState.ADJUSTED
    if is_replay:
        return PlayState.ANNULLED if result else PlayState.NOT_PLAYED
    if result:
        return result
    if ruling in BY_RULING:
        return BY_RULING[ruling]
    return PlayState.STARTED if started else PlayState.TODO


def with_states(plays: QuerySet[Play]) -> QuerySet[Any]:
    """Return the queryset of plays with the state of `find_play_state` added as the column `state`.

    Every play with a result is ENTERED here, because the SQL does not look at checks.
    """
    entered = ResultEntry.objects.filter(play=OuterRef("pk"), current=True)
    newest = Ruling.objects.filter(play=OuterRef("pk")).order_by("-id").values("kind")[:1]
    of_etui = EtuiRuling.objects.filter(session=OuterRef("session"), etui=OuterRef("etui")).order_by("-id")
    annulled = Q(ruling=Ruling.RulingKind.ANNULLED) | Q(etui_ruling=EtuiRuling.EtuiRulingKind.ANNULLED)
    return plays.annotate(
        entered=Exists(entered),
        ruling=Coalesce(Subquery(newest), Value("")),
        etui_ruling=Coalesce(Subquery(of_etui.values("kind")[:1]), Value("")),
        state=Case(
            When(annulled, then=Value(PlayState.ANNULLED)),
            When(ruling=Ruling.RulingKind.ADJUSTED, then=Value(PlayState.ADJUSTED)),
            When(is_replay=True, entered=True, then=Value(PlayState.ANNULLED)),
            When(is_replay=True, then=Value(PlayState.NOT_PLAYED)),
            When(entered=True, then=Value(PlayState.ENTERED)),
            When(ruling=Ruling.RulingKind.ON_SHEET, then=Value(PlayState.NOT_PLAYED)),
            When(ruling__in=SET_ASIDE, then=F("ruling")),
            When(started_at__isnull=False, then=Value(PlayState.STARTED)),
            default=Value(PlayState.TODO),
        ),
    )
