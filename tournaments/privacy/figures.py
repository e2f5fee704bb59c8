"""The person's own figures in publications: percentages and ranks of each version, notes of the newest version.

Only a few publications are in memory at a time.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Publication, PublishedPlayer, Tournament, TournamentPublication
from tournaments.privacy.whom import Whom, seats_of

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
        for player in mine(data, whom):
            yield (*told, *(player.get(name) for name in FIGURES))


def mine(data: dict[str, Any], whom: Whom) -> list[dict[str, Any]]:
    """Return the person's own rows in a report. Players for whom the person stood in are not included."""
    return [player for player in data["players"] if player["player"] in whom.players]


def notes_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "notes"."""
    newer = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    rows = versions_with(whom).filter(~Exists(newer)).values_list(*PLACE, "version", "data")
    for *told, data in rows.iterator(chunk_size=AT_A_TIME):
        entrants = {player["id"] for player in mine(data, whom)}
        for etui in data["etuis"]:
            for play in etui["plays"]:
                for line, entrant in play["seats"].items():
                    if entrant in entrants:
                        note = (play["notes"] or {}).get(line)
                        where = (play["position"], play["table"], etui["number"], line)
                        yield (*told, *where, play.get("taker"), play["state"], play["base_score"], note)


def totals_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "tournament_figures"."""
    played = Tournament.objects.filter(pk__in=seats_of(whom).values("session__tournament"))
    rows = TournamentPublication.objects.filter(tournament__in=played).order_by("pk")
    if not whom.is_for_director:
        rows = rows.exclude(tournament__in=taken_back(TournamentPublication, "tournament"))
    told = ("tournament__club__name", "tournament__name", "version", "status", "published_at", "data")
    for *place, data in rows.values_list(*told).iterator(chunk_size=AT_A_TIME):
        for player in data["players"]:
            if player["player"] in whom.players:
                yield (*place, *(player.get(name) for name in ("total", "rank", "results")))
