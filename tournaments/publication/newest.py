"""What was published last: of one club, and of all of them."""

from django.db.models import Exists, OuterRef, Q, Subquery

from clubs.models import Club
from tournaments.models import Publication
from tournaments.publication.versions import OFFICIAL, WITHDRAWN


def latest_publications(limit: int = 10, *, club: Club | None = None) -> list[Publication]:
    """The newest publication of each session whose ranking is shown, what was published last first; without their
    data, which is large. Of all clubs that let themselves be found, or of one."""
    versions = Publication.objects.filter(session=OuterRef("session"))
    newer = versions.filter(version__gt=OuterRef("version"))
    last = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    listed = Q(session__put_away_at=None, session__tournament__put_away_at=None, session__shows_ranking=True)
    if club is None:
        listed &= Q(session__tournament__club__practice_of=None) & ~Q(session__tournament__club__house__listed=False)
    else:
        listed &= Q(session__tournament__club=club)
    newest = Publication.objects.filter(~Exists(newer), listed).exclude(status=WITHDRAWN).defer("data")
    by_figures = newest.annotate(figures_of=Subquery(last)).order_by("-figures_of")
    return list(by_figures.select_related("session__tournament__club")[:limit])
