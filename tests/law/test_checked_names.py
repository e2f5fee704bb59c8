"""Each form and each shape of the API checks the names and reasons that it takes, by `validate_name`."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django import forms
from rest_framework import serializers

from clubs.models import validate_name
from tests.law.packages import MODULES, within

PAGES = ("pages", "api", "rooms.web", "rooms.api")
# Fields in which nobody is named: they are compared, or read by a grammar of their own, and nobody else sees them.
NO_NAMES = {
    "password",
    "password1",
    "password2",
    "oldpassword",
    "code",
    "key",
    "seed",
    "username",
    "link",
    "once",
    "seen",
}
NO_NAMES |= {
    "email",
    "kind",
    "move",
    "csv",
    "rule",
    "ranking",
    "time_zone",
    "url",
    "embedders",
    "points",
    "table",
    "field",
    "message",
}
ANSWERS = ("Out", "Brief", "Filters")  # the ends of the names of shapes that store nothing
# `clean_guest_name`, `clubs.lists`, `clubs.roster` or `clubs.teams` checks the names in these fields, line by line.
CHECKED_ELSEWHERE = {"GuestNameForm.name", "JoinIn.name", "SitIn.name", "FillerForm.name", "RosterIn.roster"}
CHECKED_ELSEWHERE |= {"AnsweredRosterIn.roster", "ArriveForm.text", "SubstituteForm.text", "JoinForm.text"}
CHECKED_ELSEWHERE |= {"RosterForm.text", "TeamsForm.text", "ListForm.text", "SettingsForm.address"}
# These hold a mail address, or words that are looked for among names. A grammar reads plans, étuis, prizes and cards.
# The letter of a director has several lines.
CHECKED_ELSEWHERE |= {"SettingsForm.contact", "SeatDrawForm.apart", "PersonAskForm.words", "WalkInForm.listed"}
CHECKED_ELSEWHERE |= {"PlanFileForm.text", "ImportForm.text", "PrizePlanForm.lines", "RecordForm.text", "RecordIn.text"}
CHECKED_ELSEWHERE |= {"EveningMailForm.text"}


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
            if isinstance(field, char) and name not in NO_NAMES and validate_name not in checks:
                yield f"{kind.__name__}.{name}"


def find_column_checks(kind: Any, name: str) -> list[Any]:
    """Return the validators of the column behind a field of a form, if there is one."""
    model = getattr(getattr(kind, "_meta", None), "model", None)
    columns = model._meta.concrete_fields if model else ()
    return [check for column in columns if column.name == name for check in column.validators]


def test_each_field_for_a_text_refuses_invisible_characters():
    for name in MODULES:
        if within(name, PAGES):
            import_module(name)
    unchecked = {*find_unchecked(forms.BaseForm, forms.CharField, "base_fields")}
    unchecked |= {*find_unchecked(serializers.Serializer, serializers.CharField, "_declared_fields")}
    assert unchecked == CHECKED_ELSEWHERE
