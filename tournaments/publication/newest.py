"""What was published last: of one club, and of all of them."""

from django.db.models import Exists, OuterRef, Q

from clubs.models import Club
from tournaments.models import Publication, Session
from tournaments.sessions.lists import sessions_with_states


def latest_published_session(club: Club) -> Session | None:
    published = sessions_with_states().filter(
        tournament__club=club, tournament__put_away_at=None, version__isnull=False
    )
    latest: Session | None = published.select_related("tournament").order_by("-published_at").first()
    return latest


def latest_publications(limit: int = 10) -> list[Publication]:
    """The newest publication of each session, newest first; without their data, which is large."""
    newer = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    listed = Q(session__put_away_at=None, session__tournament__put_away_at=None)
    listed &= Q(session__tournament__club__practice_of=None)
    newest = Publication.objects.filter(~Exists(newer), listed).defer("data")
    return list(newest.select_related("session__tournament__club").order_by("-published_at")[:limit])
