"""The dates that people read: in French the first day of a month is “1er”."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.formats import date_format

FIRST = dt.datetime(2026, 11, 1, 19, 30, tzinfo=dt.UTC).astimezone(ZoneInfo("Europe/Paris"))
SECOND = FIRST + dt.timedelta(days=1)


@pytest.mark.parametrize(
    ("named", "french", "english"),
    [
        ("DATE_FORMAT", "1er novembre 2026", "1 November 2026"),
        ("DATETIME_FORMAT", "1er novembre 2026 à 20:30", "1 November 2026, 20:30"),
        ("SHORT_DATE_FORMAT", "1er nov. 2026", "1 Nov 2026"),
        ("SHORT_DATETIME_FORMAT", "1er nov. 2026 à 20:30", "1 Nov 2026, 20:30"),
        ("MONTH_DAY_FORMAT", "1er novembre", "1 November"),
    ],
)
def test_first_of_a_month_has_its_ending_in_french_alone(named, french, english):
    template = Template(f'{{{{ day|date:"{named}" }}}}')
    for language, first in (("fr", french), ("en", english)):
        with translation.override(language):
            assert date_format(FIRST, named) == template.render(Context({"day": FIRST})) == first
            second = first.replace("1er ", "2 ").replace("1 ", "2 ")
            assert date_format(SECOND, named) == second


def test_english_ordinals_stay():
    with translation.override("en"):
        assert date_format(FIRST, "jS F") == "1st November"
