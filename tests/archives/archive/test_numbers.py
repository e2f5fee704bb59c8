"""The table of columns that hold numbers of rows: it has every such column, and finds every number."""

import pytest
from django.apps import apps
from django.db.models import JSONField

from archives.archive.numbers import (
    COMPUTED,
    NUMBERS,
    NUMBERS_IN_WORDS,
    PLAY,
    PLAYER,
    WITHOUT_NUMBERS,
    EachOf,
    KeyedBy,
    RowNumber,
    list_numbers,
    renumber,
)
from tests.archives.archive.far import counting_from_afar, find_far
from tests.archives.archive.whole import WholeEvening

pytestmark = pytest.mark.nightly("crawl")

MODELS = {model._meta.label: model for model in apps.get_models(include_auto_created=True)}
LARGE = {"PositiveIntegerField", "PositiveBigIntegerField", "IntegerField", "BigIntegerField"}


def columns_that_could(model):
    """Return the names of the columns that could hold numbers of rows and are no foreign keys."""
    plain = [field for field in model._meta.concrete_fields if not field.is_relation and not field.primary_key]
    return {field.name for field in plain if isinstance(field, JSONField) or field.get_internal_type() in LARGE}


@pytest.mark.parametrize("label", MODELS)
def test_every_column_that_could_hold_numbers_of_rows_is_told_of(label):
    """Check that each such column is listed.

    If this fails, say in archives/archive/numbers.py where in the column numbers of rows stand, or that none do.
    """
    found = columns_that_could(MODELS[label])
    if label in COMPUTED:
        return
    held, words, none = (
        set(NUMBERS.get(label, ())),
        set(NUMBERS_IN_WORDS.get(label, ())),
        WITHOUT_NUMBERS.get(label, ()),
    )
    assert found <= held | words | set(none)
    assert held | set(none) <= found
    assert len(held) + len(none) == len(held | set(none))


def test_every_model_of_the_lists_exists():
    assert {*NUMBERS, *COMPUTED, *WITHOUT_NUMBERS, *NUMBERS_IN_WORDS} <= set(MODELS)


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    with counting_from_afar():
        yield WholeEvening()


def test_an_evening_with_everything_has_no_number_that_the_shapes_miss(evening):
    seen = set()
    for label, model in MODELS.items():
        if label in COMPUTED or model._meta.app_label not in ("clubs", "deals", "tournaments"):
            continue
        for name in columns_that_could(model) - {"revision"}:  # it grows by random steps, into any range
            shape = NUMBERS.get(label, {}).get(name)
            for value in model._base_manager.values_list(name, flat=True):
                mentions = list_numbers(shape, value)
                seen |= {(label, name, mention.model) for mention in mentions if mention.number}
                left = find_far(renumber(shape, value, lambda _mention: 1))
                assert (label, name, left) == (label, name, set())
                assert renumber(shape, value, lambda mention: mention.number) == value
    changed = {("operation", PLAYER), ("before", PLAY), ("newest_entry", "tournaments.ResultEntry")}
    assert {(name, model) for label, name, model in seen if label == "tournaments.PlanVersion"} >= changed
    assert ("tournaments.Publication", "data", "tournaments.Entrant") in seen
    assert ("tournaments.LogEntry", "params", PLAY) in seen
    assert ("tournaments.Publication", "changes", PLAYER) in seen


def test_rulings_that_a_change_took_with_its_plays_are_found():
    ruling = {"pk": 7, "play_id": 8, "kind": "later", "notes": {}, "author_id": 9, "device": ""}
    mentions = list_numbers(NUMBERS["tournaments.PlanVersion"]["operation"], {"kind": "leave", "rulings": [ruling]})
    assert {(each.model, each.number) for each in mentions} == {
        ("tournaments.Ruling", 7),
        (PLAY, 8),
        ("clubs.User", 9),
    }


def test_number_without_a_row_is_left_out_of_lists_alone():
    assert renumber(
        EachOf(RowNumber(PLAYER)), [3, 4], lambda mention: mention.number if mention.number > 3 else None
    ) == [4]
    assert renumber(RowNumber(PLAYER), 3, lambda _mention: None) is None
    assert renumber(KeyedBy(PLAYER), {"3": 1}, lambda _mention: 9) == {"9": 1}
