"""The list of what each model stores of people: whom it is about, what is handed out, what erasure does to it."""

from collections import Counter

import pytest
from django.apps import apps

from archives.privacy.everything import NOBODYS, PERSONAL_DATA, TYPED
from archives.privacy.export import FILES
from archives.privacy.personal_data import WithholdReason, follow, leads_to
from clubs.models import Person, Player, User
from tournaments.models import Entrant

MODELS = {model._meta.label: model for model in apps.get_models(include_auto_created=True)}
TOLD = (*PERSONAL_DATA, *TYPED)
PEOPLE = (Player, Person, Entrant, User)
WHERE = "archives/privacy/everything.py"


def holds_text(column):
    """Return whether the field could contain a name."""
    kinds = {"CharField", "TextField", "JSONField", "SlugField", "EmailField", "GenericIPAddressField", "BinaryField"}
    return column.get_internal_type() in kinds and not column.choices


def points_to_people(column):
    """Return whether the field refers to a player, person, entrant or account."""
    return leads_to(column) in PEOPLE


def of(label):
    return [kept for kept in TOLD if kept.model == label]


def handed_out(kept):
    return {column.path.split("__")[0].removesuffix("_id") for column in kept.columns()}


def used(kept):
    """Return the names of the fields by which the rows of a person are found."""
    return {path.split("__")[0] for path in (*kept.whose, *kept.by, kept.session, kept.club) if path}


def test_every_model_is_in_one_of_the_lists():
    untold = set(MODELS) - {kept.model for kept in TOLD} - set(NOBODYS)
    assert not untold, f"list in PERSONAL_DATA or NOBODYS of archives/privacy/everything.py: {untold}"
    assert {kept.model for kept in TOLD} | set(NOBODYS) == set(MODELS)
    assert {kept.model for kept in TOLD} & set(NOBODYS) == set()
    assert max(Counter([*(kept.name for kept in PERSONAL_DATA), *(name for name, _title in FILES)]).values()) == 1


@pytest.mark.parametrize("label", MODELS)
def test_every_field_that_is_about_people_or_could_name_them_is_told_of(label):
    fields = [field for field in MODELS[label]._meta.concrete_fields if holds_text(field) or points_to_people(field)]
    if label in NOBODYS:
        assert {field.name for field in fields} == set(NOBODYS[label]), f"correct NOBODYS[{label!r}]: {WHERE}"
        assert not any(map(points_to_people, fields))
        return
    told = set().union(*(handed_out(kept) | set(kept.hides) | used(kept) for kept in of(label)))
    own = {field.name for field in fields if field.primary_key}
    # Rows that other people made are handed out too. The fields that name these people are in no file.
    untold = {field.name for field in fields} - told - own - typed_only(label)
    assert not untold, f"say of {label} whether {untold} are handed out, and what erasure does to them: {WHERE}"


def typed_only(label):
    """Return the fields that people type, in rows that no file holds."""
    return set().union(*(set(kept.codes) | set(kept.hides) for kept in of(label) if not kept.name))


@pytest.mark.parametrize("label", sorted({kept.model for kept in TOLD}))
def test_every_text_is_emptied_freed_of_names_or_holds_none(label):
    texts = {field.name for field in MODELS[label]._meta.concrete_fields if holds_text(field)}
    ended = set()
    for kept in of(label):
        ended |= set(kept.empties) | set(kept.frees) | set(kept.codes)
        ended |= {name for name, why in kept.hides.items() if why.names_nobody}
    gone = any(kept.whose and kept.goes == kept.whose for kept in of(label))
    assert gone or texts <= ended


@pytest.mark.parametrize("kept", TOLD, ids=lambda kept: kept.name or kept.model)
def test_paths_lead_where_they_say(kept):
    for path in (*kept.whose, *kept.by, *kept.goes):
        _where, column = follow(kept.rows, path)
        assert not path or points_to_people(column) or holds_text(column)
    assert set(kept.goes) <= set(kept.whose)
    names = {field.name for field in kept.rows._meta.concrete_fields}
    assert {*kept.hides, *kept.empties, *kept.frees, *kept.codes} <= names
    assert set(kept.guards) <= {column.path for column in kept.columns()}
    assert str(kept.rows._base_manager.values_list(*(column.path for column in kept.columns())).query)
    assert follow(kept.rows, kept.club_path)[0] is (MODELS["clubs.Club"] if kept.club_path else kept.rows)


@pytest.mark.parametrize("kept", PERSONAL_DATA, ids=lambda kept: kept.name)
def test_no_secret_and_no_other_person_is_handed_out(kept):
    secret = {name for name, why in kept.hides.items() if why is not WithholdReason.TWICE}
    shown = {column.path.removesuffix("_id") for column in kept.columns()}
    assert shown & secret == set()
    last = {path.split("__")[-1] for path in shown}
    assert last & {"password", "digest", "token", "code", "key", "session_key", "grant", "seed"} <= (
        {"code"} if kept.name == "plans" else set()
    )
