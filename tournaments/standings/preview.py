"""What a director's word would make of the ranking, before he gives it; what has become of it since a publication.

The very service that would carry it out is called in a transaction, the standings are computed from those kept and the
étuis that have changed, and all of it is rolled back: no row stays, no line of the log, no job, no raised revision.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction

from clubs.names import plain
from tournaments.models import ChangedEtui, Entrant, Session
from tournaments.standings.computing import compute, compute_changed, is_fresh, sections_compared

FIGURES = ("rank_alterne", "rank_general", "overall")
ATTEMPTS = 5  # in a hall where results come in at every moment


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
    """Who has another place, and who has only another percentage; both by the place to come, equals by their names;
    of several sections one after the other."""

    moving: list[Shift]
    staying: list[Shift]


Players = Mapping[int, Mapping[str, Any]]


def preview(session_id: int, rule: Callable[[], object]) -> Preview:
    """What the session's ranking is, and what it would be once `rule` has been called. Raises what `rule` raises.

    Where a result or other standings come in between, both are computed anew, so that they are of one moment.
    """
    return find_shifts(*weigh_up(session_id, rule))


def preview_since(session_id: int, published: Mapping[str, Any]) -> Preview:
    """What the session's ranking was in a publication's data, and what it is now."""
    return find_shifts(by_player(published), figures_now([session_id]))


def find_shifts(before: Players, after: Players) -> Preview:
    """Who is placed or rated otherwise; nothing of who has gone from the session since."""
    entrants = Entrant.objects.select_related("player", "stand_in", "session").in_bulk({*before, *after})
    found = (shift_of(entrant, before, after) for entrant in entrants.values())
    shifts = sorted((shift for shift in found if shift), key=place_of)
    return Preview([each for each in shifts if each.moves], [each for each in shifts if not each.moves])


def weigh_up(session_id: int, rule: Callable[[], object]) -> tuple[dict[int, Any], dict[int, Any]]:
    """The figures of the players before and after, by entrant; those of the sections compared with it too."""
    sections = sections_compared(session_id)
    for _attempt in range(ATTEMPTS):
        moment = moment_of(sections)
        before = figures_now(sections)
        with transaction.atomic():
            rule()
            after = figures_now(sections)
            transaction.set_rollback(True)
        if moment_of(sections) == moment:
            break
    return before, after


def moment_of(sections: Sequence[int]) -> list[tuple[Any, ...]]:
    """What differs once a result has come in, or a job has kept other standings."""
    moment = "pk", "results_version", "standings__results_version", "standings__computed_at"
    return list(Session.objects.filter(pk__in=sections).order_by("pk").values_list(*moment))


def figures_now(sections: Sequence[int]) -> dict[int, Any]:
    """The figures of the sessions' players, whatever has been kept of them."""
    sessions = Session.objects.select_related("standings", "tournament", "group").filter(pk__in=sections)
    return {pk: told for session in sessions for pk, told in figures_of(session).items()}


def figures_of(session: Session) -> dict[int, Any]:
    if is_fresh(session):
        return by_player(session.standings.data)
    changed = set(ChangedEtui.objects.filter(session=session).values_list("etui_id", flat=True))
    known = bool(session.standings.sums) and None not in changed
    computed = compute_changed(session, changed) if known else compute(session.pk)
    return by_player(computed.figures) if computed else {}


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
    return (
        shift.entrant.session.number,
        rank is None,
        rank or 0,
        plain(player.last_name),
        plain(player.first_name),
        shift.entrant.pk,
    )
