"""The handbook as a booklet, read back from the PDF, and the data of its layout."""

import json
from itertools import pairwise

import pytest
from django.utils import translation

from deals.exports.pdf import Sheets
from handbook.deals import LANGUAGES
from handbook.words import list_slugs, open_exercise, open_page
from outgoing.paper.booklet import set_booklet, write_page
from tests.deals.exports.test_pdf import printed


def squeeze(text):
    """Return the letters of a text. Hyphens at the end of a line and spaces are the typesetter's."""
    return "".join(letter for letter in text if letter.isalnum())


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def layout(language, monkeypatch):
    """Return the data of the booklet, as its layout gets it."""
    monkeypatch.setattr(Sheets, "typeset", lambda sheets: sheets.data)
    return set_booklet.__wrapped__(language)


def test_booklet_has_each_page_in_order_with_its_exercises(language):
    text = squeeze("".join(run for page in printed(set_booklet(language)) for run in page))
    places = [
        text.rindex(squeeze(open_page(language, slug).title + first_words(language, slug))) for slug in list_slugs()
    ]
    assert all(before < after for before, after in pairwise(places))
    for slug in list_slugs():
        for block in open_page(language, slug).blocks:
            if block.kind == "exercise":
                assert squeeze(open_exercise(block.key).questions[language])[:40] in text


def test_booklet_prints_the_sources_of_a_page_and_the_terms_of_a_deal(language):
    text = squeeze("".join(run for page in printed(set_booklet(language)) for run in page))
    assert squeeze({"en": "Sources: FFT 2012 pp. 13–17", "fr": "Sources : FFT 2012 p. 13–17"}[language]) in text
    assert squeeze({"en": "Taker: South · Garde", "fr": "Preneur : Sud · Garde"}[language]) in text


def first_words(language, slug):
    """Return the first words of a page, which the booklet prints below its title."""
    tokens = open_page(language, slug).parts[0]
    return tokens[1].children[0].content[:20]


def test_booklet_says_dealer_taker_and_sources(layout):
    told = json.dumps(layout, ensure_ascii=False)
    french = layout["language"] == "fr"
    assert (
        "Donneur\u00a0: Est · Preneur\u00a0: Sud · Garde" if french else "Dealer: East · Taker: South · Garde"
    ) in told
    assert ("usage des joueurs" if french else "custom of players") in told
    assert "FFT 2012 p. 9" in told


@pytest.mark.parametrize("slug", list_slugs())
def test_both_languages_print_the_same_parts(slug):
    kinds = []
    for language in LANGUAGES:
        with translation.override(language):
            kinds.append([part["kind"] for part in write_page(slug, open_page(language, slug))["parts"]])
    assert kinds[0] == kinds[1]
