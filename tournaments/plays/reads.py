"""Reads: lists and states that pages and the API show. Whoever calls has asked `permissions` first."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from clubs.models import Club, Membership, User
from tournaments.models import (
    EtuiRuling,
    Play,
    Publication,
    ResultEntry,
    Ruling,
    Session,
    SessionStandings,
    Tournament,
)
from tournaments.plays.etui_rulings import find_annulled

SET_ASIDE = (Ruling.Kind.NOT_PLAYED, Ruling.Kind.LATER)
ANNULLED = Q(ruling=Ruling.Kind.ANNULLED) | Q(etui_ruling=EtuiRuling.Kind.ANNULLED) | Q(is_replay=True, entered=True)
NOT_PLAYED = ~ANNULLED & Q(entered=False) & (Q(ruling=Ruling.Kind.NOT_PLAYED) | Q(is_replay=True))
WAITED_FOR = ~ANNULLED & ~NOT_PLAYED & Q(entered=False)


def sessions_with_stale_standings() -> list[int]:
    """Sessions whose results have changed since their standings were last computed."""
    stale = SessionStandings.objects.filter(results_version__lt=F("session__results_version"))
    return list(stale.order_by("session_id").values_list("session_id", flat=True))


@dataclass(frozen=True, slots=True)
class PlayState:
    """A play with its current entry and the ruling in force, as lists show it."""

    play: Play
    entry: ResultEntry | None
    ruling: str = ""
    etui_annulled: bool = False

    @property
    def annulled(self) -> bool:
        """By a ruling on the play, on its étui for everybody, or since somebody had had the étui."""
        again = self.play.is_replay and self.entry is not None
        return self.etui_annulled or self.ruling == Ruling.Kind.ANNULLED or again

    @property
    def state(self) -> str:
        """annulled, entered, not_played, later or missing. A result counts, whatever was set aside before it came."""
        if self.annulled:
            return "annulled"
        if self.entry:
            return "entered"
        if self.play.is_replay:
            return "not_played"
        return self.ruling if self.ruling in SET_ASIDE else "missing"

    @property
    def missing(self) -> bool:
        """Whether a result is waited for: a play for later is still owed, one not played is not."""
        return self.state in ("missing", "later")


def plays_of(session: Session, **where: Any) -> list[PlayState]:
    """The plays of a session by position, table and étui, in a fixed number of queries."""
    plays = (
        session.plays.filter(**where)
        .select_related("table", "etui", "north__player", "east__player", "south__player", "west__player")
        .prefetch_related(
            Prefetch(
                "entries",
                queryset=ResultEntry.objects.filter(current=True).select_related("author"),
                to_attr="counting",
            ),
            Prefetch("rulings", queryset=Ruling.objects.order_by("-id"), to_attr="newest_first"),
        )
        .order_by("position", "table__number", "etui__number")
    )
    annulled = find_annulled(session.pk)
    return [state_of(play, annulled) for play in plays]


def state_of(play: Any, annulled: set[int]) -> PlayState:
    """`annulled`: ids of the étuis that are out of the whole session."""
    rulings = play.newest_first
    return PlayState(
        play=play,
        entry=play.counting[0] if play.counting else None,
        ruling=rulings[0].kind if rulings else "",
        etui_annulled=play.etui_id in annulled,
    )


def is_fresh(session: Session) -> bool:
    """Whether the kept standings are those of the newest results."""
    return session.standings.results_version == session.results_version


def progress_of(session: Session) -> dict[str, Any] | None:
    """Counts of the plays, and of how old the standings are; None before the start. `missing` holds those for later."""
    if session.status != Session.Status.RUNNING:
        return None
    counts = ruled_plays(session).aggregate(
        plays=Count("pk"),
        annulled=Count("pk", filter=ANNULLED),
        not_played=Count("pk", filter=NOT_PLAYED),
        later=Count("pk", filter=WAITED_FOR & Q(ruling=Ruling.Kind.LATER)),
        missing=Count("pk", filter=WAITED_FOR),
    )
    computed = session.standings
    return {
        "position": session.position,
        "clock": {"ends_at": session.clock_ends_at, "left": session.clock_left},
        **counts,
        "results_version": session.results_version,
        "computed_at": computed.computed_at if computed.data else None,
        "fresh": is_fresh(session),
    }


def ruled_plays(session: Session) -> QuerySet[Play]:
    """The plays of a session with what `ANNULLED` and `WAITED_FOR` ask of them."""
    entered = ResultEntry.objects.filter(play=OuterRef("pk"), current=True)
    newest = Ruling.objects.filter(play=OuterRef("pk")).order_by("-id").values("kind")[:1]
    of_etui = EtuiRuling.objects.filter(session=OuterRef("session"), etui=OuterRef("etui")).order_by("-id")
    return session.plays.annotate(
        entered=Exists(entered),
        ruling=Coalesce(Subquery(newest), Value("")),
        etui_ruling=Coalesce(Subquery(of_etui.values("kind")[:1]), Value("")),
    )


def owing(session: Session, *, until: int) -> dict[int, dict[int, int]]:
    """By position up to `until` and by table: how many results are waited for, where there is one."""
    rows = ruled_plays(session).filter(WAITED_FOR, position__lte=until).order_by("position", "table__number")
    found: dict[int, dict[int, int]] = {}
    for position, table in rows.values_list("position", "table__number"):
        tables = found.setdefault(position, {})
        tables[table] = tables.get(table, 0) + 1
    return found


def history_of(play: Play) -> Iterable[ResultEntry]:
    return play.entries.select_related("author").order_by("-version")


def rulings_of(play: Play) -> Iterable[Ruling]:
    return play.rulings.select_related("author").order_by("-id")


def sessions_with_states(*, away: bool = False) -> Any:
    """Sessions, newest first, with their number of tables and, once published, the newest version and its moment.

    Those that are put away are in no list but their own.
    """
    return (
        Session.objects.filter(put_away_at__isnull=not away)
        .annotate(
            tables_count=Count("tables", distinct=True),
            version=Max("publications__version"),
            published_at=Max("publications__published_at"),
        )
        .order_by("-number")
    )


def session_of_the_night(user: User, *, date: dt.date) -> Session | None:
    """The session of this date that the account has to do with: one that is not yet published rather than one that is,
    under way rather than in preparation, which is for directors alone, and the newest of several."""
    director = Q(tournament__club__memberships__role=Membership.Role.DIRECTOR)
    return (
        Session.objects.filter(
            Q(status=Session.Status.RUNNING) | director,
            tournament__club__memberships__user=user,
            tournament__put_away_at=None,
            put_away_at=None,
            date=date,
        )
        .select_related("tournament__club")
        .annotate(published=Exists(Publication.objects.filter(session=OuterRef("pk"))))
        .order_by("published", "-status", "-started_at", "-pk")
        .first()
    )


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """A club's tournaments that are not put away, newest first, each with its sessions and their states."""
    return (
        club.tournaments.filter(put_away_at=None)
        .select_related("season")
        .prefetch_related(Prefetch("sessions", queryset=sessions_with_states()))
    )


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
    newest = Publication.objects.filter(~Exists(newer), listed).defer("data")
    return list(newest.select_related("session__tournament__club").order_by("-published_at")[:limit])
