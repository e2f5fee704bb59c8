"""The preview of a ruling's effect on the ranking, and the changes of the ranking since a publication.

For a preview, the ruling is really carried out in a transaction, and the new standings are computed. Then the
transaction is rolled back: no row, log entry, job or raised revision stays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction

from evenings.standings.computing import compute, compute_changed, is_session_fresh, sections_compared
from scoring.formats import find_format
from tournaments.models import ChangedEtui, Entrant, Session

FIGURES = ("rank_alterne", "rank_general", "overall")
ATTEMPTS = 5  # the most tries to compute both rankings without a result in between


@dataclass(frozen=True, slots=True)
class RankShift:
    """An entrant's two ranks and overall percentage, each as a pair (before, after). A missing value is None."""

    entrant: Entrant
    alterne: tuple[int | None, int | None]
    general: tuple[int | None, int | None]
    overall: tuple[Fraction | None, Fraction | None]

    @property
    def moves(self) -> bool:
        """True if the player gets another rank in one of the two rankings."""
        return any(before != after for before, after in (self.alterne, self.general))


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """The effect of a ruling: players with another rank (`moving`), and with only another percentage (`staying`).

    Both lists are sorted by section, new rank and name.
    """

    moving: list[RankShift]
    staying: list[RankShift]


Players = Mapping[int, Mapping[str, Any]]


def preview_ruling(session_id: int, rule: Callable[[], object]) -> RulingPreview:
    """Return the changes of the session's ranking that `rule` would make. `rule` carries out the ruling.

    The ruling is rolled back. Errors of `rule` are raised. If a result comes in during the computation, the ranking is
    computed again before and after the ruling.
    """
    return find_shifts(*weigh_up(session_id, rule))


def preview_since(session_id: int, published: Mapping[str, Any]) -> RulingPreview:
    """Return the changes from the session's ranking in a publication (its data) to the ranking now."""
    return find_shifts(by_player(published), figures_now([session_id]))


def find_shifts(before: Players, after: Players) -> RulingPreview:
    """Return the entrants whose rank or percentage differs. `before` and `after` have the figures by entrant id.

    Entrants who were removed from the session since are left out.
    """
    entrants = Entrant.objects.select_related("player", "stand_in", "team", "session__tournament").in_bulk(
        {*before, *after}
    )
    found = (shift_of(entrant, before, after) for entrant in entrants.values())
    shifts = sorted((shift for shift in found if shift), key=place_of)
    return RulingPreview([each for each in shifts if each.moves], [each for each in shifts if not each.moves])


def weigh_up(session_id: int, rule: Callable[[], object]) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return the figures of the players before and after `rule`, each by entrant id.

    The players of the sections that are compared with the session are included.
    """
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
    """Return version numbers of these sessions. They change when a result comes in or a job stores standings."""
    moment = "pk", "results_version", "standings__results_version", "standings__computed_at"
    return list(Session.objects.filter(pk__in=sections).order_by("pk").values_list(*moment))


def figures_now(sections: Sequence[int]) -> dict[int, Any]:
    """Return the present figures of the players of these sessions, by entrant id.

    If the stored standings are out of date, the figures are computed.
    """
    sessions = Session.objects.select_related("standings", "tournament", "group").filter(pk__in=sections)
    return {pk: told for session in sessions for pk, told in figures_of(session).items()}


def figures_of(session: Session) -> dict[int, Any]:
    """Return the present figures of the players of one session, by entrant id."""
    if is_session_fresh(session):
        return by_player(session.standings.data)
    changed = set(ChangedEtui.objects.filter(session=session).values_list("etui_id", flat=True))
    known = bool(session.standings.sums) and None not in changed
    computed = compute_changed(session, changed) if known else compute(session.pk)
    return by_player(computed.figures) if computed else {}


def by_player(figures: Mapping[str, Any]) -> dict[int, Any]:
    return {player["id"]: player for player in figures.get("players", ())}


def shift_of(entrant: Entrant, before: Players, after: Players) -> RankShift | None:
    """Return the changes of the entrant's ranks and percentage, or None if nothing changes."""
    was, will_be = ({name: told.get(entrant.pk, {}).get(name) for name in FIGURES} for told in (before, after))
    if was == will_be:
        return None
    alterne, general, overall = ((was[name], will_be[name]) for name in FIGURES)
    format = find_format(entrant.session.tournament.format)
    before_it, after_it = (format.measure(None if value is None else Fraction(value)) for value in overall)
    return RankShift(entrant, alterne, general, (before_it, after_it))


def place_of(shift: RankShift) -> tuple[Any, ...]:
    """Return the key by which the changes of ranks are sorted."""
    rank = shift.alterne[1] or shift.general[1]  # not every format has a classement alterné
    return (
        shift.entrant.session.number,
        rank is None,
        rank or 0,
        *shift.entrant.name_order,
        shift.entrant.pk,
    )
