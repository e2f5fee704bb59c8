"""A cache of whole worlds of rows for the tests: what a maker writes into an empty database is kept once a process.

`@kept_world` marks such a maker. Its later calls write the rows by COPY and return the same value, with its rows read
anew. It makes everything anew if the database has an evening already, or if the test commits. Then nothing is kept.
"""

import copy
import datetime as dt
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection
from django.db.models import AutoField, BigAutoField, Max, Model
from django.utils import timezone

from clubs.models import Club, Player, User
from deals.models import DealSet
from evenings.plans import proposals
from tests.again import move, read, write
from tests.lanes.budget import apart
from tournaments.models import Session
from tournaments.queue import queue_standings

Given = ParamSpec("Given")
Made = TypeVar("Made")
APPS = ("clubs", "deals", "tournaments", "rooms", "account")
EMPTY = (Club, User, Session, Player, DealSet)  # a world begins without any of these


class World(NamedTuple):
    """The rows of each model in the format of COPY, and what the maker returned, with a Row for each row in it."""

    at: dt.datetime
    rows: dict[type[Model], bytes]
    value: Any


class Row(NamedTuple):
    """The place of a row in the value of a maker."""

    model: type[Model]
    pk: Any


worlds: dict[tuple[object, ...], World] = {}


def kept_world(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Let a maker keep the rows that it writes into an empty database, for each choice of its arguments."""

    @wraps(make)
    def make_or_copy(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        key = make, id(proposals.answered), args, tuple(sorted(kwargs.items()))
        if not is_fit(args, kwargs):
            return make(*args, **kwargs)
        if key not in worlds:
            with apart.counting():
                return make_and_keep(key, lambda: make(*args, **kwargs))
        return copy_world(worlds[key])

    return make_or_copy


def is_fit(args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Return True if a call can be kept: plain arguments, a test that is rolled back, no evening in the database."""
    plain = all(isinstance(each, bool | int | str | None) for each in (*args, *kwargs.values()))
    return plain and connection.in_atomic_block and not any(model._base_manager.exists() for model in EMPTY)


@cache
def list_models() -> list[type[Model]]:
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if model._meta.app_label in APPS and model._meta.managed and not model._meta.proxy]


def make_and_keep(key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """Make a world, and keep the rows that came."""
    lasts = {model: find_last(model) for model in list_models()}
    value = make()
    rows = {model: read(model, last, {}) for model, last in lasts.items()}
    worlds[key] = World(timezone.now(), {model: found for model, found in rows.items() if found}, fold(value))
    return value


def find_last(model: type[Model]) -> int:
    """Return the greatest id of a model so far, or 0 where its key is the row of another model."""
    last = model._base_manager.aggregate(last=Max("pk"))["last"]
    return last if last and isinstance(model._meta.pk, AutoField | BigAutoField) else 0


def copy_world(world: World) -> Any:
    """Write the rows of a world, and return the maker's value."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    for model, found in world.rows.items():
        write(model, move(found, timezone.now() - world.at), {})
    for session in Session.objects.filter(status=Session.Status.RUNNING):
        queue_standings(session.pk)
    return unfold(world.value)


def fold(value: Any) -> Any:
    """Return a copy of a value with a Row in place of each row of the database."""
    if isinstance(value, Model):
        return Row(type(value), value.pk)
    if type(value) in (list, tuple, set):
        return type(value)(map(fold, value))
    if isinstance(value, dict):
        return refill(value, {fold(key): fold(each) for key, each in value.items()})
    return copy.deepcopy(value)


def unfold(value: Any) -> Any:
    """Return a value of `fold` with the rows read anew."""
    if isinstance(value, Row):
        return value.model._base_manager.get(pk=value.pk)
    if type(value) in (list, tuple, set):
        return type(value)(map(unfold, value))
    if isinstance(value, dict):
        return refill(value, {unfold(key): unfold(each) for key, each in value.items()})
    return copy.deepcopy(value)


def refill(like: dict[Any, Any], items: dict[Any, Any]) -> dict[Any, Any]:
    """Return a dictionary of the kind of `like`, a counter or one with a default, with these items."""
    filled = copy.copy(like)
    filled.clear()
    filled.update(items)
    return filled
