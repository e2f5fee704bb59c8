"""The figures on a table's screen: written as the site writes them, in every language."""

import json
from fractions import Fraction

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from evenings.tables.words import catalogue
from tournaments.words.figures import percent
from wording.figures import decimal_text

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

PERCENT = """async ([catalogue, language, shares]) => {
    const { learn, percent, speak } = await import("/static/table/words.js");
    learn(JSON.parse(catalogue));
    speak(language);
    return shares.map(percent);
}"""


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_screen_writes_percentages_as_the_site_does(phone, language):
    """Compare every percentage with one decimal, and some below zero, which penalties can give."""
    values = [Fraction(tenths, 10) for tenths in range(-500, 1001)] + [Fraction(175, 3), Fraction(-1, 30)]
    phone.goto(reverse("rules"))
    written = phone.evaluate(PERCENT, [json.dumps(catalogue()), language, [decimal_text(value, 1) for value in values]])
    with override(language):
        assert written == [percent(value) for value in values]
