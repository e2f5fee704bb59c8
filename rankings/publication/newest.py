"""The latest publications, of one club or of all clubs."""

from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import RowNumber

from clubs.models import Club, real_clubs
from tournaments.models import Publication, SimultaneousClub, Tournament
from tournaments.versions.steps import OFFICIAL, WITHDRAWN

LOOKED_AT = 40  # the newest publications of a club among which its latest rankings are searched first
NEWEST_FIGURES_FIRST = "-figures_of"


def latest_publications(
    limit: int = 10, *, club: Club | None = None, tournament: Tournament | None = None
) -> list[Publication]:
    """Return the newest publication of each session whose ranking readers see, the last published first.

    The publications are those of `tournament` if it is given, else those of `club`, else those of all clubs that appear
    in public lists. For a tournament, the session with the highest number comes first. Of sections that share one
    ranking, and of the clubs of a simultaneous, only one publication is returned. `simultaneous` is the id of the
    simultaneous, or None. Their `data`, which is large, is not read.
    """
    if tournament is not None:
        return list(find_newest(Q(session__tournament=tournament), "-session__number")[:limit])
    if club is None:
        public = real_clubs("session__tournament__club") & ~Q(session__tournament__club__house__listed=False)
        return list(find_newest(public, NEWEST_FIGURES_FIRST)[:limit])
    return latest_of_club(club, limit)


def latest_of_club(club: Club, limit: int) -> list[Publication]:
    """Return the latest publications of a club. It takes as long after many seasons as after one.

    The first query looks only at the sessions of the club's LOOKED_AT newest publications, because all other sessions
    were published earlier. A second query looks at all sessions. It is made only if the first one finds fewer than
    `limit`, and if the club has older publications.
    """
    of_club = Q(session__tournament__club=club)
    recent = Publication.objects.filter(of_club).exclude(status=OFFICIAL).order_by("-published_at", "-pk")
    among = of_club & Q(session__in=recent.values("session")[:LOOKED_AT])
    listed = find_newest(among, NEWEST_FIGURES_FIRST).annotate(has_older=Exists(recent[LOOKED_AT : LOOKED_AT + 1]))
    found = list(listed[:limit])
    if len(found) == limit or (found and not found[0].has_older):
        return found
    return list(find_newest(of_club, NEWEST_FIGURES_FIRST)[:limit])


def find_newest(listed: Q, order: str) -> QuerySet[Any]:
    """Return the newest publication of each session that meets the condition `listed`, sorted by `order`.

    Of sections that share one ranking, and of the clubs of a simultaneous, only one publication is returned.
    """
    shown = Q(session__put_away_at=None, session__tournament__put_away_at=None, session__shows_ranking=True)
    versions = Publication.objects.filter(session=OuterRef("session"))
    newer = versions.filter(version__gt=OuterRef("version"))
    last = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    newest = Publication.objects.filter(~Exists(newer), shown & listed).exclude(status=WITHDRAWN)
    ranked = Case(When(session__group__one_ranking=True, then="session__group"))
    taking_part = SimultaneousClub.objects.filter(
        session=OuterRef("session"), left_at=None, simultaneous__put_away_at=None
    ).values("simultaneous")
    by_figures = (
        newest.defer("data", "frozen")
        .annotate(figures_of=Subquery(last), group=ranked, simultaneous=Subquery(taking_part[:1]))
        .annotate(
            place=Window(
                RowNumber(),
                partition_by=[
                    F("simultaneous"),
                    Case(When(simultaneous=None, then=F("group"))),
                    Case(When(simultaneous=None, group=None, then="session")),
                ],
                order_by=[F("figures_of").desc(), F("pk").desc()],
            )
        )
    )
    first = by_figures.filter(place=1).order_by(order, "-pk")
    return first.select_related("session__tournament__club", "session__group")
