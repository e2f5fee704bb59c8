"""What was published last: of one club, and of all of them."""

from django.db.models import Exists, OuterRef, Q, Subquery

from clubs.models import Club
from tournaments.models import Publication, Session
from tournaments.publication.versions import OFFICIAL, PROVISIONAL, WITHDRAWN
from tournaments.sessions.lists import sessions_with_states


def latest_published_session(club: Club) -> Session | None:
    published = sessions_with_states().filter(
        standing__in=[PROVISIONAL, OFFICIAL], tournament__club=club, tournament__put_away_at=None, shows_ranking=True
    )
    latest: Session | None = published.select_related("tournament").order_by("-published_at").first()
    return latest


def latest_publications(limit: int = 10) -> list[Publication]:
    """The newest publication of each session whose ranking is shown, what was published last first; without their
    data, which is large."""
    versions = Publication.objects.filter(session=OuterRef("session"))
    newer = versions.filter(version__gt=OuterRef("version"))
    last = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    listed = Q(session__put_away_at=None, session__tournament__put_away_at=None, session__shows_ranking=True)
    listed &= Q(session__tournament__club__practice_of=None)
    newest = Publication.objects.filter(~Exists(newer), listed).exclude(status=WITHDRAWN).defer("data")
    by_figures = newest.annotate(figures_of=Subquery(last)).order_by("-figures_of")
    return list(by_figures.select_related("session__tournament__club")[:limit])
