"""No regular expression of the project takes long, whatever somebody types or uploads."""

import re

import pytest

from tests.law.expressions import find_addresses, find_expressions
from tests.law.growing import WAYS, find_slow_input
from tests.law.packages import MODULES


def test_no_expression_takes_ten_milliseconds_for_four_hundred_letters():
    found = [each for name in MODULES for each in find_expressions(name)]
    assert len(found) > 100, "the walk finds the expressions"
    tried = {(each.pattern, way): each.place for each in [*found, *find_addresses()] for way in each.ways}
    slow = {place: find_slow_input(*attempt) for attempt, place in tried.items()}
    assert {place: told for place, told in slow.items() if told} == {}


@pytest.mark.parametrize(
    ("expression", "way"),
    [
        (r"(?=.*\d)(?:[\d ]|er?|(?:nov|dec)(?:embre|e)?)+", "fullmatch"),
        (r"(a+)+b", "match"),
        (r"[^\s<>]+@[^\s<>]+\.[^\s<>]+", "search"),
        (r"no\s*(?:n°)?\s*:?\s*[0-9]", "search"),
    ],
    ids=["two-readings", "nested", "cubic", "adjacent"],
)
def test_an_expression_that_reads_a_text_in_many_ways_is_found(expression, way):
    assert find_slow_input(re.compile(expression), way) is not None


@pytest.mark.parametrize("expression", [r"(?>a+)+b", r"(?:er?|nov|dec)++", r"no\s*+:?\s*+[0-9]", r"[a-z]{1,8}"])
def test_an_expression_that_reads_a_text_in_one_way_is_quick(expression):
    assert [find_slow_input(re.compile(expression), way) for way in WAYS] == [None] * 3
