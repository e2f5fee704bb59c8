"""The models that migrations know: those that make fewer of them anew, and Django's own."""

import pytest
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState, StateApps

from tournaments.management.reloading import reload_fewer_models


def describe(apps):
    """Return all that a migration can ask about the models, by model."""
    return {
        model._meta.label: (
            [(field.name, field.deconstruct()[1:]) for field in model._meta.local_fields],
            [field.name for field in model._meta.local_many_to_many],
            sorted(relation.name for relation in model._meta.get_fields(include_hidden=True)),
            [index.deconstruct() for index in model._meta.indexes],
            [constraint.deconstruct() for constraint in model._meta.constraints],
            [base.__name__ for base in model.__bases__],
        )
        for model in apps.get_models(include_auto_created=True)
    }


def list_strangers(apps):
    """Return the relations to a class that is no longer the class of its model."""
    return [
        str(field)
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields(include_hidden=True)
        if field.is_relation and field.related_model is not apps.get_model(field.related_model._meta.label)
    ]


@pytest.mark.nightly("process")
def test_models_after_all_migrations_are_those_that_are_made_anew():
    """Carry out the changes of every migration, without a database. After each one all relations are right."""
    loader = MigrationLoader(None)
    state, strangers, told = ProjectState(), {}, 0
    with reload_fewer_models():
        assert state.apps.get_models() == []
        for key in loader.graph._generate_plan(loader.graph.leaf_nodes(), at_end=True):
            state = loader.get_migration(*key).mutate_state(state, preserve=False)
            strangers[key] = list_strangers(state.apps)
            told += 1
    assert told > 100
    assert {key: found for key, found in strangers.items() if found} == {}
    assert describe(state.apps) == describe(StateApps(state.real_apps, state.models))


def test_django_reloads_as_before_after_the_block():
    plain = ProjectState._find_reload_model
    with reload_fewer_models():
        assert ProjectState._find_reload_model is not plain
    assert ProjectState._find_reload_model is plain
