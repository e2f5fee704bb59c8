"""The lists of what an archive has and leaves out: every model of the project is in one of them."""

import json
from pathlib import Path

import pytest
from django.apps import apps

from archives.archive.contents import ARCHIVED, BY_MODEL, LEFT_OUT
from archives.archive.numbers import COMPUTED, NUMBERS
from archives.archive.restoring import ONE_BY_ONE
from archives.privacy.everything import PERSONAL_DATA
from archives.privacy.personal_data import WithholdReason
from tests.archives.archive.schema import SCHEMA, make_schema

APPS = ("clubs", "deals", "tournaments")
MODELS = {
    model._meta.label: model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in APPS
}
SECRET = (WithholdReason.SECRET, WithholdReason.DEVICE)
PUBLIC_LATER = {("deals.DealSet", name) for name in ("seed", "commitment", "value_name", "value")}


def test_every_model_of_the_project_is_archived_computed_or_left_out():
    unlisted = set(MODELS) - set(BY_MODEL) - set(LEFT_OUT) - set(COMPUTED)
    assert not unlisted, f"list in ARCHIVED of archives/archive/contents.py, or in LEFT_OUT why not: {unlisted}"
    assert set(BY_MODEL) | set(LEFT_OUT) | set(COMPUTED) == set(MODELS)
    assert len(BY_MODEL) + len(LEFT_OUT) + len(COMPUTED) == len(MODELS)


@pytest.mark.parametrize("each", ARCHIVED, ids=lambda each: each.name)
def test_rows_refer_only_to_rows_that_stand_before_them(each):
    before = [one.model for one in ARCHIVED[: ARCHIVED.index(each)]]
    for column in each.columns:
        if column.is_relation and column.related_model is not each.rows:
            assert column.related_model._meta.label in (*before, "clubs.User"), column
    assert set(each.without) <= {column.name for column in each.rows._meta.concrete_fields}


def test_no_secret_and_no_device_of_the_export_of_persons_is_archived():
    kept = {(each.model, column.name) for each in ARCHIVED for column in each.columns}
    withheld = {(each.model, name) for each in PERSONAL_DATA for name, why in each.hides.items() if why in SECRET}
    assert kept & withheld == PUBLIC_LATER
    assert not {name for _model, name in kept} & {"password", "token", "code", "device", "contact", "email", "key"} - {
        "code"
    }
    assert {model for model, name in kept if name == "code"} == {"tournaments.PlanVersion"}


def test_columns_with_numbers_of_rows_are_archived_with_their_models():
    elsewhere = {"clubs.PlayerMerge", "tournaments.FieldPublication", "tournaments.SeriesPublication"}
    assert set(NUMBERS) - set(BY_MODEL) == elsewhere


def test_schema_is_that_of_the_models():
    stored, made = json.loads(Path(SCHEMA).read_text()), make_schema()
    assert stored == made, f"{SCHEMA} is out of date: run `python -m tests.archives.archive`"


def test_rows_that_refer_to_rows_of_their_own_model_are_written_one_by_one():
    own = {
        each.model: column.name
        for each in ARCHIVED
        for column in each.columns
        if column.is_relation and column.related_model is each.rows
    }
    assert own == ONE_BY_ONE
