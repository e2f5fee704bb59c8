"""Each form and each shape of the API checks the names and reasons that it takes, by `validate_name`."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django import forms
from rest_framework import serializers

from clubs.models import validate_name
from tests.law.packages import MODULES, within

PAGES = ("pages", "api", "rooms.web", "rooms.api")
NAMES = ("name", "reason", "answer", "article", "title", "contact", "origin", "country", "licence")
ANSWERS = ("Out", "Brief", "Filters")  # the ends of the names of shapes that store nothing
# `clean_guest_name` or `read_line` checks these fields. The last ones are a mail address, and no name that others see.
CHECKED_ELSEWHERE = {"GuestNameForm.name", "JoinIn.name", "SitIn.name", "FillerForm.name"}
CHECKED_ELSEWHERE |= {"SettingsForm.contact", "TokenIn.username"}


def find_kinds(kind: type) -> set[type]:
    """Return all classes that inherit from a class."""
    return set().union(*({each} | find_kinds(each) for each in kind.__subclasses__()))


def find_unchecked(base: type, char: type, fields: str) -> Iterator[str]:
    """Yield the fields for names, of all classes that inherit from `base`, without the check of names."""
    for kind in find_kinds(base):
        if not within(kind.__module__, PAGES) or kind.__name__.endswith(ANSWERS):
            continue
        for name, field in getattr(kind, fields, {}).items():  # a form in parts alone has none
            checks = [*field.validators, *find_column_checks(kind, name)] if isinstance(field, char) else []
            if isinstance(field, char) and name.endswith(NAMES) and validate_name not in checks:
                yield f"{kind.__name__}.{name}"


def find_column_checks(kind: Any, name: str) -> list[Any]:
    """Return the validators of the column behind a field of a form, if there is one."""
    model = getattr(getattr(kind, "_meta", None), "model", None)
    columns = model._meta.concrete_fields if model else ()
    return [check for column in columns if column.name == name for check in column.validators]


def test_each_field_for_a_name_or_a_reason_refuses_invisible_characters():
    for name in MODULES:
        if within(name, PAGES):
            import_module(name)
    unchecked = {*find_unchecked(forms.BaseForm, forms.CharField, "base_fields")}
    unchecked |= {*find_unchecked(serializers.Serializer, serializers.CharField, "_declared_fields")}
    assert unchecked == CHECKED_ELSEWHERE
