"""The dates and hours on pages: one style for each language, British in English, 24 hours in both."""

import datetime as dt
import re
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils.translation import override

ROOT = Path(__file__).parents[1]
EVENING = dt.datetime(2026, 11, 20, 22, 57, tzinfo=dt.UTC)
STYLES = ("DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT")
STYLES += ("YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT")
EN = ["20 November 2026", "23:57", "20 November 2026, 23:57", "20 Nov 2026", "20 Nov 2026, 23:57"]
EN += ["November 2026", "20 November"]
FR = ["20 novembre 2026", "23:57", "20 novembre 2026 à 23:57", "20 nov. 2026", "20 nov. 2026 à 23:57"]
FR += ["novembre 2026", "20 novembre"]


@pytest.mark.parametrize(("language", "written"), [("en", EN), ("fr", FR)])
def test_dates_and_hours_have_one_style(language, written):
    with override(language):
        assert [
            Template(f'{{{{ at|date:"{style}" }}}}').render(Context({"at": EVENING})) for style in STYLES
        ] == written


def test_no_template_writes_a_date_in_a_style_of_its_own():
    """Allow other styles for machines, for a weekday's name, a tile with a day, and the log, which has seconds."""
    templates = ROOT / "templates"
    found = {
        (str(page.relative_to(templates)), style)
        for page in templates.rglob("*.html")
        for style in re.findall(r'\|(?:date|time):"([^"]+)"', page.read_text())
        if style not in (*STYLES, "c", "l", "D")
    }
    tile = {("public/calendar/_event.html", style) for style in ("j", "M")}
    assert found == {("desk/log.html", "H:i:s"), ("rooms/lobby/best.html", "Y-m"), *tile}
