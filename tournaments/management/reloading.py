"""The quick way of migrations: a change of a model makes only those models anew that refer to it.

After each change, Django makes nearly all models of the site anew, in both directions of every relation. This took
four fifths of the time of a migration: docs/decisions/0152.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.utils import resolve_relation

Key = tuple[str, str]  # the label of an app, and the name of its model in small letters


@contextmanager
def reload_fewer_models() -> Iterator[None]:
    """Let migrations make only those models anew that a change concerns, until the end of the block."""
    plain = ProjectState._find_reload_model  # type: ignore[attr-defined]
    ProjectState._find_reload_model = find_referring  # type: ignore[attr-defined]
    try:
        yield
    finally:
        ProjectState._find_reload_model = plain  # type: ignore[attr-defined]


def find_referring(state: ProjectState, app_label: str, model_name: str, delay: bool = False) -> set[Key]:  # noqa: ARG001
    """Return the changed model and all that refer to it, directly or through others.

    Their classes hold classes of the models to which they refer. The other classes stay right, because Django finds the
    relations that lead to a model by asking all models.
    """
    changed = app_label, model_name
    state.is_delayed = True  # a migration of rows gets all models anew
    if changed in state.models and model_name in state.apps.all_models[app_label]:
        # Django keeps what it has found. It compares the relations to the old class with those to the new one.
        state.apps.get_model(app_label, model_name)._meta.get_fields(include_hidden=True)
    referring = defaultdict[Key, set[Key]](set)
    for key, model in state.models.items():
        for other in list_references(key, model):
            referring[other].add(key)
    found, left = {changed}, [changed]
    while left:
        new = referring[left.pop()] - found
        found |= new
        left += new
    return found


def list_references(key: Key, model: ModelState) -> list[Key]:
    """Return the models that this one names: as its parents, and in its relations."""
    named: list[Any] = [base for base in model.bases if isinstance(base, str)]
    for field in model.fields.values():
        if field.remote_field is not None:
            named += [field.remote_field.model, getattr(field.remote_field, "through", None)]
    return [resolve_relation(each, *key) for each in named if each is not None]
