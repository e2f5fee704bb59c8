"""A cache of evenings for the tests: the first evening that a process makes is kept as rows, and copied later.

Most tests begin with one of a few evenings. Writing the rows takes a tenth of the time that the services of the site
need to make them.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from django.apps import apps
from django.db import connection
from django.db.models import AutoField, BigAutoField, DateTimeField, ForeignKey, Max, Model
from django.utils import timezone

from clubs.models import Club, Player, User
from deals.models import DealSet
from evenings.plans import proposals
from tests.lanes.budget import apart
from tournaments.models import Session, Tournament
from tournaments.queue import queue_standings

MOMENT = re.compile(rb"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00")


class Evening(NamedTuple):
    """The rows of each model in the format of COPY, without the ids of their owners."""

    sessions: list[int]
    at: dt.datetime
    rows: dict[type[Model], bytes]


LEFT_OUT = (AutoField, BigAutoField, DateTimeField, ForeignKey)
kept: dict[tuple[object, ...], Evening] = {}
# The evening that is being made. Sessions made meanwhile belong to it, and are not cached on their own.
making: list[object] = []


def once_more(
    make: Callable[..., Session], tournament: Tournament, by: User | None, shape: Mapping[str, int]
) -> Session:
    """Return the session that `make(tournament, by, **shape)` makes, from the cache if possible.

    It is made anew if the database has an evening already, or if the test commits it.
    """
    (session,) = all_once_more(make, tournament, by, shape)
    return session


def all_once_more(
    make: Callable[..., Session | list[Session]], tournament: Tournament, by: User | None, shape: Mapping[str, int]
) -> list[Session]:
    """Return what `once_more` returns, for one session or for several that are made one after the other."""
    if making or not connection.in_atomic_block or any(model.objects.exists() for model in (Session, Player, DealSet)):
        return listed(make(tournament, by, **shape))
    club = tournament.club
    whose: dict[type[Model], int | None] = {Club: club.pk, Tournament: tournament.pk, User: by.pk if by else None}
    # Short searches give other plans, which have a cache of their own.
    key = make, id(proposals.answered), *told(club), *told(tournament), *sorted(shape.items())
    if key not in kept:
        before = {model: model._base_manager.aggregate(last=Max("pk"))["last"] or 0 for model in models()}
        making.append(make)
        try:
            with apart.counting():
                sessions = listed(make(tournament, by, **shape))
        finally:
            making.clear()
        rows = {model: read(model, last, whose) for model, last in before.items()}
        pks = [session.pk for session in sessions]
        kept[key] = Evening(pks, timezone.now(), {model: found for model, found in rows.items() if found})
        return sessions
    evening = kept[key]
    for model, found in evening.rows.items():
        write(model, move(found, timezone.now() - evening.at), whose)
    written = Session.objects.select_related("tournament", "deal_set").in_bulk(evening.sessions)
    for session in written.values():
        if session.status == Session.Status.RUNNING:
            queue_standings(session.pk)
    return [written[pk] for pk in evening.sessions]


def listed(made: Session | list[Session]) -> list[Session]:
    return made if isinstance(made, list) else [made]


def told(row: Model) -> list[str]:
    """Return the fields of a row that an evening may depend on: all but ids, times and foreign keys."""
    fields = [field for field in row._meta.concrete_fields if not isinstance(field, LEFT_OUT)]
    return [f"{field.name}={getattr(row, field.attname)!r}" for field in fields]


@cache
def models() -> list[type[Model]]:
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if model._meta.app_label in ("clubs", "deals", "tournaments")]


def columns(model: type[Model]) -> str:
    return ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)


def mark(owner: type[Model]) -> bytes:
    return f"@{owner.__name__}@".encode()


def read(model: type[Model], last: int, whose: Mapping[type[Model], int | None]) -> bytes:
    """Return the rows of a model whose id is greater than `last`, in the format of COPY."""
    table, pk = model._meta.db_table, model._meta.pk.column
    question = f'COPY (SELECT {columns(model)} FROM "{table}" WHERE "{pk}" > {last} ORDER BY "{pk}") TO STDOUT'
    with connection.cursor() as cursor, cursor.copy(question) as copy:
        lines = b"".join(copy).splitlines()
    fields = model._meta.concrete_fields
    owners = {
        place: field.related_model
        for place, field in enumerate(fields)
        if isinstance(field, ForeignKey) and field.related_model in whose
    }
    rows = []
    for line in lines:
        row = line.split(b"\t")
        for place, owner in owners.items():
            if row[place] == str(whose[owner]).encode():
                row[place] = mark(owner)
        rows.append(b"\t".join(row) + b"\n")
    return b"".join(rows)


def move(rows: bytes, later: dt.timedelta) -> bytes:
    """Return the rows with every moment later by `later`."""
    return MOMENT.sub(lambda found: (dt.datetime.fromisoformat(found[0].decode()) + later).isoformat().encode(), rows)


def write(model: type[Model], rows: bytes, whose: Mapping[type[Model], int | None]) -> None:
    for owner, pk in whose.items():
        rows = rows.replace(mark(owner), str(pk).encode())
    statement = f'COPY "{model._meta.db_table}" ({columns(model)}) FROM STDIN'
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(rows)
