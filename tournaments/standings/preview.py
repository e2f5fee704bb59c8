"""What a director's word would make of the ranking, before he gives it.

The very service that would carry it out is called in a transaction, the standings are computed from those kept and the
étuis that have changed, and all of it is rolled back: no row stays, no line of the log, no job, no raised revision.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction

from clubs.names import plain
from tournaments.models import ChangedEtui, Entrant, Session
from tournaments.standings.computing import compute, compute_changed, is_fresh

FIGURES = ("rank_alterne", "rank_general", "overall")
ATTEMPTS = 3  # in a hall where results come in at every moment


@dataclass(frozen=True, slots=True)
class Shift:
    """A player before and after: ranks, None where he has none, and his exact percentage."""

    entrant: Entrant
    alterne: tuple[int | None, int | None]
    general: tuple[int | None, int | None]
    overall: tuple[Fraction | None, Fraction | None]

    @property
    def moves(self) -> bool:
        """Whether he has another place in one of the rankings."""
        return any(before != after for before, after in (self.alterne, self.general))


@dataclass(frozen=True, slots=True)
class Preview:
    """Who has another place, and who has only another percentage; both by the place to come, equals by their names."""

    moving: list[Shift]
    staying: list[Shift]


Players = Mapping[int, Mapping[str, Any]]


def preview(session_id: int, rule: Callable[[], object]) -> Preview:
    """What the session's ranking is, and what it would be once `rule` has been called. Raises what `rule` raises.

    Where a result comes in between, both are computed anew, so that they are of one moment.
    """
    before, after = weigh_up(session_id, rule)
    entrants = Entrant.objects.filter(session=session_id).select_related("player", "stand_in").in_bulk()
    shifts = sorted((shift for pk in before | after if (shift := shift_of(entrants[pk], before, after))), key=place_of)
    return Preview([each for each in shifts if each.moves], [each for each in shifts if not each.moves])


def weigh_up(session_id: int, rule: Callable[[], object]) -> tuple[dict[int, Any], dict[int, Any]]:
    """The figures of the players before and after, by entrant."""
    for _attempt in range(ATTEMPTS):
        version, before = figures_now(session_id)
        with transaction.atomic():
            rule()
            _version, after = figures_now(session_id)
            transaction.set_rollback(True)
        if Session.objects.values_list("results_version", flat=True).get(pk=session_id) == version:
            break
    return before, after


def figures_now(session_id: int) -> tuple[int, dict[int, Any]]:
    """The version of the results, and the players' figures that they give, whatever has been kept of them."""
    session = Session.objects.select_related("standings", "tournament").get(pk=session_id)
    if is_fresh(session):
        return session.results_version, by_player(session.standings.data)
    changed = set(ChangedEtui.objects.filter(session=session).values_list("etui_id", flat=True))
    known = bool(session.standings.sums) and None not in changed
    computed = compute_changed(session, changed) if known else compute(session_id)
    return session.results_version, by_player(computed.figures) if computed else {}


def by_player(figures: Mapping[str, Any]) -> dict[int, Any]:
    return {player["id"]: player for player in figures.get("players", ())}


def shift_of(entrant: Entrant, before: Players, after: Players) -> Shift | None:
    """None where nothing changes for him."""
    was, will_be = ({name: told.get(entrant.pk, {}).get(name) for name in FIGURES} for told in (before, after))
    if was == will_be:
        return None
    alterne, general, overall = ((was[name], will_be[name]) for name in FIGURES)
    before_it, after_it = (None if value is None else Fraction(value) for value in overall)
    return Shift(entrant, alterne, general, (before_it, after_it))


def place_of(shift: Shift) -> tuple[Any, ...]:
    rank = shift.alterne[1]
    player = shift.entrant.player
    return rank is None, rank or 0, plain(player.last_name), plain(player.first_name), shift.entrant.pk
