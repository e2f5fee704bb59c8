"""The latest publications, of one club or of all clubs."""

from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import RowNumber

from clubs.models import Club, real_clubs
from evenings.reference import is_beside
from tournaments.models import Publication, Session, SimultaneousClub, Tournament, TournamentPublication
from tournaments.versions import OFFICIAL, WITHDRAWN, find_newest_versions

LOOKED_AT = 40  # the newest publications of a club among which its latest rankings are searched first
NEWEST_FIGURES_FIRST = "-figures_of"


def latest_publications(
    limit: int = 10, *, club: Club | None = None, tournament: Tournament | None = None
) -> list[Publication]:
    """Return the newest publication of each session whose ranking readers see, the last published first.

    The publications are those of `tournament` if it is given, else those of `club`, else those of all clubs that appear
    in public lists. For a tournament, the session with the highest number comes first. Of an event, only one
    publication is returned, with the columns of `mark_events`. Their `data`, which is large, is not read.
    """
    if tournament is not None:
        return list(find_newest(Q(session__tournament=tournament), "-session__number", apart=True)[:limit])
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


def find_simultaneous(session: str, **instead: Any) -> Subquery:
    """Return a subquery for the simultaneous in which a club plays this session, or None. `session` is a column.

    `instead` may name one value of the club's part in it, which is then returned.
    """
    taking_part = SimultaneousClub.objects.filter(
        session=OuterRef(session), left_at=None, simultaneous__put_away_at=None
    )
    return Subquery(taking_part.annotate(**instead).values(next(iter(instead), "simultaneous"))[:1])


EVENT = ("simultaneous", "whole", "together", "alone")


def mark_events(*, apart: bool = False) -> dict[str, Any]:
    """Return the columns EVENT for a query of publications of sessions: the event that lists of rankings show.

    Exactly one has a value. It is the simultaneous of the session, else its tournament, its group, or the session. A
    tournament is an event if it lasts one day, and has several sessions and a ranking of its own. A group is one if its
    sections have one ranking. With `apart`, the tournament is not looked at.
    """
    newest = find_newest_versions(TournamentPublication, "tournament").exclude(status=WITHDRAWN)
    ranked = newest.filter(tournament=OuterRef("session__tournament"))
    sessions = Session.objects.filter(tournament=OuterRef("session__tournament"), put_away_at=None)
    other_days = sessions.exclude(date=OuterRef("session__date"))
    several = is_beside("session", "session__tournament")
    in_one_day = Q(pk=None) if apart else Q(Exists(ranked), ~Exists(other_days), several, simultaneous=None)
    one_ranking = Q(simultaneous=None, whole=None, session__group__one_ranking=True)
    return {
        "simultaneous": find_simultaneous("session"),
        "whole": Case(When(in_one_day, then="session__tournament")),
        "together": Case(When(one_ranking, then="session__group")),
        "alone": Case(When(simultaneous=None, whole=None, together=None, then="session")),
    }


def key_event(publication: Any) -> tuple[int | None, ...]:
    """Return the event of a publication that was read with the columns of `mark_events`."""
    return tuple(getattr(publication, column) for column in EVENT)


def find_newest(listed: Q, order: str, *, apart: bool = False) -> QuerySet[Any]:
    """Return the newest publication of each session that meets the condition `listed`, sorted by `order`.

    Of the sessions of an event, only one publication is returned. `apart` is as for `mark_events`.
    """
    shown = Q(session__put_away_at=None, session__tournament__put_away_at=None, session__shows_ranking=True)
    versions = Publication.objects.filter(session=OuterRef("session"))
    last = versions.exclude(status=OFFICIAL).order_by("-version").values("published_at")[:1]
    newest = find_newest_versions(Publication, "session").filter(shown & listed).exclude(status=WITHDRAWN)
    newest_of_event = Window(
        RowNumber(), partition_by=[*map(F, EVENT)], order_by=[F("figures_of").desc(), F("pk").desc()]
    )
    by_figures = newest.defer("data", "frozen").annotate(figures_of=Subquery(last), **mark_events(apart=apart))
    first: QuerySet[Any] = by_figures.annotate(place=newest_of_event).filter(place=1).order_by(order, "-pk")
    return first.select_related("session__tournament__club", "session__group")
