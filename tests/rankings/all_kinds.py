"""A club with a published ranking of each kind, for tests that say the same of all kinds."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, User
from rankings.events.publishing import TOURNAMENTS
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.factories import DATE, make_club, make_director, published_session
from tests.world import make_field_of, make_series_of, make_tournament
from tournaments.models import Session
from tournaments.versions import DirectorWord

SESSION, TOURNAMENT, SERIES, FIELD = KINDS = ("session", "tournament", "series", "field")
# The list of versions of each kind for programs, and the newest version.
API = {
    SESSION: ("sessions/{session}/publications/", "sessions/{session}/publications/latest/"),
    TOURNAMENT: ("tournaments/{tournament}/publications/", "tournaments/{tournament}/publications/latest/"),
    SERIES: ("clubs/club/series/{series}/publications/", "clubs/club/series/{series}/"),
    FIELD: ("clubs/club/simultaneous/{field}/ranking/versions/", "clubs/club/simultaneous/{field}/ranking/"),
}


@dataclass
class AllKinds:
    """A club with one published version of a ranking of each kind. The first of two evenings is the simultaneous."""

    club: Club
    by: User
    sessions: list[Session]
    places: dict[str, Any]

    def api(self, kind: str, part: int = 0) -> str:
        """Return the address below /api/v1/ of the list of versions, or of the newest version (`part` 1)."""
        return API[kind][part].format(**self.places)

    def page(self, name: str, kind: str, *more: int) -> str:
        """Return the address of a page of the ranking of this kind."""
        slug = self.places["slug"]
        own = {SESSION: [slug, 2], TOURNAMENT: [slug]}.get(kind) or [self.places[kind]]
        return reverse(name, args=[self.club.slug, *own, *more])


def make_all_kinds() -> AllKinds:
    club = make_club()
    by, tournament = make_director(club), make_tournament(club)
    sessions = [published_session(tournament, by=by) for _evening in range(2)]
    Session.objects.filter(tournament=tournament).update(closed_at=timezone.now())
    Session.objects.filter(pk=sessions[0].pk).update(date=DATE - dt.timedelta(days=7))
    word = DirectorWord(by, timezone.now())
    TOURNAMENTS.publish(tournament.pk, word)
    series = make_series_of(club, by=by)
    SERIES_OF_CLUBS.publish(series.pk, word)
    places = {"session": sessions[1].pk, "tournament": tournament.pk, "slug": tournament.slug, "series": series.slug}
    return AllKinds(club, by, sessions, places | make_field_of(club, sessions[0], by=by))
