"""The queries of the ORM that do the same work as the SQL written by hand in `tournaments`. Django must be set up."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, FilteredRelation, Max, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from clubs.models import Membership, User, in_force
from tournaments.models import (
    ArbiterCall,
    ChangedEtui,
    EntryCheck,
    EtuiStandings,
    Play,
    Publication,
    ResultEntry,
    Session,
    SessionStandings,
    Table,
    TableDevice,
    TableToken,
)
from tournaments.permissions import AFTER_PUBLICATION
from tournaments.published import PublicPlace, Shows
from tournaments.queue import queue_standings


def glance_at_table(token: str, device: str, now: dt.datetime, *, coming: dt.datetime, seen: dt.datetime) -> object:
    published = Publication.objects.filter(session=OuterRef("table__session")).exclude(status="official").order_by()
    newest = published.values("session").annotate(newest=Max("published_at")).values("newest")
    calls = ArbiterCall.objects.filter(
        table=OuterRef("table"), answered_by__isnull=False, answered_at__gt=coming, answered_at__lte=now
    )
    devices = TableDevice.objects.filter(table=OuterRef("table"), device=device)
    codes = TableToken.objects.filter(
        token=token,
        revoked_at=None,
        expires_at__gt=now,
        table__session__status=Session.Status.RUNNING,
        table__session__devices=Session.Devices.TABLES,
    ).annotate(
        published=Coalesce(Subquery(newest), now),
        coming=Exists(calls),
        device=Subquery(devices.values("pk")[:1]),
        unseen=Exists(devices.exclude(seen_at__range=(seen, now))),
    )
    found = (
        codes.filter(published__gt=now - AFTER_PUBLICATION)
        .values_list(
            *("table", "table__revision", "table__session__revision", "table__number", "table__last_call"),
            *("table__session__tournament__club__names_version", "table__session__shows_after"),
            *("table__session__position", "table__session", "coming", "device", "unseen"),
        )
        .get()
    )
    return (*found, version_shown(found[0], found[-4], *found[-6:-4]))


def version_shown(table: int, session: int, shows: str, position: int) -> int | None:
    """Return the version of the standings that the table's screen may show, or None if it shows none."""
    if shows == Session.ShownAfter.RANKING:
        return SessionStandings.objects.values_list("results_version", flat=True).get(session=session)
    if shows != Session.ShownAfter.TOPAGE:
        return None
    entered = Play.objects.filter(table=table, entries__current=True).order_by()
    here = entered.filter(position__lte=position) if position else entered
    at = here.values("table").annotate(at=Max("position")).values("at")[:1]
    kept = EtuiStandings.objects.filter(standings=session, etui__in=entered.filter(position=at).values("etui"))
    version: int | None = kept.aggregate(version=Sum("results_version"))["version"]
    return version


def glance_at_session(user: User, where: Mapping[str, Any], *, now: dt.datetime, soon: dt.datetime) -> object:
    roles = Membership.objects.filter(in_force(), user=user, user__is_active=True)
    revisions = Table.objects.filter(session=OuterRef("pk")).order_by().values("session")
    club = "tournament__club"
    sessions = Session.objects.filter(
        tournament__club__slug=where["club"],
        tournament__slug=where["tournament"],
        number=where["number"],
        status=Session.Status.RUNNING,
    ).annotate(
        real=Coalesce(f"{club}__practice_of", club),
        tables_sum=Subquery(revisions.annotate(sum=Sum("revision")).values("sum")),
    )
    found = sessions.annotate(role=Subquery(roles.filter(club=OuterRef("real")).values("role")[:1])).values_list(
        *("pk", "revision", f"{club}__names_version", "tables_sum", "results_version", "standings__results_version"),
        *("clock_ends_at", f"{club}__practice_of", "role"),
    )
    row = found.get()
    return row, row[6] and (row[6] <= soon, row[6] <= now)


def raise_table(table: Table, by: int) -> bool:
    """Raise the revision of a table, then read it. Return whether nobody else has written meanwhile.

    It takes two queries. The second one also sees what others have written.
    """
    running = Table.objects.filter(pk=table.pk, session__status=Session.Status.RUNNING)
    running.update(revision=F("revision") + by)
    own, shared = Table.objects.values_list("revision", "session__revision").get(pk=table.pk)
    return (table.revision, table.session.revision) == (own - by, shared)


def read_table(table: int) -> object:
    return [
        list(Play.objects.filter(table=table).order_by("position", "etui__number")),
        list(ResultEntry.objects.filter(play__table=table).order_by("version")),
        list(EntryCheck.objects.filter(entry__play__table=table).order_by("id")),
    ]


def read_joined(tables: Sequence[int]) -> object:
    plays = Play.objects.filter(table__in=tables).annotate(ruling=FilteredRelation("rulings"))
    entries = ResultEntry.objects.filter(play__table__in=tables).annotate(word=FilteredRelation("checks"))
    return [
        list(plays.select_related("ruling").order_by("pk", "ruling__pk")),  # type: ignore[misc]
        list(entries.select_related("word").order_by("version", "pk", "word__pk")),  # type: ignore[misc]
    ]


def find_published(place: PublicPlace) -> object:
    earlier = Publication.objects.filter(
        ~Q(status="withdrawn"),
        session__tournament=OuterRef("session__tournament"),
        session__number__lt=OuterRef("session__number"),
        session__put_away_at=None,
        session__shows_ranking=True,
    ).filter(
        Q(session__group=None) | Q(session__group__isnull=False) & ~Q(session__group=OuterRef("session__group")),
        version=Subquery(
            Publication.objects.filter(session=OuterRef("session"))
            .order_by()
            .values("session")
            .annotate(newest=Max("version"))
            .values("newest")
        ),
    )
    versions = Publication.objects.filter(
        session__tournament__club__slug=place.club,
        session__tournament__slug=place.tournament,
        session__number=place.number,
    ).annotate(former=Subquery(earlier.order_by("-session__number").values("pk")[:1]))
    club = "session__tournament__club"
    return list(
        versions.order_by("-version").values_list(
            *("pk", "version", "status", "digest", "official_from", f"{club}__names_version", "session"),
            *(f"{club}__practice_of", *(f"session__shows_{part}" for part in Shows._fields), "former"),
        )
    )


def raise_results_version(session: int, etui: int) -> None:
    group = Session.objects.filter(pk=session, group__one_topage=True).values("group")
    sessions = list(
        Session.objects.filter(Q(pk=session) | Q(group__in=group)).order_by("pk").values_list("pk", flat=True)
    )
    ChangedEtui.objects.bulk_create(ChangedEtui(session_id=pk, etui_id=etui) for pk in sessions)
    for pk in sessions:
        Session.objects.filter(pk=pk).update(results_version=F("results_version") + 1)
        queue_standings(pk)
