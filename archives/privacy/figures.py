"""The person's own figures in publications: percentages and ranks of each version, notes of the newest version.

Only a few publications are in memory at a time.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from archives.privacy.whom import Whom, seats_of
from tournaments.models import Publication, PublishedPlayer, Tournament, TournamentPublication
from tournaments.reports.codec import write_exact
from tournaments.reports.session import PublishedReport, RankedPlayer, decode_report
from tournaments.reports.tournament import decode_tournament, write_results

AT_A_TIME = 20  # publications in memory
PLACE = ("session__tournament__club__name", "session__tournament__name", "session__number", "session__date")
PLACED = ("club", "tournament", "session", "date", "version")
FIGURES = (
    "attack",
    "defence",
    "overall",
    "penalty",
    "rank_general",
    "rank_line",
    "rank_alterne",
    "attacks",
    "defences",
)
FILES: tuple[tuple[str, Promise], ...] = (
    ("figures", _("your percentages and ranks in each published version of a session")),
    ("notes", _("your scores and notes, étui by étui, in the newest published version")),
    ("tournament_figures", _("your totals and ranks in each published version of a tournament")),
)

Row = tuple[Any, ...]


def write_figures(whom: Whom) -> dict[str, tuple[tuple[str, ...], Iterator[Row]]]:
    """Return the columns and the rows of each of the FILES, by name."""
    return {
        "figures": ((*PLACED, "status", "published_at", *FIGURES), figures_of(whom)),
        "notes": ((*PLACED, "position", "table", "etui", "line", "taker", "state", "score", "note"), notes_of(whom)),
        "tournament_figures": (
            ("club", "tournament", "version", "status", "published_at", "total", "rank", "results"),
            totals_of(whom),
        ),
    }


def versions_with(whom: Whom) -> QuerySet[Publication]:
    """Return the published versions that contain the person.

    If the newest version withdraws a session's ranking, only directors get the versions of that session.
    """
    stands = PublishedPlayer.objects.filter(publication=OuterRef("pk"), player__in=whom.players)
    rows = Publication.objects.filter(Exists(stands)).order_by("pk")
    return rows if whom.is_for_director else rows.exclude(session__in=taken_back(Publication, "session"))


def taken_back(model: Any, owner: str) -> Any:
    """Return the ids of the sessions or tournaments whose newest version withdraws the ranking."""
    newer = model.objects.filter(**{owner: OuterRef(owner)}, version__gt=OuterRef("version"))
    return model.objects.filter(~Exists(newer), status="withdrawn").values(owner)


def figures_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "figures"."""
    rows = versions_with(whom).values_list(*PLACE, "version", "status", "published_at", "data")
    for *told, data in rows.iterator(chunk_size=AT_A_TIME):
        for player in mine(decode_report(data), whom):
            yield (*told, *(write_cell(getattr(player, name)) for name in FIGURES))


def write_cell(figure: Any) -> Any:
    """Return an exact figure as text, such as "175/3", and any other value unchanged."""
    return write_exact(figure) if isinstance(figure, Fraction) else figure


def mine(report: PublishedReport, whom: Whom) -> list[RankedPlayer]:
    """Return the person's own rows in a report, and those of the teams in which the person played.

    Players for whom the person stood in are not included.
    """
    return [
        player
        for player in report.players
        if not set(whom.players).isdisjoint(player.people if player.team else [player.player])
    ]


def notes_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "notes"."""
    newer = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    rows = versions_with(whom).filter(~Exists(newer)).values_list(*PLACE, "version", "data")
    for *told, data in rows.iterator(chunk_size=AT_A_TIME):
        report = decode_report(data)
        entrants = {player.id for player in mine(report, whom)}
        for etui in report.etuis:
            for play in etui.plays:
                for line, entrant in play.seats.items():
                    if entrant in entrants:
                        note = write_cell((play.notes or {}).get(line))
                        where = (play.position, play.table, etui.number, line)
                        yield (*told, *where, play.taker, play.state, play.base_score, note)


def totals_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "tournament_figures"."""
    played = Tournament.objects.filter(pk__in=seats_of(whom).values("session__tournament"))
    rows = TournamentPublication.objects.filter(tournament__in=played).order_by("pk")
    if not whom.is_for_director:
        rows = rows.exclude(tournament__in=taken_back(TournamentPublication, "tournament"))
    told = ("tournament__club__name", "tournament__name", "version", "status", "published_at", "data")
    for *place, data in rows.values_list(*told).iterator(chunk_size=AT_A_TIME):
        for player in decode_tournament(data).players:
            if not set(whom.players).isdisjoint(player.people):
                yield (*place, write_cell(player.total), player.rank, write_results(player.results))
