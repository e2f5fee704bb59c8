"""The same evening again: the first that a process makes is kept as rows, and later written as it was.

Most tests begin with the same few evenings; to write their rows takes a tenth of the time in which a club makes them.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from django.apps import apps
from django.db import connection
from django.db.models import ForeignKey, Max, Model
from django.utils import timezone

from clubs.models import Club, Player, User
from deals.models import DealSet
from tournaments.models import Session, Tournament
from tournaments.queue import queue_standings

MOMENT = re.compile(rb"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00")


class Evening(NamedTuple):
    """The rows of each model as COPY writes them, but for whose they are."""

    session: int
    at: dt.datetime
    rows: dict[type[Model], bytes]


kept: dict[tuple[object, ...], Evening] = {}


def once_more(
    make: Callable[..., Session], tournament: Tournament, by: User | None, shape: Mapping[str, int]
) -> Session:
    """What `make(tournament, by, **shape)` makes. Where there is an evening already, or where this one is to be
    committed, it is made anew."""
    if not connection.in_atomic_block or any(model.objects.exists() for model in (Session, Player, DealSet)):
        return make(tournament, by, **shape)
    club = tournament.club
    told = tournament.name, tournament.slug, tournament.auction, tournament.federation, club.name, club.slug
    key = make, *told, *sorted(shape.items())
    whose: dict[type[Model], int | None] = {Club: club.pk, Tournament: tournament.pk, User: by.pk if by else None}
    if key not in kept:
        before = {model: model._base_manager.aggregate(last=Max("pk"))["last"] or 0 for model in models()}
        session = make(tournament, by, **shape)
        rows = {model: read(model, last, whose) for model, last in before.items()}
        kept[key] = Evening(session.pk, timezone.now(), {model: found for model, found in rows.items() if found})
        return session
    evening = kept[key]
    for model, found in evening.rows.items():
        write(model, moved(found, timezone.now() - evening.at), whose)
    session = Session.objects.select_related("tournament", "deal_set").get(pk=evening.session)
    if session.status == Session.Status.RUNNING:
        queue_standings(session.pk)
    return session


@cache
def models() -> list[type[Model]]:
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if model._meta.app_label in ("clubs", "deals", "tournaments")]


def columns(model: type[Model]) -> str:
    return ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields)


def mark(owner: type[Model]) -> bytes:
    return f"@{owner.__name__}@".encode()


def read(model: type[Model], last: int, whose: Mapping[type[Model], int | None]) -> bytes:
    """The rows after that id."""
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


def moved(rows: bytes, later: dt.timedelta) -> bytes:
    """The rows with every moment as much later."""
    return MOMENT.sub(lambda found: (dt.datetime.fromisoformat(found[0].decode()) + later).isoformat().encode(), rows)


def write(model: type[Model], rows: bytes, whose: Mapping[type[Model], int | None]) -> None:
    for owner, pk in whose.items():
        rows = rows.replace(mark(owner), str(pk).encode())
    statement = f'COPY "{model._meta.db_table}" ({columns(model)}) FROM STDIN'
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(rows)
