"""The figures in templates: rounded once, half up, exactly, as the language writes them."""

from fractions import Fraction

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from pages.links import Links
from pages.parts.ranking_rows import decimals
from pages.templatetags import desk
from pages.templatetags import figures as tags
from tournaments.words import figures
from tournaments.words.messages import show_signed

FILTERS = tags.register.filters
NBSP = "\N{NO-BREAK SPACE}"
percentages = st.fractions(min_value=0, max_value=100)


@pytest.mark.parametrize(
    ("value", "places", "french", "english"),
    [
        (Fraction(175, 2), 1, f"87,5{NBSP}%", "87.5%"),
        (Fraction(1, 3), 1, f"0,3{NBSP}%", "0.3%"),
        (Fraction(2, 3), 2, f"0,67{NBSP}%", "0.67%"),
        (Fraction(1, 20), 1, f"0,1{NBSP}%", "0.1%"),
        (Fraction(49949, 1000), 1, f"49,9{NBSP}%", "49.9%"),
        (Fraction(4995, 100), 1, f"50,0{NBSP}%", "50.0%"),
        (Fraction(100), 1, f"100,0{NBSP}%", "100.0%"),
        (Fraction(75), 0, f"75{NBSP}%", "75%"),
    ],
)
def test_percent_rounds_half_up_in_the_language_of_the_page(value, places, french, english):
    with translation.override("fr"):
        assert figures.percent(value, places) == french
    with translation.override("en"):
        assert figures.percent(value, places) == english


def test_percent_of_nothing_is_a_dash_not_a_zero():
    assert (figures.percent(None), figures.decimal(None)) == ("–", "–")


@given(percentages)
def test_percent_is_within_half_a_tenth_of_the_value(value):
    with translation.override("en"):
        shown = Fraction(figures.decimal(value))
    assert -Fraction(1, 20) < shown - value <= Fraction(1, 20)


@pytest.mark.parametrize(("score", "text"), [(106, "+106"), (-56, "−56"), (0, "0"), (None, "–")])
def test_signed_score_has_a_true_minus(score, text):
    assert show_signed(score) == text


@pytest.mark.parametrize(("half_points", "text"), [(98, "49"), (81, "40,5"), (0, "0"), (182, "91")])
def test_half_points_are_said_as_points(half_points, text):
    with translation.override("fr"):
        assert figures.show_points(half_points) == text


def test_line_letter_and_name_in_english():
    with translation.override("en"):
        assert [FILTERS["line_letter"](line) for line in "NESW"] == ["N", "E", "S", "W"]
        assert [FILTERS["line_name"](line) for line in "NESW"] == ["North", "East", "South", "West"]


def test_unknown_line_is_an_error():
    with pytest.raises(KeyError):
        FILTERS["line_name"]("X")


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([Fraction(60), Fraction(50)], [1, 1]),
        ([Fraction(50), Fraction(50)], [1, 1]),
        ([Fraction(5014, 100), Fraction(5011, 100), Fraction(40)], [2, 2, 1]),
        ([Fraction(60), Fraction(5014, 100), Fraction(5011, 100)], [1, 2, 2]),
        ([None, Fraction(50), None], [1, 1, 1]),
        ([], []),
    ],
)
def test_two_decimals_only_where_neighbours_differ_beyond_the_first(values, places):
    assert decimals(values) == places


@given(st.lists(percentages, max_size=12).map(lambda values: sorted(values, reverse=True)))
def test_more_decimals_are_given_to_neighbours_alone(values):
    places = decimals(values)
    for index, place in enumerate(places):
        around = [values[other] for other in (index - 1, index + 1) if 0 <= other < len(values)]
        same = [v for v in around if v != values[index] and figures.decimal(v) == figures.decimal(values[index])]
        assert place == (2 if same else 1)


def test_page_without_a_name_is_not_linked():
    assert tags.page_url(Links({}), "feuille", entrant=1) == ""


def test_page_is_linked_with_what_all_pages_of_the_report_take():
    links = Links({"club": "club"}, {"club": "halles"})
    assert tags.page_url(links, "club") == "/clubs/halles/"


def test_text_is_a_link_if_readers_may_see_its_page_and_stands_alone_otherwise():
    links = Links({"club": "club"}, {"club": "halles"})
    assert tags.page_link(links, "club", "A & B") == '<a href="/clubs/halles/">A &amp; B</a>'
    assert tags.page_link(links, "feuille", "A & B", entrant=1) == "A &amp; B"


@pytest.mark.parametrize(
    ("name", "number", "french", "english"),
    [
        ("name_etui", 12, "Étui 12", "Étui 12"),
        ("name_session", 2, "séance 2", "session 2"),
        ("sessions", 1, "1 séance", "1 session"),
        ("tables", 7, "7 tables", "7 tables"),
        ("say_missing", 2, "2 résultats manquent.", "2 results are missing."),
    ],
)
def test_numbers_are_said_in_the_language_of_the_page(name, number, french, english):
    for language, text in (("fr", french), ("en", english)):
        with translation.override(language):
            assert FILTERS[name](number) == text


def test_number_that_people_type_stands_in_groups_of_four_digits():
    assert desk.register.filters["group_digits"]("12345678") == "1234\N{NO-BREAK SPACE}5678"


@pytest.mark.parametrize(("language", "sign"), [("fr", f"{NBSP}%"), ("en", "%")])
def test_percent_sign_has_the_space_of_its_language(language, sign):
    with translation.override(language):
        assert figures.percent_sign() == sign
