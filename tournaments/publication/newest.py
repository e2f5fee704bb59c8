"""The latest publications, of one club or of all clubs."""

from django.db.models import Case, Exists, F, OuterRef, Q, Subquery, When, Window
from django.db.models.functions import RowNumber

from clubs.models import Club, real_clubs
from tournaments.models import Publication, Tournament
from tournaments.versions.steps import OFFICIAL, WITHDRAWN


def latest_publications(
    limit: int = 10, *, club: Club | None = None, tournament: Tournament | None = None
) -> list[Publication]:
    """Return the newest publication of each session whose ranking readers see, the last published first.

    The publications are those of `tournament` if it is given, else those of `club`, else those of all clubs that appear
    in public lists. For a tournament, the session with the highest number comes first. If sections share one ranking,
    only one of their publications is returned. Their `data`, which is large, is not read.
    """
    versions = Publication.objects.filter(session=OuterRef("session"))
    newer = versions.filter(version__gt=OuterRef("version"))
    last = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    listed = Q(session__put_away_at=None, session__tournament__put_away_at=None, session__shows_ranking=True)
    if tournament is not None:
        listed &= Q(session__tournament=tournament)
    elif club is None:
        listed &= real_clubs("session__tournament__club") & ~Q(session__tournament__club__house__listed=False)
    else:
        listed &= Q(session__tournament__club=club)
    newest = Publication.objects.filter(~Exists(newer), listed).exclude(status=WITHDRAWN).defer("data", "frozen")
    ranked = Case(When(session__group__one_ranking=True, then="session__group"))
    by_figures = newest.annotate(figures_of=Subquery(last), group=ranked).annotate(
        place=Window(
            RowNumber(),
            partition_by=[F("group"), Case(When(group=None, then="session"))],
            order_by=[F("figures_of").desc(), F("pk").desc()],
        )
    )
    order = "-figures_of" if tournament is None else "-session__number"
    first = by_figures.filter(place=1).order_by(order, "-pk")
    return list(first.select_related("session__tournament__club", "session__group")[:limit])
